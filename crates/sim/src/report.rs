//! What a run is reported as. The wire format is a twin in another crate.

use crate::distribution::Distribution;
use crate::little::LittlesLaw;

/// The metrics of one run. A request is *measured* when it arrived at or after the warm-up and finished at or before the
/// horizon; the *window* is the time between the two. Distributions are `None` when no request was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Arrival rate of the scenario [requests/s].
    pub rate_per_s: f64,
    /// Share of the simulated time inside a step (0..=1).
    pub busy_fraction: f64,
    /// Arrivals in the window [requests].
    pub offered: u64,
    /// Measured requests.
    pub completed: u64,
    /// Arrivals in the window that were let in and had not finished by the horizon [requests].
    pub unfinished: u64,
    /// Arrivals in the window that were turned away [requests]. They miss the SLO and are in no distribution.
    pub rejected: u64,
    /// Output tokens of the measured requests per time: what a load test reports [tokens/s].
    pub throughput_tokens_per_s: f64,
    /// Measured requests per time [requests/s].
    pub throughput_requests_per_s: f64,
    /// Tokens emitted in the window per time, whoever they belong to [tokens/s].
    pub server_output_tokens_per_s: f64,
    /// Time to first token: first token - arrival [s].
    pub ttft_s: Option<Distribution>,
    /// Time per output token: (finish - first token) / (output tokens - 1), one value per request [s].
    pub tpot_s: Option<Distribution>,
    /// Inter-token latency: gaps between consecutive tokens, pooled over all tokens [s].
    pub itl_s: Option<Distribution>,
    /// End-to-end latency: finish - arrival [s].
    pub e2e_s: Option<Distribution>,
    /// Measured requests that met every SLO.
    pub good: u64,
    /// `good / (completed + rejected)` (0..=1); `None` when both are zero.
    pub slo_attainment: Option<f64>,
    /// `good` per time [requests/s].
    pub goodput_requests_per_s: f64,
    /// The three counters of Little's law over the whole run, warm-up included; `None` when nothing arrived.
    pub littles_law: Option<LittlesLaw>,
    /// Decode steps taken.
    pub n_steps: u64,
}
