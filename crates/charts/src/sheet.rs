//! Drawing as SVG text anywhere, also in a browser: there plotters would measure each text by an element in the page with
//! an inline style, which a strict content security policy refuses.

use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, DrawingAreaErrorKind, IntoDrawingArea};
use plotters::prelude::{DrawingBackend, SVGBackend};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingErrorKind};

use crate::svg::Paper;
use crate::theme::{LINE_HEIGHT_PER_EM, Theme};

/// Mean width of a letter as a share of the em: enough to keep labels apart, whatever font the reader has.
const LETTER: f64 = 0.56;

/// What comes of drawing on it.
pub(crate) type OnSheet = Result<(), DrawingAreaErrorKind<std::io::Error>>;
type Step<T = ()> = Result<T, DrawingErrorKind<std::io::Error>>;

/// The SVG backend of plotters with a measure of its own.
pub(crate) struct Sheet<'a>(SVGBackend<'a>);

/// A complete SVG document of `size` CSS pixels without a background, with a title and a description.
pub(crate) fn drawn(
    title: &str,
    description: &str,
    theme: &Theme,
    size: (u32, u32),
    draw: impl FnOnce(&DrawingArea<Sheet<'_>, Shift>, &Theme) -> OnSheet,
) -> String {
    let paper = Paper::new(theme, size);
    let mut text = String::new();
    {
        let area = Sheet(SVGBackend::with_string(&mut text, paper.units())).into_drawing_area();
        draw(&area, paper.theme()).expect("a string takes everything");
        area.present().expect("a string takes everything");
    }
    paper.document(title, description, &text)
}

impl DrawingBackend for Sheet<'_> {
    type ErrorType = std::io::Error;

    fn get_size(&self) -> (u32, u32) {
        self.0.get_size()
    }

    fn ensure_prepared(&mut self) -> Step {
        self.0.ensure_prepared()
    }

    fn present(&mut self) -> Step {
        self.0.present()
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Step {
        self.0.draw_pixel(point, color)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Step {
        self.0.draw_line(from, to, style)
    }

    fn draw_rect<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S, fill: bool) -> Step {
        self.0.draw_rect(from, to, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Step {
        self.0.draw_path(path, style)
    }

    fn draw_circle<S: BackendStyle>(&mut self, center: BackendCoord, radius: u32, style: &S, fill: bool) -> Step {
        self.0.draw_circle(center, radius, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Step {
        self.0.fill_polygon(path, style)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Step {
        self.0.draw_text(text, style, at)
    }

    fn estimate_text_size<S: BackendTextStyle>(&self, text: &str, style: &S) -> Step<(u32, u32)> {
        let letters = text.chars().count() as f64;
        let em = style.size() / LINE_HEIGHT_PER_EM;
        Ok(((letters * em * LETTER).ceil() as u32, style.size() as u32))
    }
}
