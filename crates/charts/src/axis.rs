//! An axis: a range that is finite and not empty by type, its scale, and its ticks.

use crate::format;

/// Decades a log axis spans at most: a curve that touches zero must not squeeze the rest into a line.
const MOST_DECADES: i32 = 8;

/// How values are spread over an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal steps, equal lengths.
    Linear,
    /// Equal factors, equal lengths.
    Log,
}

/// What the numbers of an axis are, and so how its ticks read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Requests, sequences, tokens/s: `1,250`.
    Count,
    /// Requests/s: `5.2`.
    Rate,
    /// Latencies in seconds, read in the unit that fits: `20 ms`, `1 s`.
    Latency,
    /// Simulated time in seconds, read in seconds.
    Seconds,
    /// Simulated time in seconds, read in minutes.
    Minutes,
    /// Simulated time in seconds, read in hours.
    Hours,
    /// A share (0..=1), read in percent.
    Share,
}

impl Unit {
    /// The unit in which a simulated time of this length reads best, given in seconds.
    #[must_use]
    pub fn of_span(seconds: f64) -> Self {
        match seconds {
            ..=1200.0 => Self::Seconds,
            ..=14_400.0 => Self::Minutes,
            _ => Self::Hours,
        }
    }

    /// How many of the axis's numbers make one of the unit it is read in.
    fn size(self) -> f64 {
        match self {
            Self::Minutes => 60.0,
            Self::Hours => 3600.0,
            Self::Count | Self::Rate | Self::Latency | Self::Seconds | Self::Share => 1.0,
        }
    }

    /// The words at a tick.
    #[must_use]
    pub fn tick(self, value: f64) -> String {
        match self {
            Self::Latency => format::latency_tick(value),
            Self::Rate => format::rate(value),
            Self::Share => format::percent(value),
            _ => format::count(value / self.size()),
        }
    }

    /// The words for a value on a curve.
    #[must_use]
    pub fn value(self, value: f64) -> String {
        match self {
            Self::Latency => format::time(value),
            _ => self.tick(value),
        }
    }
}

/// A range `lo < hi`, both finite (both positive on a log scale), with its scale and unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    scale: Scale,
    lo: f64,
    hi: f64,
    unit: Unit,
}

impl Axis {
    /// A linear axis; a range that is empty or not finite is widened or replaced.
    #[must_use]
    pub fn linear(lo: f64, hi: f64, unit: Unit) -> Self {
        let lo = if lo.is_finite() { lo.clamp(-1e15, 1e15) } else { 0.0 };
        let length = hi - lo;
        let hi = if length > 0.0 && length <= 1e16 { hi } else { lo + lo.abs().max(1.0) };
        Self { scale: Scale::Linear, lo, hi, unit }
    }

    /// A linear axis from zero to a round number at or above `max`.
    #[must_use]
    pub fn from_zero(max: f64, unit: Unit) -> Self {
        let max = usable(max).unwrap_or(1.0);
        let step = round_step(max / 5.0, unit);
        // A hair of tolerance: 0.3 must not round up to 0.4 because 0.3 / 0.1 is a little more than 3.
        Self::linear(0.0, (max / step - 1e-9).ceil() * step, unit)
    }

    /// A linear axis from zero to 1, 2 or 5 times a power of ten: so coarse that it rarely changes.
    #[must_use]
    pub fn coarse(max: f64, unit: Unit) -> Self {
        let max = usable(max).unwrap_or(1.0);
        Self::linear(0.0, round_up(max), unit)
    }

    /// A log axis from the power of ten at or below `min` to a round number at or above `max`.
    #[must_use]
    pub fn decades(min: f64, max: f64, unit: Unit) -> Self {
        let max = usable(max).unwrap_or(1.0);
        let min = usable(min).unwrap_or(max).min(max);
        let hi = round_up(max);
        let lo = power_of_ten_below(min).max(hi / power_of_ten(MOST_DECADES));
        let lo = if lo < hi { lo } else { hi / 10.0 };
        Self { scale: Scale::Log, lo, hi, unit }
    }

