//! What was measured of each request of a real server.

use anyhow::{Context, ensure};
use goodput_sim::{SimTime, Trace, TraceRequest};
use serde::Deserialize;

use crate::trace_formats::{Lined, json_lines};

/// Fewest requests of a fit: half of them fit three costs.
const FEWEST: usize = 20;

/// The timings of one request, on the server's own clock, as LLMServingSim's benchmark writes them.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Timing {
    #[serde(rename = "input_toks")]
    prompt: u32,
    #[serde(rename = "output_toks")]
    output: u32,
    /// When the server had it [s].
    #[serde(rename = "queued_ts")]
    pub(crate) queued: f64,
    /// When it joined a step for the first time [s].
    #[serde(rename = "scheduled_ts")]
    pub(crate) scheduled: f64,
    #[serde(rename = "first_token_ts")]
    pub(crate) first_token: f64,
    #[serde(rename = "last_token_ts")]
    pub(crate) last_token: f64,
}

impl Timing {
    pub(crate) fn times(&self) -> Times {
        let later_tokens = self.output - 1;
        Times {
            ttft: self.first_token - self.queued,
            tpot: (later_tokens > 0).then(|| (self.last_token - self.first_token) / f64::from(later_tokens)),
        }
    }

    pub(crate) fn prompt(&self) -> f64 {
        f64::from(self.prompt)
    }

    fn check(&self) -> anyhow::Result<()> {
        let &Self { queued, scheduled, first_token, last_token, output, .. } = self;
        ensure!(
            queued <= scheduled && scheduled < first_token,
            "queued, scheduled, first token must follow each other"
        );
        ensure!(output == 1 || first_token < last_token, "the last token must come after the first");
        Ok(())
    }

    fn request(&self, start: f64) -> anyhow::Result<TraceRequest> {
        Ok(TraceRequest::new(SimTime::from_secs(self.queued - start), self.prompt, self.output)?)
    }
}

/// The two times by which a request is judged, measured or simulated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// Time to first token [s].
    pub(crate) ttft: f64,
    /// Time per output token [s]; `None` for answers of one token.
    pub(crate) tpot: Option<f64>,
}

/// The requests of a file in order of time, and the same as a trace that starts at time zero.
pub(crate) fn timings(text: &str) -> anyhow::Result<(Vec<Timing>, Trace)> {
    let mut lined: Vec<Lined<Timing>> = json_lines(text)?;
    ensure!(lined.len() >= FEWEST, "these are {} requests: a fit needs at least {FEWEST}", lined.len());
    let start = lined.iter().map(|(_, timing)| timing.queued).fold(f64::INFINITY, f64::min);
    let check = |(line, timing): &Lined<Timing>| {
        timing.check().and_then(|()| timing.request(start)).with_context(|| format!("line {line}"))
    };
    let requests = lined.iter().map(check).collect::<anyhow::Result<_>>()?;
    lined.sort_by(|(_, one), (_, other)| one.queued.total_cmp(&other.queued));
    Ok((lined.into_iter().map(|(_, timing)| timing).collect(), Trace::new(requests)?))
}
