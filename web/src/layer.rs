//! A canvas, and what was last painted on it.

use goodput_charts::{Drawn, Plot, Scheme, Theme};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ContextAttributes2d, HtmlCanvasElement, HtmlElement};

use crate::canvas::{Font, Ground, LayerBackend, SUBPIXELS};
use crate::dom::{document, set_attribute};
use crate::medium::Medium;

/// Most device pixels of a canvas: mobile browsers give up on larger ones.
const MAX_PIXELS: f64 = 2e6;

/// What a layer is painted for. When it changes, all is drawn again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Surface {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) theme: Theme,
}

impl Surface {
    /// For a plot of this size in the page, in CSS pixels and in device pixels; `None` when there is nothing to paint on.
    pub(crate) fn measured(css_width: f64, device: (f64, f64), scheme: Scheme) -> Option<Self> {
        let (device_width, device_height) = device;
        if css_width < 1.0 || device_width < 1.0 || device_height < 1.0 {
            return None;
        }
        let shrink = (MAX_PIXELS / (device_width * device_height)).sqrt().min(1.0);
        let [width, height] = [device_width, device_height].map(|length| (length * shrink).round() as u32);
        let theme = Theme::new(scheme, f64::from(width) / css_width).subdivided(SUBPIXELS);
        Some(Self { width, height, theme })
    }

    /// The same size in other colours.
    pub(crate) fn recoloured(self, scheme: Scheme) -> Self {
        let ratio = self.theme.units_per_css_px() / f64::from(SUBPIXELS);
        Self { theme: Theme::new(scheme, ratio).subdivided(SUBPIXELS), ..self }
    }

    /// The rectangle between the axes.
    pub(crate) fn plot(&self) -> Plot {
        Plot::of(self.width * SUBPIXELS, self.height * SUBPIXELS, &self.theme)
    }
}

/// What draws on a layer.
pub(crate) type Draw<'d> = &'d mut dyn FnMut(&DrawingArea<Medium<'static>, Shift>) -> Drawn<Medium<'static>>;

/// A canvas and what was last painted on it.
#[derive(Debug)]
pub(crate) struct Layer<T> {
    sheet: Sheet,
    content: Option<T>,
}

impl<T> Layer<T> {
    /// In the page. Where nothing is drawn the page shows through.
    pub(crate) fn in_plot(plot: &HtmlElement) -> Result<Self, JsValue> {
        let layer = Self::apart(false)?;
        plot.append_child(layer.canvas())?;
        Ok(layer)
    }

    /// Not in the page yet. An opaque one costs a browser less in every frame that shows it.
    pub(crate) fn apart(opaque: bool) -> Result<Self, JsValue> {
        Ok(Self { sheet: Sheet::new(opaque)?, content: None })
    }

    pub(crate) fn canvas(&self) -> &HtmlCanvasElement {
        &self.sheet.canvas
    }

    /// What is painted there.
    pub(crate) fn content(&self) -> Option<&T> {
        self.content.as_ref()
    }

    /// Paints anew unless what is painted there, on the same surface, will do.
    pub(crate) fn paint(
        &mut self,
        surface: Surface,
        ground: Ground<'_>,
        will_do: impl FnOnce(&T) -> bool,
        content: impl FnOnce() -> T,
        draw: Draw<'_>,
    ) -> Result<(), JsValue> {
        if self.sheet.painted != Some(surface) || !self.content.as_ref().is_some_and(will_do) {
            self.sheet.paint(surface, ground, draw)?;
            self.content = Some(content());
        }
        Ok(())
    }

    /// Somebody else has used the canvas to measure text.
    pub(crate) fn forget_font(&self) {
        self.sheet.font.forget();
    }
}

/// The canvas itself: one type for all contents, because it is downloaded.
#[derive(Debug)]
struct Sheet {
    canvas: HtmlCanvasElement,
    font: Font,
    painted: Option<Surface>,
}

impl Sheet {
    fn new(opaque: bool) -> Result<Self, JsValue> {
        let canvas: HtmlCanvasElement = document()?.create_element("canvas")?.unchecked_into();
        if opaque {
            let attributes = ContextAttributes2d::new();
            attributes.set_alpha(false);
            // Whoever asks for the context later gets this one. That there is none is said when something is painted.
            canvas.get_context_with_context_options("2d", &attributes).ok();
        }
        Ok(Self { canvas, font: Font::default(), painted: None })
    }

    fn paint(&mut self, surface: Surface, ground: Ground<'_>, draw: Draw<'_>) -> Result<(), JsValue> {
        // Setting the size clears a canvas, also to the same size.
        if (self.canvas.width(), self.canvas.height()) != (surface.width, surface.height) {
            self.canvas.set_width(surface.width);
            self.canvas.set_height(surface.height);
            self.font.forget();
        }
        let backend = LayerBackend::on(&self.canvas, &self.font, ground).ok_or("this browser has no 2D canvas")?;
        draw(&Medium::Screen(backend).into_drawing_area())
            .map_err(|error| JsValue::from_str(&format!("a chart could not be drawn: {error}")))?;
        if self.painted.is_none()
            && let Some(plot) = self.canvas.parent_element()
        {
            // From now on it covers the finished picture of the page.
            set_attribute(&plot, "data-live", "");
        }
        self.painted = Some(surface);
        Ok(())
    }
}
