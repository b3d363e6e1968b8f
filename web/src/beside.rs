//! What stands beside the run: other draws, pinned runs, theory. Buttons, sentences, and a strip of dots a figure.

use gloo_events::EventListener;
use goodput_charts::{Ink, Scheme, Theme};
use goodput_sim::{Report, theory};
use goodput_summary::{Metric, Summary};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, Element, HtmlCanvasElement};

use crate::callbacks::listen_to;
use crate::controls::Source;
use crate::dom::{Slot, document, find, set_attribute, window};
use crate::model::{Model, Msg};
use crate::words;

/// The figures that get a strip, with the colour of their dots.
const STRIPS: [(&str, Ink); 6] = [
    ("throughput_tokens_per_s", Ink::Throughput),
    ("ttft_s.p50", Ink::P50),
    ("ttft_s.p99", Ink::P99),
    ("tpot_s.p50", Ink::P50),
    ("slo_attainment", Ink::Goodput),
    ("goodput_requests_per_s", Ink::Goodput),
];

/// Size of a strip [CSS px].
const STRIP: (f64, f64) = (116.0, 14.0);

/// The elements that stand beside the run.
#[derive(Debug)]
pub(crate) struct Beside {
    draws: Element,
    theory: Element,
    pin: Element,
    draws_said: Slot,
    theory_said: Element,
    no_theory: Element,
    pins: Element,
    rows: Vec<Row>,
    strips: Vec<Strip>,
    /// Nothing stands there: then a frame has nothing to do here.
    empty: bool,
}

/// A pinned run in the list.
#[derive(Debug)]
struct Row {
    letter: char,
    row: Element,
    versus: Slot,
    _unpin: EventListener,
}

/// The values of one figure over the draws, as dots on a line.
#[derive(Debug)]
struct Strip {
    metric: &'static Metric,
    ink: Ink,
    place: Element,
    canvas: HtmlCanvasElement,
    range: Slot,
    painted: Option<(Scheme, f64, Vec<f64>)>,
}

impl Beside {
    pub(crate) fn in_lab(root: &Element) -> Result<Self, JsValue> {
        let strips = STRIPS.iter().map(|&(path, ink)| Strip::at(root, path, ink)).collect::<Result<_, _>>()?;
        Ok(Self {
            draws: find(root, "[data-toggle=draws]")?,
            theory: find(root, "[data-toggle=theory]")?,
            pin: find(root, "[data-action=pin]")?,
            draws_said: Slot::find(root, "[data-draws-said]")?,
            theory_said: find(root, "[data-theory-said]")?,
            no_theory: find(root, "[data-no-theory]")?,
            pins: find(root, "[data-pins]")?,
            rows: Vec::new(),
            strips,
            empty: true,
        })
    }

    /// Every source of messages here but the pins' own.
    pub(crate) fn sources(&self) -> Vec<Source> {
        let toggle = |button: &Element, msg: fn(bool) -> Msg| {
            let pressed = button.clone();
            let read = move || Some(msg(pressed.get_attribute("aria-pressed").as_deref() != Some("true")));
            Source { target: button.clone().into(), event: "click", read: Box::new(read) }
        };
        let pin = Source { target: self.pin.clone().into(), event: "click", read: Box::new(|| Some(Msg::Pin)) };
        vec![toggle(&self.draws, Msg::Draws), toggle(&self.theory, Msg::Theory), pin]
    }

    /// Shows all of it. `send` is where a pin's own button sends its message.
    pub(crate) fn show(
        &mut self,
        model: &Model,
        scheme: Scheme,
        send: impl Fn(Msg) + Clone + 'static,
    ) -> Result<(), JsValue> {
        let empty = !model.theory() && model.draws().is_none() && model.pins().iter().next().is_none();
        if std::mem::replace(&mut self.empty, empty) && empty {
            return Ok(());
        }
        let pressed = |button: &Element, on| set_attribute(button, "aria-pressed", if on { "true" } else { "false" });
        pressed(&self.draws, model.draws().is_some());
        pressed(&self.theory, model.theory());
        let is_steady = theory::has_steady_rate(model.scenario());
        hide(&self.theory_said, !(model.theory() && is_steady));
        hide(&self.no_theory, !model.theory() || is_steady);
        let room = model.pins().takes(model.valid_scenario()) && !model.locks().has("pin");
        self.pin.toggle_attribute_with_force("disabled", !room)?;

        let runs = model.draws().map_or(&[][..], |draws| draws.at(model.rate()));
        if let Some(draws) = model.draws() {
            let counts: Vec<_> = match draws.broken(model.rate()) {
                Some(_) => draws.counts(model.rate()).collect(),
                None => Vec::new(),
            };
            self.draws_said.set_text(&words::draws(&counts));
        }
        hide(self.draws_said.element(), model.draws().is_none());
        for strip in &mut self.strips {
            strip.show(model, runs, scheme)?;
        }
        self.show_pins(model, send)
    }

