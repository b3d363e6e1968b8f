//! The layer that moves: curves, their names, the current rate, the reader's cursor.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBAColor};

use crate::chart::{Chart, Curve, Dot, Side, Stroke, Tag};
use crate::format;
use crate::labels::spread;
use crate::pen::{Box4, Drawn, Hold, Letters, Pen};
use crate::phrases::say;
use crate::plot::Plot;
use crate::theme::{Ink, Theme};

/// Values of x that are marked on the chart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Marks {
    /// The current rate: a line, a dot on each curve with its value, and the rate on the axis.
    pub current: Option<f64>,
    /// The reader's cursor: a grey line with dots.
    pub cursor: Option<f64>,
}

/// Draws what may change in every frame: curves, their names, the marks. To lie over [`draw_frame`](crate::draw_frame).
///
/// # Errors
/// Those of the backend.
pub fn draw_curves<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    chart: &Chart,
    theme: &Theme,
    marks: &Marks,
) -> Drawn<DB> {
    let (width, height) = area.dim_in_pixel();
    let layer = Layer { pen: Pen { area, theme }, plot: Plot::of(width, height, theme), chart };
    let [current, cursor] = [marks.current, marks.cursor].map(|x| x.filter(|&x| chart.x.contains(x)));
    for curve in chart.curves.iter().filter(|curve| curve.filled) {
        layer.tint(curve)?;
    }
    if let Some(x) = current {
        layer.upright(x, theme.colour(Ink::Ink).to_rgba())?;
    }
    if let Some(x) = cursor {
        layer.upright(x, theme.colour(Ink::Muted).mix(0.7))?;
    }
    for curve in &chart.curves {
        layer.line(curve)?;
    }
    layer.names()?;
    if let Some(x) = current {
        layer.axis_value(x)?;
        layer.dots(x)?;
        layer.tags(x)?;
    }
    if let Some(x) = cursor {
        layer.dots(x)?;
    }
    Ok(())
}

struct Layer<'a, DB: DrawingBackend> {
    pen: Pen<'a, DB>,
    plot: Plot,
    chart: &'a Chart,
}

