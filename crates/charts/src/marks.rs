//! The layer of the marks: the current rate and the reader's cursor.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBAColor};

use crate::chart::{Chart, Curve, Dot, Side, Tag};
use crate::format;
use crate::layer::Layer;
use crate::pen::{Box4, Drawn, Hold, Letters};
use crate::phrases::say;
use crate::theme::{Ink, Theme};

/// Values of x that are marked on the chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Marks {
    /// The current rate: a line, a dot on each curve with its value, and the rate on the axis.
    pub current: Option<f64>,
    /// The reader's cursor: a grey line with dots.
    pub cursor: Option<f64>,
    /// Values of other draws at the current rate: a small dot for each, beside the main curve's own.
    pub draws: Vec<f64>,
}

/// Draws what may change in every frame: the marks and the values at them. To lie over [`draw_curves`](crate::draw_curves).
///
/// # Errors
/// Those of the backend.
pub fn draw_marks<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    chart: &Chart,
    theme: &Theme,
    marks: &Marks,
) -> Drawn<DB> {
    let layer = Layer::on(area, chart, theme);
    let [current, cursor] = [marks.current, marks.cursor].map(|x| x.filter(|&x| chart.x.contains(x)));
    if let Some(x) = current {
        layer.upright(x, theme.colour(Ink::Ink).to_rgba())?;
    }
    if let Some(x) = cursor {
        layer.upright(x, theme.colour(Ink::Muted).mix(0.7))?;
    }
    if let Some(x) = current {
        layer.axis_value(x)?;
        layer.draws(x, &marks.draws)?;
        layer.dots(x)?;
        layer.tags(x)?;
    }
    if let Some(x) = cursor {
        layer.dots(x)?;
    }
    Ok(())
}

impl<DB: DrawingBackend> Layer<'_, DB> {
    fn upright(&self, x: f64, colour: RGBAColor) -> Drawn<DB> {
        let x = self.plot.pixel_of(x, self.chart).round() as i32;
        self.pen.up(x, (self.plot.top, self.plot.bottom), 1.0, false, colour)
    }

    /// One small dot for each draw, spread a little to both sides so that equal ones stay apart.
    fn draws(&self, x: f64, draws: &[f64]) -> Drawn<DB> {
        let Some(curve) = self.chart.curves.last() else { return Ok(()) };
        let colour = self.theme().colour(curve.ink).mix(0.55);
        for (index, &y) in draws.iter().enumerate() {
            let (column, row) = self.at((x, y));
            // 7 and 11 have no common factor: neighbours in the list land on different columns, all of them in turn.
            let aside = f64::from((index * 7 % 11) as u32) - 5.0;
            let column = column + (aside * self.theme().units_per_css_px() * 1.8) as i32;
            self.pen.disc((column, row), 1.8, colour)?;
        }
        Ok(())
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
        // In the letters of the tags: each change of font costs a canvas more than a text does.
        let letters = Letters { em: self.plot.large(), bold: true, colour: self.theme().colour(Ink::Ink) };
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
