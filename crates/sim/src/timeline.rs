//! Queue and running batch over time.

use crate::cost::CostModel;
use crate::server::Records;
use crate::units::SimTime;

/// The server at a step boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The boundary [ns].
    pub at: SimTime,
    /// Requests that have arrived and are not admitted yet.
    pub waiting: u32,
    /// Sequences in the batch.
    pub running: u32,
}

/// Two moments for each stretch, in order of time: its start, after the admissions, and its end, after the departures
/// and before the next admissions.
pub(crate) fn moments(records: &Records, costs: CostModel) -> impl Iterator<Item = Moment> + '_ {
    let mut arrived = 0;
    let mut admitted = 0;
    records.stretches.iter().flat_map(move |stretch| {
        admitted += stretch.admitted as usize;
        let mut waiting_at = |at: SimTime| {
            arrived += records.arrivals[arrived..].iter().take_while(|&&arrival| arrival <= at).count();
            (arrived - admitted) as u32
        };
        let step = costs.decode_step(stretch.running);
        let end = stretch.decode_from + step * u64::from(stretch.steps);
        [
            Moment { at: stretch.start, waiting: waiting_at(stretch.start), running: stretch.running },
            Moment { at: end, waiting: waiting_at(end), running: stretch.running - stretch.finished },
        ]
    })
}
