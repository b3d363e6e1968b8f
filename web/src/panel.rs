//! One chart in the page: two layers of canvas, the words around it, and the ways to read values off it.

use goodput_charts::{
    Chart, ChartId, Drawn, Marks, Paper, Plot, Scheme, Theme, draw_curves, draw_frame, draw_marks, main_value, text,
};
use plotters::coord::Shift;
use plotters::drawing::{DrawingArea, IntoDrawingArea};
use plotters::prelude::{RGBColor, SVGBackend};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlCanvasElement, HtmlElement, HtmlInputElement};

use crate::canvas::{Font, LayerBackend, SUBPIXELS};
use crate::dom::{Slot, document, find, set_attribute};
use crate::medium::Medium;
use crate::model::{Cursor, Model};
use crate::sight::Sight;
use crate::words;

/// Most device pixels of a canvas: mobile browsers give up on larger ones.
const MAX_PIXELS: f64 = 2e6;
/// Size of a picture of a chart that the page leaves out [CSS px].
const UNSEEN: (u32, u32) = (560, 280);

/// What a panel is painted for. When it changes, both layers are drawn again.
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

/// A canvas and what was last painted on it.
#[derive(Debug)]
pub(crate) struct Layer<T> {
    pub(crate) canvas: HtmlCanvasElement,
    font: Font,
    painted: Option<(Surface, T)>,
}

impl<T> Layer<T> {
    pub(crate) fn in_plot(plot: &HtmlElement) -> Result<Self, JsValue> {
        let canvas: HtmlCanvasElement = document()?.create_element("canvas")?.unchecked_into();
        plot.append_child(&canvas)?;
        Ok(Self { canvas, font: Font::default(), painted: None })
    }

    /// What is painted there.
    pub(crate) fn content(&self) -> Option<&T> {
        self.painted.as_ref().map(|(_, content)| content)
    }

    /// Paints anew unless what is painted there, on the same surface, will do.
    pub(crate) fn paint(
        &mut self,
        surface: Surface,
        will_do: impl FnOnce(&T) -> bool,
        content: impl FnOnce() -> T,
        draw: impl FnOnce(&DrawingArea<Medium<'static>, Shift>) -> Drawn<Medium<'static>>,
    ) -> Result<(), JsValue> {
        if self.painted.as_ref().is_some_and(|(on, painted)| *on == surface && will_do(painted)) {
            return Ok(());
        }
        // Setting the size clears a canvas, also to the same size.
        if (self.canvas.width(), self.canvas.height()) != (surface.width, surface.height) {
            self.canvas.set_width(surface.width);
            self.canvas.set_height(surface.height);
            self.font.forget();
        }
        let backend = LayerBackend::on(&self.canvas, &self.font).ok_or("this browser has no 2D canvas")?;
        draw(&Medium::Screen(backend).into_drawing_area())
            .map_err(|error| JsValue::from_str(&format!("a chart could not be drawn: {error}")))?;
        if self.painted.is_none() {
            // From now on it covers the finished picture of the page.
            if let Some(plot) = self.canvas.parent_element() {
                set_attribute(&plot, "data-live", "");
            }
        }
        self.painted = Some((surface, content()));
        Ok(())
    }
}

/// A chart in the page.
#[derive(Debug)]
pub(crate) struct Panel {
    pub(crate) id: ChartId,
    pub(crate) plot: HtmlElement,
    pub(crate) reader: HtmlInputElement,
    /// What stays while the rate moves.
    base: Layer<Chart>,
    /// What moves with it.
    moving: Layer<(Chart, Marks)>,
    headline: Slot,
    readout: Slot,
    /// Out of sight, the panel is shown anew only when a change has settled.
    is_near: bool,
    /// Near, but not seen, it is shown in its turn while the rate moves.
    is_seen: bool,
    size: Option<Surface>,
    /// Where the chart goes for the printer.
    paper: Element,
}

impl Panel {
    /// Takes over the figure of this chart: the canvases come over its finished picture.
    pub(crate) fn take_over(root: &Element, id: ChartId) -> Result<Self, JsValue> {
        let figure: Element = find(root, &format!("[data-chart={}]", id.name()))?;
        let plot: HtmlElement = find(&figure, ".plot")?;
        let base = Layer::in_plot(&plot)?;
        let moving = Layer::in_plot(&plot)?;
        // One picture to those who hear it, in two layers to those who see it.
        set_attribute(&base.canvas, "role", "img");
        set_attribute(&moving.canvas, "aria-hidden", "true");
        let paper = document()?.create_element("div")?;
        paper.set_class_name("paper");
        set_attribute(&paper, "aria-hidden", "true");
        plot.append_child(&paper)?;
        let reader: HtmlInputElement = document()?.create_element("input")?.unchecked_into();
        reader.set_type("range");
        reader.set_class_name("reader");
        plot.append_child(&reader)?;
        Ok(Self {
            id,
            plot,
            reader,
            base,
            moving,
            headline: Slot::find(&figure, "[data-headline]")?,
            readout: Slot::find(&figure, "[data-readout]")?,
            is_near: true,
            is_seen: true,
            size: None,
            paper,
        })
    }

