//! Who leaves next.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::departures::Departures;
use crate::units::SimTime;

/// The running sequences by the decode step after which each leaves, counted from the start of the run.
pub(crate) trait Leaving {
    /// Whether they leave in the order in which they came.
    const IN_ORDER: bool;

    /// Starts a run of so many requests on so many slots. Keeps its memory.
    fn restart(&mut self, requests: usize, slots: u32);

    /// The next request in order of arrival is admitted.
    fn admit(&mut self, leaves_after: u64, departures: &mut Departures);

    /// The step after which somebody leaves. Asked while somebody runs.
    fn next(&self) -> u64;

    /// Lets those go whose last step was `step`, which ended at `now`, and says how many they were.
    fn release(&mut self, step: u64, now: SimTime, departures: &mut Departures) -> u32;
}

/// With answers of one length: first come, first gone.
#[derive(Debug, Default)]
pub(crate) struct InOrder {
    /// For each admitted request.
    leaves_after: Vec<u64>,
    gone: usize,
}

impl Leaving for InOrder {
    const IN_ORDER: bool = true;

    fn restart(&mut self, requests: usize, _: u32) {
        self.leaves_after.clear();
        self.leaves_after.reserve(requests);
        self.gone = 0;
    }

    #[inline(always)]
    fn admit(&mut self, leaves_after: u64, _: &mut Departures) {
        self.leaves_after.push(leaves_after);
    }

    #[inline(always)]
    fn next(&self) -> u64 {
        self.leaves_after[self.gone]
    }

    #[inline(always)]
    fn release(&mut self, step: u64, now: SimTime, departures: &mut Departures) -> u32 {
        let before = self.gone;
        while self.leaves_after.get(self.gone) == Some(&step) {
            departures.push_next(now);
            self.gone += 1;
        }
        (self.gone - before) as u32
    }
}

/// With answers of any length: the shortest rest first, and of equals the one that came first.
#[derive(Debug, Default)]
pub(crate) struct ByRest {
    running: BinaryHeap<Reverse<(u64, u32)>>,
    admitted: u32,
    free_slots: Vec<u32>,
}

impl Leaving for ByRest {
    const IN_ORDER: bool = false;

    fn restart(&mut self, _: usize, slots: u32) {
        self.running.clear();
        self.running.reserve(slots as usize);
        self.admitted = 0;
        self.free_slots.clear();
        self.free_slots.extend((0..slots).rev());
    }

    fn admit(&mut self, leaves_after: u64, departures: &mut Departures) {
        let slot = self.free_slots.pop().expect("nobody is admitted without room");
        departures.push_slot(slot);
        self.running.push(Reverse((leaves_after, self.admitted)));
        self.admitted += 1;
    }

    fn next(&self) -> u64 {
        self.running.peek().map_or(u64::MAX, |&Reverse((leaves_after, _))| leaves_after)
    }

    fn release(&mut self, step: u64, now: SimTime, departures: &mut Departures) -> u32 {
        let mut gone = 0;
        while let Some(&Reverse((leaves_after, request))) = self.running.peek()
            && leaves_after == step
        {
            self.running.pop();
            self.free_slots.push(departures.push(request, now));
            gone += 1;
        }
        gone
    }
}