impl<DB: DrawingBackend> Layer<'_, DB> {
    fn theme(&self) -> &Theme {
        self.pen.theme
    }

    fn at(&self, value: (f64, f64)) -> (i32, i32) {
        self.plot.point(value, self.chart)
    }

    /// The curve's unbroken stretches, in drawing units.
    fn stretches(&self, curve: &Curve) -> Vec<Vec<(i32, i32)>> {
        let stretches = curve.points.split(|point| point.y.is_none()).filter(|stretch| !stretch.is_empty());
        let place =
            |stretch: &[crate::Point]| stretch.iter().filter_map(|point| Some(self.at((point.x, point.y?)))).collect();
        stretches.map(place).collect()
    }

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

    fn upright(&self, x: f64, colour: RGBAColor) -> Drawn<DB> {
        let x = self.plot.pixel_of(x, self.chart).round() as i32;
        self.pen.up(x, (self.plot.top, self.plot.bottom), 1.0, false, colour)
    }

    /// The height of the drawn line at an x between two of its points.
    fn height_at(&self, curve: &Curve, x: f64) -> Option<i32> {
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

    fn dots(&self, x: f64) -> Drawn<DB> {
        let column = self.plot.pixel_of(x, self.chart).round() as i32;
        for curve in &self.chart.curves {
            let Some(y) = self.height_at(curve, x) else { continue };
            let colour = self.theme().colour(curve.ink);
            if curve.dot != Dot::None {
                // A seam of page keeps the dot apart from its line and from the line of the mark.
                self.pen.disc((column, y), 6.0, self.theme().page())?;
                self.pen.disc((column, y), 4.5, colour)?;
            }
            if curve.dot == Dot::Ring {
                self.pen.disc((column, y), 2.5, self.theme().page())?;
            }
        }
        Ok(())
    }

    /// The current rate, bold on the axis, in place of the ticks it would lie on.
    fn axis_value(&self, x: f64) -> Drawn<DB> {
        let letters = Letters { em: self.plot.small(), bold: true, colour: self.theme().colour(Ink::Ink) };
        let height = self.plot.x_tick_height(self.theme());
        let place = |x: f64| (self.plot.pixel_of(x, self.chart).round() as i32, height);
        let unit = self.chart.x.unit();
        let text = unit.tick(x);
        let gap = self.theme().px(3.0);
        let mut patch = self.pen.measure(&text, place(x), Hold::Middle, letters)?;
        (patch.left, patch.right) = (patch.left - gap, patch.right + gap);
        let near = |tick: &f64| (place(*tick).0 - place(x).0).abs() < self.theme().px(60.0);
        for tick in self.plot.x_ticks(self.chart).into_iter().filter(near) {
            let other = self.pen.measure(&unit.tick(tick), place(tick), Hold::Middle, letters)?;
            if other.left < patch.right && patch.left < other.right {
                patch = Box4 { left: patch.left.min(other.left), right: patch.right.max(other.right), ..patch };
            }
        }
        self.pen.fill(patch, self.theme().page().to_rgba())?;
        self.pen.text(&text, place(x), Hold::Middle, letters)
    }

    fn tags(&self, x: f64) -> Drawn<DB> {
        for curve in &self.chart.curves {
            let Some((index, point)) = curve.point_at(x) else { continue };
            let Some(y) = point.y else { continue };
            let dot = self.at((x, y));
            let letters = Letters { em: self.plot.large(), bold: true, colour: self.theme().colour(curve.ink) };
            match &curve.tag {
                Tag::None => {}
                Tag::Value(Side::Above) => self.tag_above(&self.chart.y.unit().value(y), dot, curve, letters)?,
                Tag::Value(Side::Below) => self.tag_below(&self.chart.y.unit().value(y), dot, curve, letters)?,
                Tag::Attainment(shares, clear_of) => {
                    let Some(share) = shares.get(index).copied().flatten() else { continue };
                    let share = format::percent(share);
                    let text = match self.plot.narrow {
                        true => say("short.attainment", &[("share", &share)]),
                        false => say("tag.attainment", &[("share", &share)]),
                    };
                    self.tag_above(&text, dot, self.chart.curves.get(*clear_of).unwrap_or(curve), letters)?;
                }
            }
        }
        Ok(())
    }

    /// A text to the left of a dot and clear of a curve that rises to the right.
    fn tag_above(&self, text: &str, dot: (i32, i32), curve: &Curve, letters: Letters) -> Drawn<DB> {
        let (away, step) = (self.theme().px(8.0), self.theme().px(letters.em));
        let least = self.plot.left + self.theme().px(4.0);
        let wanted = self.pen.measure(text, (dot.0 - away, dot.1), Hold::Right, letters)?;
        let (hold, at, right) = match wanted.left < least {
            true => (Hold::Left, least, least + wanted.right - wanted.left),
            false => (Hold::Right, wanted.right, wanted.right),
        };
        let curve_at_its_end = self.height_at(curve, self.plot.x_at(f64::from(right), self.chart));
        let y = (curve_at_its_end.unwrap_or(dot.1).min(dot.1) - step).max(self.plot.top + step / 2);
        self.pen.text_on_page(text, (at, y), hold, letters)
    }

    /// A text below a dot, to its right while there is room, and clear of a curve that rises to the right.
    fn tag_below(&self, text: &str, dot: (i32, i32), curve: &Curve, letters: Letters) -> Drawn<DB> {
        let (away, step) = (self.theme().px(8.0), self.theme().px(letters.em));
        let wanted = self.pen.measure(text, (dot.0 + away, dot.1), Hold::Left, letters)?;
        let (hold, at, left) = match wanted.right > self.plot.right {
            true => (Hold::Right, dot.0 - away, dot.0 - away - (wanted.right - wanted.left)),
            false => (Hold::Left, wanted.left, wanted.left),
        };
        let curve_at_its_end = self.height_at(curve, self.plot.x_at(f64::from(left), self.chart));
        let least = curve_at_its_end.unwrap_or(dot.1).max(dot.1);
        let y = (least + step).min(self.plot.bottom - step / 2);
        self.pen.text_on_page(text, (at, y), hold, letters)
    }
}
