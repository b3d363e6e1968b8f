//! The rates of the slider.

/// An arrival rate on the slider [tenths of a request/s]: whole, so that steps of 0.1 do not drift.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tenths(i32);

impl Tenths {
    /// The lowest rate that a lab takes: 0.1 requests/s.
    pub const MIN: Self = Self(1);
    /// The highest rate that a lab takes: 20 requests/s.
    pub const MAX: Self = Self(200);
    /// Where a lab starts: 5 requests/s.
    pub const START: Self = Self(50);
    /// Where a covered lab starts, and the highest rate that it shows: 4 requests/s.
    pub const COVER: Self = Self(40);

    /// The nearest rate that a lab takes.
    #[must_use]
    pub fn nearest(rate: f64) -> Self {
        Self((rate * 10.0).round() as i32).clamp(Self::MIN, Self::MAX)
    }

    /// The rate [requests/s].
    #[must_use]
    pub fn rate(self) -> f64 {
        f64::from(self.0) / 10.0
    }

    /// The rate some tenths away.
    #[must_use]
    pub fn moved(self, by: i32) -> Self {
        Self(self.0.saturating_add(by)).clamp(Self::MIN, Self::MAX)
    }
}

/// What the slider offers, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The lower end.
    pub from: Tenths,
    /// The upper end.
    pub to: Tenths,
}

impl Span {
    /// The lesson's: 0.5 to 8 requests/s.
    pub const LESSON: Self = Self { from: Tenths(5), to: Tenths(80) };
    /// All that a lab takes.
    pub const WIDEST: Self = Self { from: Tenths::MIN, to: Tenths::MAX };

    /// The span for a rate: the lesson's, unless it lies outside.
    #[must_use]
    pub fn holding(rate: Tenths) -> Self {
        if Self::LESSON.clamp(rate) == rate { Self::LESSON } else { Self::WIDEST }
    }

    /// The nearest rate in the span.
    #[must_use]
    pub fn clamp(self, rate: Tenths) -> Tenths {
        rate.clamp(self.from, self.to)
    }

    /// Every rate in the span [requests/s].
    pub fn rates(self) -> impl Iterator<Item = f64> {
        (self.from.0..=self.to.0).map(|tenths| Tenths(tenths).rate())
    }
}
