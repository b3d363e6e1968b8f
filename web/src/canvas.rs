//! A plotters backend on a 2D canvas, around the one of plotters-canvas: it adds what that one leaves out.
//!
//! Fractions of device pixels (plotters knows whole units only, and a flat curve would become a staircase), round line
//! joins, one stroke for all the dashes of a curve, and text measured by the canvas itself: the original measures it with an element in the page, which forces a
//! layout and needs an inline style that a strict content security policy refuses.

use std::cell::RefCell;
use std::rc::Rc;

use goodput_charts::LINE_HEIGHT_PER_EM;
use plotters::prelude::RGBColor;
use plotters_backend::text_anchor::{HPos, VPos};
use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind};
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// Drawing units in one device pixel.
pub(crate) const SUBPIXELS: u32 = 4;

type Drawn = Result<(), DrawingErrorKind<<CanvasBackend as DrawingBackend>::ErrorType>>;

/// The font that a canvas has, kept with it from one drawing to the next: browsers take their time over each that is
/// set, and over each text that is measured.
#[derive(Clone, Debug, Default)]
pub(crate) struct Font(Rc<RefCell<KnownFont>>);

#[derive(Debug, Default)]
struct KnownFont {
    name: String,
    /// Widths of single characters [drawing units]. Their sum stands for a text's width: kerning is a fraction of a
    /// pixel, and the charts' few characters are soon all known.
    widths: Vec<(char, f64)>,
}

impl Font {
    /// The canvas was resized and has lost its font.
    pub(crate) fn forget(&self) {
        self.0.take();
    }

    fn set(&self, context: &CanvasRenderingContext2d, name: String) {
        let mut known = self.0.borrow_mut();
        if known.name != name {
            context.set_font(&name);
            *known = KnownFont { name, widths: Vec::new() };
        }
    }

    fn width_of(&self, context: &CanvasRenderingContext2d, text: &str) -> f64 {
        let widths = &mut self.0.borrow_mut().widths;
        let width = |character: char| {
            if let Some((_, width)) = widths.iter().find(|(known, _)| *known == character) {
                return *width;
            }
            let measured = context.measure_text(character.encode_utf8(&mut [0; 4]));
            let width = measured.map_or(0.0, |metrics| metrics.width());
            widths.push((character, width));
            width
        };
        text.chars().map(width).sum()
    }
}

/// What a canvas shows before anything is drawn on it.
#[derive(Clone, Copy)]
pub(crate) enum Ground<'g> {
    /// The page behind it.
    Page,
    Colour(RGBColor),
    /// What is on another canvas of the same size.
    Picture(&'g HtmlCanvasElement),
}

/// A canvas with nothing but its ground, ready to be drawn on.
pub(crate) struct LayerBackend {
    inner: CanvasBackend,
    context: CanvasRenderingContext2d,
    size: (u32, u32),
    /// The colour and width of paths that are laid but not stroked yet: plotters draws a dashed line as many short paths.
    laid: Option<(BackendColor, u32)>,
    font: Font,
}

impl LayerBackend {
    /// Clears the canvas to its ground and prepares its context. `None` when the browser gives no 2D context.
    pub(crate) fn on(canvas: &HtmlCanvasElement, font: &Font, ground: Ground<'_>) -> Option<Self> {
        let context: CanvasRenderingContext2d = canvas.get_context("2d").ok()??.dyn_into().ok()?;
        let unit = 1.0 / f64::from(SUBPIXELS);
        let size = (canvas.width() * SUBPIXELS, canvas.height() * SUBPIXELS);
        // Resizing a canvas resets its context, so all of it is set anew each time.
        let [width, height] = [canvas.width(), canvas.height()].map(f64::from);
        context.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0).ok()?;
        context.clear_rect(0.0, 0.0, width, height);
        match ground {
            Ground::Page => {}
            Ground::Colour(RGBColor(red, green, blue)) => {
                context.set_fill_style_str(&css(BackendColor { rgb: (red, green, blue), alpha: 1.0 }));
                context.fill_rect(0.0, 0.0, width, height);
            }
            Ground::Picture(canvas) => context.draw_image_with_html_canvas_element(canvas, 0.0, 0.0).ok()?,
        }
        context.set_transform(unit, 0.0, 0.0, unit, 0.0, 0.0).ok()?;
        context.set_line_join("round");
        context.set_line_cap("butt");
        Some(Self {
            inner: CanvasBackend::with_canvas_object(canvas.clone())?,
            context,
            size,
            laid: None,
            font: font.clone(),
        })
    }

    /// Strokes what is laid. Whatever is drawn next lies above it.
    fn stroke(&mut self) {
        if self.laid.take().is_some() {
            self.context.stroke();
        }
    }

    fn set_font(&self, style: &impl BackendTextStyle) {
        self.font.set(&self.context, css_font(style));
    }
}

