//! The layer that stays: grid, axes, ticks, rules, shade.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::DrawingBackend;
use plotters::style::Color;

use crate::chart::{Chart, End, Line, Side};
use crate::pen::{Box4, Drawn, Hold, Letters, Pen};
use crate::plot::Plot;
use crate::theme::{Ink, Theme};

/// Draws what does not depend on the curves: grid, axes, tick labels, rules with their labels, shade. The background
/// stays as it is.
///
/// # Errors
/// Those of the backend.
pub fn draw_frame<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, chart: &Chart, theme: &Theme) -> Drawn<DB> {
    let pen = Pen { area, theme };
    let (width, height) = area.dim_in_pixel();
    let plot = Plot::of(width, height, theme);
    shade(&pen, &plot, chart)?;
    y_axis(&pen, &plot, chart)?;
    x_axis(&pen, &plot, chart)?;
    rules(&pen, &plot, chart)
}

impl Plot {
    /// Size of the letters of ticks and notes [CSS px].
    pub(crate) fn small(&self) -> f64 {
        if self.narrow { 11.0 } else { 12.0 }
    }

    /// Size of the letters of names and values [CSS px].
    pub(crate) fn large(&self) -> f64 {
        if self.narrow { 12.0 } else { 13.0 }
    }

    /// The height on which the ticks of the x axis are centred.
    pub(crate) fn x_tick_height(&self, theme: &Theme) -> i32 {
        self.bottom + theme.px(14.0)
    }
}

fn muted(plot: &Plot, theme: &Theme) -> Letters {
    Letters { em: plot.small(), bold: false, colour: theme.colour(Ink::Muted) }
}

fn shade<DB: DrawingBackend>(pen: &Pen<'_, DB>, plot: &Plot, chart: &Chart) -> Drawn<DB> {
    let Some(shade) = &chart.shade else {
        return Ok(());
    };
    let [left, right] = [shade.from, shade.to].map(|x| pen.theme.snap(plot.pixel_of(x, chart) as i32));
    let colour = pen.theme.colour(Ink::Muted).mix(0.12);
    pen.fill(Box4 { left, top: plot.top, right, bottom: plot.bottom }, colour)?;
    let at = (left, plot.top - pen.theme.px(10.0));
    pen.text(&shade.label, at, Hold::Left, muted(plot, pen.theme))
}

fn y_axis<DB: DrawingBackend>(pen: &Pen<'_, DB>, plot: &Plot, chart: &Chart) -> Drawn<DB> {
    let gap = pen.theme.px(8.0);
    for tick in plot.y_ticks(chart) {
        let y = plot.pixel_of_y(tick, chart).round() as i32;
        pen.across(y, (plot.left, plot.right), 1.0, false, pen.theme.grid().to_rgba())?;
        pen.text(&chart.y.unit().tick(tick), (plot.left - gap, y), Hold::Right, muted(plot, pen.theme))?;
    }
    Ok(())
}

fn x_axis<DB: DrawingBackend>(pen: &Pen<'_, DB>, plot: &Plot, chart: &Chart) -> Drawn<DB> {
    let colour = pen.theme.colour(Ink::Muted);
    pen.across(plot.bottom, (plot.left, plot.right), 1.0, false, colour.to_rgba())?;
    let height = plot.x_tick_height(pen.theme);
    let mut end = plot.right;
    for tick in plot.x_ticks(chart) {
        let x = plot.pixel_of(tick, chart).round() as i32;
        pen.up(x, (plot.bottom, plot.bottom + pen.theme.px(4.0)), 1.0, false, colour.to_rgba())?;
        let text = chart.x.unit().tick(tick);
        pen.text(&text, (x, height), Hold::Middle, muted(plot, pen.theme))?;
        end = pen.measure(&text, (x, height), Hold::Middle, muted(plot, pen.theme))?.right;
    }
    let left = (end + pen.theme.px(6.0)).max(plot.right + pen.theme.px(8.0));
    let unit = if plot.narrow { &chart.x_unit_short } else { &chart.x_unit };
    pen.text(unit, (left, height), Hold::Left, muted(plot, pen.theme))
}

fn rules<DB: DrawingBackend>(pen: &Pen<'_, DB>, plot: &Plot, chart: &Chart) -> Drawn<DB> {
    let colour = pen.theme.colour(Ink::Slo);
    let letters = Letters { colour, ..muted(plot, pen.theme) };
    for rule in &chart.rules {
        match rule.line {
            Line::Across { y, side, end } => {
                let y = plot.pixel_of_y(y, chart).round() as i32;
                pen.across(y, (plot.left, plot.right), 1.0, true, colour.to_rgba())?;
                let away = pen.theme.px(9.0);
                let y = match side {
                    Side::Above => y - away,
                    Side::Below => y + away,
                };
                let inset = pen.theme.px(4.0);
                match end {
                    End::Left => pen.text_on_page(&rule.label, (plot.left + inset, y), Hold::Left, letters)?,
                    End::Right => pen.text_on_page(&rule.label, (plot.right - inset, y), Hold::Right, letters)?,
                }
            }
            Line::Up { x } => {
                let x = plot.pixel_of(x, chart).round() as i32;
                pen.up(x, (plot.top, plot.bottom), 1.0, true, colour.to_rgba())?;
                pen.text(&rule.label, (x, plot.top - pen.theme.px(10.0)), Hold::Middle, letters)?;
            }
        }
    }
    Ok(())
}
