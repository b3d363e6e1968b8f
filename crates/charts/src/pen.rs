//! The few things that are drawn, in whole drawing units, on any backend.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind};
use plotters::element::{Circle, DashedPathElement, PathElement, Polygon, Rectangle};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontDesc, FontFamily, FontStyle, RGBAColor, RGBColor, ShapeStyle, TextStyle};

use crate::theme::{FONT_FAMILY, Theme};

/// What drawing returns: nothing, or the backend's error.
pub type Drawn<DB> = Result<(), DrawingAreaErrorKind<<DB as DrawingBackend>::ErrorType>>;

/// A box in drawing units: left, top, right, bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Box4 {
    pub(crate) left: i32,
    pub(crate) top: i32,
    pub(crate) right: i32,
    pub(crate) bottom: i32,
}

/// Where a text is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hold {
    Left,
    Middle,
    Right,
}

/// How a text looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letters {
    /// Size of the em [CSS px].
    pub(crate) em: f64,
    pub(crate) bold: bool,
    pub(crate) colour: RGBColor,
}

/// A drawing area with a theme.
pub(crate) struct Pen<'a, DB: DrawingBackend> {
    pub(crate) area: &'a DrawingArea<DB, Shift>,
    pub(crate) theme: &'a Theme,
}

impl<DB: DrawingBackend> Pen<'_, DB> {
    /// A filled box. Straight lines are boxes too: their edges fall on device pixels, whatever a backend's strokes do.
    pub(crate) fn fill(&self, Box4 { left, top, right, bottom }: Box4, colour: RGBAColor) -> Drawn<DB> {
        self.area.draw(&Rectangle::new([(left, top), (right, bottom)], colour.filled()))
    }

    /// A horizontal line of `css_px` width, dashed or not.
    pub(crate) fn across(
        &self,
        y: i32,
        (from, to): (i32, i32),
        css_px: f64,
        dashed: bool,
        colour: RGBAColor,
    ) -> Drawn<DB> {
        let width = self.theme.hairline(css_px);
        let top = self.theme.snap(y - width / 2);
        self.pieces(from, to, dashed, |left, right| self.fill(Box4 { left, top, right, bottom: top + width }, colour))
    }

    /// A vertical line of `css_px` width, dashed or not.
    pub(crate) fn up(&self, x: i32, (from, to): (i32, i32), css_px: f64, dashed: bool, colour: RGBAColor) -> Drawn<DB> {
        let width = self.theme.hairline(css_px);
        let left = self.theme.snap(x - width / 2);
        self.pieces(from, to, dashed, |top, bottom| self.fill(Box4 { left, top, right: left + width, bottom }, colour))
    }

    /// The dashes of a straight line, or the whole of it.
    fn pieces(&self, from: i32, to: i32, dashed: bool, draw: impl Fn(i32, i32) -> Drawn<DB>) -> Drawn<DB> {
        if !dashed {
            return draw(from, to);
        }
        let (dash, gap) = (self.theme.px(4.0), self.theme.px(4.0));
        (from..to).step_by((dash + gap) as usize).try_for_each(|start| draw(start, to.min(start + dash)))
    }

    /// A line through points; one alone is a dot.
    pub(crate) fn path(&self, points: Vec<(i32, i32)>, css_px: f64, dashed: bool, colour: RGBColor) -> Drawn<DB> {
        let width = self.theme.px(css_px);
        let style = ShapeStyle { color: colour.to_rgba(), filled: false, stroke_width: width as u32 };
        match points[..] {
            [] => Ok(()),
            [alone] => self.disc(alone, css_px, colour),
            _ if dashed => {
                let (dash, gap) = (self.theme.px(5.0), self.theme.px(4.0));
                self.area.draw(&DashedPathElement::new(points, dash, gap, style))
            }
            _ => self.area.draw(&PathElement::new(points, style)),
        }
    }

    /// A dotted line through points.
    pub(crate) fn dots(&self, points: Vec<(i32, i32)>, colour: RGBColor) -> Drawn<DB> {
        let style = ShapeStyle { color: colour.to_rgba(), filled: false, stroke_width: self.theme.px(1.5) as u32 };
        self.area.draw(&DashedPathElement::new(points, self.theme.px(1.5), self.theme.px(3.5), style))
    }

    /// A filled outline.
    pub(crate) fn polygon(&self, points: Vec<(i32, i32)>, colour: RGBAColor) -> Drawn<DB> {
        self.area.draw(&Polygon::new(points, colour))
    }

    /// A full circle.
    pub(crate) fn disc(&self, centre: (i32, i32), css_radius: f64, colour: impl Color) -> Drawn<DB> {
        self.area.draw(&Circle::new(centre, self.theme.px(css_radius), colour.filled()))
    }

    fn style(&self, letters: Letters, hold: Hold) -> TextStyle<'static> {
        let style = if letters.bold { FontStyle::Bold } else { FontStyle::Normal };
        let font = FontDesc::new(FontFamily::Name(FONT_FAMILY), self.theme.font_size(letters.em), style);
        let across = match hold {
            Hold::Left => HPos::Left,
            Hold::Middle => HPos::Center,
            Hold::Right => HPos::Right,
        };
        TextStyle { font, color: letters.colour.to_backend_color(), pos: Pos::new(across, VPos::Center) }
    }

    /// A text, centred on a height.
    pub(crate) fn text(&self, text: &str, (x, y): (i32, i32), hold: Hold, letters: Letters) -> Drawn<DB> {
        self.area.draw_text(text, &self.style(letters, hold), (x, y))
    }

    /// The box a text would take, by the backend's own measure.
    pub(crate) fn measure(
        &self,
        text: &str,
        (x, y): (i32, i32),
        hold: Hold,
        letters: Letters,
    ) -> Result<Box4, DrawingAreaErrorKind<DB::ErrorType>> {
        let (width, _) = self.area.estimate_text_size(text, &self.style(letters, hold))?;
        let width = width as i32;
        let left = match hold {
            Hold::Left => x,
            Hold::Middle => x - width / 2,
            Hold::Right => x - width,
        };
        let half = self.theme.px(letters.em * 0.6);
        Ok(Box4 { left, top: y - half, right: left + width, bottom: y + half })
    }

    /// A text on a patch of page, so that nothing runs through it.
    pub(crate) fn text_on_page(&self, text: &str, at: (i32, i32), hold: Hold, letters: Letters) -> Drawn<DB> {
        let pad = self.theme.px(2.0);
        let Box4 { left, top, right, bottom } = self.measure(text, at, hold, letters)?;
        self.fill(Box4 { left: left - pad, top, right: right + pad, bottom }, self.theme.page().to_rgba())?;
        self.text(text, at, hold, letters)
    }
}
