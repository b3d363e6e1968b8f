//! The lab's form: reads input as messages, and shows what the model holds.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use goodput_charts::format;
use goodput_sim::{PRESETS, Preset, Scenario, theory};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, EventTarget, HtmlElement, HtmlInputElement};

use crate::dom::{Slot, document, find, find_all, set_attribute};
use crate::lab::worded;
use crate::lever::{Lever, Setting};
use crate::locks::Locks;
use crate::model::{Model, Msg};
use crate::rate::{Rate, Span};
use crate::words;

/// The elements of the form.
#[derive(Debug)]
pub(crate) struct Controls {
    groups: Vec<Element>,
    slider: HtmlInputElement,
    number: TypedField,
    seed: TypedField,
    draw: Slot,
    refusal: Slot,
    stops: Vec<Stop>,
    levers: Vec<(Lever, TypedField)>,
    /// The steps of the slider, down and up.
    nudges: [Element; 2],
    preset: HtmlInputElement,
    preset_about: Slot,
    capacity: Slot,
    /// What each control changes: frozen, it is out of use.
    lockable: Vec<(&'static str, Element)>,
    lessons_server: Element,
    reset: Element,
    locked_said: Element,
    shown_locks: RefCell<Locks>,
    shown_span: Cell<Span>,
    shown_capacity: Cell<(f64, Span)>,
    /// Whose preset is shown.
    shown_scenario: RefCell<Scenario>,
}

/// What to listen to, and how its event reads as a message.
pub(crate) struct Source {
    pub(crate) target: EventTarget,
    pub(crate) event: &'static str,
    pub(crate) read: Box<dyn Fn() -> Option<Msg>>,
}

impl Controls {
    pub(crate) fn in_lab(root: &Element) -> Result<Self, JsValue> {
        Ok(Self {
            groups: find_all(root, "[data-controls]")?.into_iter().chain(page_controls()?).collect(),
            slider: find(root, "input[name=rate]")?,
            number: TypedField::find(root, "[data-rate-number]")?,
            seed: TypedField::find(root, "input[name=seed]")?,
            draw: Slot::find(root, "[data-draw]")?,
            refusal: Slot::find(root, "[data-refusal]")?,
            stops: find_all(root, "[data-stop]")?.into_iter().map(|button| Stop::new(button, "data-stop")).collect(),
            levers: levers(root)?,
            nudges: [find(root, "[data-action=slower]")?, find(root, "[data-action=faster]")?],
            // A select has a value as an input has.
            preset: find::<Element>(root, "[data-preset]")?.unchecked_into(),
            preset_about: Slot::find(root, "[data-preset-about]")?,
            capacity: Slot::find(root, "[data-theory=capacity]")?,
            lockable: lockable(root)?,
            lessons_server: find(root, "[data-action=lessons-server]")?,
            reset: find(root, "[data-action=reset]")?,
            locked_said: find(root, "[data-locked]")?,
            shown_locks: RefCell::default(),
            shown_span: Cell::new(Span::LESSON),
            shown_capacity: Cell::new((f64::NAN, Span::LESSON)),
            shown_scenario: RefCell::default(),
        })
    }

    /// Lets the reader in: until the engine runs, the controls are disabled.
    pub(crate) fn enable(&self) {
        for group in &self.groups {
            group.remove_attribute("disabled").ok();
        }
    }

    /// Every source of messages in the form.
    pub(crate) fn sources(&self, root: &Element) -> Result<Vec<Source>, JsValue> {
        let mut sources = Vec::new();
        sources.extend(self.number.sources(typed_rate));
        sources.extend(self.seed.sources(Msg::TypeSeed));
        for &(lever, ref field) in &self.levers {
            sources.extend(field.sources(move |text| {
                let number = number(&text);
                Msg::Set(Setting { lever, text, number })
            }));
        }
        let mut on = |target: &EventTarget, event, read: Box<dyn Fn() -> Option<Msg>>| {
            sources.push(Source { target: target.clone(), event, read });
        };
        let slider = self.slider.clone();
        on(&self.slider, "input", Box::new(move || Some(Msg::Slide(Rate::nearest(slider.value_as_number())))));
        on(&self.slider, "change", Box::new(|| Some(Msg::Release)));
        for stop in &self.stops {
            let rate = stop.button.get_attribute("data-stop").unwrap_or_default();
            on(&stop.button, "click", Box::new(move || Some(typed_rate(rate.clone()))));
        }
        let preset = self.preset.clone();
        on(&self.preset, "change", Box::new(move || Some(Msg::Preset(preset.value()))));
        for (name, msg) in [
            ("slower", Msg::Nudge { up: false }),
            ("faster", Msg::Nudge { up: true }),
            ("push", Msg::Push),
            ("another-draw", Msg::AnotherDraw),
            ("lessons-draw", Msg::LessonsDraw),
            ("lessons-server", Msg::LessonsServer),
            ("levers-back", Msg::LeversBack),
            ("reset", Msg::Reset),
        ] {
            let button: Element = find(root, &format!("[data-action={name}]"))?;
            on(&button, "click", Box::new(move || Some(msg.clone())));
        }
        Ok(sources)
    }

