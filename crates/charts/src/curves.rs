//! The layer of the curves and their names.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::DrawingBackend;
use plotters::style::Color;

use crate::chart::{Chart, Curve, Stroke};
use crate::labels::spread;
use crate::layer::Layer;
use crate::pen::{Drawn, Hold, Letters};
use crate::theme::Theme;

/// Draws the curves and their names: what changes with the reports. To lie over [`draw_frame`](crate::draw_frame).
///
/// Apart from the [marks](crate::draw_marks), because thick smooth lines are by far the dearest thing on a chart.
///
/// # Errors
/// Those of the backend.
pub fn draw_curves<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, chart: &Chart, theme: &Theme) -> Drawn<DB> {
    let layer = Layer::on(area, chart, theme);
    for curve in chart.curves.iter().filter(|curve| curve.filled) {
        layer.tint(curve)?;
    }
    for curve in &chart.curves {
        layer.line(curve)?;
    }
    layer.names()
}

impl<DB: DrawingBackend> Layer<'_, DB> {
    fn tint(&self, curve: &Curve) -> Drawn<DB> {
        let colour = self.theme().colour(curve.ink).mix(0.1);
        for mut outline in self.stretches(curve) {
            if let [first, .., last] = outline[..] {
                outline.extend([(last.0, self.plot.bottom), (first.0, self.plot.bottom)]);
                self.pen.polygon(outline, colour)?;
            }
        }
        Ok(())
    }

    fn line(&self, curve: &Curve) -> Drawn<DB> {
        let (width, dashed) = match curve.stroke {
            Stroke::Thin => (1.5, false),
            Stroke::Solid => (2.0, false),
            Stroke::Thick => (3.0, false),
            Stroke::Dashed => (1.5, true),
        };
        let colour = self.theme().colour(curve.ink);
        self.stretches(curve).into_iter().try_for_each(|points| self.pen.path(points, width, dashed, colour))
    }

    /// The curves' names at their right ends.
    fn names(&self) -> Drawn<DB> {
        let ends = self.chart.curves.iter().filter_map(|curve| Some((curve, self.at(curve.values().next_back()?).1)));
        let (curves, heights): (Vec<_>, Vec<_>) = ends.unzip();
        let em = self.plot.large();
        let heights =
            spread(&heights, self.theme().px(em * 1.25), (self.plot.top, self.plot.bottom - self.theme().px(4.0)));
        for (curve, y) in curves.into_iter().zip(heights) {
            let letters = Letters { em, bold: false, colour: self.theme().colour(curve.ink) };
            let name = if self.plot.narrow { &curve.short } else { &curve.label };
            self.pen.text(name, (self.plot.right + self.theme().px(10.0), y), Hold::Left, letters)?;
        }
        Ok(())
    }
}
