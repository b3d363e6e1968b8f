//! The guess in the page: its questions, and then what came of it.

use gloo_events::EventListener;
use goodput_charts::Scheme;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlDetailsElement, HtmlElement, HtmlInputElement};

use crate::callbacks::{listen_to, on_submit};
use crate::dom::{Slot, document, find, find_all, set_attribute};
use crate::guess::sketch::{Contact, Sketch};
use crate::guess::state::{Act, Guess, PASSED, Stage, Truth};
use crate::guess::words;
use crate::memory;
use crate::resize::SizeWatch;

/// What the device calls a guess.
const KEY: &str = "guess";

/// What happens to the guess.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Event {
    /// The reader does something.
    Act(Act),
    /// The pen touches the chart.
    Pen(Contact),
    /// The chart has another size: its width [CSS px], width and height [device px].
    Size(f64, (f64, f64)),
}

/// The section of the guess, and what it asked of the browser.
#[derive(Debug)]
pub(crate) struct GuessView {
    guess: Guess,
    root: Element,
    fold: HtmlDetailsElement,
    goodput: HtmlInputElement,
    chosen: Slot,
    wipe: Element,
    gaps: Vec<(Slot, Element)>,
    outcome: HtmlElement,
    outcome_sketch: Element,
    /// In the lab: the way round the questions.
    cover: Element,
    sketch: Sketch,
    /// Something is not shown yet.
    changed: bool,
    _listeners: Vec<EventListener>,
    _size: SizeWatch,
}

impl GuessView {
    /// The section, if the page has one. Where nobody is to be asked it is as if passed over, unless a guess was made
    /// before. `on` is called with whatever happens in it.
    pub(crate) fn in_page(
        lab: &Element,
        truth: Truth,
        asks: bool,
        on: impl Fn(Event) + Clone + 'static,
    ) -> Result<Option<Self>, JsValue> {
        let Some(root) = document()?.query_selector("[data-guess]")? else { return Ok(None) };
        let cover: Element = find(lab, "[data-cover]")?;
        let sketch = Sketch::in_guess(&root)?;
        let act = {
            let on = on.clone();
            move |act| on(Event::Act(act))
        };
        let mut listeners = sketch.listeners(&act, {
            let on = on.clone();
            move |contact| on(Event::Pen(contact))
        });
        listeners.extend(listen_to_answers(&root, &act)?);
        for (scope, selector, what) in [
            (&root, "[data-act=wipe]", Act::Wipe),
            (&root, "[data-act=skip]", Act::Skip),
            (&cover, "[data-act=skip]", Act::Skip),
        ] {
            let act = act.clone();
            let button: Element = find(scope, selector)?;
            listeners.push(listen_to(&button, "click", move |_| act(what)));
        }
        let size = SizeWatch::new([sketch.plot.as_ref()].into_iter(), move |_, css_width, device| {
            on(Event::Size(css_width, device));
        })?;
        let gaps = ["late", "goodput", "line"].map(|name| {
            let gap = Slot::find(&root, &format!("[data-gap={name}]"))?;
            Ok((gap, find(&root, &format!("[data-answer={name}]"))?))
        });
        let view = Self {
            guess: Guess::recall(memory::recall(KEY).as_deref().or((!asks).then_some(PASSED)), truth),
            fold: find(&root, "details")?,
            goodput: find(&root, "input[name=goodput]")?,
            chosen: Slot::find(&root, "[data-chosen]")?,
            wipe: find(&root, "[data-act=wipe]")?,
            gaps: gaps.into_iter().collect::<Result<_, JsValue>>()?,
            outcome: find(&root, "[data-outcome]")?,
            outcome_sketch: find(&root, "[data-outcome-sketch]")?,
            cover,
            sketch,
            changed: true,
            root,
            _listeners: listeners,
            _size: size,
        };
        view.fold.set_open(view.is_asking());
        find::<Element>(&view.root, "[data-controls]")?.remove_attribute("disabled")?;
        view.show_stage()?;
        Ok(Some(view))
    }

    /// The questions are about the lesson: where the lab begins with another server nobody is asked, and the answers stand
    /// there, folded.
    pub(crate) fn pass() -> Result<(), JsValue> {
        let Some(root) = document()?.query_selector("[data-guess]")? else { return Ok(()) };
        set_attribute(&root, "data-state", state_of(Stage::Skipped));
        find::<HtmlDetailsElement>(&root, "details")?.set_open(false);
        Ok(())
    }

