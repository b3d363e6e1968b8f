//! The SLO as limits in whole nanoseconds, both inclusive.

use crate::scenario::Scenario;
use crate::units::SimTime;

/// What a request may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// From its arrival to its first token [ns].
    pub(crate) ttft: SimTime,
    /// From its first token to its end, all later tokens together [ns].
    pub(crate) streaming: SimTime,
}

impl Limits {
    pub(crate) fn of(scenario: &Scenario) -> Self {
        let later_tokens = u64::from(scenario.output) - 1;
        Self {
            ttft: SimTime::from_millis(scenario.slo_ttft_ms),
            streaming: SimTime::from_millis(scenario.slo_tpot_ms) * later_tokens,
        }
    }
}
