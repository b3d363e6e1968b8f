//! A fleet over time: how many requests wait and run, all servers together.

use alloc::vec::Vec;

use super::FleetRecords;
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
        let let_in = || self.lives.iter().filter(|life| !life.rejected);
        let sent: Vec<SimTime> = let_in().map(|life| life.sent).collect();
        // The stays are in order of their ends.
        let last_stays = self.stints.iter().filter(|stint| stint.is_last);
        let finishes: Vec<SimTime> = last_stays.filter_map(|stint| self.lives[stint.request as usize].finish).collect();
        let end = until(finishes.last().copied());
        let ends: Vec<SimTime> = let_in().map(|life| life.finish.unwrap_or(SimTime::MAX)).collect();
        Counters::count(&sent, &ends, &finishes, end).law(end)
    }
}
