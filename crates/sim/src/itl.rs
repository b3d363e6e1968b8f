//! Inter-token latency: the gaps between consecutive tokens, pooled over all tokens of all measured requests.

use alloc::vec::Vec;
use core::ops::Range;

use crate::cost::CostModel;
use crate::quantile::{Weighted, weighted_quantiles};
use crate::report::Distribution;
use crate::server::Records;

/// The gaps of the measured requests; `None` when no request has two tokens.
///
/// A gap is one decode step and the prefills before it, so it is given by the batch and the number of prefills.
/// All gaps of a stretch but those across its prefills are equal, so they are counted, not listed:
/// the cost grows with requests, not with tokens.
pub(crate) fn distribution(
    records: &Records,
    measured: &Range<usize>,
    costs: CostModel,
    max_batch: u32,
    gaps: &mut Gaps,
) -> Option<Distribution> {
    gaps.clear(max_batch);
    let mut left = 0;
    let mut admitted = 0;
    for stretch in &records.stretches {
        let continuing = left..admitted;
        let newcomers = admitted..admitted + stretch.admitted as usize;
        let running = left..newcomers.end;
        let leavers = left..left + stretch.finished as usize;
        (left, admitted) = (leavers.end, newcomers.end);
        // The bulk of the run: all of the batch is measured, and nobody leaves in the step in which they came.
        if measured.start <= running.start && running.end <= measured.end && stretch.steps > 1 {
            gaps.add(stretch.running, stretch.admitted, continuing.len() as u64);
            for prefills_after_own in 0..stretch.admitted {
                gaps.add(stretch.running, prefills_after_own, 1);
            }
            let later = u64::from(stretch.running) * u64::from(stretch.steps - 1) - u64::from(stretch.finished);
            gaps.add(stretch.running, 0, later);
            continue;
        }
        // A sequence's last decode step closes its stream and gives no token.
        let (leave_first_step, leave_later) =
            if stretch.steps == 1 { (leavers.clone(), 0..0) } else { (0..0, leavers.clone()) };

        let across_all = count(&continuing, measured) - count(&overlap(&continuing, &leave_first_step), measured);
        gaps.add(stretch.running, stretch.admitted, across_all);
        for request in overlap(&newcomers, measured) {
            if !leave_first_step.contains(&request) {
                let prefills_after_own = newcomers.end - 1 - request;
                gaps.add(stretch.running, prefills_after_own as u32, 1);
            }
        }
        let undisturbed = count(&running, measured) * u64::from(stretch.steps - 1) - count(&leave_later, measured);
        gaps.add(stretch.running, 0, undisturbed);
    }
    let samples = gaps.weighted(costs);
    let total: u64 = samples.iter().map(|sample| sample.weight).sum();
    if total == 0 {
        return None;
    }
    let sum: u128 = samples.iter().map(|sample| u128::from(sample.value) * u128::from(sample.weight)).sum();
    let [p50, p90, p99] = weighted_quantiles(samples, total, [0.5, 0.9, 0.99]);
    Some(Distribution::from_nanos([sum as f64 / total as f64, p50, p90, p99], 1))
}

/// Gaps across fewer prefills than this are counted by batch size; the rare longer ones are listed.
const COUNTED_PREFILLS: u32 = 8;

/// How often each gap occurred.
#[derive(Debug, Default)]
pub(crate) struct Gaps {
    /// Counts at `running * COUNTED_PREFILLS + prefills`.
    counted: Vec<u64>,
    /// Batch, prefills and count.
    listed: Vec<(u32, u32, u64)>,
    samples: Vec<Weighted>,
}

impl Gaps {
    fn clear(&mut self, max_batch: u32) {
        self.counted.clear();
        self.counted.resize((max_batch as usize + 1) * COUNTED_PREFILLS as usize, 0);
        self.listed.clear();
    }

    fn add(&mut self, running: u32, prefills: u32, times: u64) {
        if prefills < COUNTED_PREFILLS {
            self.counted[(running * COUNTED_PREFILLS + prefills) as usize] += times;
        } else if times > 0 {
            self.listed.push((running, prefills, times));
        }
    }

    /// The gaps in nanoseconds, each with the number of times it occurred.
    fn weighted(&mut self, costs: CostModel) -> &mut [Weighted] {
        let counted =
            (0..).zip(&self.counted).map(|(at, &times)| (at / COUNTED_PREFILLS, at % COUNTED_PREFILLS, times));
        let all = counted.chain(self.listed.iter().copied()).filter(|&(_, _, times)| times > 0);
        self.samples.clear();
        self.samples.extend(all.map(|(running, prefills, weight)| {
            let gap = costs.prefill * u64::from(prefills) + costs.decode_step(running);
            Weighted { value: gap.as_nanos(), weight }
        }));
        &mut self.samples
    }
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    let start = a.start.max(b.start);
    start..a.end.min(b.end).max(start)
}

fn count(a: &Range<usize>, b: &Range<usize>) -> u64 {
    overlap(a, b).len() as u64
}
