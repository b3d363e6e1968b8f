//! Inter-token latency in a fleet: the gaps between consecutive tokens, pooled over all tokens of all measured requests.

use alloc::vec::Vec;

use super::life::Stint;
use super::{FleetRecords, FleetStretch};
use crate::distribution::Distribution;
use crate::quantile::Weighted;
use crate::units::SimTime;

/// The gaps of a run, in memory that is kept from run to run.
#[derive(Debug, Default)]
pub(crate) struct FleetGaps {
    /// For each replica, for each of its stretches and one more.
    counts: Vec<Vec<Counts>>,
    samples: Vec<Weighted>,
    plain: PlainSteps,
}

/// Gaps in one stretch: what measured requests have of each kind. Negative while only the corrections are in.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    /// Measured sequences more than in the stretch before.
    change: i32,
    /// Gaps across the admissions, which are the first of the stretch.
    first: i32,
    /// All other gaps, each one step long.
    later: i32,
}

/// Gaps of one step without prefills, by the batch: most steps of one batch take the same time.
#[derive(Debug, Default)]
struct PlainSteps {
    /// At the size of the batch.
    counted: Vec<(SimTime, i64)>,
}

impl PlainSteps {
    fn add(&mut self, stretch: &FleetStretch, times: i64, samples: &mut Vec<Weighted>) {
        let running = stretch.running as usize;
        if running >= self.counted.len() {
            self.counted.resize(running + 1, (SimTime::ZERO, 0));
        }
        let (step, counted) = &mut self.counted[running];
        if *counted == 0 {
            *step = stretch.step;
        }
        if *step == stretch.step {
            *counted += times;
        } else {
            list(stretch.step, times, samples);
        }
    }

    /// Lists what was counted, and forgets it.
    fn list(&mut self, samples: &mut Vec<Weighted>) {
        for (step, times) in self.counted.drain(..) {
            list(step, times, samples);
        }
    }
}

fn list(gap: SimTime, times: i64, samples: &mut Vec<Weighted>) {
    if times > 0 {
        samples.push(Weighted { value: gap.as_nanos(), weight: times as u64 });
    }
}

impl FleetGaps {
    /// The gaps of those requests that are measured; `None` when no request has two tokens.
    ///
    /// All gaps of a stretch but those of newcomers are equal, so they are counted, not listed.
    pub(super) fn distribution(&mut self, records: &FleetRecords, is_measured: &[bool]) -> Option<Distribution> {
        self.samples.clear();
        self.counts.resize_with(records.replicas.len(), Vec::new);
        for (counts, replica) in self.counts.iter_mut().zip(&records.replicas) {
            counts.clear();
            counts.resize(replica.stretches.len() + 1, Counts::default());
        }
        for stint in records.stints.iter().filter(|stint| is_measured[stint.request as usize]) {
            self.take(stint, &records.replicas[stint.replica as usize].stretches);
        }
        for (replica, counts) in records.replicas.iter().zip(&self.counts) {
            let mut present = 0_i64;
            for (stretch, counts) in replica.stretches.iter().zip(counts) {
                present += i64::from(counts.change);
                let stall = stretch.steps_from - stretch.start;
                let first = present + i64::from(counts.first);
                let later = present * (i64::from(stretch.steps) - 1) + i64::from(counts.later);
                if stall == SimTime::ZERO {
                    self.plain.add(stretch, first + later, &mut self.samples);
                } else {
                    list(stall + stretch.step, first, &mut self.samples);
                    self.plain.add(stretch, later, &mut self.samples);
                }
            }
        }
        self.plain.list(&mut self.samples);
        Distribution::of_weighted(&mut self.samples)
    }

    /// Takes the first gap of one stay, which is its own, and what else of it is not as in the stretches it spans.
    fn take(&mut self, stint: &Stint, stretches: &[FleetStretch]) {
        let counts = &mut self.counts[stint.replica as usize];
        let (from, to) = (stint.stretches.0 as usize, stint.stretches.1 as usize);
        counts[from].change += 1;
        counts[to + 1].change -= 1;
        counts[from].first -= 1;
        if stint.is_last && stint.steps == 1 {
            return;
        }
        let gap = stretches[from].steps_from + stretches[from].step - stint.last_token;
        self.samples.push(Weighted { value: gap.as_nanos(), weight: 1 });
        // The last step closes the stream and gives no token.
        if stint.is_last && stretches[to].steps == 1 {
            counts[to].first -= 1;
        } else if stint.is_last {
            counts[to].later -= 1;
        }
    }
}
