//! Sums over equal parts of the time.

use alloc::vec::Vec;

/// A sum for each part of the time.
#[derive(Clone, Debug)]
pub(crate) struct Buckets {
    length_s: f64,
    sums: Vec<f64>,
}

impl Buckets {
    pub(crate) fn new(count: usize, length_s: f64) -> Self {
        Self { length_s, sums: alloc::vec![0.0; count] }
    }

    /// Adds an amount at an instant [s]; what comes after the last part is left out.
    pub(crate) fn add(&mut self, at_s: f64, amount: f64) {
        if let Some(sum) = self.sums.get_mut((at_s / self.length_s) as usize) {
            *sum += amount;
        }
    }

    /// Adds so much for each second from one instant to another [s].
    pub(crate) fn spread(&mut self, from_s: f64, to_s: f64, per_s: f64) {
        let first = (from_s / self.length_s) as usize;
        for (place, sum) in self.sums.iter_mut().enumerate().skip(first) {
            let (begin, end) = (place as f64 * self.length_s, (place + 1) as f64 * self.length_s);
            if begin >= to_s {
                break;
            }
            *sum += per_s * (to_s.min(end) - from_s.max(begin)).max(0.0);
        }
    }

    /// Each sum by a number.
    pub(crate) fn over(&self, divisor: f64) -> Vec<Option<f64>> {
        self.sums.iter().map(|sum| Some(sum / divisor)).collect()
    }

    /// Each sum by that of other buckets; `None` where there was nothing to divide by.
    pub(crate) fn per(&self, others: &Self) -> Vec<Option<f64>> {
        let ratio = |(sum, other): (&f64, &f64)| (*other > 0.0).then(|| sum / other);
        self.sums.iter().zip(&others.sums).map(ratio).collect()
    }
}
