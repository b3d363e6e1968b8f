//! The parts of the lesson in which the learner speaks, and what ties them to the lab's runs.

use std::fmt;
use std::rc::Rc;

use gloo_events::EventListener;
use goodput_summary::Summary;
use wasm_bindgen::JsValue;
use web_sys::{Element, EventTarget};

use crate::callbacks::listen_to;
use crate::dom::{document, find_all};
use crate::failure::report_failure;
use crate::journal::Journal;
use crate::memory;
use crate::say::attempt_view::AttemptView;
use crate::say::checklist_view::ChecklistView;
use crate::say::own_view::OwnView;
use crate::say::quiz_view::QuizView;
use crate::say::sheet::{SummarySheet, found, sums};
use crate::say::sheet_view::SheetView;
use crate::say::timer_view::TimerView;
use crate::say::words::{self, Section};

/// What can happen to the learner's parts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Msg {
    /// Something was typed into this attempt's field.
    Typed(usize),
    /// This attempt was made aloud.
    Said(usize),
    /// A point of this list was ticked, or its tick taken away.
    Ticked { list: usize, point: usize },
    /// The clock shall start or stop.
    ToggleTimer,
    /// The clock shall go back to nothing.
    ResetTimer,
    /// The clock may have to show another second.
    Look,
    /// The answer to the sum shall be checked.
    Check,
    /// Another sum is wanted.
    Another,
    /// The page to keep shall go to the clipboard.
    Copy,
    /// It did, or could not.
    Copied(bool),
    /// All that is remembered on this device shall go.
    Forget,
}

/// The way back into the learner's parts for what the browser calls.
#[derive(Clone)]
pub(crate) struct Sender(Rc<dyn Fn(Msg)>);

impl Sender {
    pub(crate) fn new(send: impl Fn(Msg) + 'static) -> Self {
        Self(Rc::new(send))
    }

    pub(crate) fn send(&self, msg: Msg) {
        (self.0)(msg);
    }

    /// Sends a message at every event of this kind.
    pub(crate) fn on(&self, target: &EventTarget, event: &'static str, msg: Msg) -> EventListener {
        let sender = self.clone();
        listen_to(target, event, move |_| sender.send(msg))
    }
}

impl fmt::Debug for Sender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Sender")
    }
}

/// The learner's parts of the page.
#[derive(Debug)]
pub(crate) struct Say {
    journal: Journal,
    /// What was predicted, and which goals were reached: lines that others write.
    predicted: Vec<String>,
    goals: Vec<String>,
    attempts: Vec<AttemptView>,
    lists: Vec<ChecklistView>,
    timer: TimerView,
    quiz: QuizView,
    own: OwnView,
    sheet: SheetView,
}

impl Say {
    /// Takes over the learner's parts, if the page has them.
    ///
    /// # Errors
    /// When a part lacks what it needs.
    pub(crate) fn in_page(send: &Sender) -> Result<Option<Self>, JsValue> {
        let page = document()?.document_element().ok_or("the document is empty")?;
        if page.query_selector("#say-it")?.is_none() {
            return Ok(None);
        }
        let (mut lists, mut attempts) = (Vec::new(), Vec::new());
        for root in find_all(&page, "[data-points]")? {
            lists.push(ChecklistView::take_over(&root, lists.len(), send)?);
        }
        for root in find_all(&page, "[data-attempt]")? {
            attempts.push(AttemptView::take_over(&root, attempts.len(), send)?);
        }
        let say = Self {
            journal: Journal::default(),
            predicted: Vec::new(),
            goals: Vec::new(),
            attempts,
            lists,
            timer: TimerView::take_over(&page, send)?,
            quiz: QuizView::take_over(&page, send)?,
            own: OwnView::in_page(&page)?,
            sheet: SheetView::take_over(&page, send)?,
        };
        for group in find_all(&page, "fieldset[data-say]")? {
            enable(&group);
        }
        Ok(Some(say))
    }

    /// Takes down a run on which the lab has settled. What it may have reached follows with [`Say::tell`].
    pub(crate) fn note(&mut self, run: &Summary) {
        self.journal.note(run);
        self.own.show(&self.journal);
    }

    /// Takes what the learner predicted and which goals were reached, line by line, and shows the page to keep.
    pub(crate) fn tell(&mut self, predicted: Vec<String>, goals: Vec<String>) {
        (self.predicted, self.goals) = (predicted, goals);
        self.show_sheet();
    }

    /// Sees to a message. Where it answers the quiz's question: whether it is right.
    pub(crate) fn receive(&mut self, msg: Msg) -> Option<bool> {
        let mut answered = None;
        match msg {
            Msg::Typed(index) => self.attempt(index, AttemptView::typed),
            Msg::Said(index) => self.attempt(index, AttemptView::said),
            Msg::Ticked { list, point } => {
                if let Some(list) = self.lists.get_mut(list) {
                    list.tick(point);
                }
            }
            Msg::ToggleTimer => self.timer.toggle(),
            Msg::ResetTimer => self.timer.reset(),
            Msg::Look => self.timer.show(),
            Msg::Check => answered = self.quiz.check(),
            Msg::Another => self.quiz.another(),
            Msg::Copy => self.sheet.copy(),
            Msg::Copied(done) => self.sheet.copied(done),
            Msg::Forget => self.forget(),
        }
        if matches!(msg, Msg::Typed(_) | Msg::Ticked { .. } | Msg::Check | Msg::Forget) {
            self.show_sheet();
        }
        answered
    }

    fn attempt(&mut self, index: usize, act: fn(&mut AttemptView)) {
        if let Some(attempt) = self.attempts.get_mut(index) {
            act(attempt);
        }
    }

    fn forget(&mut self) {
        memory::forget();
        for attempt in &mut self.attempts {
            attempt.clear();
        }
        for list in &mut self.lists {
            list.clear();
        }
        self.sheet.forgotten();
    }

    fn show_sheet(&mut self) {
        let (mut why, mut thirty, mut follow_ups) = (Vec::new(), Vec::new(), Vec::new());
        for attempt in &self.attempts {
            let part = if attempt.name == "why" { &mut why } else { &mut follow_ups };
            part.extend(attempt.line());
        }
        for list in &self.lists {
            let part = if list.name == "why" { &mut why } else { &mut thirty };
            part.extend(list.lines());
        }
        follow_ups.extend(sums(&self.quiz.quiz));
        let mut sheet = SummarySheet::default();
        for (section, lines) in [
            (Section::Predicted, self.predicted.clone()),
            (Section::Goals, self.goals.clone()),
            (Section::Found, found(&self.journal)),
            (Section::Why, why),
            (Section::Thirty, thirty),
            (Section::FollowUps, follow_ups),
        ] {
            sheet.add(words::section(section), lines);
        }
        self.sheet.show(sheet).unwrap_or_else(|failure| report_failure(&failure));
    }
}

/// Lets the reader in: until the engine runs, controls are disabled or hidden.
pub(crate) fn enable(element: &Element) {
    element.remove_attribute("disabled").ok();
    element.remove_attribute("hidden").ok();
}