    /// Takes the size of the plot in the page, in CSS pixels and in device pixels. Nothing is painted before.
    /// True when something is painted there already, at another size.
    pub(crate) fn resize(&mut self, css_width: f64, device: (f64, f64), scheme: Scheme) -> bool {
        let size = Surface::measured(css_width, device, scheme);
        let other = self.size != size;
        self.size = size;
        other && self.base.painted.is_some()
    }

    /// Changes the colours, at the same size.
    pub(crate) fn recolour(&mut self, scheme: Scheme) {
        self.size = self.size.map(|surface| surface.recoloured(scheme));
    }

    /// Takes whether that much of the plot is in sight.
    pub(crate) fn see(&mut self, sight: Sight, is: bool) {
        match sight {
            Sight::Near => {
                self.is_near = is;
                // Only a malformed name is refused.
                self.plot.toggle_attribute_with_force("data-unseen", !is).ok();
            }
            Sight::Seen => self.is_seen = is,
        }
    }

    /// Whether that much of the plot is in sight.
    pub(crate) fn is_in(&self, sight: Sight) -> bool {
        self.is_near && (sight == Sight::Near || self.is_seen)
    }

    /// The value of x at a position from the plot's left edge [CSS px]; `None` while nothing is painted.
    pub(crate) fn x_at(&self, css_x: f64, chart: &Chart) -> Option<f64> {
        let surface = self.size?;
        Some(surface.plot().x_at(css_x * surface.theme.units_per_css_px(), chart))
    }

    /// Shows in the line above the chart what the chart shows now.
    pub(crate) fn show_headline(&self, model: &Model) {
        if model.hides_run() {
            self.headline.set_text(&words::covered_headline());
            return;
        }
        self.headline.set_text(&text::headline(self.id, model.report(), model.scenario()));
    }

    /// Shows the values where the reader points.
    pub(crate) fn show_readout(&self, chart: &Chart, model: &Model) {
        let readout = match (self.id, self.marks(model).cursor) {
            (ChartId::Time, Some(seconds)) => text::readout_time(chart, seconds),
            (ChartId::Time, None) if model.hides_run() => String::new(),
            (ChartId::Time, None) => text::readout_run(chart, model.report()),
            (id, Some(rate)) => {
                model.report_at(rate).map(|report| text::readout(id, report, model.scenario())).unwrap_or_default()
            }
            // The figures at the current rate stand above and on the chart itself.
            (_, None) => String::new(),
        };
        if self.readout.set_text(&readout) {
            set_attribute(&self.reader, "aria-valuetext", &readout);
        }
    }