impl Drop for LayerBackend {
    fn drop(&mut self) {
        self.stroke();
    }
}

/// A text's font as a canvas takes it [drawing units].
pub(crate) fn css_font(style: &impl BackendTextStyle) -> String {
    let em = style.size() / LINE_HEIGHT_PER_EM;
    format!("{} {em}px {}", style.style().as_str(), style.family().as_str())
}

fn css(BackendColor { rgb: (red, green, blue), alpha }: BackendColor) -> String {
    format!("rgba({red},{green},{blue},{alpha})")
}

impl DrawingBackend for LayerBackend {
    type ErrorType = <CanvasBackend as DrawingBackend>::ErrorType;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> Drawn {
        Ok(())
    }

    fn present(&mut self) -> Drawn {
        self.stroke();
        Ok(())
    }

    fn draw_pixel(&mut self, point: BackendCoord, color: BackendColor) -> Drawn {
        self.stroke();
        self.inner.draw_pixel(point, color)
    }

    fn draw_line<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S) -> Drawn {
        self.draw_path([from, to], style)
    }

    fn draw_rect<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, style: &S, fill: bool) -> Drawn {
        self.stroke();
        self.inner.draw_rect(from, to, style, fill)
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        let (color, width) = (style.color(), style.stroke_width());
        let same = |(laid, laid_width): (BackendColor, u32)| {
            (laid.rgb, laid.alpha, laid_width) == (color.rgb, color.alpha, width)
        };
        if !self.laid.is_some_and(same) {
            self.stroke();
            self.context.set_stroke_style_str(&css(color));
            self.context.set_line_width(f64::from(width));
            self.context.begin_path();
            self.laid = Some((color, width));
        }
        let mut path = path.into_iter();
        if let Some((x, y)) = path.next() {
            self.context.move_to(f64::from(x), f64::from(y));
        }
        for (x, y) in path {
            self.context.line_to(f64::from(x), f64::from(y));
        }
        Ok(())
    }

    fn draw_circle<S: BackendStyle>(&mut self, center: BackendCoord, radius: u32, style: &S, fill: bool) -> Drawn {
        self.stroke();
        self.inner.draw_circle(center, radius, style, fill)
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, style: &S) -> Drawn {
        self.stroke();
        self.inner.fill_polygon(path, style)
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, (x, y): BackendCoord) -> Drawn {
        self.stroke();
        self.context.set_fill_style_str(&css(style.color()));
        self.set_font(style);
        self.context.set_text_align(match style.anchor().h_pos {
            HPos::Left => "left",
            HPos::Center => "center",
            HPos::Right => "right",
        });
        self.context.set_text_baseline(match style.anchor().v_pos {
            VPos::Top => "top",
            VPos::Center => "middle",
            VPos::Bottom => "bottom",
        });
        // Only a position that is not finite is refused, and whole numbers are.
        self.context.fill_text(text, f64::from(x), f64::from(y)).ok();
        Ok(())
    }

    fn estimate_text_size<S: BackendTextStyle>(
        &self,
        text: &str,
        style: &S,
    ) -> Result<(u32, u32), DrawingErrorKind<Self::ErrorType>> {
        self.set_font(style);
        let width = self.font.width_of(&self.context, text);
        Ok((width.ceil() as u32, style.size() as u32))
    }
}
