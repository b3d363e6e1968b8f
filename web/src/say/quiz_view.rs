//! The sum on the page: its question, the field, what is said of the answer, and the sum written out.

use gloo_events::EventListener;
use wasm_bindgen::JsValue;
use web_sys::{Element, EventTarget, HtmlDetailsElement, HtmlInputElement};

use crate::callbacks::on_submit;
use crate::controls::number;
use crate::dom::{Slot, find};
use crate::say::attempt_view::wait;
use crate::say::quiz::{Quiz, Verdict};
use crate::say::view::{Msg, Sender};
use crate::say::words;

/// The quiz's elements.
#[derive(Debug)]
pub(crate) struct QuizView {
    /// Its state.
    pub(crate) quiz: Quiz,
    question: Slot,
    answer: HtmlInputElement,
    verdict: Slot,
    solution: HtmlDetailsElement,
    sum: Slot,
    sum_with_n: Slot,
    _listeners: [EventListener; 2],
}

impl QuizView {
    pub(crate) fn take_over(page: &Element, send: &Sender) -> Result<Self, JsValue> {
        let root: Element = find(page, "[data-quiz]")?;
        let form: EventTarget = find::<Element>(&root, "form")?.into();
        let another: Element = find(&root, "[data-quiz-another]")?;
        let question = Slot::find(&root, "[data-quiz-question]")?;
        let answer = find(&root, "[data-quiz-answer]")?;
        let verdict = Slot::find(&root, "[data-quiz-verdict]")?;
        let solution = find(&root, "[data-answer]")?;
        let sum = Slot::find(&root, "[data-quiz-sum]")?;
        let sum_with_n = Slot::find(&root, "[data-quiz-sum-with-n]")?;
        let check = {
            let send = send.clone();
            on_submit(&form, move || send.send(Msg::Check))
        };
        let view = Self {
            quiz: Quiz::default(),
            question,
            answer,
            verdict,
            solution,
            sum,
            sum_with_n,
            _listeners: [check, send.on(&another, "click", Msg::Another)],
        };
        view.ask();
        Ok(view)
    }

    /// Shows the question in view, nothing answered yet.
    fn ask(&self) {
        self.question.set_text(&words::question(&self.quiz.question));
        self.sum.set_text(&words::sum(&self.quiz.question));
        self.sum_with_n.set_text(&words::sum_with_n(&self.quiz.question));
        self.say("", "none");
        self.answer.set_value("");
        self.solution.set_open(false);
        wait(&self.solution, true);
    }

    /// Judges what stands in the field. Whether it is right; nothing where no number stands there.
    pub(crate) fn check(&mut self) -> Option<bool> {
        let verdict = self.quiz.answer(number(&self.answer.value()));
        let state = match verdict {
            Verdict::NoNumber => "none",
            _ if verdict.is_right() => "pass",
            _ => "fail",
        };
        self.say(&words::verdict(verdict, &self.quiz.question), state);
        // Any attempt will do: the sum is never out of reach.
        wait(&self.solution, false);
        if verdict.is_right() {
            self.solution.set_open(true);
        }
        (verdict != Verdict::NoNumber).then(|| verdict.is_right())
    }

    pub(crate) fn another(&mut self) {
        self.quiz.another();
        self.ask();
        // Whoever cannot see the question hears it with the field.
        self.answer.focus().ok();
    }

    fn say(&self, words: &str, state: &str) {
        self.verdict.set_text(words);
        self.verdict.element().set_attribute("data-state", state).ok();
    }
}