    /// The axis that holds what both hold, on this one's scale.
    #[must_use]
    pub fn holding(self, other: &Self) -> Self {
        Self { lo: self.lo.min(other.lo), hi: self.hi.max(other.hi), ..self }
    }

    /// The lower end.
    #[must_use]
    pub fn lo(&self) -> f64 {
        self.lo
    }

    /// The upper end.
    #[must_use]
    pub fn hi(&self) -> f64 {
        self.hi
    }

    /// Linear or log.
    #[must_use]
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// What its numbers are.
    #[must_use]
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Whether a value lies on the axis.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        (self.lo..=self.hi).contains(&value)
    }

    /// Where a value lies, from 0 (the lower end) to 1 (the upper); values beyond an end, and NaN, lie at an end.
    #[must_use]
    pub fn position(&self, value: f64) -> f64 {
        let value = self.nearest(value);
        match self.scale {
            Scale::Linear => (value - self.lo) / (self.hi - self.lo),
            Scale::Log => libm::log(value / self.lo) / libm::log(self.hi / self.lo),
        }
    }

    /// The value at a position; the inverse of [`Axis::position`].
    #[must_use]
    pub fn at(&self, position: f64) -> f64 {
        let position = if position.is_nan() { 0.0 } else { position.clamp(0.0, 1.0) };
        let value = match self.scale {
            Scale::Linear => self.lo + (self.hi - self.lo) * position,
            Scale::Log => self.lo * libm::exp(libm::log(self.hi / self.lo) * position),
        };
        self.nearest(value)
    }

    /// The value, or the nearer end where it lies beyond; the lower end for NaN. Not by `clamp`, which brings along the
    /// text of a panic that prints floats in all their forms.
    fn nearest(&self, value: f64) -> f64 {
        value.max(self.lo).min(self.hi)
    }

    /// Round values along the axis, in order, at most about `most` of them.
    #[must_use]
    pub fn ticks(&self, most: usize) -> Vec<f64> {
        let most = most.max(1) as f64;
        match self.scale {
            Scale::Linear => {
                let step = round_step((self.hi - self.lo) / most, self.unit);
                let first = (self.lo / step - 1e-9).ceil() as i64;
                let last = (self.hi / step + 1e-9).floor() as i64;
                (first..=last).map(|i| i as f64 * step).collect()
            }
            Scale::Log => {
                let first = libm::log10(self.lo).round() as i32;
                let last = (libm::log10(self.hi) + 1e-9).floor() as i32;
                let decades = (last - first).max(1);
                let stride = (f64::from(decades) / most).ceil().max(1.0) as usize;
                // One decade alone would carry two labels: fill it.
                let within: &[f64] = if decades == 1 { &[1.0, 2.0, 5.0] } else { &[1.0] };
                let powers = (first..=last).step_by(stride).map(power_of_ten);
                let ticks = powers.flat_map(|power| within.iter().map(move |factor| factor * power));
                ticks.filter(|&tick| self.position(tick) < 1.0 + 1e-9 && tick <= self.hi * (1.0 + 1e-9)).collect()
            }
        }
    }
}

/// A positive end of an axis, kept far from where floating point runs out; `None` if it is not even that.
fn usable(end: f64) -> Option<f64> {
    (end.is_finite() && end > 0.0).then(|| end.clamp(1e-12, 1e15))
}

/// A whole power of ten.
fn power_of_ten(exponent: i32) -> f64 {
    let tens = (0..exponent.unsigned_abs()).fold(1.0, |power, _| power * 10.0);
    if exponent < 0 { 1.0 / tens } else { tens }
}

/// The power of ten at or below a positive value.
fn power_of_ten_below(value: f64) -> f64 {
    power_of_ten((libm::log10(value) + 1e-12).floor() as i32)
}

/// 1, 2 or 5 times a power of ten, at or above a positive value.
fn round_up(value: f64) -> f64 {
    let power = power_of_ten_below(value);
    let factor = [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= value * (1.0 - 1e-12));
    factor.unwrap_or(10.0) * power
}

