//! One chart in the page: two layers of canvas, the words around it, and the ways to read values off it.

use goodput_charts::{Chart, ChartId, Marks, Plot, Scheme, Theme, draw_curves, draw_frame, text};
use plotters::drawing::IntoDrawingArea;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlCanvasElement, HtmlElement, HtmlInputElement};

use crate::canvas::{LayerBackend, SUBPIXELS, layer_canvas};
use crate::dom::{document, find, set_attribute, set_text};
use crate::model::{Cursor, Model};
use crate::words;

/// Most device pixels of a canvas: mobile browsers give up on larger ones.
const MAX_PIXELS: f64 = 2e6;

/// What a panel is painted for. When it changes, both layers are drawn again.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Surface {
    width: u32,
    height: u32,
    theme: Theme,
}

/// A chart in the page.
#[derive(Debug)]
pub(crate) struct Panel {
    pub(crate) id: ChartId,
    pub(crate) plot: HtmlElement,
    pub(crate) reader: HtmlInputElement,
    /// What stays while the rate moves: axes, grid, rules.
    frame: HtmlCanvasElement,
    /// What moves: curves and marks.
    curves: HtmlCanvasElement,
    headline: Element,
    readout: Element,
    size: Option<Surface>,
    painted_frame: Option<(Surface, Chart)>,
    painted_curves: Option<(Surface, Chart, Marks)>,
}

impl Panel {
    /// Takes over the figure of this chart: the canvases come over its finished picture.
    pub(crate) fn take_over(root: &Element, id: ChartId) -> Result<Self, JsValue> {
        let figure: Element = find(root, &format!("[data-chart={}]", id.name()))?;
        let plot: HtmlElement = find(&figure, ".plot")?;
        let [frame, curves] = [layer_canvas(&document()?)?, layer_canvas(&document()?)?];
        set_attribute(&frame, "aria-hidden", "true");
        set_attribute(&curves, "role", "img");
        let reader: HtmlInputElement = document()?.create_element("input")?.unchecked_into();
        reader.set_type("range");
        reader.set_class_name("reader");
        plot.append_child(&frame)?;
        plot.append_child(&curves)?;
        plot.append_child(&reader)?;
        Ok(Self {
            id,
            plot,
            reader,
            frame,
            curves,
            headline: find(&figure, "[data-headline]")?,
            readout: find(&figure, "[data-readout]")?,
            size: None,
            painted_frame: None,
            painted_curves: None,
        })
    }

    /// Takes the size of the plot in the page, in CSS pixels and in device pixels. Nothing is painted before.
    pub(crate) fn resize(&mut self, css_width: f64, device: (f64, f64), scheme: Scheme) {
        let (device_width, device_height) = device;
        if css_width < 1.0 || device_width < 1.0 || device_height < 1.0 {
            self.size = None;
            return;
        }
        let shrink = (MAX_PIXELS / (device_width * device_height)).sqrt().min(1.0);
        let [width, height] = [device_width, device_height].map(|length| (length * shrink).round() as u32);
        let theme = Theme::new(scheme, f64::from(width) / css_width).subdivided(SUBPIXELS);
        self.size = Some(Surface { width, height, theme });
    }

    /// Changes the colours, at the same size.
    pub(crate) fn recolour(&mut self, scheme: Scheme) {
        if let Some(Surface { theme, .. }) = &mut self.size {
            *theme = Theme::new(scheme, theme.units_per_css_px() / f64::from(SUBPIXELS)).subdivided(SUBPIXELS);
        }
    }

    /// The value of x at a position from the plot's left edge [CSS px]; `None` while nothing is painted.
    pub(crate) fn x_at(&self, css_x: f64, chart: &Chart) -> Option<f64> {
        let Surface { width, height, theme } = self.size?;
        let plot = Plot::of(width * SUBPIXELS, height * SUBPIXELS, &theme);
        Some(plot.x_at(css_x * theme.units_per_css_px(), chart))
    }

