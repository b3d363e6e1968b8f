//! The goals in the page: marks, count, and a word when one is reached.

use goodput_sim::{Engine, Report, ValidScenario};
use wasm_bindgen::JsValue;
use web_sys::Element;

use crate::dom::{Slot, document, find, set_attribute};
use crate::goals::{self, Goal, Goals};
use crate::memory;
use crate::model::Model;
use crate::rate::{Rate, Span};

/// What the device calls them.
const KEY: &str = "goals";

/// The list of the goals.
#[derive(Debug)]
pub(crate) struct GoalsView {
    goals: Goals,
    items: Vec<(Element, Slot)>,
    count: Slot,
    status: Slot,
}

impl GoalsView {
    /// The list, if the page has one; `model` is the lab as it opens.
    pub(crate) fn in_page(model: &Model) -> Result<Option<Self>, JsValue> {
        let Some(root) = document()?.query_selector("[data-goals]")? else { return Ok(None) };
        let item = |goal: Goal| {
            let item: Element = find(&root, &format!("[data-goal={}]", goal.name()))?;
            let state = Slot::find(&item, "[data-goal-state]")?;
            Ok((item, state))
        };
        let view = Self {
            goals: Goals::recall(memory::recall(KEY).as_deref(), &lessons_curve(model)),
            items: Goal::ALL.into_iter().map(item).collect::<Result<_, JsValue>>()?,
            count: Slot::find(&root, "[data-goals-count]")?,
            status: Slot::find(&root, "[data-goals-status]")?,
        };
        view.show();
        Ok(Some(view))
    }

    /// The goals, line by line, for the page to keep.
    pub(crate) fn lines(&self) -> Vec<String> {
        self.goals.lines()
    }

    /// How many are reached.
    pub(crate) fn done(&self) -> usize {
        self.goals.done()
    }

    /// Takes the run on which the lab has come to rest. Gives what it has reached.
    pub(crate) fn observe(&mut self, model: &Model) -> Vec<Goal> {
        let new = self.goals.observe(model.scenario(), model.report(), model.curve());
        if new.is_empty() {
            return new;
        }
        memory::remember(KEY, &self.goals.remembered());
        self.show();
        self.status.set_text(&self.goals.announcement(&new));
        new
    }

    fn show(&self) {
        for ((item, state), goal) in self.items.iter().zip(Goal::ALL) {
            let reached = self.goals.has(goal);
            set_attribute(item, "data-state", if reached { "done" } else { "open" });
            state.set_text(&goals::state(reached));
        }
        self.count.set_text(&self.goals.count());
    }
}

/// The lesson's curve, which runs of other servers are compared with. A lab may open on another.
fn lessons_curve(model: &Model) -> Vec<Report> {
    match model.is_on_the_lessons_curve() {
        true => model.curve().to_vec(),
        // The lesson's own rates are valid; without a curve a goal would only wait for the reader's own runs.
        false => {
            let rates: Vec<f64> = Span::LESSON.rates().map(Rate::per_s).collect();
            Engine::new().sweep(&ValidScenario::default(), &rates).unwrap_or_default()
        }
    }
}
