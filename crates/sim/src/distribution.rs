//! Mean and quantiles of many times.

use crate::math::product;
use crate::quantile::{Weighted, quantiles, weighted_quantiles};

/// Mean and quantiles of a time [s]. Quantiles interpolate linearly at rank (n - 1) p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Distribution {
    /// Arithmetic mean [s].
    pub mean: f64,
    /// Median [s].
    pub p50: f64,
    /// 90th percentile [s].
    pub p90: f64,
    /// 99th percentile [s].
    pub p99: f64,
}

const QUANTILES: [f64; 3] = [0.5, 0.9, 0.99];

impl Distribution {
    /// Of times in whole nanoseconds, whose order it changes; `None` without any.
    #[must_use]
    pub fn of_nanos(times: &mut [u64]) -> Option<Self> {
        Self::of_shared_nanos(times, 1)
    }

    /// Of times in whole nanoseconds that are each to be divided by `parts`; `None` without any.
    pub(crate) fn of_shared_nanos(times: &mut [u64], parts: u32) -> Option<Self> {
        // Whole nanoseconds add up exactly, in any order.
        let sum: u128 = times.iter().map(|&nanos| u128::from(nanos)).sum();
        let mean = sum as f64 / times.len() as f64;
        let [p50, p90, p99] = quantiles(times, QUANTILES, |nanos| nanos as f64)?;
        Some(Self::from_nanos([mean, p50, p90, p99], parts))
    }

    /// Of times in whole nanoseconds that occur so many times each, whose order it changes; `None` without any.
    pub(crate) fn of_weighted(times: &mut [Weighted]) -> Option<Self> {
        let total: u64 = times.iter().map(|time| time.weight).sum();
        if total == 0 {
            return None;
        }
        let sum: u128 = times.iter().map(|time| product(time.value, time.weight)).sum();
        let [p50, p90, p99] = weighted_quantiles(times, total, QUANTILES);
        Some(Self::from_nanos([sum as f64 / total as f64, p50, p90, p99], 1))
    }

    /// Of numbers of nanoseconds that are given by their bits; `None` without any.
    pub(crate) fn of_numbers(bits: &mut [u64]) -> Option<Self> {
        // In order of arrival, so that the sum is the same everywhere.
        let sum: f64 = bits.iter().map(|&bits| f64::from_bits(bits)).sum();
        let mean = sum / bits.len() as f64;
        let [p50, p90, p99] = quantiles(bits, QUANTILES, f64::from_bits)?;
        Some(Self::from_nanos([mean, p50, p90, p99], 1))
    }

    /// From mean, p50, p90 and p99 of times in nanoseconds, each divided by `parts`.
    pub(crate) fn from_nanos(nanos: [f64; 4], parts: u32) -> Self {
        let [mean, p50, p90, p99] = nanos.map(|nanos| nanos / (1e9 * f64::from(parts)));
        Self { mean, p50, p90, p99 }
    }
}
