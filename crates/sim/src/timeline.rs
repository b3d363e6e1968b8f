//! Queue and running batch over time.

use alloc::vec::Vec;
use core::iter;

use crate::cost::CostModel;
use crate::server::{Records, Stretch};
use crate::units::{SimTime, merged};

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

/// A moment after every change: from all arrivals, admissions and ends, each in order of time.
pub(crate) fn after_changes(arrivals: &[SimTime], admissions: &[SimTime], ends: &[SimTime]) -> Vec<Moment> {
    let mut to_come = [arrivals, admissions, ends];
    let mut come = [0; 3];
    let mut moments = Vec::with_capacity(arrivals.len());
    while let Some(&at) = to_come.iter().filter_map(|times| times.first()).min() {
        for (times, come) in to_come.iter_mut().zip(&mut come) {
            while times.first() == Some(&at) {
                *times = &times[1..];
                *come += 1;
            }
        }
        let [arrived, admitted, ended] = come;
        moments.push(Moment { at, waiting: arrived - admitted, running: admitted - ended });
    }
    moments
}

/// A moment after every change, for servers that do not know of each other.
pub(crate) fn of_many(servers: &[Records]) -> Vec<Moment> {
    let admissions: Vec<Vec<SimTime>> = servers.iter().map(admissions).collect();
    let all = |times: &mut dyn Iterator<Item = &[SimTime]>| merged(&times.collect::<Vec<_>>());
    after_changes(
        &all(&mut servers.iter().map(|server| &server.arrivals[..])),
        &all(&mut admissions.iter().map(|times| &times[..])),
        &all(&mut servers.iter().map(|server| server.departures.times())),
    )
}

/// When each admitted request of a server was: at a step boundary.
fn admissions(records: &Records) -> Vec<SimTime> {
    let at = |stretch: &Stretch| iter::repeat_n(stretch.start, stretch.admitted as usize);
    records.stretches.iter().flat_map(at).collect()
}
