//! The share of requests that keep a goal, over the arrival rate and over the goal, as a map of cells.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::DrawingBackend;
use plotters::style::{Color, RGBColor};

use crate::format;
use crate::pen::{Box4, Drawn, Hold, Letters, Pen};
use crate::plot::Plot;
use crate::sheet::drawn;
use crate::svg::Paper;
use crate::theme::{Ink, Scheme, Theme};

/// Least width of a cell that has its share written in it [CSS px].
const ROOMY: f64 = 44.0;

/// A map of shares.
#[derive(Clone, Debug, PartialEq)]
pub struct HeatMap {
    /// What it shows, in words.
    pub caption: String,
    /// The picture in words, for those who do not see it.
    pub description: String,
    /// The rates of the columns, evenly spaced and rising [requests/s].
    pub rates: Vec<f64>,
    /// The goals of the rows, rising from the bottom [s].
    pub goals: Vec<f64>,
    /// The share in each cell (0..=1), row by row from the bottom; `None` where nothing was measured.
    pub shares: Vec<Option<f64>>,
    /// Cells that reach this share are set apart from the others by a line.
    pub target: f64,
    /// What the line says.
    pub target_label: String,
    /// Where the lab stands: a rate, and the row of its goal.
    pub current: (f64, usize),
    /// The unit of the rates, drawn after the last.
    pub x_unit: String,
    /// Its sign, drawn where the map is narrow.
    pub x_unit_short: String,
}

impl HeatMap {
    /// The share in a cell.
    #[must_use]
    pub fn share(&self, column: usize, row: usize) -> Option<f64> {
        self.shares.get(row * self.rates.len() + column).copied().flatten()
    }

    /// The picture as an SVG document of `size` CSS pixels without a background. A cursor is a cell, column and row.
    #[must_use]
    pub fn svg(&self, theme: &Theme, size: (u32, u32), cursor: Option<(usize, usize)>) -> String {
        drawn(&self.caption, &self.description, theme, size, |area, theme| self.draw(area, theme, cursor))
    }

    /// The cell at a place in a picture of `size` CSS pixels, counted from its top left corner [CSS px]; the nearest one
    /// if none is there.
    #[must_use]
    pub fn cell_at(&self, theme: &Theme, size: (u32, u32), (left, top): (f64, f64)) -> (usize, usize) {
        let paper = Paper::new(theme, size);
        let (width, height) = paper.units();
        let plot = Plot::of(width, height, paper.theme());
        let unit = paper.theme().units_per_css_px();
        let place = |at: f64, from: i32, to: i32, count: usize| {
            let share = (at * unit - f64::from(from)) / f64::from(to - from);
            ((share * count as f64).max(0.0) as usize).min(count.saturating_sub(1))
        };
        let column = place(left, plot.left, plot.right, self.rates.len());
        let below_top = place(top, plot.top, plot.bottom, self.goals.len());
        (column, self.goals.len().saturating_sub(1 + below_top))
    }

    /// Draws it on the whole of an area. The background stays as it is.
    fn draw<DB: DrawingBackend>(
        &self,
        area: &DrawingArea<DB, Shift>,
        theme: &Theme,
        cursor: Option<(usize, usize)>,
    ) -> Drawn<DB> {
        let (width, height) = area.dim_in_pixel();
        let view = View { pen: Pen { area, theme }, plot: Plot::of(width, height, theme), map: self };
        view.cells()?;
        view.axes()?;
        view.legend()?;
        view.target()?;
        view.current()?;
        match cursor {
            Some((column, row)) => view.outline(view.cell(column, row), 2.0, theme.colour(Ink::Ink)),
            None => Ok(()),
        }
    }
}

/// The colour of a share: lighter or darker only, so it can be read without telling hues apart, and on paper.
fn colour(share: f64, scheme: Scheme) -> RGBColor {
    let (none, all) = match scheme {
        Scheme::Light => ([0xF1, 0xEF, 0xE6], [0x14, 0x53, 0x1E]),
        Scheme::Dark => ([0x26, 0x28, 0x2C], [0xA6, 0xE3, 0xB0]),
    };
    let mix = |i: usize| (f64::from(none[i]) + share * (f64::from(all[i]) - f64::from(none[i]))).round() as u8;
    RGBColor(mix(0), mix(1), mix(2))
}

/// Relative luminance by WCAG 2 (0..=1).
fn luminance(RGBColor(red, green, blue): RGBColor) -> f64 {
    let linear = |channel: u8| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { libm::pow((value + 0.055) / 1.055, 2.4) }
    };
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

/// Black or white, whichever is read better on a colour: always at 4.5 to 1.
fn on(background: RGBColor) -> RGBColor {
    let light = luminance(background) + 0.05;
    if light * light > 1.05 * 0.05 { RGBColor(0, 0, 0) } else { RGBColor(255, 255, 255) }
}

struct View<'a, DB: DrawingBackend> {
    pen: Pen<'a, DB>,
    plot: Plot,
    map: &'a HeatMap,
}

