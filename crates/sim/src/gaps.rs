//! The gaps between arrivals at rate 1, from evenly spaced to bursty.

use crate::gamma::Gamma;
use crate::math;

/// How the gaps vary, their mean being one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GapLaw {
    /// They do not: evenly spaced arrivals.
    Even,
    /// As the lesson's: Poisson arrivals.
    Exponential,
    /// Anything between and beyond.
    Gamma(Gamma),
}

impl GapLaw {
    /// With this coefficient of variation.
    pub(crate) fn with_cv(cv: f64) -> Self {
        if cv == 0.0 {
            Self::Even
        } else if cv == 1.0 {
            Self::Exponential
        } else {
            Self::Gamma(Gamma::with_cv(cv))
        }
    }

    /// The gap that belongs to a uniform draw in [0, 1).
    pub(crate) fn gap(self, unit: f64) -> f64 {
        match self {
            Self::Even => 1.0,
            // The logarithm's argument is in (0, 1], so the gap is finite and not negative.
            Self::Exponential => -math::ln(1.0 - unit),
            Self::Gamma(gamma) => gamma.quantile(unit),
        }
    }
}
