//! From the records of a run to its metrics, as section 2 of MODEL.md defines them.

use alloc::vec::Vec;
use core::ops::Range;

use crate::quantile::quantiles;
use crate::report::Distribution;
use crate::scenario::Scenario;
use crate::server::Records;
use crate::units::SimTime;

/// The span in which requests are measured: from the end of the warm-up to the horizon.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) from: SimTime,
    pub(crate) to: SimTime,
}

impl Window {
    pub(crate) fn of(scenario: &Scenario) -> Self {
        Self { from: SimTime::from_secs(scenario.warmup), to: SimTime::from_secs(scenario.horizon) }
    }

    /// Length of the window [s].
    pub(crate) fn length_s(self) -> f64 {
        (self.to - self.from).as_secs()
    }

    /// The part of rising `times` that lies in the window, both ends included, as a range of indices.
    fn range(self, times: &[SimTime]) -> Range<usize> {
        let first = times.partition_point(|&at| at < self.from);
        first..times.partition_point(|&at| at <= self.to).max(first)
    }

    /// The measured requests: arrived at or after the warm-up, finished at or before the horizon.
    pub(crate) fn measured(self, records: &Records) -> Range<usize> {
        let (first, end) = (self.range(&records.arrivals).start, self.range(&records.finishes).end);
        // Without any, the first that would count may not even have been admitted.
        if first < end { first..end } else { 0..0 }
    }

    /// Requests that arrived in the window.
    pub(crate) fn offered(self, records: &Records) -> usize {
        self.range(&records.arrivals).len()
    }

    /// Tokens that left the server in the window, whoever they belong to.
    ///
    /// Every decode step gives each running sequence a token, but for a sequence's last step, which closes its stream.
    pub(crate) fn tokens(self, records: &Records, step_of: impl Fn(u32) -> SimTime, prefill: SimTime) -> u64 {
        let mut tokens = self.range(&records.first_tokens).len() as u64;
        for stretch in &records.stretches {
            let step = step_of(stretch.running);
            let decode_from = stretch.decode_from(prefill);
            tokens += u64::from(stretch.running) * self.step_ends(decode_from, step, u64::from(stretch.steps));
        }
        tokens - self.range(&records.finishes).len() as u64
    }

    /// How many of `steps` equal steps that start at `start` end in the window.
    fn step_ends(self, start: SimTime, step: SimTime, steps: u64) -> u64 {
        let end = start + step * steps;
        if self.from <= start && end <= self.to {
            return steps;
        }
        let before = if self.from <= start { 0 } else { ((self.from - start).steps_of(step) - 1).min(steps) };
        let after = if end <= self.to { 0 } else { (end - self.to).steps_of(step).min(steps) };
        steps - before - after
    }
}

/// Share of the simulated time that the server spends inside a step.
pub(crate) fn busy_fraction(
    records: &Records,
    horizon: SimTime,
    step_of: impl Fn(u32) -> SimTime,
    prefill: SimTime,
) -> f64 {
    let mut busy = SimTime::ZERO;
    for stretch in &records.stretches {
        let length = prefill * u64::from(stretch.admitted) + step_of(stretch.running) * u64::from(stretch.steps);
        busy += length.min(horizon.saturating_sub(stretch.start));
    }
    busy.as_secs() / horizon.as_secs()
}

/// Mean and quantiles of one time per request, each divided by `parts` [s]; `None` without requests.
pub(crate) fn distribution(
    samples: impl Iterator<Item = SimTime>,
    parts: u32,
    scratch: &mut Vec<u64>,
) -> Option<Distribution> {
    scratch.clear();
    scratch.extend(samples.map(SimTime::as_nanos));
    // Whole nanoseconds add up exactly, in any order.
    let sum: u128 = scratch.iter().map(|&nanos| u128::from(nanos)).sum();
    let mean = sum as f64 / scratch.len() as f64;
    let [p50, p90, p99] = quantiles(scratch, [0.5, 0.9, 0.99])?;
    Some(Distribution::from_nanos([mean, p50, p90, p99], parts))
}
