//! A waiting line: the high priority stands in front of the others.

use std::collections::VecDeque;

use goodput_sim::Scenario;

/// Requests that wait, by their numbers.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    high: VecDeque<usize>,
    low: VecDeque<usize>,
}

impl Line {
    fn of(&mut self, high: bool) -> &mut VecDeque<usize> {
        if high { &mut self.high } else { &mut self.low }
    }

    pub(super) fn len(&self) -> usize {
        self.high.len() + self.low.len()
    }

    pub(super) fn high_len(&self) -> usize {
        self.high.len()
    }

    pub(super) fn head(&self) -> Option<usize> {
        self.high.front().or(self.low.front()).copied()
    }

    pub(super) fn take_head(&mut self) -> Option<usize> {
        self.high.pop_front().or_else(|| self.low.pop_front())
    }

    /// The door: whether a request may join, and if so it has joined.
    pub(super) fn let_in(&mut self, scenario: &Scenario, number: usize, high: bool) -> bool {
        let is_full = |limit: u32| limit > 0 && self.len() >= limit as usize;
        if is_full(scenario.max_queue) || (!high && is_full(scenario.max_queue_low)) {
            return false;
        }
        self.join(number, high);
        true
    }

    pub(super) fn join(&mut self, number: usize, high: bool) {
        self.of(high).push_back(number);
    }

    pub(super) fn return_to_head(&mut self, number: usize, high: bool) {
        self.of(high).push_front(number);
    }
}
