//! What a step costs, in whole nanoseconds.

use crate::scenario::Scenario;
use crate::units::SimTime;

/// The costs of one server: a prefill per admitted request, then a decode step for the whole batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CostModel {
    /// Prefill of one request [ns].
    pub(crate) prefill: SimTime,
    /// The part of a decode step that does not depend on the batch [ns].
    pub(crate) step: SimTime,
    /// The part of a decode step that each running sequence adds [ns].
    pub(crate) per_seq: SimTime,
}

impl CostModel {
    pub(crate) fn new(scenario: &Scenario) -> Self {
        let prefill_ms = scenario.prefill_ms_per_1k * f64::from(scenario.prompt) / 1000.0;
        Self {
            prefill: SimTime::from_millis(prefill_ms),
            step: SimTime::from_millis(scenario.step_ms),
            per_seq: SimTime::from_millis(scenario.per_seq_ms),
        }
    }

    /// One decode step of `running` sequences [ns]. Never zero: `step_ms` is at least a microsecond.
    #[must_use]
    pub(crate) fn decode_step(&self, running: u32) -> SimTime {
        self.step + self.per_seq * u64::from(running)
    }
}
