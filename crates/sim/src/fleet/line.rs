//! A waiting line with two priorities.

use alloc::collections::VecDeque;

use super::life::Life;

/// Requests that wait: those of the high priority before all others, within a priority first come first served.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    high: VecDeque<u32>,
    low: VecDeque<u32>,
}

impl Line {
    pub(super) fn len(&self) -> usize {
        self.high.len() + self.low.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.high.is_empty() && self.low.is_empty()
    }

    /// Who is next.
    pub(super) fn head(&self) -> Option<u32> {
        self.high.front().or_else(|| self.low.front()).copied()
    }

    pub(super) fn pop(&mut self) -> Option<u32> {
        self.high.pop_front().or_else(|| self.low.pop_front())
    }

    /// One more at the end of its priority. Whether it is the next one.
    pub(super) fn push(&mut self, request: u32, life: &Life) -> bool {
        let is_next = if life.high { self.high.is_empty() } else { self.is_empty() };
        self.of(life).push_back(request);
        is_next
    }

    /// One comes back, to the head of its priority.
    pub(super) fn push_back_to_head(&mut self, request: u32, life: &Life) {
        self.of(life).push_front(request);
    }

    fn of(&mut self, life: &Life) -> &mut VecDeque<u32> {
        if life.high { &mut self.high } else { &mut self.low }
    }
}
