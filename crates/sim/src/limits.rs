//! The SLO as limits in whole nanoseconds, both inclusive.

use crate::scenario::Scenario;
use crate::units::SimTime;
use crate::work::Work;

/// What a request may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// From its arrival to its first token [ns].
    pub(crate) ttft: SimTime,
    /// From its first token to its end, for each later token [ns].
    per_later_token: SimTime,
}

impl Limits {
    pub(crate) fn of(scenario: &Scenario) -> Self {
        Self {
            ttft: SimTime::from_millis(scenario.slo_ttft_ms),
            per_later_token: SimTime::from_millis(scenario.slo_tpot_ms),
        }
    }

    /// From the first token to the end, all later tokens together [ns].
    #[inline(always)]
    pub(crate) fn streaming(self, work: Work) -> SimTime {
        self.per_later_token * u64::from(work.later_tokens())
    }
}
