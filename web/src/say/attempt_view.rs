//! A question that is answered first: the model answer opens once something was typed, or said aloud.

use gloo_events::EventListener;
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlDetailsElement, HtmlTextAreaElement};

use crate::dom::find;
use crate::memory;
use crate::say::view::{Msg, Sender, enable};
use crate::say::words;

/// The elements of an attempt. What is typed stays on the device.
#[derive(Debug)]
pub(crate) struct AttemptView {
    /// What the page calls it.
    pub(crate) name: String,
    /// What the page to keep calls it, if it is one of several.
    title: Option<String>,
    text: HtmlTextAreaElement,
    answer: HtmlDetailsElement,
    _listeners: [EventListener; 2],
}

impl AttemptView {
    pub(crate) fn take_over(root: &Element, index: usize, send: &Sender) -> Result<Self, JsValue> {
        let text: HtmlTextAreaElement = find(root, "[data-attempt-text]")?;
        let said: Element = find(root, "[data-attempt-said]")?;
        let answer = find(root, "[data-answer]")?;
        let attempt = Self {
            name: root.get_attribute("data-attempt").unwrap_or_default(),
            title: root.get_attribute("data-attempt-title"),
            _listeners: [send.on(&text, "input", Msg::Typed(index)), send.on(&said, "click", Msg::Said(index))],
            text,
            answer,
        };
        if let Some(text) = memory::recall(&attempt.key()) {
            attempt.text.set_value(&text);
        }
        enable(&said);
        attempt.show();
        Ok(attempt)
    }

    fn key(&self) -> String {
        format!("say.{}", self.name)
    }

    pub(crate) fn typed(&mut self) {
        memory::remember(&self.key(), &self.text.value());
        // What was once open to the reader is not taken away again.
        if self.is_made() {
            self.show();
        }
    }

    pub(crate) fn said(&mut self) {
        wait(&self.answer, false);
        self.answer.set_open(true);
    }

    pub(crate) fn clear(&mut self) {
        self.text.set_value("");
    }

    fn is_made(&self) -> bool {
        !self.text.value().trim().is_empty()
    }

    fn show(&self) {
        wait(&self.answer, !self.is_made());
    }

    /// What was written, if anything was.
    pub(crate) fn line(&self) -> Option<String> {
        let text = self.text.value();
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        Some(match &self.title {
            Some(title) => words::wrote(title, text),
            None => text.to_owned(),
        })
    }
}

/// Keeps an answer back until there was an attempt. Its room is kept, and on paper it shows all the same.
pub(crate) fn wait(answer: &Element, waits: bool) {
    let class = answer.class_list();
    // Only a malformed name is refused.
    if waits { class.add_1("waits") } else { class.remove_1("waits") }.ok();
}
