//! One chart in the page: its canvas, the words around it, and the ways to read values off it.

use goodput_charts::{
    Chart, ChartId, Marks, Paper, Scheme, Theme, draw_curves, draw_frame, draw_marks, main_value, text,
};
use plotters::drawing::IntoDrawingArea;
use plotters::prelude::{RGBColor, SVGBackend};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, HtmlInputElement};

use crate::canvas::{Ground, SUBPIXELS};
use crate::dom::{Slot, document, find, set_attribute};
use crate::layer::{Layer, Surface};
use crate::medium::Medium;
use crate::model::{Cursor, Model};
use crate::words;

/// Size of a picture of a chart that the page leaves out [CSS px].
const UNSEEN: (u32, u32) = (560, 280);

/// A chart in the page.
#[derive(Debug)]
pub(crate) struct Panel {
    pub(crate) id: ChartId,
    pub(crate) plot: HtmlElement,
    pub(crate) reader: HtmlInputElement,
    /// Outside the page: what stays while the rate moves.
    base: Layer<Chart>,
    /// In the page: that, and over it what moves.
    whole: Layer<(Chart, Marks)>,
    /// The page behind it has the colour of the theme.
    opaque: bool,
    headline: Slot,
    readout: Slot,
    /// Unseen, it is shown anew only when a change has settled.
    is_seen: bool,
    size: Option<Surface>,
    /// Where the chart goes for the printer.
    paper: Element,
}

impl Panel {
    /// Takes over the figure of this chart: the canvas comes over its finished picture. It may be opaque where the page has
    /// the colour of its theme.
    pub(crate) fn take_over(root: &Element, id: ChartId, opaque: bool) -> Result<Self, JsValue> {
        let figure: Element = find(root, &format!("[data-chart={}]", id.name()))?;
        let plot: HtmlElement = find(&figure, ".plot")?;
        let (base, whole) = (Layer::apart(opaque)?, Layer::apart(opaque)?);
        set_attribute(whole.canvas(), "role", "img");
        plot.append_child(whole.canvas())?;
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
            whole,
            opaque,
            headline: Slot::find(&figure, "[data-headline]")?,
            readout: Slot::find(&figure, "[data-readout]")?,
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
        other && self.whole.content().is_some()
    }

    /// Changes the colours, at the same size.
    pub(crate) fn recolour(&mut self, scheme: Scheme) {
        self.size = self.size.map(|surface| surface.recoloured(scheme));
    }

    /// Takes whether the plot is seen.
    pub(crate) fn see(&mut self, is: bool) {
        self.is_seen = is;
        // Only a malformed name is refused.
        self.plot.toggle_attribute_with_force("data-unseen", !is).ok();
    }

    pub(crate) fn is_seen(&self) -> bool {
        self.is_seen
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

    /// Paints the model's state: both layers only if they changed.
    pub(crate) fn paint(&mut self, chart: &Chart, model: &Model) -> Result<(), JsValue> {
        let marks = self.marks(model);
        let Some(surface) = self.size else { return Ok(()) };
        let theme = surface.theme;
        // Over the rate the curves stay while the rate moves; over time they are the run itself.
        let curves_move = self.id == ChartId::Time;
        self.base.paint(
            surface,
            if self.opaque { Ground::Colour(theme.page()) } else { Ground::Page },
            |old| if curves_move { old.same_frame(chart) } else { old == chart },
            || chart.clone(),
            &mut |area| {
                draw_frame(area, chart, &theme)?;
                if curves_move { Ok(()) } else { draw_curves(area, chart, &theme) }
            },
        )?;
        // Whatever changes below changes the chart or the surface, too.
        self.whole.paint(
            surface,
            Ground::Picture(self.base.canvas()),
            |(old, at)| *at == marks && old == chart,
            || (chart.clone(), marks.clone()),
            &mut |area| {
                if curves_move {
                    draw_curves(area, chart, &theme)?;
                }
                draw_marks(area, chart, &theme, &marks)
            },
        )
    }

    /// Puts the chart beside its canvas as lines and letters, for the printer, whose paper is white.
    pub(crate) fn put_on_paper(&self, chart: &Chart, model: &Model) {
        // Were it not so, the canvas would be printed.
        if let Some(document) = self.lines(chart, model, Scheme::Light, true) {
            self.paper.set_inner_html(&document);
        }
    }

    /// The chart as a picture of its own, as large as in the page and in these colours; of paper it has none behind it.
    pub(crate) fn lines(&self, chart: &Chart, model: &Model, scheme: Scheme, on_paper: bool) -> Option<String> {
        let context = self.base.canvas().get_context("2d").ok()??;
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
        self.base.forget_font();
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
        set_attribute(self.whole.canvas(), "aria-label", &text::description(chart));
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
