//! A fleet over time: how many requests wait and run, all servers together.

use alloc::vec::Vec;

use super::{FleetRecords, Life};
use crate::little::{Counters, LittlesLaw};
use crate::timeline::{self, Moment};
use crate::units::SimTime;

impl FleetRecords {
    /// Waiting and running after every change, in order of time. Who lost its KV memory still counts as running.
    pub(crate) fn timeline(&self) -> Vec<Moment> {
        let let_in = || self.lives.iter().filter(|life| !life.rejected);
        let sorted = |times: &mut dyn Iterator<Item = SimTime>| {
            let mut times: Vec<SimTime> = times.collect();
            times.sort_unstable();
            times
        };
        let sent = sorted(&mut let_in().map(|life| life.sent));
        let admitted = sorted(&mut let_in().filter_map(|life| life.admitted));
        let finished = sorted(&mut let_in().filter_map(|life| life.finish));
        timeline::after_changes(&sent, &admitted, &finished)
    }

    /// The three counters of Little's law up to an instant, which the last finish decides.
    pub(crate) fn littles_law(&self, until: impl FnOnce(Option<SimTime>) -> SimTime) -> Option<LittlesLaw> {
        let mut stays = Stays::default();
        self.lives.iter().for_each(|life| stays.add(life));
        stays.littles_law(&self.finishes, until)
    }
}

/// When those requests came and went that were let in, in order of sending.
#[derive(Debug, Default)]
pub(super) struct Stays {
    sent: Vec<SimTime>,
    /// [`SimTime::MAX`] for none.
    ends: Vec<SimTime>,
}

impl Stays {
    /// Forgets all. Keeps its memory.
    pub(super) fn restart(&mut self) {
        self.sent.clear();
        self.ends.clear();
    }

    pub(super) fn add(&mut self, life: &Life) {
        if !life.rejected {
            self.sent.push(life.sent);
            self.ends.push(life.finish.unwrap_or(SimTime::MAX));
        }
    }

    /// The three counters up to an instant, which the last of the rising `finishes` decides.
    pub(super) fn littles_law(
        &self,
        finishes: &[SimTime],
        until: impl FnOnce(Option<SimTime>) -> SimTime,
    ) -> Option<LittlesLaw> {
        let end = until(finishes.last().copied());
        Counters::count(&self.sent, &self.ends, finishes, end).law(end)
    }
}