    /// Paints the model's state: each layer only if it changed.
    pub(crate) fn paint(&mut self, chart: &Chart, model: &Model) -> Result<(), JsValue> {
        let marks = self.marks(model);
        let Some(surface) = self.size else { return Ok(()) };
        let theme = surface.theme;
        // Over the rate the curves stay while the rate moves; over time they are the run itself.
        let curves_move = self.id == ChartId::Time;
        self.base.paint(
            surface,
            |old| if curves_move { old.same_frame(chart) } else { old == chart },
            || chart.clone(),
            |area| {
                draw_frame(area, chart, &theme)?;
                if curves_move { Ok(()) } else { draw_curves(area, chart, &theme) }
            },
        )?;
        self.moving.paint(
            surface,
            |(old, at)| *at == marks && old == chart,
            || (chart.clone(), marks.clone()),
            |area| {
                if curves_move {
                    draw_curves(area, chart, &theme)?;
                }
                draw_marks(area, chart, &theme, &marks)
            },
        )
    }

    /// Puts the chart beside its canvases as lines and letters, for the printer, whose paper is white.
    pub(crate) fn put_on_paper(&self, chart: &Chart, model: &Model) {
        // Were it not so, the canvas would be printed.
        if let Some(document) = self.lines(chart, model, Scheme::Light, true) {
            self.paper.set_inner_html(&document);
        }
    }

    /// The chart as a picture of its own, as large as in the page and in these colours; of paper it has none behind it.
    pub(crate) fn lines(&self, chart: &Chart, model: &Model, scheme: Scheme, on_paper: bool) -> Option<String> {
        let context = self.base.canvas.get_context("2d").ok()??;
        // One that the page does not show has the size of its finished picture.
        let size = self.size.map_or(UNSEEN, |Surface { width, height, theme }| {
            let ratio = theme.units_per_css_px() / f64::from(SUBPIXELS);
            let [width, height] = [width, height].map(|length| (f64::from(length) / ratio).round() as u32);
            (width, height)
        });
        let sheet = Paper::new(&Theme::new(scheme, 1.0), size);
        let mut drawn = String::new();
        let area = Medium::Paper(SVGBackend::with_string(&mut drawn, sheet.units()), context.unchecked_into())
            .into_drawing_area();
        let result = draw_frame(&area, chart, sheet.theme())
            .and_then(|()| draw_curves(&area, chart, sheet.theme()))
            .and_then(|()| draw_marks(&area, chart, sheet.theme(), &self.marks(model)))
            .and_then(|()| area.present());
        drop(area);
        // The canvas that measured has another font now.
        self.base.font.forget();
        // A text takes everything.
        result.ok()?;
        if !on_paper {
            let (start, lines) = drawn.split_once('\n')?;
            let RGBColor(red, green, blue) = sheet.theme().page();
            let ground = format!("<rect width=\"100%\" height=\"100%\" fill=\"rgb({red},{green},{blue})\"/>\n");
            drawn = [start, "\n", &ground, lines].concat();
        }
        Some(sheet.document(&chart.caption, &text::description(chart), &drawn))
    }

    /// Takes it away again.
    pub(crate) fn clear_paper(&self) {
        self.paper.set_inner_html("");
    }

    fn marks(&self, model: &Model) -> Marks {
        match (self.id, model.cursor()) {
            (ChartId::Time, Some(Cursor::Time(seconds))) => Marks { cursor: Some(seconds), ..Marks::default() },
            (ChartId::Time, _) => Marks::default(),
            (id, cursor) => {
                let cursor = match cursor {
                    Some(Cursor::Rate(rate)) => Some(rate),
                    _ => None,
                };
                let runs = model.draws().map_or(&[][..], |draws| draws.at(model.rate()));
                let draws = runs.iter().filter_map(|run| main_value(id, run)).collect();
                Marks { current: Some(model.scenario().rate), cursor, draws }
            }
        }
    }

    /// The longer words, for those who do not see the chart: not while it moves, but once it has settled.
    pub(crate) fn describe(&self, chart: &Chart) {
        set_attribute(&self.base.canvas, "aria-label", &text::description(chart));
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
