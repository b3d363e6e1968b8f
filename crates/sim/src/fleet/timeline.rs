//! A fleet over time: how many requests wait and run, all servers together.

use alloc::vec::Vec;

use super::{FleetRecords, Life};
use crate::little::LittlesLaw;
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

    /// The three counters of Little's law up to an instant, which the last finishes decide (rising, of all who finished).
    pub(crate) fn littles_law(&self, until: impl FnOnce(&[SimTime]) -> SimTime) -> Option<LittlesLaw> {
        let let_in = || self.lives.iter().filter(|life| !life.rejected);
        let sent: Vec<SimTime> = let_in().map(|life| life.sent).collect();
        // The stays are in order of their ends.
        let last_stays = self.stints.iter().filter(|stint| stint.is_last);
        let finishes: Vec<SimTime> = last_stays.filter_map(|stint| self.lives[stint.request as usize].finish).collect();
        let end = until(&finishes);
        let stay = |life: &Life| life.finish.map_or(end, |finish| finish.min(end)) - life.sent;
        let total_stay_ns = let_in().map(|life| u128::from(stay(life).as_nanos())).sum();
        LittlesLaw::observe(&sent, &finishes, total_stay_ns, end)
    }
}
