//! Admission control: who comes to a waiting line that is long enough is turned away at once.

use crate::scenario::Scenario;

/// The door before the waiting line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Door {
    /// Most that may wait; `usize::MAX` when everybody may.
    most: usize,
    /// Most that may wait for one without the high priority to join them.
    most_for_low: usize,
}

impl Door {
    pub(crate) fn of(scenario: &Scenario) -> Self {
        let limit = |most| if most == 0 { usize::MAX } else { most as usize };
        Self { most: limit(scenario.max_queue), most_for_low: limit(scenario.max_queue_low) }
    }

    /// Whether everybody is let in.
    pub(crate) fn is_always_open(self) -> bool {
        self.most == usize::MAX
    }

    /// Whether one more may join so many who wait.
    #[inline(always)]
    pub(crate) fn is_open(self, waiting: usize) -> bool {
        waiting < self.most
    }

    /// The same for one of a priority.
    pub(crate) fn is_open_to(self, high: bool, waiting: usize) -> bool {
        self.is_open(waiting) && (high || waiting < self.most_for_low)
    }
}
