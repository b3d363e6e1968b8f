//! Where things are: the geometry that both layers and the pointer share.

use crate::axis::Unit;
use crate::chart::Chart;
use crate::theme::Theme;

/// Below this width labels are smaller and margins tighter [CSS px].
const NARROW: f64 = 420.0;

/// The rectangle between the axes, in drawing units of the theme. It depends on the size alone, not on the chart, so
/// charts of one size line up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plot {
    /// Left edge: the lower end of the x axis.
    pub left: i32,
    /// Top edge: the upper end of the y axis.
    pub top: i32,
    /// Right edge: the upper end of the x axis.
    pub right: i32,
    /// Bottom edge: the lower end of the y axis.
    pub bottom: i32,
    pub(crate) narrow: bool,
    css_width: f64,
    css_height: f64,
}

impl Plot {
    /// The geometry of a chart of this size [drawing units of the theme].
    #[must_use]
    pub fn of(width: u32, height: u32, theme: &Theme) -> Self {
        let width = width.clamp(1, i32::MAX as u32 / 2) as i32;
        let height = height.clamp(1, i32::MAX as u32 / 2) as i32;
        let narrow = f64::from(width) < NARROW * theme.units_per_css_px();
        // Left: the widest tick ("100 ms"). Right: the curves' names. Top: the names of vertical rules. Bottom: ticks.
        let [left, right, top, bottom] = if narrow { [50.0, 64.0, 20.0, 26.0] } else { [52.0, 104.0, 22.0, 28.0] };
        let left = theme.snap(theme.px(left)).min(width - 1);
        let top = theme.snap(theme.px(top)).min(height - 1);
        let right = theme.snap(width - theme.px(right)).max(left + 1);
        let bottom = theme.snap(height - theme.px(bottom)).max(top + 1);
        let css = |units: i32| f64::from(units) / theme.units_per_css_px();
        Self { left, top, right, bottom, narrow, css_width: css(right - left), css_height: css(bottom - top) }
    }

    /// The x value at a horizontal position [drawing units], kept on the axis.
    #[must_use]
    pub fn x_at(&self, pixel: f64, chart: &Chart) -> f64 {
        chart.x.at((pixel - f64::from(self.left)) / f64::from(self.right - self.left))
    }

    /// The horizontal position of an x value [drawing units], kept on the axis.
    #[must_use]
    pub fn pixel_of(&self, x: f64, chart: &Chart) -> f64 {
        f64::from(self.left) + chart.x.position(x) * f64::from(self.right - self.left)
    }

    /// The vertical position of a y value [drawing units], kept on the axis.
    #[must_use]
    pub fn pixel_of_y(&self, y: f64, chart: &Chart) -> f64 {
        f64::from(self.bottom) - chart.y.position(y) * f64::from(self.bottom - self.top)
    }

    /// A point in whole drawing units.
    pub(crate) fn point(&self, (x, y): (f64, f64), chart: &Chart) -> (i32, i32) {
        (self.pixel_of(x, chart).round() as i32, self.pixel_of_y(y, chart).round() as i32)
    }

    /// Ticks of the x axis: as many as have room.
    pub(crate) fn x_ticks(&self, chart: &Chart) -> Vec<f64> {
        // A time carries its unit.
        let room = if chart.x.unit() == Unit::Latency { 50.0 } else { 25.0 };
        chart.x.ticks(((self.css_width / room) as usize).clamp(2, 10))
    }

    /// Ticks of the y axis: as many as have room.
    pub(crate) fn y_ticks(&self, chart: &Chart) -> Vec<f64> {
        chart.y.ticks(((self.css_height / 30.0) as usize).clamp(2, 6))
    }
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, ValidScenario};

    use super::Plot;
    use crate::theme::{Scheme, Theme};
    use crate::{ChartId, rate_chart};

    #[test]
    fn pixels_and_values_are_inverse_and_stay_on_the_axis() {
        let scenario = ValidScenario::default();
        let curve = Engine::new().sweep(&scenario, &[0.5, 5.0, 8.0]).expect("valid rates");
        let chart = rate_chart(ChartId::Ttft, &scenario, &curve);
        for ratio in [1.0, 1.5, 3.0] {
            let theme = Theme::new(Scheme::Light, ratio);
            let plot = Plot::of(theme.px(560.0) as u32, theme.px(280.0) as u32, &theme);
            for x in [0.5, 1.0, 5.0, 8.0] {
                assert!((plot.x_at(plot.pixel_of(x, &chart), &chart) - x).abs() < 1e-9);
            }
            assert_eq!(plot.x_at(-100.0, &chart), 0.5);
            assert_eq!(plot.x_at(1e9, &chart), 8.0);
            assert_eq!(plot.x_at(f64::NAN, &chart), 0.5);
        }
    }

    #[test]
    fn no_size_turns_the_rectangle_inside_out() {
        let theme = Theme::new(Scheme::Dark, 2.0);
        for size in [0, 1, 50, 200, u32::MAX] {
            let plot = Plot::of(size, size, &theme);
            assert!(plot.left < plot.right && plot.top < plot.bottom, "{plot:?}");
        }
    }
}