    fn show_pins(&mut self, model: &Model, send: impl Fn(Msg) + Clone + 'static) -> Result<(), JsValue> {
        self.rows.retain(|row| {
            let stays = model.pins().iter().any(|pin| pin.letter == row.letter);
            if !stays {
                row.row.remove();
            }
            stays
        });
        for pin in model.pins().iter() {
            if self.rows.iter().all(|row| row.letter != pin.letter) {
                let document = document()?;
                let [row, label, versus, unpin] =
                    ["li", "strong", "span", "button"].map(|name| document.create_element(name));
                let (row, label, versus, unpin) = (row?, label?, versus?, unpin?);
                label.set_text_content(Some(&words::pin_label(pin)));
                unpin.set_attribute("type", "button")?;
                unpin.set_text_content(Some(&words::unpin(pin.letter)));
                row.append_with_node_3(&label, &versus, &unpin)?;
                self.pins.append_child(&row)?;
                let (send, letter) = (send.clone(), pin.letter);
                let unpin = listen_to(&unpin, "click", move |_| send(Msg::Unpin(letter)));
                self.rows.push(Row { letter, row, versus: Slot::from(versus), _unpin: unpin });
            }
            if let Some(row) = self.rows.iter().find(|row| row.letter == pin.letter) {
                row.versus.set_text(&words::pin_versus(&pin.report, model.report()));
            }
        }
        Ok(())
    }
}

fn hide(element: &Element, hidden: bool) {
    // Only a malformed name is refused.
    element.toggle_attribute_with_force("hidden", hidden).ok();
}

impl Strip {
    fn at(root: &Element, path: &'static str, ink: Ink) -> Result<Self, JsValue> {
        let output: Element = find(root, &format!("[data-metric=\"{path}\"]:not([data-rate])"))?;
        let metric = Metric::at(path).ok_or("no such metric")?;
        let figure = output.closest("div")?.ok_or("a figure stands in no div")?;
        let document = document()?;
        let place = document.create_element("dd")?;
        place.set_class_name("strip");
        hide(&place, true);
        let canvas: HtmlCanvasElement = document.create_element("canvas")?.unchecked_into();
        // The range beside it says it in words.
        canvas.set_attribute("aria-hidden", "true")?;
        let range = document.create_element("span")?;
        place.append_child(&canvas)?;
        place.append_child(&range)?;
        figure.append_child(&place)?;
        Ok(Self { metric, ink, place, canvas, range: Slot::from(range), painted: None })
    }

    /// One dot a draw, and a larger one for the run in view.
    fn show(&mut self, model: &Model, runs: &[Report], scheme: Scheme) -> Result<(), JsValue> {
        hide(&self.place, runs.is_empty());
        let value = |report: &Report| self.metric.of(&Summary::new(model.valid_scenario(), report));
        let values: Vec<f64> = runs.iter().filter_map(value).collect();
        let Some(own) = value(model.report()).filter(|_| !values.is_empty()) else { return Ok(()) };
        let content = (scheme, own, values);
        if self.painted.as_ref() == Some(&content) {
            return Ok(());
        }
        let (_, _, values) = &content;
        let [from, to] = [f64::min, f64::max].map(|pick| values.iter().copied().fold(own, pick));
        self.range.set_text(&words::draws_range(&words::figure(self.metric, from), &words::figure(self.metric, to)));

        let ratio = window()?.device_pixel_ratio();
        let [width, height] = [STRIP.0, STRIP.1].map(|length| length * ratio);
        self.canvas.set_width(width as u32);
        self.canvas.set_height(height as u32);
        let context: CanvasRenderingContext2d =
            self.canvas.get_context("2d")?.ok_or("this browser has no 2D canvas")?.unchecked_into();
        let colour = Theme::new(scheme, 1.0).colour(self.ink);
        context.set_fill_style_str(&format!("rgb({},{},{})", colour.0, colour.1, colour.2));
        let inset = 6.0 * ratio;
        let length = if to > from { to - from } else { 1.0 };
        let place = |value: f64| inset + (value - from) / length * (width - 2.0 * inset);
        let dot = |value: f64, radius: f64| {
            context.begin_path();
            let circle = context.arc(place(value), height / 2.0, radius * ratio, 0.0, std::f64::consts::TAU);
            context.fill();
            circle
        };
        context.set_global_alpha(0.35);
        values.iter().try_for_each(|&value| dot(value, 2.5))?;
        context.set_global_alpha(1.0);
        dot(own, 5.0)?;
        self.painted = Some(content);
        Ok(())
    }
}
