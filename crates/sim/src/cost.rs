//! What a step costs, in whole nanoseconds.

use crate::scenario::Scenario;
use crate::units::SimTime;

/// The costs of one server: a prefill per admitted request, then a decode step for the whole batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostModel {
    prefill_ms_per_1k: f64,
    /// The part of a decode step that does not depend on the batch [ns].
    pub(crate) step: SimTime,
    /// The part of a decode step that each running sequence adds [ns].
    pub(crate) per_seq: SimTime,
}

impl CostModel {
    pub(crate) fn new(scenario: &Scenario) -> Self {
        Self {
            prefill_ms_per_1k: scenario.prefill_ms_per_1k,
            step: SimTime::from_millis(scenario.step_ms),
            per_seq: SimTime::from_millis(scenario.per_seq_ms),
        }
    }

    /// The prefill of so many tokens that are in no cache [ns].
    #[must_use]
    pub(crate) fn prefill(&self, tokens: u32) -> SimTime {
        SimTime::from_millis(self.prefill_ms_per_1k * f64::from(tokens) / 1000.0)
    }

    /// One decode step of `running` sequences [ns]. Never zero: `step_ms` is at least a microsecond.
    #[must_use]
    pub(crate) fn decode_step(&self, running: u32) -> SimTime {
        self.step + self.per_seq * u64::from(running)
    }
}
