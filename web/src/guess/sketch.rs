//! The chart that the guess is drawn on, with the pointer or, point by point, with keys.

use gloo_events::EventListener;
use goodput_charts::{Chart, Curve, Dot, Ink, Point, Scheme, Stroke, Tag, draw_curves, draw_frame, text};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, HtmlInputElement, PointerEvent};

use crate::callbacks::listen_to;
use crate::canvas::Ground;
use crate::dom::{document, find, set_attribute};
use crate::guess::state::{Act, Guess, LEVELS, POINTS, Stage, rate_of};
use crate::guess::words;
use crate::layer::{Layer, Surface};
use crate::rate::Rate;

/// Half the length of a slider's thumb: so much the sliders are longer than the axis, for their thumbs to reach its
/// ends [CSS px].
const HALF_THUMB: f64 = 12.0;

/// The chart, its canvas, and a slider for each point of the line.
#[derive(Debug)]
pub(crate) struct Sketch {
    pub(crate) plot: HtmlElement,
    points: Vec<HtmlInputElement>,
    layer: Layer<Chart>,
    size: Option<Surface>,
    /// As long as a CSS pixel [drawing units].
    css_px: f64,
}

impl Sketch {
    pub(crate) fn in_guess(root: &Element) -> Result<Self, JsValue> {
        let plot: HtmlElement = find(root, "[data-sketch]")?;
        // A lab that was here before has left its own.
        plot.set_text_content(None);
        let layer = Layer::in_plot(&plot)?;
        set_attribute(layer.canvas(), "role", "img");
        let mut points = Vec::with_capacity(POINTS);
        for point in 0..POINTS {
            let slider: HtmlInputElement = document()?.create_element("input")?.unchecked_into();
            slider.set_type("range");
            slider.set_class_name("point");
            set_attribute(&slider, "min", "0");
            set_attribute(&slider, "max", &LEVELS.to_string());
            set_attribute(&slider, "aria-label", &words::point_name(rate_of(point)));
            set_attribute(&slider, "aria-orientation", "vertical");
            plot.append_child(&slider)?;
            points.push(slider);
        }
        Ok(Self { plot, points, layer, size: None, css_px: 1.0 })
    }

    /// Takes the plot's size in the page, and puts each slider on the line of its rate.
    pub(crate) fn resize(&mut self, css_width: f64, device: (f64, f64), scheme: Scheme, chart: &Chart) {
        self.size = Surface::measured(css_width, device, scheme);
        let Some(surface) = &self.size else { return };
        let plot = surface.plot();
        self.css_px = surface.theme.units_per_css_px();
        let css = |units: f64| units / self.css_px;
        let (top, bottom) = (css(f64::from(plot.top)) - HALF_THUMB, css(f64::from(plot.bottom)) + HALF_THUMB);
        for (point, slider) in self.points.iter().enumerate() {
            let style = slider.style();
            let left = css(plot.pixel_of(rate_of(point), chart)) - HALF_THUMB;
            for (name, length) in [("left", left), ("top", top), ("height", bottom - top)] {
                // Only a malformed name is refused.
                style.set_property(name, &format!("{length:.1}px")).ok();
            }
        }
    }

    pub(crate) fn recolour(&mut self, scheme: Scheme) {
        self.size = self.size.map(|size| size.recoloured(scheme));
    }

    /// What the pointer and the keys do on the chart.
    pub(crate) fn listeners(
        &self,
        act: &(impl Fn(Act) + Clone + 'static),
        pen: impl Fn(Contact) + Clone + 'static,
    ) -> Vec<EventListener> {
        let mut listeners = Vec::new();
        for (point, slider) in self.points.iter().enumerate() {
            let (act, field) = (act.clone(), slider.clone());
            listeners.push(listen_to(slider, "input", move |_| {
                act(Act::Point(point, field.value_as_number() as u8));
            }));
        }
        for event in ["pointerdown", "pointermove"] {
            let (pen, plot) = (pen.clone(), self.plot.clone());
            listeners.push(listen_to(&self.plot, event, move |event| {
                let Some(event) = event.dyn_ref::<PointerEvent>().filter(|event| event.buttons() & 1 == 1) else {
                    return;
                };
                if event.type_() == "pointerdown" {
                    // A pointer that is gone already cannot be held, and draws nothing either.
                    plot.set_pointer_capture(event.pointer_id()).ok();
                }
                let rect = plot.get_bounding_client_rect();
                let at = (f64::from(event.client_x()) - rect.left(), f64::from(event.client_y()) - rect.top());
                pen(Contact(at));
            }));
        }
        for (event, stays) in [("pointerup", true), ("pointercancel", false)] {
            let act = act.clone();
            listeners.push(listen_to(&self.plot, event, move |_| act(Act::Lift(stays))));
        }
        listeners
    }

    /// The stroke that leads to a place on the plot; `None` while nothing is painted.
    pub(crate) fn stroke(&self, Contact((x, y)): Contact, chart: &Chart) -> Option<Act> {
        let plot = self.size?.plot();
        let (top, bottom) = (f64::from(plot.top), f64::from(plot.bottom));
        let height = ((bottom - y * self.css_px) / (bottom - top)).clamp(0.0, 1.0);
        Some(Act::Stroke(plot.x_at(x * self.css_px, chart), (height * f64::from(LEVELS)).round() as u8))
    }

    /// Shows the guess: the line as drawn, over what is known, or over the truth.
    pub(crate) fn show(&mut self, guess: &Guess) -> Result<(), JsValue> {
        for (point, slider) in self.points.iter().enumerate() {
            let level = guess.level(point);
            if slider.value_as_number() as u8 != level {
                slider.set_value_as_number(f64::from(level));
            }
            let drawn = guess.answers().line[point].map(|level| guess.seconds(level));
            set_attribute(slider, "aria-valuetext", &words::point(rate_of(point), drawn));
            slider.set_hidden(guess.stage() != Stage::Asking);
        }
        let Some(surface) = self.size else { return Ok(()) };
        let chart = chart(guess);
        set_attribute(self.layer.canvas(), "aria-label", &text::description(&chart));
        self.layer.paint(surface, Ground::Page, |old| *old == chart, || chart.clone(), &mut |area| {
            draw_frame(area, &chart, &surface.theme)?;
            draw_curves(area, &chart, &surface.theme)
        })
    }
}

/// Where the pointer touches the plot, from its left upper corner [CSS px].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact((f64, f64));

fn chart(guess: &Guess) -> Chart {
    let truth = &guess.truth().chart;
    let mut chart = match guess.stage() {
        Stage::Asking => truth.until(Rate::COVER.per_s()),
        Stage::Skipped | Stage::Committed => truth.clone(),
    };
    if guess.has_line() {
        let (label, short) = words::line_name();
        let points = guess.line().into_iter().map(|(x, y)| Point { x, y: Some(y) }).collect();
        let line = Curve {
            ink: Ink::Ink,
            stroke: Stroke::Dashed,
            filled: false,
            dot: Dot::None,
            label,
            short,
            points,
            tag: Tag::None,
        };
        // Below the truth.
        chart.curves.insert(0, line);
    }
    chart
}
