//! The times of each request that was measured, for those who want more than quantiles.

use alloc::vec::Vec;

use crate::limits::Limits;
use crate::metrics::Window;
use crate::scenario::Scenario;
use crate::server::Records;
use crate::units::SimTime;
use crate::work::Work;

/// How long one measured request waited and streamed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latency {
    /// First token - arrival [ns].
    pub ttft: SimTime,
    /// Time per output token: (finish - first token) / (output tokens - 1), 0 for a one-token answer [s].
    pub tpot_s: f64,
    /// Whether it kept the limit on the time per output token.
    pub keeps_pace: bool,
}

impl Latency {
    /// Of a request with its arrival, its first token, its end.
    pub(crate) fn of(work: Work, [arrival, first_token, finish]: [SimTime; 3], limits: Limits) -> Self {
        let streaming = work.streaming(first_token, finish);
        Self {
            ttft: first_token - arrival,
            tpot_s: streaming.as_secs() / f64::from(work.later_tokens().max(1)),
            keeps_pace: streaming <= limits.streaming(work),
        }
    }
}

/// Those of one server, in order of arrival.
pub(crate) fn latencies(records: &Records, scenario: &Scenario) -> Vec<Latency> {
    let limits = Limits::of(scenario);
    let latency = |request: usize| {
        let times = [records.arrivals[request], records.first_tokens[request], records.departures.of(request)?];
        Some(Latency::of(records.works.of(request), times, limits))
    };
    Window::of(scenario).measured(records).filter_map(latency).collect()
}
