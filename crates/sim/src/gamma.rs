//! The gamma distribution by its quantile, so that one uniform draw gives one gap, which moves smoothly with the shape.
//!
//! The distribution function: Abramowitz and Stegun, "Handbook of Mathematical Functions", 6.5.29 (series) and 6.5.31
//! (continued fraction). Its inverse: Newton's method on the logarithm of the probability over the logarithm of the
//! gap, which is concave, so that the steps cannot run away. The start: Wilson and Hilferty, "The Distribution of
//! Chi-Square", Proceedings of the National Academy of Sciences 17(12), 1931.

use crate::math;
use crate::normal;

/// From this shape on the start is the answer: it is off by three parts in 100,000 at one draw in a million, elsewhere less.
const NEARLY_NORMAL: f64 = 1000.0;

/// Most steps of Newton's method. It needs at most nine, also at the ends.
const MOST_STEPS: usize = 16;

/// Newton's last step. The error is about its square.
const SMALL_STEP: f64 = 1e-7;

/// Below lies what a number cannot hold, as a logarithm.
const LEAST_LOG: f64 = -700.0;

/// A gamma distribution with a mean of one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gamma {
    shape: f64,
    /// Logarithm of the gamma function at the shape.
    log_gamma: f64,
}

impl Gamma {
    /// With this coefficient of variation, which is not zero.
    pub(crate) fn with_cv(cv: f64) -> Self {
        let shape = 1.0 / (cv * cv);
        Self { shape, log_gamma: math::ln_gamma(shape) }
    }

    /// The value below which the variable lies with probability `unit` (0..1).
    pub(crate) fn quantile(self, unit: f64) -> f64 {
        let unit = unit.max(normal::LEAST);
        let mut log = match self.wilson_hilferty(unit) {
            Some(start) if self.shape > NEARLY_NORMAL => return start / self.shape,
            Some(start) => math::ln(start),
            // Right where the density is a power, and never too great.
            None => (math::ln(unit) + self.log_gamma + math::ln(self.shape)) / self.shape,
        };
        if log < LEAST_LOG {
            return 0.0;
        }
        for _ in 0..MOST_STEPS {
            let Tails { below, above, slope } = self.tails(math::exp(log));
            let step = if unit <= 0.5 {
                (math::ln(unit) - math::ln(below)) * below / slope
            } else {
                (math::ln(above) - math::ln(1.0 - unit)) * above / slope
            };
            let step = step.clamp(-1.0, 1.0);
            log += step;
            if (-SMALL_STEP..=SMALL_STEP).contains(&step) {
                break;
            }
        }
        math::exp(log) / self.shape
    }

    /// The cube of a normal variable is nearly gamma where the shape is not small; `None` where it is no use.
    fn wilson_hilferty(self, unit: f64) -> Option<f64> {
        let spread = 1.0 / (9.0 * self.shape);
        let root = 1.0 - spread + normal::quantile(unit) * math::sqrt(spread);
        (self.shape >= 1.0 && root > 0.3).then_some(self.shape * root * root * root)
    }

    fn tails(self, at: f64) -> Tails {
        let slope = math::exp(self.shape * math::ln(at) - at - self.log_gamma);
        if at < self.shape + 1.0 {
            let below = slope * self.series(at);
            Tails { below, above: 1.0 - below, slope }
        } else {
            let above = slope * self.fraction(at);
            Tails { below: 1.0 - above, above, slope }
        }
    }

    /// The terms shrink, ever faster, and end where they no longer count.
    fn series(self, at: f64) -> f64 {
        let mut term = 1.0 / self.shape;
        let mut sum = term;
        let mut over = self.shape;
        while term > sum * f64::EPSILON / 2.0 {
            over += 1.0;
            term *= at / over;
            sum += term;
        }
        sum
    }

    /// From the first term down, by Lentz's method.
    fn fraction(self, at: f64) -> f64 {
        const MOST_TERMS: u32 = 10_000;
        let mut even = at + 1.0 - self.shape;
        let (mut above, mut below) = (f64::MAX, 1.0 / even);
        let mut value = below;
        for term in 1..MOST_TERMS {
            let term = f64::from(term);
            let odd = term * (self.shape - term);
            even += 2.0;
            below = 1.0 / (odd * below + even);
            above = even + odd / above;
            let factor = above * below;
            value *= factor;
            if (1.0 - 4.0 * f64::EPSILON..=1.0 + 4.0 * f64::EPSILON).contains(&factor) {
                break;
            }
        }
        value
    }
}

/// What lies on both sides of a point.
struct Tails {
    below: f64,
    above: f64,
    /// How `below` grows with the logarithm of the point.
    slope: f64,
}

#[cfg(test)]
mod tests {
    use super::{Gamma, NEARLY_NORMAL, Tails};

    const CVS: [f64; 10] = [0.04, 0.1, 0.5, 0.9, 1.0, 1.1, 2.0, 5.0, 13.0, 20.0];

    #[test]
    fn the_quantile_has_the_probability_that_was_asked_for() {
        for gamma in CVS.map(Gamma::with_cv) {
            for unit in [1e-15, 1e-6, 0.01, 0.3, 0.5, 0.7, 0.99, 1.0 - 1e-6, 1.0 - 1e-12] {
                let at = gamma.quantile(unit) * gamma.shape;
                if at > 0.0 {
                    let Tails { below, above, .. } = gamma.tails(at);
                    let error = if unit <= 0.5 { below / unit - 1.0 } else { above / (1.0 - unit) - 1.0 };
                    assert!(error.abs() < 1e-10, "{gamma:?} at {unit}: {error}");
                }
            }
        }
    }

    /// A shape of one is the exponential distribution, the lesson's.
    #[test]
    fn a_variation_of_one_is_exponential() {
        for i in 1..1000 {
            let unit = f64::from(i) / 1000.0;
            assert!((Gamma::with_cv(1.0).quantile(unit) + libm::log(1.0 - unit)).abs() < 1e-12);
        }
    }

    #[test]
    fn mean_and_variation_are_what_was_asked_for() {
        for cv in CVS.into_iter().filter(|&cv| cv <= 1.1).chain([0.01]) {
            let n = 50_000;
            let gaps = || (0..n).map(|i| Gamma::with_cv(cv).quantile((f64::from(i) + 0.5) / f64::from(n)));
            let mean = gaps().sum::<f64>() / f64::from(n);
            let variance = gaps().map(|gap| (gap - mean) * (gap - mean)).sum::<f64>() / f64::from(n);
            assert!((mean - 1.0).abs() < 1e-3, "{mean}");
            assert!((libm::sqrt(variance) / cv - 1.0).abs() < 5e-3, "{cv}");
        }
    }

    #[test]
    fn the_ends_are_finite_and_near_normal_shapes_join() {
        for cv in CVS.into_iter().chain([1e-9, 1e-3]) {
            assert!(Gamma::with_cv(cv).quantile(0.0) >= 0.0);
            assert!(Gamma::with_cv(cv).quantile(1.0 - f64::EPSILON / 2.0).is_finite());
        }
        let near = |shape: f64| Gamma::with_cv(libm::sqrt(1.0 / shape));
        for unit in [0.001, 0.1, 0.5, 0.9, 0.999] {
            let (found, start) = (near(NEARLY_NORMAL * 0.999_999), near(NEARLY_NORMAL * 1.000_001));
            let apart = found.quantile(unit) - start.quantile(unit);
            assert!(apart.abs() < 1e-5, "{apart} at {unit}");
        }
    }
}
