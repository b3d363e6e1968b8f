//! The rates of the slider.

/// An arrival rate on the slider [tenths of a request/s]: whole, so that steps of 0.1 do not drift.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tenths(i32);

impl Tenths {
    /// The slider's lower end: 0.5 requests/s.
    pub const MIN: Self = Self(5);
    /// The slider's upper end: 8 requests/s.
    pub const MAX: Self = Self(80);
    /// Where a lab starts: 5 requests/s.
    pub const START: Self = Self(50);
    /// Where a covered lab starts, and the highest rate that it shows: 4 requests/s.
    pub const COVER: Self = Self(40);

    /// The nearest rate on the slider.
    #[must_use]
    pub fn nearest(rate: f64) -> Self {
        Self((rate * 10.0).round() as i32).clamp(Self::MIN, Self::MAX)
    }

    /// The rate [requests/s].
    #[must_use]
    pub fn rate(self) -> f64 {
        f64::from(self.0) / 10.0
    }

    /// The rate some tenths away, kept on the slider.
    #[must_use]
    pub fn moved(self, by: i32) -> Self {
        Self(self.0.saturating_add(by)).clamp(Self::MIN, Self::MAX)
    }

    /// Every rate on the slider [requests/s].
    pub fn all() -> impl Iterator<Item = f64> {
        (Self::MIN.0..=Self::MAX.0).map(|tenths| Self(tenths).rate())
    }
}
