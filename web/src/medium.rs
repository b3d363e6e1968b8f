//! What a chart is drawn on: a canvas of the screen, or paper.
//!
//! One type for both, because all of the drawing is compiled once for each type of backend: a second one would be an
//! eighth of the module.

use std::fmt::{self, Display};

use plotters::prelude::SVGBackend;
use plotters_backend::{
    BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind as Kind,
};
use web_sys::CanvasRenderingContext2d;

use crate::canvas::{LayerBackend, css_font};

/// A backend that is one of two.
pub(crate) enum Medium<'a> {
    /// A canvas in the page.
    Screen(LayerBackend),
    /// Lines and letters, as text; and a canvas that measures them: plotters would do it by an element in the page with an
    /// inline style, which a strict content security policy refuses.
    Paper(SVGBackend<'a>, CanvasRenderingContext2d),
}

/// Why a medium could not be drawn on, in the words of its backend.
#[derive(Debug)]
pub(crate) struct MediumError(String);

impl Display for MediumError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for MediumError {}

type Drawn<T = ()> = Result<T, Kind<MediumError>>;

fn lift<T, E: std::error::Error + Send + Sync>(drawn: Result<T, Kind<E>>) -> Drawn<T> {
    drawn.map_err(|error| Kind::DrawingError(MediumError(error.to_string())))
}

/// Asks whichever backend it is.
macro_rules! ask {
    ($medium:expr, $backend:ident => $call:expr) => {
        match $medium {
            Medium::Screen($backend) => lift($call),
            Medium::Paper($backend, _) => lift($call),
        }
    };
}

impl DrawingBackend for Medium<'_> {
    type ErrorType = MediumError;

    fn get_size(&self) -> (u32, u32) {
        match self {
            Self::Screen(backend) => backend.get_size(),
            Self::Paper(backend, _) => backend.get_size(),
        }
    }

    fn ensure_prepared(&mut self) -> Drawn {
        ask!(self, backend => backend.ensure_prepared())
    }

    fn present(&mut self) -> Drawn {
        ask!(self, backend => backend.present())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn {
        ask!(self, backend => backend.draw_pixel(point, color))
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        ask!(self, backend => backend.draw_line(from, to, style))
    }

    fn draw_rect<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S, fill: bool) -> Drawn {
        ask!(self, backend => backend.draw_rect(from, to, style, fill))
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        ask!(self, backend => backend.draw_path(path, style))
    }

    fn draw_circle<S: BackendStyle>(&mut self, center: BackendCoord, radius: u32, style: &S, fill: bool) -> Drawn {
        ask!(self, backend => backend.draw_circle(center, radius, style, fill))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        ask!(self, backend => backend.fill_polygon(path, style))
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> Drawn {
        ask!(self, backend => backend.draw_text(text, style, at))
    }

    fn estimate_text_size<S: BackendTextStyle>(&self, text: &str, style: &S) -> Drawn<(u32, u32)> {
        match self {
            Self::Screen(backend) => lift(backend.estimate_text_size(text, style)),
            Self::Paper(_, context) => {
                context.set_font(&css_font(style));
                let width = context.measure_text(text).map_or(0.0, |metrics| metrics.width());
                Ok((width.ceil() as u32, style.size() as u32))
            }
        }
    }
}
