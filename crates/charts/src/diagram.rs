//! A chart of a study: its marks stand with it, and single points on it have words of their own.

use plotters::style::Color;

use crate::chart::Chart;
use crate::curves::draw_curves;
use crate::frame::draw_frame;
use crate::labels::spread;
use crate::layer::Layer;
use crate::marks::{Marks, draw_marks};
use crate::pen::{Drawn, Hold, Letters};
use crate::plot::Plot;
use crate::sheet::drawn;
use crate::svg::Paper;
use crate::theme::{Ink, Theme};

/// A chart with marks and named points.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagram {
    /// Axes, curves, rules.
    pub chart: Chart,
    /// What is marked on the x axis.
    pub marks: Marks,
    /// Points with words.
    pub spots: Vec<Spot>,
    /// The picture in words, for those who do not see it.
    pub description: String,
}

/// A point with words beside it.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// On the x axis.
    pub x: f64,
    /// On the y axis.
    pub y: f64,
    /// What its colour stands for.
    pub ink: Ink,
    /// What is written beside it, below and to the right where there is room.
    pub label: String,
}

impl Diagram {
    /// The picture as an SVG document of `size` CSS pixels without a background. A cursor is an x to read at.
    #[must_use]
    pub fn svg(&self, theme: &Theme, size: (u32, u32), cursor: Option<f64>) -> String {
        let chart = &self.chart;
        let marks = Marks { cursor, ..self.marks.clone() };
        drawn(&chart.caption, &self.description, theme, size, |area, theme| {
            draw_frame(area, chart, theme)?;
            draw_curves(area, chart, theme)?;
            draw_marks(area, chart, theme, &marks)?;
            draw_spots(&Layer::on(area, chart, theme), &self.spots)
        })
    }

    /// The x at a place in a picture of `size` CSS pixels, counted from the left edge [CSS px].
    #[must_use]
    pub fn x_at(&self, theme: &Theme, size: (u32, u32), left: f64) -> f64 {
        let paper = Paper::new(theme, size);
        let (width, height) = paper.units();
        Plot::of(width, height, paper.theme()).x_at(left * paper.theme().units_per_css_px(), &self.chart)
    }
}

fn draw_spots<DB: plotters::prelude::DrawingBackend>(layer: &Layer<'_, DB>, spots: &[Spot]) -> Drawn<DB> {
    let theme = layer.theme();
    let plot = &layer.plot;
    let em = plot.large();
    let right = layer.pen.area.dim_in_pixel().0 as i32;
    let places: Vec<_> = spots.iter().map(|spot| layer.at((spot.x, spot.y))).collect();
    // Below its dot, and so clear of a curve that rises to the right.
    let wanted: Vec<_> = places.iter().map(|(_, y)| y + theme.px(em)).collect();
    let heights = spread(&wanted, theme.px(em * 1.3), (plot.top, plot.bottom - theme.px(em)));
    for ((spot, &(x, y)), height) in spots.iter().zip(&places).zip(heights) {
        let colour = theme.colour(spot.ink);
        let letters = Letters { em, bold: true, colour };
        let away = theme.px(8.0);
        let at_right = layer.pen.measure(&spot.label, (x + away, height), Hold::Left, letters)?;
        let (hold, left) = match at_right.right > right {
            true => (Hold::Right, x - away),
            false => (Hold::Left, x + away),
        };
        layer.pen.text_on_page(&spot.label, (left, height), hold, letters)?;
        layer.pen.disc((x, y), 6.0, theme.page().to_rgba())?;
        layer.pen.disc((x, y), 4.5, colour)?;
    }
    Ok(())
}
