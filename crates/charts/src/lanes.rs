//! Single values side by side: a lane for each, a dot in it, the value beside the dot.

use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::DrawingBackend;
use plotters::style::Color;

use crate::axis::Axis;
use crate::pen::{Box4, Drawn, Hold, Letters, Pen};
use crate::sheet::drawn;
use crate::theme::{Ink, Theme};

/// Height of a lane [CSS px].
const LANE: f64 = 24.0;
/// Room at the left for the names, and at the right for a value [CSS px].
const SIDES: [f64; 2] = [128.0, 64.0];
/// Room above for the words of the limit, and below for the axis [CSS px].
const ENDS: [f64; 2] = [22.0, 26.0];

/// Values in lanes.
#[derive(Clone, Debug, PartialEq)]
pub struct Lanes {
    /// What is shown, in words.
    pub caption: String,
    /// The picture in words, for those who do not see it.
    pub description: String,
    /// The axis that all share.
    pub axis: Axis,
    /// From the top down.
    pub lanes: Vec<Lane>,
    /// A limit across all lanes, and its words.
    pub limit: (f64, String),
}

/// One value.
#[derive(Clone, Debug, PartialEq)]
pub struct Lane {
    /// Whose it is.
    pub label: String,
    /// The value; `None` where nothing was measured.
    pub value: Option<f64>,
    /// What its colour stands for.
    pub ink: Ink,
    /// Whether it is of all the others together: such a value is written bold, and its dot is a square.
    pub of_all: bool,
}

impl Lanes {
    /// The height that all lanes need [CSS px].
    #[must_use]
    pub fn height(&self) -> u32 {
        (ENDS[0] + ENDS[1] + LANE * self.lanes.len() as f64) as u32
    }

    /// The picture as an SVG document of `size` CSS pixels without a background.
    #[must_use]
    pub fn svg(&self, theme: &Theme, size: (u32, u32)) -> String {
        drawn(&self.caption, &self.description, theme, size, |area, theme| self.draw(area, theme))
    }

    fn draw<DB: DrawingBackend>(&self, area: &DrawingArea<DB, Shift>, theme: &Theme) -> Drawn<DB> {
        let pen = Pen { area, theme };
        let (width, _) = area.dim_in_pixel();
        let left = theme.px(SIDES[0]);
        let right = (width as i32 - theme.px(SIDES[1])).max(left + 1);
        let x = |value| left + (self.axis.position(value) * f64::from(right - left)).round() as i32;
        let top = theme.px(ENDS[0]);
        let bottom = top + theme.px(LANE * self.lanes.len() as f64);
        let muted = Letters { em: 12.0, bold: false, colour: theme.colour(Ink::Muted) };

        let css_width = f64::from(right - left) / theme.units_per_css_px();
        let mut clear = 0;
        for tick in self.axis.ticks(((css_width / 50.0) as usize).clamp(2, 8)) {
            let text = self.axis.unit().tick(tick);
            if x(tick) < clear {
                continue;
            }
            clear = x(tick) + theme.px(52.0);
            pen.up(x(tick), (top, bottom), 1.0, false, theme.grid().to_rgba())?;
            pen.text(&text, (x(tick), bottom + theme.px(14.0)), Hold::Middle, muted)?;
        }
        let (limit, words) = &self.limit;
        if self.axis.contains(*limit) {
            let colour = theme.colour(Ink::Slo);
            pen.up(x(*limit), (top, bottom), 1.0, true, colour.to_rgba())?;
            pen.text(words, (x(*limit), top - theme.px(10.0)), Hold::Middle, Letters { colour, ..muted })?;
        }
        for (index, lane) in self.lanes.iter().enumerate() {
            let y = top + theme.px(LANE * (index as f64 + 0.5));
            let colour = theme.colour(lane.ink);
            let letters = Letters { em: 13.0, bold: lane.of_all, colour };
            pen.text(&lane.label, (left - theme.px(12.0), y), Hold::Right, letters)?;
            let Some(value) = lane.value else { continue };
            let at = (x(value), y);
            let words = self.axis.unit().value(value);
            pen.text_on_page(&words, (at.0 + theme.px(12.0), y), Hold::Left, letters)?;
            match lane.of_all {
                true => {
                    let half = theme.px(5.0);
                    let square = Box4 { left: at.0 - half, top: y - half, right: at.0 + half, bottom: y + half };
                    pen.fill(square, colour.to_rgba())?;
                }
                false => pen.disc(at, 5.0, colour)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Lane, Lanes};
    use crate::axis::{Axis, Unit};
    use crate::theme::{Ink, Scheme, Theme};

    #[test]
    fn any_lanes_of_any_size_can_be_drawn() {
        let lane = |value| Lane { label: "a & b".into(), value, ink: Ink::P99, of_all: value == Some(1.0) };
        for values in [vec![], vec![None], vec![Some(0.1), Some(1.0), Some(f64::NAN), Some(1e9)]] {
            let lanes = Lanes {
                caption: "c".into(),
                description: "d".into(),
                axis: Axis::decades(0.1, 2.0, Unit::Latency),
                lanes: values.iter().copied().map(lane).collect(),
                limit: (1.0, "SLO 1 s".into()),
            };
            for width in [0, 1, 300, 1100] {
                let text = lanes.svg(&Theme::new(Scheme::Dark, 1.0), (width, lanes.height()));
                assert!(text.ends_with("</svg>\n") && !text.contains("NaN\""), "{text}");
            }
        }
    }
}
