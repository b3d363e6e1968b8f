//! Arithmetic that is the same on every target. The transcendental functions come from `libm`, because the standard
//! library's differ by a bit between platforms.

/// The product of two whole numbers, whatever it is.
#[must_use]
#[inline(always)]
pub(crate) fn product(a: u64, b: u64) -> u128 {
    // WebAssembly multiplies to 64 bits and calls a function for more. Most factors have less than 32.
    if (a | b) >> 32 == 0 { u128::from(a * b) } else { u128::from(a) * u128::from(b) }
}

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

/// A number, or the nearer end of `lo..=hi` where it lies beyond. Unlike [`f64::clamp`] it cannot panic, and brings no text
/// for that along, which prints floats in all their forms: that is much to download.
#[must_use]
pub(crate) fn between(lo: f64, x: f64, hi: f64) -> f64 {
    x.max(lo).min(hi)
}

/// Natural logarithm of the gamma function, for positive numbers.
#[must_use]
pub(crate) fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}
