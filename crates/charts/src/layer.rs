//! A drawing of one chart: pen, geometry and values together.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::DrawingBackend;

use crate::chart::{Chart, Curve};
use crate::pen::Pen;
use crate::plot::Plot;
use crate::theme::Theme;

/// A chart that is being drawn.
pub(crate) struct Layer<'a, DB: DrawingBackend> {
    pub(crate) pen: Pen<'a, DB>,
    pub(crate) plot: Plot,
    pub(crate) chart: &'a Chart,
}

impl<'a, DB: DrawingBackend> Layer<'a, DB> {
    /// On the whole of an area.
    pub(crate) fn on(area: &'a DrawingArea<DB, Shift>, chart: &'a Chart, theme: &'a Theme) -> Self {
        let (width, height) = area.dim_in_pixel();
        Self { pen: Pen { area, theme }, plot: Plot::of(width, height, theme), chart }
    }

    pub(crate) fn theme(&self) -> &Theme {
        self.pen.theme
    }

    pub(crate) fn at(&self, value: (f64, f64)) -> (i32, i32) {
        self.plot.point(value, self.chart)
    }

    /// The unbroken stretches of a line through these points, in drawing units.
    pub(crate) fn stretches(&self, points: &[crate::Point]) -> Vec<Vec<(i32, i32)>> {
        let stretches = points.split(|point| point.y.is_none()).filter(|stretch| !stretch.is_empty());
        let place =
            |stretch: &[crate::Point]| stretch.iter().filter_map(|point| Some(self.at((point.x, point.y?)))).collect();
        stretches.map(place).collect()
    }

    /// The height of the drawn line at an x between two of its points.
    pub(crate) fn height_at(&self, curve: &Curve, x: f64) -> Option<i32> {
        if let Some((_, point)) = curve.point_at(x) {
            return Some(self.at((x, point.y?)).1);
        }
        let after = curve.points.partition_point(|point| point.x < x);
        let (a, b) = (curve.points.get(after.checked_sub(1)?)?, curve.points.get(after)?);
        let ((ax, ay), (bx, by)) = (self.at((a.x, a.y?)), self.at((b.x, b.y?)));
        let here = self.plot.pixel_of(x, self.chart);
        let share = (here - f64::from(ax)) / f64::from((bx - ax).max(1));
        Some((f64::from(ay) + share * f64::from(by - ay)).round() as i32)
    }
}
