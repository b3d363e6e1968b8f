//! A length that varies from request to request: lognormal, by its mean and its coefficient of variation.

use crate::math;
use crate::normal;

/// A length [tokens]: the same for all with a coefficient of variation of zero, else lognormal, in whole tokens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LogNormal {
    mean: f64,
    /// Standard deviation of the length's logarithm.
    sigma: f64,
    /// No length is longer [tokens].
    most: f64,
}

impl LogNormal {
    pub(crate) fn new(mean: u32, cv: f64, most: f64) -> Self {
        Self { mean: f64::from(mean), sigma: math::sqrt(math::ln(1.0 + cv * cv)), most }
    }

    pub(crate) fn varies(self) -> bool {
        self.sigma > 0.0
    }

    /// The length that belongs to a uniform draw: at least one token.
    pub(crate) fn tokens(self, unit: f64) -> u32 {
        // A lognormal variable whose logarithm has this mean has `self.mean` itself.
        let log_of_factor = self.sigma * (normal::quantile(unit) - 0.5 * self.sigma);
        let length = self.mean * math::exp(log_of_factor);
        math::between(1.0, length + 0.5, self.most) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::LogNormal;

    #[test]
    fn mean_and_variation_are_what_was_asked_for() {
        for cv in [0.1, 0.5, 1.0, 1.5] {
            let length = LogNormal::new(1000, cv, 1e6);
            let n = 1_000_000;
            let lengths = || (0..n).map(|i| f64::from(length.tokens((f64::from(i) + 0.5) / f64::from(n))));
            let mean = lengths().sum::<f64>() / f64::from(n);
            let variance = lengths().map(|length| (length - mean) * (length - mean)).sum::<f64>() / f64::from(n);
            assert!((mean / 1000.0 - 1.0).abs() < 1e-3, "{mean}");
            assert!((libm::sqrt(variance) / mean / cv - 1.0).abs() < 5e-3, "{cv}");
        }
    }

    #[test]
    fn no_length_is_shorter_than_a_token_or_longer_than_allowed() {
        let length = LogNormal::new(2, 5.0, 3000.0);
        assert_eq!((length.tokens(0.0), length.tokens(1.0 - f64::EPSILON / 2.0)), (1, 3000));
        assert!(!LogNormal::new(200, 0.0, 1e5).varies());
        assert_eq!(LogNormal::new(200, 0.0, 1e5).tokens(0.3), 200);
    }
}
