//! A fleet over time: how many requests wait and run, all servers together.

use alloc::vec::Vec;

use super::FleetRecords;
use crate::timeline::Moment;
use crate::units::SimTime;

impl FleetRecords {
    /// Waiting and running after every change, in order of time. Who lost its KV memory still counts as running.
    pub(crate) fn timeline(&self) -> Vec<Moment> {
        let mut changes: Vec<(SimTime, i32, i32)> = Vec::with_capacity(3 * self.lives.len());
        for life in self.lives.iter().filter(|life| !life.rejected) {
            changes.push((life.sent, 1, 0));
            changes.extend(life.admitted.map(|at| (at, -1, 1)));
            changes.extend(life.finish.map(|at| (at, 0, -1)));
        }
        changes.sort_unstable_by_key(|&(at, ..)| at);
        let (mut waiting, mut running) = (0, 0);
        let same_instant = changes.chunk_by(|(one, ..), (other, ..)| one == other);
        let moments = same_instant.map(|changes| {
            for &(_, more_waiting, more_running) in changes {
                waiting += more_waiting;
                running += more_running;
            }
            Moment { at: changes[0].0, waiting: waiting as u32, running: running as u32 }
        });
        moments.collect()
    }

    /// When those were sent who were not turned away, when each of them left ([`SimTime::MAX`] for not yet), and the same in
    /// rising order without those.
    pub(crate) fn stays(&self) -> (Vec<SimTime>, Vec<SimTime>, Vec<SimTime>) {
        let let_in = || self.lives.iter().filter(|life| !life.rejected);
        let ends: Vec<SimTime> = let_in().map(|life| life.finish.unwrap_or(SimTime::MAX)).collect();
        // The stays are in order of their ends.
        let last_stays = self.stints.iter().filter(|stint| stint.is_last);
        let finishes = last_stays.filter_map(|stint| self.lives[stint.request as usize].finish).collect();
        (let_in().map(|life| life.sent).collect(), ends, finishes)
    }
}