    pub(crate) fn guess(&self) -> &Guess {
        &self.guess
    }

    /// Whether the lab is to wait for the reader.
    pub(crate) fn is_asking(&self) -> bool {
        self.guess.stage() == Stage::Asking
    }

    /// Takes what has happened. True when with it the lab opens.
    pub(crate) fn receive(&mut self, event: Event, scheme: Scheme) -> bool {
        self.changed = true;
        let act = match event {
            Event::Act(act) => act,
            Event::Pen(contact) => match self.sketch.stroke(contact, &self.guess.truth().chart) {
                Some(stroke) => stroke,
                None => return false,
            },
            Event::Size(css_width, device) => {
                self.sketch.resize(css_width, device, scheme, &self.guess.truth().chart);
                return false;
            }
        };
        let over = self.guess.act(act);
        if let Some(text) = self.guess.remembered().filter(|_| over) {
            memory::remember(KEY, &text);
        }
        over
    }

    /// The questions make way for what came of them, and whoever had the focus on a button that is gone gets another.
    pub(crate) fn open(&mut self, lab: &Element) -> Result<(), JsValue> {
        self.show_stage()?;
        if self.guess.stage() == Stage::Committed {
            return self.outcome.focus();
        }
        self.fold.set_open(false);
        find::<HtmlElement>(lab, "input[name=rate]")?.focus()
    }

    fn show_stage(&self) -> Result<(), JsValue> {
        set_attribute(&self.root, "data-state", state_of(self.guess.stage()));
        if self.guess.stage() == Stage::Committed {
            let words = [self.guess.late_gap(), self.guess.goodput_gap(), self.guess.line_gap()];
            for ((gap, answer), words) in self.gaps.iter().zip(words) {
                let Some(words) = words else { continue };
                gap.set_text(&words);
                set_attribute(answer, "hidden", "");
            }
            if self.guess.has_line() {
                self.outcome_sketch.append_child(&self.sketch.plot)?;
            }
        }
        Ok(())
    }

    /// Shows what has changed; `covered` is whether the lab still hides what is asked about.
    pub(crate) fn show(&mut self, covered: bool) -> Result<(), JsValue> {
        self.cover.toggle_attribute_with_force("hidden", !covered)?;
        if !std::mem::take(&mut self.changed) {
            return Ok(());
        }
        let words = words::chosen(self.guess.answers().goodput);
        if self.chosen.set_text(&words) {
            set_attribute(&self.goodput, "aria-valuetext", &words);
        }
        self.wipe.toggle_attribute_with_force("disabled", !self.guess.has_line())?;
        self.sketch.show(&self.guess)
    }

    pub(crate) fn recolour(&mut self, scheme: Scheme) {
        self.sketch.recolour(scheme);
        self.changed = true;
    }
}

/// The answers that are chosen, and the button that sends them.
fn listen_to_answers(root: &Element, act: &(impl Fn(Act) + Clone + 'static)) -> Result<Vec<EventListener>, JsValue> {
    let mut listeners = Vec::new();
    for (selector, what) in [("input[name=late]", Act::Late as fn(bool) -> Act), ("input[name=sure]", Act::Sure)] {
        for radio in find_all(root, selector)? {
            let act = act.clone();
            let yes = radio.get_attribute("value").as_deref() == Some("yes");
            listeners.push(listen_to(&radio, "change", move |_| act(what(yes))));
        }
    }
    let goodput: HtmlInputElement = find(root, "input[name=goodput]")?;
    listeners.push(listen_to(&goodput, "input", {
        let act = act.clone();
        move |event| {
            let field = event.target().and_then(|target| target.dyn_into::<HtmlInputElement>().ok());
            if let Some(field) = field {
                act(Act::Goodput((field.value_as_number() * 10.0).round() as u8));
            }
        }
    }));
    let form: Element = find(root, "form")?;
    let act = act.clone();
    listeners.push(on_submit(&form, move || act(Act::Commit)));
    Ok(listeners)
}

/// How the markup names how far a guess is.
fn state_of(stage: Stage) -> &'static str {
    match stage {
        Stage::Asking => "asking",
        Stage::Skipped => "skipped",
        Stage::Committed => "committed",
    }
}
