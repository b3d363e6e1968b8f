//! The server at an instant of a run that is over: who waits, who runs, and how far each has come.

use alloc::vec::Vec;
use core::ops::Range;

use crate::cost::CostModel;
use crate::server::Records;
use crate::units::{SimTime, count_upto};

/// The server at an instant. Requests are named by their place in the order of arrival, from zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// The instant [ns]. At a step boundary the snapshot shows it after the departures and admissions there.
    pub at: SimTime,
    /// Those that wait for a slot, the first in line first.
    pub waiting: Range<usize>,
    /// Those that hold a slot, the oldest first.
    pub running: Vec<Sequence>,
    /// How many have left.
    pub left: usize,
    /// How long a decode step of this batch takes [ns].
    pub step: SimTime,
}

/// A request that holds a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    /// Which one, in order of arrival.
    pub request: usize,
    /// What happens to it.
    pub stage: Stage,
}

/// What happens to a request that holds a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Others that were admitted with it are prefilled before it.
    Admitted,
    /// Its own prefill.
    Prefill {
        /// For how long already [ns].
        done: SimTime,
        /// How long all of it takes [ns].
        length: SimTime,
    },
    /// It has its first tokens, and waits for the prefill of another.
    Stalled {
        /// Tokens so far, at least one.
        tokens: u32,
    },
    /// A decode step is under way.
    Decoding {
        /// Tokens so far, at least one.
        tokens: u32,
    },
}

impl Snapshot {
    /// The request whose prefill stops the others.
    #[must_use]
    pub fn in_prefill(&self) -> Option<usize> {
        let in_prefill = |sequence: &&Sequence| matches!(sequence.stage, Stage::Prefill { .. });
        self.running.iter().find(in_prefill).map(|sequence| sequence.request)
    }
}

/// The snapshot at `at`. Its cost is the logarithm of the run and the stretches that the oldest sequence has seen.
pub(crate) fn snapshot(records: &Records, costs: CostModel, at: SimTime) -> Snapshot {
    let arrived = count_upto(&records.arrivals, at);
    let left = count_upto(records.departures.times(), at);
    let nobody = Snapshot { at, waiting: 0..arrived, running: Vec::new(), left, step: costs.decode_step(0) };
    let begun = records.begun(at);
    let Some((stretch, earlier)) = records.stretches[..begun].split_last() else { return nobody };

    let decode_from = stretch.decode_from;
    let admitted = count_upto(&records.first_tokens, decode_from);
    let steps_done = at.saturating_sub(decode_from).whole_steps(costs.decode_step(stretch.running));
    let steps_done = steps_done.min(u64::from(stretch.steps)) as u32;

    let mut running: Vec<Sequence> = Vec::with_capacity(admitted - left);
    // From the youngest to the oldest, with the decode steps taken since its admission.
    let mut steps = steps_done;
    let mut round_end = admitted;
    let mut earlier = earlier.iter().rev();
    let mut round = Some(stretch);
    while let Some(stretch) = round.filter(|_| running.len() < admitted - left) {
        let round_start = round_end - stretch.admitted as usize;
        let is_here = |request: &usize| records.departures.of(*request).is_none_or(|finish| finish > at);
        let members = (round_start..round_end).rev().filter(is_here);
        running.extend(members.map(|request| {
            let first_token = records.first_tokens[request];
            let length = records.works.of(request).prefill;
            let began = first_token - length;
            let stage = match () {
                () if at < began => Stage::Admitted,
                () if at < first_token => Stage::Prefill { done: at - began, length },
                () if at < decode_from => Stage::Stalled { tokens: 1 + steps },
                () => Stage::Decoding { tokens: 1 + steps },
            };
            Sequence { request, stage }
        }));
        round_end = round_start;
        round = earlier.next();
        steps += round.map_or(0, |stretch| stretch.steps);
    }
    running.reverse();
    let step = costs.decode_step(running.len() as u32);
    Snapshot { waiting: admitted..arrived, running, step, ..nobody }
}

/// The first instant after `at` at which something happens: an arrival, an admission, a first token, a departure.
pub(crate) fn next_event(records: &Records, at: SimTime) -> Option<SimTime> {
    let after = |times: &[SimTime]| times.get(count_upto(times, at)).copied();
    let admission = records.stretches.get(records.begun(at)).map(|stretch| stretch.start);
    let events = [after(&records.arrivals), after(&records.first_tokens), after(records.departures.times()), admission];
    events.into_iter().flatten().min()
}
