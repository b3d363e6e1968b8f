//! The transcendental functions, from `libm` on every target: the standard library's differ by a bit between platforms.

/// Natural logarithm.
#[must_use]
pub(crate) fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// Exponential function.
#[must_use]
pub(crate) fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Square root.
#[must_use]
pub(crate) fn sqrt(x: f64) -> f64 {
    libm::sqrt(x)
}

/// Natural logarithm of the gamma function, for positive numbers.
#[must_use]
pub(crate) fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}
