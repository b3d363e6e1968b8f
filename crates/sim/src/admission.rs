//! Admission control: who comes to a waiting line that is long enough is turned away at once.

use crate::scenario::Scenario;

/// The door before the waiting line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Door {
    /// Most that may wait; `usize::MAX` when everybody may.
    most: usize,
}

impl Door {
    pub(crate) fn of(scenario: &Scenario) -> Self {
        Self { most: if scenario.max_queue == 0 { usize::MAX } else { scenario.max_queue as usize } }
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
}
