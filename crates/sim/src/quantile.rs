//! Quantiles of samples, with and without weights.
//!
//! The definition everywhere: linear interpolation at rank `(n - 1) p`, which is numpy's default and what
//! `vllm bench serve` prints.

/// The quantiles `ps` (rising, 0..=1) of `samples`, or `None` if there are none. Reorders `samples`.
///
/// A sample stands for the number that `read` makes of it; greater samples stand for greater numbers.
#[inline(never)]
pub(crate) fn quantiles<const N: usize>(samples: &mut [u64], ps: [f64; N], read: fn(u64) -> f64) -> Option<[f64; N]> {
    let last = samples.len().checked_sub(1)?;
    let ranks = ps.map(|p| last as f64 * p);
    let neighbours = ranks.map(|rank| [rank as usize, (rank as usize + 1).min(last)]);
    place(samples, 0, neighbours.as_flattened());
    Some(ranks.map(|rank| {
        let below = rank as usize;
        interpolate(read(samples[below]), read(samples[(below + 1).min(last)]), rank - below as f64)
    }))
}

/// Puts the samples of these `ranks` (rising) where sorting would put them. `samples` start at rank `first`.
///
/// The middle rank parts the others, so that each is searched for among fewer and fewer samples.
fn place(samples: &mut [u64], first: usize, ranks: &[usize]) {
    if ranks.is_empty() {
        return;
    }
    let middle = ranks[ranks.len() / 2];
    let (left, _, right) = samples.select_nth_unstable(middle - first);
    place(left, first, &ranks[..ranks.partition_point(|&rank| rank < middle)]);
    place(right, middle + 1, &ranks[ranks.partition_point(|&rank| rank <= middle)..]);
}

/// The point at `fraction` (0..1) between two neighbours; `upper` is not looked at when the fraction is zero.
fn interpolate(lower: f64, upper: f64, fraction: f64) -> f64 {
    if fraction > 0.0 { lower + (upper - lower) * fraction } else { lower }
}

/// One value that stands for `weight` equal samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Weighted {
    pub(crate) value: u64,
    pub(crate) weight: u64,
}

/// The quantiles `ps` (rising, 0..=1) of weighted samples whose weights sum to `total` > 0, as if each were written out.
///
/// Reorders `samples`.
pub(crate) fn weighted_quantiles<const N: usize>(samples: &mut [Weighted], total: u64, ps: [f64; N]) -> [f64; N] {
    let ranks = ps.map(|p| (total - 1) as f64 * p);
    part(samples, 0, ranks.map(|rank| [rank as u64, rank as u64 + 1]).as_flattened());
    let mut sorted = samples.iter().peekable();
    // Ranks below `passed` lie in samples that were taken off.
    let mut passed = 0;
    ranks.map(|rank| {
        let below = rank as u64;
        while let Some(sample) = sorted.next_if(|sample| passed + sample.weight <= below) {
            passed += sample.weight;
        }
        let mut from_here = sorted.clone();
        let Some(lower) = from_here.next() else { return f64::NAN };
        // The next rank is in the same sample or in the one after it.
        let upper = if below + 1 < passed + lower.weight { lower } else { from_here.next().unwrap_or(lower) };
        interpolate(lower.value as f64, upper.value as f64, rank - below as f64)
    })
}

/// Puts the samples in which these `ranks` lie where sorting would put them, and all others on the right side of them.
/// `samples` start at rank `first`. Says how many ranks they take up.
fn part(samples: &mut [Weighted], first: u64, ranks: &[u64]) -> u64 {
    let weight = samples.iter().map(|sample| sample.weight).sum();
    if samples.len() > 1 && ranks.iter().any(|rank| (first..first + weight).contains(rank)) {
        let (left, middle, right) = samples.select_nth_unstable_by_key(samples.len() / 2, |sample| sample.value);
        let until_middle = part(left, first, ranks) + middle.weight;
        part(right, first + until_middle, ranks);
    }
    weight
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::{Weighted, weighted_quantiles};

    fn quantiles<const N: usize>(samples: &mut [u64], ps: [f64; N]) -> Option<[f64; N]> {
        super::quantiles(samples, ps, |sample| sample as f64)
    }

    #[test]
    fn ranks_interpolate_like_numpy() {
        // numpy.quantile([30, 10, 40, 10, 50, 90, 20, 60], [0.99, 0.9, 0.5, 0]) gives 87.9, 69, 35, 10.
        let mut samples = [30, 10, 40, 10, 50, 90, 20, 60];
        let [p0, p50, p90, p99] = quantiles(&mut samples, [0.0, 0.5, 0.9, 0.99]).expect("samples");
        assert!((p99 - 87.9).abs() < 1e-12 && (p90 - 69.0).abs() < 1e-12, "{p99} {p90}");
        assert_eq!((p50, p0), (35.0, 10.0));
    }

    #[test]
    fn one_sample_is_every_quantile_and_none_has_none() {
        assert_eq!(quantiles(&mut [2], [0.0, 0.5, 0.99, 1.0]), Some([2.0; 4]));
        assert_eq!(quantiles(&mut [], [0.5]), None);
    }

    #[test]
    fn neighbouring_ranks_share_the_sample_above() {
        assert_eq!(quantiles(&mut [30, 10, 20], [0.25, 0.5, 0.75]), Some([15.0, 20.0, 25.0]));
    }

    #[test]
    fn weights_are_as_good_as_writing_the_samples_out() {
        let weighted = [(7, 3), (2, 1), (7, 2), (4, 5)].map(|(value, weight)| Weighted { value, weight });
        let mut written: Vec<u64> =
            weighted.iter().flat_map(|sample| core::iter::repeat_n(sample.value, sample.weight as usize)).collect();
        for p in [0.0, 0.1, 0.3, 0.5, 0.55, 0.9, 1.0] {
            let answer = weighted_quantiles(&mut weighted.clone(), 11, [p]);
            assert_eq!(Some(answer), quantiles(&mut written, [p]), "p = {p}");
        }
        let together = weighted_quantiles(&mut weighted.clone(), 11, [0.31, 0.32, 0.33]);
        let alone = [0.31, 0.32, 0.33].map(|p| weighted_quantiles(&mut weighted.clone(), 11, [p]));
        assert_eq!(together, alone.map(|[quantile]| quantile), "ranks between the same two samples");
    }
}
