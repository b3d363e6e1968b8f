//! Simulated time as an integer, so that equal means equal and order is total on every target.

use alloc::vec::Vec;
use core::ops::{Add, AddAssign, Mul, Sub};

/// An instant since the start of the simulation, or a length of simulated time [ns].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimTime(u64);

impl SimTime {
    /// The start of the simulation.
    pub const ZERO: Self = Self(0);
    /// Later than anything that is simulated.
    pub const MAX: Self = Self(u64::MAX);

    /// From whole nanoseconds [ns].
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// From seconds [s], rounded to the nearest nanosecond. Negative and NaN give zero; past 2^64 ns it saturates.
    #[must_use]
    pub fn from_secs(seconds: f64) -> Self {
        Self((seconds * 1e9 + 0.5) as u64)
    }

    /// From milliseconds [ms], rounded to the nearest nanosecond.
    #[must_use]
    pub fn from_millis(millis: f64) -> Self {
        Self((millis * 1e6 + 0.5) as u64)
    }

    /// Whole nanoseconds [ns].
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Seconds [s].
    #[must_use]
    pub fn as_secs(self) -> f64 {
        self.0 as f64 / 1e9
    }

    /// How many lengths of `step` cover `self`: the quotient rounded up.
    #[must_use]
    pub const fn steps_of(self, step: Self) -> u64 {
        self.0.div_ceil(step.0)
    }

    /// How many steps of this length from here on until the first boundary at or after `at`: one at least.
    #[must_use]
    #[inline(always)]
    pub(crate) fn steps_until(self, at: Self, step: Self) -> u64 {
        at.saturating_sub(self).steps_of(step).max(1)
    }

    /// How many whole lengths of `step` fit into `self`. The step is not zero.
    #[must_use]
    pub const fn whole_steps(self, step: Self) -> u64 {
        self.0 / step.0
    }

    /// `self - other`, or zero when `other` is later.
    #[must_use]
    pub const fn saturating_sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl Add for SimTime {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for SimTime {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for SimTime {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<u64> for SimTime {
    type Output = Self;
    fn mul(self, times: u64) -> Self {
        Self(self.0 * times)
    }
}

/// How many of rising `times` are at or before `limit`. Not inlined: it is small, and asked in many places.
#[inline(never)]
pub(crate) fn count_upto(times: &[SimTime], limit: SimTime) -> usize {
    times.partition_point(|&time| time <= limit)
}

/// All of some rising lists as one.
pub(crate) fn merged(lists: &[&[SimTime]]) -> Vec<SimTime> {
    let [list] = lists else {
        let (left, right) = lists.split_at(lists.len() / 2);
        return merged_two(&merged(left), &merged(right));
    };
    list.to_vec()
}

fn merged_two<'t>(mut left: &'t [SimTime], mut right: &'t [SimTime]) -> Vec<SimTime> {
    let mut all = Vec::with_capacity(left.len() + right.len());
    while let ([one, ..], [other, ..]) = (left, right) {
        let first = if other < one { &mut right } else { &mut left };
        all.extend(first.split_off_first());
    }
    all.extend_from_slice(left);
    all.extend_from_slice(right);
    all
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use super::{SimTime, merged};

    #[test]
    fn conversions_round_to_the_nearest_nanosecond() {
        assert_eq!(SimTime::from_millis(0.4).as_nanos(), 400_000);
        assert_eq!(SimTime::from_secs(1e-9 * 2.6).as_nanos(), 3);
        assert_eq!(SimTime::from_secs(-1.0), SimTime::ZERO);
        assert_eq!(SimTime::from_secs(f64::NAN), SimTime::ZERO);
    }

    #[test]
    fn steps_cover_the_length() {
        let step = SimTime::from_nanos(10);
        assert_eq!(SimTime::from_nanos(0).steps_of(step), 0);
        assert_eq!(SimTime::from_nanos(10).steps_of(step), 1);
        assert_eq!(SimTime::from_nanos(11).steps_of(step), 2);
    }

    #[test]
    fn rising_lists_are_merged() {
        let lists = [vec![1, 4, 4, 9], vec![], vec![2, 4, 8], vec![0, 10]];
        let times = lists.map(|list| list.into_iter().map(SimTime::from_nanos).collect::<Vec<_>>());
        let mut all = times.concat();
        all.sort_unstable();
        assert_eq!(merged(&times.each_ref().map(Vec::as_slice)), all);
    }
}
