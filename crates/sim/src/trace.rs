//! Requests that are given instead of drawn: when they come, and how long their prompts and answers are.

use alloc::vec::Vec;
use core::fmt;

use crate::error::ScenarioError;
use crate::field::Field;
use crate::lengths::Lengths;
use crate::scenario::{MAX_EXPECTED_ARRIVALS, ValidScenario};
use crate::server::Offered;
use crate::units::{SimTime, count_upto};

/// One request of a [`Trace`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceRequest {
    at: SimTime,
    lengths: Lengths,
}

impl TraceRequest {
    /// A request that comes at `at` [ns], with a prompt and an answer of so many tokens, none of them in a cache.
    ///
    /// # Errors
    /// A length that no scenario could have.
    pub fn new(at: SimTime, prompt: u32, output: u32) -> Result<Self, ScenarioError> {
        Field::named("prompt")?.check(f64::from(prompt))?;
        Field::named("output")?.check(f64::from(output))?;
        Ok(Self { at, lengths: Lengths { prompt, cached: 0, output } })
    }
}

/// Given requests in order of time, for [`Engine::replay`](crate::Engine::replay).
///
/// ```
/// use goodput_sim::{Engine, Scenario, SimTime, Trace, TraceRequest};
///
/// let second = |at, prompt, output| TraceRequest::new(SimTime::from_secs(at), prompt, output);
/// let trace = Trace::new(vec![second(0.0, 1000, 200)?, second(0.5, 3000, 20)?])?;
/// assert_eq!(trace.rate(), 2.0);
/// let scenario = Scenario { warmup: 0.0, ..Scenario::default() }.validate()?;
/// assert_eq!(Engine::new().replay(&scenario, &trace).report().completed, 2);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    arrivals: Vec<SimTime>,
    lengths: Vec<Lengths>,
}

impl Trace {
    /// From requests in any order; those of one instant keep theirs.
    ///
    /// # Errors
    /// More requests than a scenario may have, or not two that come at different instants: then there is no rate.
    pub fn new(mut requests: Vec<TraceRequest>) -> Result<Self, TraceError> {
        if requests.len() as f64 > MAX_EXPECTED_ARRIVALS {
            return Err(TraceError::TooMany { requests: requests.len() });
        }
        requests.sort_by_key(|request| request.at);
        let (Some(first), Some(last)) = (requests.first(), requests.last()) else { return Err(TraceError::OneInstant) };
        if first.at == last.at {
            return Err(TraceError::OneInstant);
        }
        Ok(Self {
            arrivals: requests.iter().map(|request| request.at).collect(),
            lengths: requests.iter().map(|request| request.lengths).collect(),
        })
    }

    /// The requests in order of time: when, and with which lengths.
    pub fn requests(&self) -> impl ExactSizeIterator<Item = (SimTime, Lengths)> + '_ {
        self.arrivals.iter().copied().zip(self.lengths.iter().copied())
    }

    /// From the first to the last request [ns]: more than zero.
    #[must_use]
    pub fn span(&self) -> SimTime {
        let end = |at: Option<&SimTime>| at.copied().unwrap_or_default();
        end(self.arrivals.last()) - end(self.arrivals.first())
    }

    /// One over the mean gap between two requests [requests/s].
    #[must_use]
    pub fn rate(&self) -> f64 {
        (self.arrivals.len() - 1) as f64 / self.span().as_secs()
    }

    /// The same requests with all times stretched alike, so that they come at another mean rate [requests/s].
    #[must_use]
    pub fn at_rate(self, rate: f64) -> Self {
        let stretch = self.rate() / rate;
        let arrivals = self.arrivals.iter().map(|at| SimTime::from_secs(at.as_secs() * stretch)).collect();
        Self { arrivals, ..self }
    }

    /// Those that come before the horizon.
    pub(crate) fn offered(&self, scenario: &ValidScenario) -> Offered<'_> {
        let horizon = SimTime::from_secs(scenario.get().horizon);
        let before = count_upto(&self.arrivals, horizon.saturating_sub(SimTime::from_nanos(1)));
        Offered { arrivals: &self.arrivals[..before], lengths: &self.lengths[..before] }
    }
}

/// Why requests are no [`Trace`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TraceError {
    /// More than [`MAX_EXPECTED_ARRIVALS`].
    TooMany {
        /// How many were given.
        requests: usize,
    },
    /// Fewer than two, or all at one instant.
    OneInstant,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany { requests } => {
                write!(f, "these are {requests} requests: allowed are at most {MAX_EXPECTED_ARRIVALS}")
            }
            Self::OneInstant => f.write_str("a trace needs at least two requests that come at different instants"),
        }
    }
}

impl core::error::Error for TraceError {}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec;

    use super::{Trace, TraceError, TraceRequest};
    use crate::units::SimTime;

    fn request(at: f64, prompt: u32) -> TraceRequest {
        TraceRequest::new(SimTime::from_secs(at), prompt, 2).expect("a request")
    }

    #[test]
    fn requests_are_in_order_and_stretch_to_any_rate() {
        let trace = Trace::new(vec![request(7.0, 1), request(5.0, 2), request(5.0, 3)]).expect("a trace");
        let prompts: vec::Vec<_> = trace.requests().map(|(at, lengths)| (at.as_secs(), lengths.prompt)).collect();
        assert_eq!(prompts, [(5.0, 2), (5.0, 3), (7.0, 1)]);
        assert_eq!(trace.rate(), 1.0);
        let faster = trace.at_rate(4.0);
        assert_eq!((faster.rate(), faster.span()), (4.0, SimTime::from_secs(0.5)));
    }

    #[test]
    fn what_is_no_trace_is_refused() {
        assert_eq!(Trace::new(vec![]), Err(TraceError::OneInstant));
        assert_eq!(Trace::new(vec![request(1.0, 1), request(1.0, 1)]), Err(TraceError::OneInstant));
        let many = vec![request(1.0, 1); 1_000_001];
        assert_eq!(
            Trace::new(many).expect_err("too many").to_string(),
            "these are 1000001 requests: allowed are at most 1000000"
        );
        let refused =
            |prompt, output| TraceRequest::new(SimTime::ZERO, prompt, output).expect_err("refused").to_string();
        assert_eq!(refused(0, 1), "prompt = 0 tokens: allowed are 1 to 1000000 tokens");
        assert_eq!(refused(1, 100_001), "output = 100001 tokens: allowed are 1 to 100000 tokens");
    }
}
