//! A list of points to tick off, whose ticks stay on the device.

use gloo_events::EventListener;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlInputElement};

use crate::dom::{Slot, find_all};
use crate::memory;
use crate::say::checklist::Checklist;
use crate::say::sheet::ticked;
use crate::say::view::{Msg, Sender, enable};
use crate::say::words;

/// The boxes of a list, what they say, and how many are ticked.
#[derive(Debug)]
pub(crate) struct ChecklistView {
    /// What the page calls it.
    pub(crate) name: String,
    list: Checklist,
    boxes: Vec<HtmlInputElement>,
    labels: Vec<String>,
    covered: Slot,
    _listeners: Vec<EventListener>,
}

impl ChecklistView {
    pub(crate) fn take_over(root: &Element, index: usize, send: &Sender) -> Result<Self, JsValue> {
        let name = root.get_attribute("data-points").unwrap_or_default();
        let boxes: Vec<HtmlInputElement> =
            find_all(root, "input[type=checkbox]")?.into_iter().filter_map(|each| each.dyn_into().ok()).collect();
        let (labels, covered) = (find_all(root, "label")?, Slot::find(root, "[data-covered]")?);
        let mut listeners = Vec::new();
        for (point, each) in boxes.iter().enumerate() {
            listeners.push(send.on(each, "change", Msg::Ticked { list: index, point }));
        }
        let remembered = memory::recall(&format!("ticks.{name}")).unwrap_or_default();
        let view = Self {
            list: Checklist::new(boxes.iter().map(HtmlInputElement::value), &remembered),
            labels: labels.iter().map(words_of).collect(),
            covered,
            name,
            boxes,
            _listeners: listeners,
        };
        enable(view.covered.element());
        for (each, ticked) in view.boxes.iter().zip(view.list.ticks()) {
            each.set_checked(ticked);
        }
        view.show();
        Ok(view)
    }

    pub(crate) fn tick(&mut self, point: usize) {
        if let Some(each) = self.boxes.get(point) {
            self.list.tick(point, each.checked());
            memory::remember(&format!("ticks.{}", self.name), &self.list.written());
            self.show();
        }
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        for each in &self.boxes {
            each.set_checked(false);
        }
        self.show();
    }

    fn show(&self) {
        self.covered.set_text(&words::covered(self.list.covered(), self.list.points()));
    }

    /// The ticked points and those left out, for the page to keep.
    pub(crate) fn lines(&self) -> Vec<String> {
        ticked(&self.list, &self.labels)
    }
}

fn words_of(element: &Element) -> String {
    element.text_content().unwrap_or_default().trim().to_owned()
}
