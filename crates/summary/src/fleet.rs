//! What only a fleet has, as it is printed and handed to JavaScript.

use alloc::vec::Vec;

use goodput_sim::FleetReport;
use serde::Serialize;

use crate::summary::Distribution;

/// The metrics that only a fleet has. Distributions are null when no request was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FleetSummary {
    /// Time to first token, counted from when the client wanted to send [s].
    pub ttft_intended_s: Option<Distribution>,
    /// Time to first token of the requests with the high priority [s].
    pub ttft_high_s: Option<Distribution>,
    /// Time to first token of those without [s].
    pub ttft_low_s: Option<Distribution>,
    /// Time to first token of each replica's requests [s].
    pub ttft_of_replicas_s: Vec<Option<Distribution>>,
    /// Times that a request lost its KV memory.
    pub preemptions: u64,
    /// Requests that were sent again.
    pub retries: u64,
    /// Greatest share of the KV memory in use on one server (0..=1).
    pub kv_peak: Option<f64>,
    /// Time that all servers existed [s].
    pub server_seconds: f64,
}

impl From<FleetReport> for FleetSummary {
    fn from(report: FleetReport) -> Self {
        let each = report.ttft_of_replicas_s.into_iter();
        Self {
            ttft_intended_s: report.ttft_intended_s.map(Distribution::from),
            ttft_high_s: report.ttft_high_s.map(Distribution::from),
            ttft_low_s: report.ttft_low_s.map(Distribution::from),
            ttft_of_replicas_s: each.map(|ttft| ttft.map(Distribution::from)).collect(),
            preemptions: report.preemptions,
            retries: report.retries,
            kv_peak: report.kv_peak,
            server_seconds: report.server_seconds,
        }
    }
}
