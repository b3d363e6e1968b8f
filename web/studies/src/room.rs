//! The place of one study in the page: it follows the lab, and works only while it is open and in sight.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use goodput_browser::callbacks::{after_ms, listen_to};
use goodput_browser::dom::{document, find, now_ms, window};
use goodput_browser::failure::report_failure;
use goodput_browser::panic::panicked;
use goodput_browser::scenario::read_scenario;
use goodput_browser::sight::{Sight, SightWatch};
use goodput_sim::{Engine, ValidScenario};
use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;
use web_sys::{CustomEvent, Element, HtmlDetailsElement};

use crate::scheme::SchemeWatch;
use crate::study::{Study, study};
use crate::view::View;

/// How long it works before the page may answer [ms].
const TURN_MS: f64 = 12.0;

/// A study in the page, with all that it listens to.
pub(crate) struct Room {
    inner: Rc<RefCell<Inner>>,
    _listeners: Vec<EventListener>,
    _sight: SightWatch,
    _scheme: SchemeWatch,
}

/// The way back into a room, for those whom the browser calls.
#[derive(Clone)]
pub(crate) struct Handle(Weak<RefCell<Inner>>);

impl Handle {
    /// Does something with the room, if it is there and not at work.
    pub(crate) fn with(&self, act: impl FnOnce(&mut Inner)) {
        if panicked() {
            return;
        }
        if let Some(inner) = self.0.upgrade()
            && let Ok(mut inner) = inner.try_borrow_mut()
        {
            act(&mut inner);
        }
    }
}

/// What a room is about.
pub(crate) struct Inner {
    details: HtmlDetailsElement,
    handle: Handle,
    engine: Engine,
    scenario: ValidScenario,
    /// What is shown is of another scenario, or nothing is.
    is_stale: bool,
    in_sight: bool,
    /// The study at work, and when it goes on.
    at_work: Option<Box<dyn Study>>,
    turn: Option<Timeout>,
    pub(crate) view: View,
}

impl Room {
    /// Opens the room of a study.
    pub(crate) fn open(details: &HtmlDetailsElement) -> Result<Self, JsValue> {
        let page = document()?;
        let view = View::in_room(&find(details, "[data-room]")?)?;
        let inner = Rc::new_cyclic(|weak| {
            RefCell::new(Inner {
                details: details.clone(),
                handle: Handle(weak.clone()),
                engine: Engine::new(),
                scenario: ValidScenario::default(),
                is_stale: true,
                in_sight: true,
                at_work: None,
                turn: None,
                view,
            })
        });
        let handle = Handle(Rc::downgrade(&inner));
        let mut listeners = Vec::new();
        if let Some(lab) = page.query_selector("[data-lab]")? {
            let handle = handle.clone();
            listeners.push(listen_to(&lab, "lab-result", move |event| {
                if let Some(event) = event.dyn_ref::<CustomEvent>() {
                    // What is no summary is not the lab's, and changes nothing.
                    handle
                        .with(|inner| inner.follow(&event.detail()).unwrap_or_else(|failure| report_failure(&failure)));
                }
            }));
        }
        let again = handle.clone();
        listeners.push(listen_to(window()?.as_ref(), "resize", move |_| again.with(|inner| inner.view.draw())));
        let seen = handle.clone();
        let watched: &Element = details;
        let sight = SightWatch::new(std::iter::once(watched), Sight::Near, move |_, in_sight| {
            seen.with(|inner| {
                inner.in_sight = in_sight;
                inner.work();
            });
        })?;
        let repaint = handle.clone();
        let scheme = SchemeWatch::new(move |scheme| repaint.with(|inner| inner.view.recolour(scheme)))?;
        inner.borrow_mut().view.recolour(scheme.now());
        Ok(Self { inner, _listeners: listeners, _sight: sight, _scheme: scheme })
    }

    pub(crate) fn is_of(&self, details: &HtmlDetailsElement) -> bool {
        self.inner.try_borrow().is_ok_and(|inner| inner.details == *details)
    }

    /// Looks at what the lab shows.
    pub(crate) fn follow(&self, summary: &JsValue) -> Result<(), JsValue> {
        self.inner.try_borrow_mut().map_or(Ok(()), |mut inner| inner.follow(summary))
    }
}

impl Inner {
    fn follow(&mut self, summary: &JsValue) -> Result<(), JsValue> {
        let scenario = scenario_of(summary)?;
        if self.scenario != scenario {
            self.is_stale = true;
            self.scenario = scenario;
            (self.at_work, self.turn) = (None, None);
        }
        self.work();
        Ok(())
    }

    /// Begins or goes on, if there is something to do and somebody to see it.
    fn work(&mut self) {
        let is_seen = self.details.open() && self.in_sight;
        if !is_seen || !self.is_stale {
            self.turn = None;
            return;
        }
        if self.at_work.is_none() {
            let name = self.details.get_attribute("data-study").unwrap_or_default();
            self.at_work = study(&name, self.scenario.clone());
        }
        let handle = self.handle.clone();
        self.turn = Some(after_ms(0, move || handle.with(Self::take_turn)));
    }

    fn take_turn(&mut self) {
        let end = now_ms() + TURN_MS;
        loop {
            let Some(study) = &mut self.at_work else { return };
            if let Some(exhibit) = study.advance(&mut self.engine) {
                (self.at_work, self.turn, self.is_stale) = (None, None, false);
                self.view.show(exhibit, &self.handle).unwrap_or_else(|failure| report_failure(&failure));
                return;
            }
            if now_ms() >= end {
                self.work();
                return;
            }
        }
    }
}

/// The scenario in a summary, as the lab hands it out; the lesson's where there is none.
fn scenario_of(summary: &JsValue) -> Result<ValidScenario, JsValue> {
    if summary.is_undefined() {
        return Ok(ValidScenario::default());
    }
    let scenario: Object = Reflect::get(summary, &"scenario".into())?.dyn_into()?;
    read_scenario(&scenario).map_err(|refusal| JsValue::from_str(&refusal.to_string()))
}
