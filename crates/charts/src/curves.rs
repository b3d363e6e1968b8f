//! The layer of the curves and their names.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::DrawingBackend;
use plotters::style::Color;

use crate::chart::{Chart, Curve, Stroke};
use crate::ghost::Ghost;
use crate::labels::spread;
use crate::layer::Layer;
use crate::pen::{Box4, Drawn, Hold, Letters};
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
    for ghost in &chart.ghosts {
        layer.ghost(ghost)?;
    }
    for curve in &chart.curves {
        layer.line(curve)?;
    }
    layer.names()
}

impl<DB: DrawingBackend> Layer<'_, DB> {
    fn tint(&self, curve: &Curve) -> Drawn<DB> {
        let colour = self.theme().colour(curve.ink).mix(0.1);
        for mut outline in self.stretches(&curve.points) {
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
        self.stretches(&curve.points).into_iter().try_for_each(|points| self.pen.path(points, width, dashed, colour))
    }

    fn ghost(&self, ghost: &Ghost) -> Drawn<DB> {
        let colour = self.theme().colour(ghost.ink);
        for points in self.stretches(&ghost.points) {
            self.pen.dots(points, colour)?;
        }
        let Some(marked) = ghost.marked() else { return Ok(()) };
        let (x, y) = self.at(marked);
        let half = self.theme().px(4.0);
        let square = |half: i32| Box4 { left: x - half, top: y - half, right: x + half, bottom: y + half };
        self.pen.fill(square(half), colour.to_rgba())?;
        self.pen.fill(square(half / 2), self.theme().page().to_rgba())?;
        let letters = Letters { em: self.plot.large(), bold: true, colour };
        self.pen.text_on_page(&ghost.label, (x, y + 3 * half), Hold::Middle, letters)
    }

    /// The names of the curves at their right ends, and of the ghosts that are not named at a mark.
    fn names(&self) -> Drawn<DB> {
        let narrow = self.plot.narrow;
        let curves = self.chart.curves.iter().filter_map(|curve| {
            let name = if narrow { &curve.short } else { &curve.label };
            Some(((name, curve.ink), self.at(curve.values().next_back()?)))
        });
        let ghosts = self.chart.ghosts.iter().filter(|ghost| ghost.mark.is_none() && !ghost.label.is_empty());
        let ghosts = ghosts.filter_map(|ghost| Some(((&ghost.label, ghost.ink), self.at(ghost.end()?))));
        // A line that ends early carries its name there, and not beside the plot.
        let early = self.plot.left + (self.plot.right - self.plot.left) * 3 / 4;
        let (inside, beside): (Vec<_>, Vec<_>) = ghosts.chain(curves).partition(|(_, (end, _))| *end < early);
        let em = self.plot.large();
        let room = (self.plot.top, self.plot.bottom - self.theme().px(4.0));
        // Only those of one place can lie on each other.
        for (names, is_inside) in [(inside, true), (beside, false)] {
            let heights: Vec<_> = names.iter().map(|(_, (_, y))| *y).collect();
            let heights = spread(&heights, self.theme().px(em * 1.25), room);
            for (((name, ink), (end, _)), y) in names.into_iter().zip(heights) {
                let letters = Letters { em, bold: false, colour: self.theme().colour(ink) };
                // There it may lie on another line.
                match is_inside {
                    true => self.pen.text_on_page(name, (end + self.theme().px(10.0), y), Hold::Left, letters)?,
                    false => self.pen.text(name, (self.plot.right + self.theme().px(10.0), y), Hold::Left, letters)?,
                }
            }
        }
        Ok(())
    }
}