impl<DB: DrawingBackend> View<'_, DB> {
    fn theme(&self) -> &Theme {
        self.pen.theme
    }

    /// The left edge of a column, or the right edge of the one before.
    fn column(&self, column: usize) -> i32 {
        let Plot { left, right, .. } = self.plot;
        let count = self.map.rates.len().max(1) as i64;
        self.theme().snap(left + (i64::from(right - left) * column as i64 / count) as i32)
    }

    /// The bottom edge of a row, or the top edge of the one below.
    fn row(&self, row: usize) -> i32 {
        let Plot { top, bottom, .. } = self.plot;
        let count = self.map.goals.len().max(1) as i64;
        self.theme().snap(bottom - (i64::from(bottom - top) * row as i64 / count) as i32)
    }

    fn cell(&self, column: usize, row: usize) -> Box4 {
        let [left, right] = [column, column + 1].map(|column| self.column(column));
        let [bottom, top] = [row, row + 1].map(|row| self.row(row));
        Box4 { left, top, right, bottom }
    }

    fn places(&self) -> impl Iterator<Item = (usize, usize)> + use<DB> {
        let (columns, rows) = (self.map.rates.len(), self.map.goals.len());
        (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)))
    }

    fn cells(&self) -> Drawn<DB> {
        let seam = self.theme().hairline(1.0);
        let roomy = self.column(1) - self.column(0) >= self.theme().px(ROOMY);
        for (column, row) in self.places() {
            let Some(share) = self.map.share(column, row) else { continue };
            let Box4 { left, top, right, bottom } = self.cell(column, row);
            let background = colour(share, self.theme().scheme());
            self.pen.fill(Box4 { left, top: top + seam, right: right - seam, bottom }, background.to_rgba())?;
            if roomy {
                let letters = Letters { em: 11.0, bold: false, colour: on(background) };
                let middle = ((left + right) / 2, (top + bottom) / 2);
                self.pen.text(&format::percent(share), middle, Hold::Middle, letters)?;
            }
        }
        Ok(())
    }

    /// Rates below, goals at the left, of the rates as many as have room.
    fn axes(&self) -> Drawn<DB> {
        let letters = Letters { em: self.plot.small(), bold: false, colour: self.theme().colour(Ink::Muted) };
        let height = self.plot.x_tick_height(self.theme());
        let width = f64::from(self.column(1) - self.column(0)) / self.theme().units_per_css_px();
        let stride = (30.0 / width.max(1.0)).ceil().max(1.0) as usize;
        let mut end = self.plot.left;
        for (column, &rate) in self.map.rates.iter().enumerate().skip(stride - 1).step_by(stride) {
            let middle = (self.column(column) + self.column(column + 1)) / 2;
            let text = format::rate(rate);
            self.pen.text(&text, (middle, height), Hold::Middle, letters)?;
            end = self.pen.measure(&text, (middle, height), Hold::Middle, letters)?.right;
        }
        let left = (end + self.theme().px(6.0)).max(self.plot.right + self.theme().px(8.0));
        let unit = if self.plot.narrow { &self.map.x_unit_short } else { &self.map.x_unit };
        self.pen.text(unit, (left, height), Hold::Left, letters)?;
        let right = self.plot.left - self.theme().px(8.0);
        for (row, &goal) in self.map.goals.iter().enumerate() {
            let middle = (self.row(row) + self.row(row + 1)) / 2;
            let letters = match row == self.map.current.1 {
                true => Letters { bold: true, colour: self.theme().colour(Ink::Ink), ..letters },
                false => letters,
            };
            self.pen.text(&format::latency_tick(goal), (right, middle), Hold::Right, letters)?;
        }
        Ok(())
    }

    /// What the colours mean: a ladder of shares at the right.
    fn legend(&self) -> Drawn<DB> {
        const STEPS: i32 = 10;
        let Plot { right, top, bottom, .. } = self.plot;
        let left = right + self.theme().px(if self.plot.narrow { 8.0 } else { 12.0 });
        let width = self.theme().px(10.0);
        let height = (bottom - top).min(self.theme().px(160.0)) / STEPS;
        let letters = Letters { em: self.plot.small(), bold: false, colour: self.theme().colour(Ink::Muted) };
        for step in 0..=STEPS {
            let top = top + (STEPS - step) * height * STEPS / (STEPS + 1);
            let share = f64::from(step) / f64::from(STEPS);
            let rung = Box4 { left, top, right: left + width, bottom: top + height * STEPS / (STEPS + 1) };
            self.pen.fill(rung, colour(share, self.theme().scheme()).to_rgba())?;
            if step % (STEPS / 2) == 0 {
                let middle = (rung.right + self.theme().px(5.0), (rung.top + rung.bottom) / 2);
                self.pen.text(&format::percent(share), middle, Hold::Left, letters)?;
            }
        }
        Ok(())
    }

    /// The line around the cells that reach the target, along their edges: nothing is interpolated.
    fn target(&self) -> Drawn<DB> {
        let reaches =
            |column: usize, row: usize| self.map.share(column, row).is_some_and(|share| share >= self.map.target);
        let (columns, rows) = (self.map.rates.len(), self.map.goals.len());
        let colour = self.theme().colour(Ink::P99).to_rgba();
        for (column, row) in self.places() {
            let Box4 { left, top, right, bottom } = self.cell(column, row);
            let here = reaches(column, row);
            if column + 1 < columns && here != reaches(column + 1, row) {
                self.pen.up(right, (top, bottom), 2.5, false, colour)?;
            }
            if row + 1 < rows && here != reaches(column, row + 1) {
                self.pen.across(top, (left, right), 2.5, false, colour)?;
            }
        }
        // Above the map, over the highest rate that reaches it.
        let last = (0..columns).rev().find(|&column| (0..rows).any(|row| reaches(column, row)));
        let Some(last) = last else { return Ok(()) };
        let letters = Letters { em: self.plot.small(), bold: true, colour: self.theme().colour(Ink::P99) };
        let at = (self.column(last + 1), self.plot.top - self.theme().px(10.0));
        self.pen.text(&self.map.target_label, at, Hold::Middle, letters)
    }

    /// Where the lab stands: a ring, with a seam so that it is seen on every colour.
    fn current(&self) -> Drawn<DB> {
        let (rate, row) = self.map.current;
        let [Some(&first), Some(&last)] = [self.map.rates.first(), self.map.rates.last()] else { return Ok(()) };
        let count = self.map.rates.len() as f64;
        let share = ((rate - first) / (last - first).max(f64::MIN_POSITIVE) * (count - 1.0) + 0.5) / count;
        if !(0.0..=1.0).contains(&share) {
            return Ok(());
        }
        let x = self.plot.left + (share * f64::from(self.plot.right - self.plot.left)).round() as i32;
        let Box4 { left, top, right, bottom } = self.cell(0, row);
        // As wide as a column: where it lies on one, the share in it can still be read.
        let (half, inset) = ((right - left) / 2, self.theme().px(1.0));
        let around = Box4 { left: x - half + inset, top: top + inset, right: x + half - inset, bottom: bottom - inset };
        self.outline(around, 5.0, self.theme().page())?;
        self.outline(around, 2.5, self.theme().colour(Ink::Ink))
    }

    fn outline(&self, Box4 { left, top, right, bottom }: Box4, css_px: f64, colour: RGBColor) -> Drawn<DB> {
        let corners = vec![(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
        self.pen.path(corners, css_px, false, colour)
    }
}

#[cfg(test)]
mod tests {
    use super::{HeatMap, colour, luminance, on};
    use crate::theme::{Scheme, Theme};

    #[test]
    fn more_is_always_further_from_the_page_and_can_be_read() {
        for (scheme, sign) in [(Scheme::Light, -1.0), (Scheme::Dark, 1.0)] {
            let mut last = luminance(colour(0.0, scheme)) - sign;
            for percent in 0..=100 {
                let background = colour(f64::from(percent) / 100.0, scheme);
                let light = luminance(background);
                assert!((light - last) * sign > 0.0, "{scheme:?} at {percent} %");
                last = light;
                let letters = luminance(on(background));
                assert!((light.max(letters) + 0.05) / (light.min(letters) + 0.05) >= 4.5, "{scheme:?} at {percent} %");
            }
        }
    }

    #[test]
    fn every_cell_is_found_where_it_is_drawn_and_no_map_breaks_the_drawing() {
        let map = |columns: usize, rows: usize| HeatMap {
            caption: String::new(),
            description: String::new(),
            rates: (1..=columns).map(|i| i as f64 / 2.0).collect(),
            goals: (1..=rows).map(|i| i as f64).collect(),
            shares: (0..columns * rows).map(|i| (i % 7 > 0).then(|| (i % 5) as f64 / 4.0)).collect(),
            target: 0.99,
            target_label: "99 %".into(),
            current: (f64::NAN, 0),
            x_unit: "requests/s".into(),
            x_unit_short: "req/s".into(),
        };
        let theme = Theme::new(Scheme::Light, 1.0);
        for size in [(1100, 320), (360, 300), (1, 1)] {
            for (columns, rows) in [(16, 9), (1, 1), (0, 0)] {
                let text = map(columns, rows).svg(&theme, size, Some((0, 0)));
                assert!(text.ends_with("</svg>\n") && !text.contains("NaN"));
            }
        }
        let map = map(16, 9);
        assert_eq!(map.cell_at(&theme, (1100, 320), (-5.0, -5.0)), (0, 8));
        assert_eq!(map.cell_at(&theme, (1100, 320), (1e9, 1e9)), (15, 0));
        // 52 px to the left of the map, 22 above it: the first of nine rows from the top.
        assert_eq!(map.cell_at(&theme, (1100, 320), (60.0, 30.0)), (0, 8));
    }
}
