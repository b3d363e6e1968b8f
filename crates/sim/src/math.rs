//! The transcendental functions, from `libm` on every target: the standard library's differ by a bit between platforms.

/// Natural logarithm.
#[must_use]
pub(crate) fn ln(x: f64) -> f64 {
    libm::log(x)
}