/// A step at or above `least` that reads well in the unit: 1, 2, 2.5 or 5 times a power of ten, and whole where only
/// whole numbers mean anything.
fn round_step(least: f64, unit: Unit) -> f64 {
    let size = unit.size();
    let least = least / size;
    let power = power_of_ten_below(least);
    let quarters = match unit {
        Unit::Count if power >= 10.0 => 2.5,
        // "12.5 ms" is wider than a tick may be.
        Unit::Latency if !(0.0005..0.005).contains(&power) => 2.5,
        _ => 2.0,
    };
    let factor = [1.0, 2.0, quarters, 5.0].into_iter().find(|factor| factor * power >= least * (1.0 - 1e-9));
    factor.unwrap_or(10.0) * power * size
}

#[cfg(test)]
mod tests {
    use super::{Axis, Unit};

    fn labels(axis: &Axis, most: usize) -> Vec<String> {
        axis.ticks(most).into_iter().map(|tick| axis.unit().tick(tick)).collect()
    }

    #[test]
    fn no_input_makes_an_empty_or_infinite_range() {
        let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -1.0, 1e-300, 1e300, f64::MAX, f64::MIN];
        for a in odd {
            for b in odd {
                let axes = [
                    Axis::linear(a, b, Unit::Rate),
                    Axis::from_zero(a, Unit::Count),
                    Axis::coarse(a, Unit::Count),
                    Axis::decades(a, b, Unit::Latency),
                ];
                for axis in axes {
                    assert!(axis.lo().is_finite() && axis.hi().is_finite() && axis.lo() < axis.hi(), "{axis:?}");
                    for value in odd {
                        assert!((0.0..=1.0).contains(&axis.position(value)), "{axis:?} at {value}");
                        assert!(axis.contains(axis.at(value)), "{axis:?} at {value}");
                    }
                }
            }
        }
    }

    #[test]
    fn positions_and_values_are_inverse() {
        for axis in [Axis::linear(0.5, 8.0, Unit::Rate), Axis::decades(0.062, 160.0, Unit::Latency)] {
            for position in [0.0, 0.1, 0.5, 0.9, 1.0] {
                assert!((axis.position(axis.at(position)) - position).abs() < 1e-12, "{axis:?} at {position}");
            }
        }
    }

    #[test]
    fn ticks_are_round_and_in_human_units() {
        assert_eq!(labels(&Axis::linear(0.5, 8.0, Unit::Rate), 10), ["1", "2", "3", "4", "5", "6", "7", "8"]);
        assert_eq!(labels(&Axis::linear(0.5, 8.0, Unit::Rate), 4), ["2", "4", "6", "8"]);
        assert_eq!(labels(&Axis::decades(0.062, 160.0, Unit::Latency), 6), ["10 ms", "100 ms", "1 s", "10 s", "100 s"]);
        assert_eq!(labels(&Axis::decades(0.02, 0.09, Unit::Latency), 6), ["10 ms", "20 ms", "50 ms", "100 ms"]);
        assert_eq!(labels(&Axis::from_zero(0.062, Unit::Latency), 6), ["0 ms", "20 ms", "40 ms", "60 ms", "80 ms"]);
        assert_eq!(labels(&Axis::from_zero(0.0125, Unit::Latency), 6), ["0 ms", "5 ms", "10 ms", "15 ms"]);
        assert_eq!(labels(&Axis::from_zero(1228.0, Unit::Count), 5), ["0", "250", "500", "750", "1,000", "1,250"]);
        assert_eq!(labels(&Axis::coarse(64.0, Unit::Count), 4), ["0", "25", "50", "75", "100"]);
        assert_eq!(labels(&Axis::linear(0.0, 3600.0, Unit::Minutes), 6), ["0", "10", "20", "30", "40", "50", "60"]);
    }

    #[test]
    fn a_coarse_axis_rarely_changes() {
        let tops = [1.0, 3.0, 64.0, 99.0, 101.0, 700.0].map(|max| Axis::coarse(max, Unit::Count).hi());
        assert_eq!(tops, [1.0, 5.0, 100.0, 100.0, 200.0, 1000.0]);
    }
}
