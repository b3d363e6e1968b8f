//! What a fit found, and how far it can be trusted.

use std::fmt;

use comfy_table::CellAlignment::{Left, Right};
use comfy_table::Table;
use goodput_sim::{Distribution, Scenario, SimTime, Trace};
use serde::Serialize;

use crate::fit_costs::Costs;
use crate::fit_search::Fit;
use crate::fit_timings::{Times, Timing};
use crate::table::{text, time};

/// The result of a fit.
#[derive(Debug, Serialize)]
pub(crate) struct Outcome {
    requests: usize,
    /// From the first to the last arrival [s].
    span_s: f64,
    rate_per_s: f64,
    max_batch: u32,
    token_budget: u32,
    kv_tokens: u32,
    costs: Costs,
    /// Mean relative error of a fitted request's TTFT, plus that of its TPOT.
    loss: f64,
    fitted: Half,
    held_out: Half,
    /// Sequences that ran when a request of the fitted half that had waited was scheduled, itself included, at the
    /// median; `None` when none of them waited.
    running_when_others_waited: Option<u64>,
}

/// Half of the requests, measured and simulated.
#[derive(Debug, Serialize)]
struct Half {
    requests: usize,
    ttft_mean: Figure,
    ttft_p90: Figure,
    ttft_p99: Figure,
    tpot_mean: Figure,
}

/// One figure [s], and how far the simulated one is off, as a share of the measured one.
#[derive(Clone, Copy, Debug, Serialize)]
struct Figure {
    measured_s: Option<f64>,
    simulated_s: Option<f64>,
    error: Option<f64>,
}

impl Outcome {
    /// `simulated` are the times of all requests of the trace, `halves` what was measured of the first and of the others.
    pub(crate) fn new(
        trace: &Trace,
        shape: &Scenario,
        fit: Fit,
        halves: (&[Timing], &[Timing]),
        simulated: &[Times],
    ) -> Self {
        let (fitted, held_out) = halves;
        let (of_fitted, of_held_out) = simulated.split_at(fitted.len());
        Self {
            requests: simulated.len(),
            span_s: trace.span().as_secs(),
            rate_per_s: trace.rate(),
            max_batch: shape.max_batch,
            token_budget: shape.token_budget,
            kv_tokens: shape.kv_tokens,
            costs: fit.costs,
            loss: fit.loss,
            fitted: Half::new(fitted, of_fitted),
            held_out: Half::new(held_out, of_held_out),
            running_when_others_waited: running_when_others_waited(fitted),
        }
    }
}

impl Half {
    fn new(measured: &[Timing], simulated: &[Times]) -> Self {
        let measured: Vec<Times> = measured.iter().map(Timing::times).collect();
        let distribution = |times: &[Times], read: fn(&Times) -> Option<f64>| {
            let mut nanos: Vec<u64> =
                times.iter().filter_map(read).map(|seconds| SimTime::from_secs(seconds).as_nanos()).collect();
            Distribution::of_nanos(&mut nanos)
        };
        let of = |read| [distribution(&measured, read), distribution(simulated, read)];
        let (ttft, tpot) = (of(|times| Some(times.ttft)), of(|times| times.tpot));
        Self {
            requests: measured.len(),
            ttft_mean: Figure::new(ttft, |times| times.mean),
            ttft_p90: Figure::new(ttft, |times| times.p90),
            ttft_p99: Figure::new(ttft, |times| times.p99),
            tpot_mean: Figure::new(tpot, |times| times.mean),
        }
    }

    fn figures(&self) -> [(&'static str, Figure); 4] {
        [
            ("TTFT mean", self.ttft_mean),
            ("TTFT p90", self.ttft_p90),
            ("TTFT p99", self.ttft_p99),
            ("TPOT mean", self.tpot_mean),
        ]
    }
}

impl Figure {
    fn new(times: [Option<Distribution>; 2], read: fn(Distribution) -> f64) -> Self {
        let [measured_s, simulated_s] = times.map(|times| times.map(read));
        let error = measured_s.zip(simulated_s).map(|(measured, simulated)| simulated / measured - 1.0);
        Self { measured_s, simulated_s, error }
    }
}

/// Waiting shorter than this is the way to the next step boundary [s].
const NO_WAIT_S: f64 = 0.5;

fn running_when_others_waited(timings: &[Timing]) -> Option<u64> {
    let runs_at = |at: f64| move |other: &&Timing| other.scheduled <= at && at < other.last_token;
    let waited = timings.iter().filter(|timing| timing.scheduled - timing.queued > NO_WAIT_S);
    let mut running: Vec<u64> =
        waited.map(|timing| timings.iter().filter(runs_at(timing.scheduled)).count() as u64).collect();
    running.sort_unstable();
    running.get(running.len() / 2).copied()
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let &Self { requests, span_s, rate_per_s, max_batch, token_budget, kv_tokens, ref costs, .. } = self;
        writeln!(f, "{requests} requests in {span_s:.1} s, {rate_per_s:.2} requests/s")?;
        writeln!(
            f,
            "costs fitted to the first {}, the other {} held out\n",
            self.fitted.requests, self.held_out.requests
        )?;

        let mut table = Table::new();
        table.set_header(["", "", "measured", "simulated", "error"]);
        for (name, half) in [("fitted", &self.fitted), ("held out", &self.held_out)] {
            for (figure, Figure { measured_s, simulated_s, error }) in half.figures() {
                let [measured, simulated] = [measured_s, simulated_s].map(|s| s.map_or_else(|| "-".to_owned(), time));
                let error = error.map_or_else(|| "-".to_owned(), |error| format!("{:+.1} %", 100.0 * error));
                table.add_row([name, figure, &measured, &simulated, &error]);
            }
        }
        writeln!(f, "{}\n", text(table, &[Left, Left, Right, Right, Right]))?;

        if let Some(running) = self.running_when_others_waited {
            let limit = if running + 2 >= u64::from(max_batch) {
                "the batch was the limit, not the memory"
            } else {
                "something else than the batch was the limit: KV memory? Then give --kv-tokens"
            };
            writeln!(f, "{running} of {max_batch} sequences ran when a request had waited: {limit}.\n")?;
        }
        let Costs { step_ms, per_seq_ms, prefill_ms_per_1k } = costs;
        writeln!(
            f,
            "goodput run --max-batch {max_batch} --token-budget {token_budget} --kv-tokens {kv_tokens} \
             --step-ms {step_ms:.3} --per-seq-ms {per_seq_ms:.4} --prefill-ms-per-1k {prefill_ms_per_1k:.3}"
        )
    }
}