    /// Shows the model's state: words, reader and both layers, each only if it changed.
    pub(crate) fn show(&mut self, chart: &Chart, model: &Model) -> Result<(), JsValue> {
        let marks = self.marks(model);
        self.show_words(chart, &marks, model);
        let Some(surface) = self.size else { return Ok(()) };
        let Surface { width, height, theme } = surface;
        let stale = |painted: &Option<(Surface, Chart)>| {
            painted.as_ref().is_none_or(|(on, old)| *on != surface || !old.same_frame(chart))
        };
        if stale(&self.painted_frame) {
            fit(&self.frame, width, height);
            let backend = LayerBackend::on(&self.frame).ok_or("this browser has no 2D canvas")?;
            draw_frame(&backend.into_drawing_area(), chart, &theme).map_err(drawing_failed)?;
            self.painted_frame = Some((surface, chart.clone()));
        }
        let same = |painted: &Option<(Surface, Chart, Marks)>| {
            painted.as_ref().is_some_and(|(on, old, at)| *on == surface && at == &marks && old == chart)
        };
        if !same(&self.painted_curves) {
            fit(&self.curves, width, height);
            let backend = LayerBackend::on(&self.curves).ok_or("this browser has no 2D canvas")?;
            draw_curves(&backend.into_drawing_area(), chart, &theme, &marks).map_err(drawing_failed)?;
            self.painted_curves = Some((surface, chart.clone(), marks));
        }
        Ok(())
    }

    fn marks(&self, model: &Model) -> Marks {
        match (self.id, model.cursor()) {
            (ChartId::Time, Some(Cursor::Time(seconds))) => Marks { current: None, cursor: Some(seconds) },
            (ChartId::Time, _) => Marks::default(),
            (_, Some(Cursor::Rate(rate))) => Marks { current: Some(model.scenario().rate), cursor: Some(rate) },
            (_, _) => Marks { current: Some(model.scenario().rate), cursor: None },
        }
    }

    fn show_words(&self, chart: &Chart, marks: &Marks, model: &Model) {
        set_text(&self.headline, &text::headline(self.id, model.report(), model.scenario()));
        let readout = match (self.id, marks.cursor) {
            (ChartId::Time, Some(seconds)) => text::readout_time(chart, seconds),
            (ChartId::Time, None) => text::readout(self.id, model.report(), model.scenario()),
            (id, at) => {
                let report = at.and_then(|rate| model.report_at(rate)).unwrap_or(model.report());
                text::readout(id, report, model.scenario())
            }
        };
        set_text(&self.readout, &readout);
        set_attribute(&self.reader, "aria-valuetext", &readout);
    }

    /// The longer words, for those who do not see the chart: not while it moves, but once it has settled.
    pub(crate) fn describe(&self, chart: &Chart) {
        set_attribute(&self.curves, "aria-label", &text::description(chart));
        set_attribute(&self.reader, "aria-label", &words::reader(&chart.caption));
        let points = chart.curves.first().map_or(0, |curve| curve.points.len());
        set_attribute(&self.reader, "min", "0");
        set_attribute(&self.reader, "max", &points.saturating_sub(1).to_string());
    }

    /// The value of x at which the reader stands.
    pub(crate) fn reader_x(&self, chart: &Chart) -> Option<f64> {
        let index = self.reader.value_as_number() as usize;
        chart.curves.first()?.points.get(index).map(|point| point.x)
    }

    /// Puts the reader where the reading starts: at the current rate, or at the start of the time.
    pub(crate) fn place_reader(&self, chart: &Chart, model: &Model) {
        let from = if self.id == ChartId::Time { 0.0 } else { model.scenario().rate };
        let index = chart.curves.first().map_or(0, |curve| curve.points.partition_point(|point| point.x < from - 1e-9));
        self.reader.set_value_as_number(index as f64);
    }
}

/// Gives the canvas its size in device pixels, if it is another: setting it clears the canvas.
fn fit(canvas: &HtmlCanvasElement, width: u32, height: u32) {
    if canvas.width() != width || canvas.height() != height {
        canvas.set_width(width);
        canvas.set_height(height);
    }
}

fn drawing_failed(error: impl std::fmt::Display) -> JsValue {
    JsValue::from_str(&format!("a chart could not be drawn: {error}"))
}