    /// Shows the model's state in the form. A refused text stays where it was typed, beside the sentence about it.
    pub(crate) fn show(&self, model: &Model) {
        self.show_locks(model.locks());
        self.show_span(model.span());
        self.show_capacity(model);
        let rate = model.rate();
        let text = rate.text();
        if Rate::nearest(self.slider.value_as_number()) != rate {
            self.slider.set_value(&text);
        }
        match model.refusal() {
            None => {
                self.number.show(&text);
                self.seed.show(&model.seed().to_string());
                for (lever, typed) in &self.levers {
                    typed.show(&lever.text(model.server()));
                }
                self.show_preset(model.setup().scenario);
                self.refuse("");
            }
            Some(refusal) => self.refuse(&refusal.to_string()),
        }
        self.draw.set_text(&words::draw(model.seed()));
        for stop in &self.stops {
            stop.show(rate);
        }
    }

    /// Takes out of use what is frozen.
    fn show_locks(&self, locks: &Locks) {
        if *self.shown_locks.borrow() == *locks {
            return;
        }
        let disable = |control: &Element, locked| control.toggle_attribute_with_force("disabled", locked).ok();
        for (name, control) in &self.lockable {
            disable(control, locks.has(name));
        }
        disable(&self.lessons_server, locks.has_server());
        disable(&self.preset, locks.has_server());
        disable(&self.reset, locks.has_server() && locks.has("rate") && locks.has("seed"));
        self.locked_said.toggle_attribute_with_force("hidden", *locks == Locks::default()).ok();
        self.shown_locks.replace(locks.clone());
    }

    /// Gives the slider its range.
    fn show_span(&self, span: Span) {
        if self.shown_span.replace(span) == span {
            return;
        }
        // Its positions are counted from its lower end. A rate below the first step is a step of its own.
        let lower = if span.from < span.step { 0.0 } else { span.from.per_s() };
        self.slider.set_max(&span.to.per_s().to_string());
        self.slider.set_min(&lower.to_string());
        self.slider.set_step(&span.step.per_s().to_string());
        for (nudge, up) in self.nudges.iter().zip([false, true]) {
            set_attribute(nudge, "aria-label", &words::nudge(up, &format::rate(span.step.per_s())));
        }
    }

    /// Shows which preset is in view: at its own rate, else at any, which is said; of none of them nothing is.
    fn show_preset(&self, scenario: Scenario) {
        if *self.shown_scenario.borrow() == scenario {
            return;
        }
        let at_rate = |preset: &&Preset| preset.scenario() == scenario;
        let at_any = |preset: &&Preset| Scenario { rate: scenario.rate, ..preset.scenario() } == scenario;
        let exact = PRESETS.iter().find(at_rate);
        let preset = exact.or_else(|| PRESETS.iter().find(at_any));
        let name = preset.map_or("", |preset| preset.name);
        // Another rate is mostly of the same preset, and setting it takes time in each frame.
        if self.preset.value() != name {
            self.preset.set_value(name);
        }
        match (exact, preset) {
            (Some(preset), _) => self.preset_about.set_text(preset.about),
            (None, Some(_)) => self.preset_about.set_text(&words::preset_at_another_rate()),
            (None, None) => self.preset_about.set_text(""),
        };
        self.shown_scenario.replace(scenario);
    }

    /// Shows the capacity by its number, and by its place on the slider's track.
    fn show_capacity(&self, model: &Model) {
        let (capacity, span) = (theory::capacity(model.scenario()), model.span());
        if self.shown_capacity.replace((capacity, span)) == (capacity, span) {
            return;
        }
        self.capacity.set_text(&format::per_s(capacity));
        let Span { from, to, .. } = span;
        let (from, to) = (from.per_s(), to.per_s());
        let share = (capacity.max(from).min(to) - from) / (to - from);
        if let Some(mark) =
            self.capacity.element().parent_element().and_then(|mark| mark.dyn_into::<HtmlElement>().ok())
        {
            // Only a malformed name is refused.
            mark.style().set_property("--share", &format!("{share:.4}")).ok();
        }
    }

    /// Shows why an input was refused, or with no words that none is.
    fn refuse(&self, words: &str) {
        if self.refusal.set_text(words) {
            self.refusal.element().toggle_attribute_with_force("hidden", words.is_empty()).ok();
        }
    }
}

/// The controls that can be frozen, each by the name of what it changes.
fn lockable(root: &Element) -> Result<Vec<(&'static str, Element)>, JsValue> {
    let mut lockable = Vec::new();
    for (name, controls) in [
        ("rate", "input[name=rate], [data-rate-number], [data-stop], [data-action=slower], [data-action=faster]"),
        ("rate", "[data-action=push]"),
        ("seed", "input[name=seed], [data-action=another-draw], [data-action=lessons-draw]"),
        ("seeds", "[data-toggle=draws]"),
        ("theory", "[data-toggle=theory]"),
    ] {
        lockable.extend(find_all(root, controls)?.into_iter().map(|control| (name, control)));
    }
    for (lever, typed) in levers(root)? {
        lockable.push((lever.name(), typed.element.into()));
    }
    Ok(lockable)
}

/// What the page around the lab offers, as the choice of colours.
fn page_controls() -> Result<Vec<Element>, JsValue> {
    document()?.document_element().map_or(Ok(Vec::new()), |page| find_all(&page, "[data-page-controls]"))
}

/// The levers that the form offers, each with its control.
fn levers(root: &Element) -> Result<Vec<(Lever, TypedField)>, JsValue> {
    let controls = find_all(root, "[data-field]")?.into_iter();
    controls
        .map(|control| {
            // A select has name and value as an input has.
            let element: HtmlInputElement = control.unchecked_into();
            let lever = Lever::named(&element.name()).map_err(|refusal| worded(&refusal))?;
            Ok((lever, element.into()))
        })
        .collect()
}

/// A rate as its text says.
pub(crate) fn typed_rate(text: String) -> Msg {
    let read = number(&text);
    Msg::TypeRate(text, read)
}

/// A number as the browser reads it; a decimal comma is a decimal point.
pub(crate) fn number(text: &str) -> Option<f64> {
    let text = text.trim().replace(',', ".");
    // JavaScript takes nothing for zero.
    let value = if text.is_empty() { f64::NAN } else { JsValue::from_str(&text).unchecked_into_f64() };
    (!value.is_nan()).then_some(value)
}

/// A button that sets one rate, and whether it is shown as pressed.
#[derive(Debug)]
pub(crate) struct Stop {
    button: Element,
    rate: Option<Rate>,
    pressed: Cell<Option<bool>>,
}

impl Stop {
    /// A button whose rate stands in this attribute.
    pub(crate) fn new(button: Element, attribute: &str) -> Self {
        let rate = button.get_attribute(attribute).as_deref().and_then(number).map(Rate::nearest);
        Self { button, rate, pressed: Cell::new(None) }
    }

    /// Shows whether the rate in view is its own.
    pub(crate) fn show(&self, rate: Rate) {
        let pressed = self.rate == Some(rate);
        if self.pressed.replace(Some(pressed)) != Some(pressed) {
            set_attribute(&self.button, "aria-pressed", if pressed { "true" } else { "false" });
        }
    }
}

/// A field that is typed into. It speaks when its reader is done, because half a number is no number, and until then it
/// is left alone.
#[derive(Clone, Debug)]
struct TypedField {
    element: HtmlInputElement,
    typing: Rc<Cell<bool>>,
    /// What it was given last, unless its reader has typed since.
    shown: Rc<RefCell<Option<String>>>,
}

impl From<HtmlInputElement> for TypedField {
    fn from(element: HtmlInputElement) -> Self {
        Self { element, typing: Rc::default(), shown: Rc::default() }
    }
}

impl TypedField {
    fn find(root: &Element, selector: &str) -> Result<Self, JsValue> {
        find::<HtmlInputElement>(root, selector).map(Self::from)
    }

    /// What its reader types, as messages.
    fn sources(&self, message: impl Fn(String) -> Msg + Clone + 'static) -> impl Iterator<Item = Source> {
        [("input", true, false), ("change", false, true), ("blur", false, false)].into_iter().map(
            move |(event, typing, done)| {
                let (field, message) = (self.clone(), message.clone());
                let read = move || {
                    field.typing.set(typing);
                    if typing {
                        field.shown.take();
                    }
                    done.then(|| message(field.element.value()))
                };
                Source { target: self.element.clone().into(), event, read: Box::new(read) }
            },
        )
    }

    /// Shows a value, if it is another: setting it moves the caret, and asking the page for it takes time in each frame.
    fn show(&self, text: &str) {
        if self.typing.get() || self.shown.borrow().as_deref() == Some(text) {
            return;
        }
        if self.element.value() != text {
            self.element.set_value(text);
        }
        self.shown.replace(Some(text.to_owned()));
    }
}
