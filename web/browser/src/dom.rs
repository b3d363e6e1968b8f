//! Finding things in the page. What the page must have and has not is an error that names it.

use std::cell::RefCell;

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Element, Node, Window};

/// The window.
///
/// # Errors
/// Where there is none, as in a worker.
pub fn window() -> Result<Window, JsValue> {
    web_sys::window().ok_or_else(|| JsValue::from_str("there is no window"))
}

/// The document.
///
/// # Errors
/// Where there is none, as in a worker.
pub fn document() -> Result<Document, JsValue> {
    window()?.document().ok_or_else(|| JsValue::from_str("there is no document"))
}

/// The page's clock [ms]; it never goes back.
pub fn now_ms() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |performance| performance.now())
}

/// The first element inside `root` that the selector finds, as the type wanted.
///
/// # Errors
/// When there is none, or one of another type.
pub fn find<T: JsCast>(root: &Element, selector: &str) -> Result<T, JsValue> {
    root.query_selector(selector)?
        .and_then(|element| element.dyn_into().ok())
        .ok_or_else(|| JsValue::from_str(&format!("the lab's markup lacks {selector}")))
}

/// All elements inside `root` that the selector finds.
///
/// # Errors
/// When the selector is malformed.
pub fn find_all(root: &Element, selector: &str) -> Result<Vec<Element>, JsValue> {
    let nodes = root.query_selector_all(selector)?;
    Ok((0..nodes.length()).filter_map(|i| nodes.get(i)?.dyn_into().ok()).collect())
}

/// An element whose text is ours alone, and what it was given last: asking the page for it would take longer than
/// all that the engine does.
#[derive(Debug)]
pub struct Slot {
    element: Element,
    shown: RefCell<Option<String>>,
    value: RefCell<Option<String>>,
}

impl Slot {
    /// The first element inside `root` that the selector finds.
    ///
    /// # Errors
    /// When there is none.
    pub fn find(root: &Element, selector: &str) -> Result<Self, JsValue> {
        find::<Element>(root, selector).map(Self::from)
    }

    /// The element.
    pub fn element(&self) -> &Element {
        &self.element
    }

    /// Sets the text, if it is another: an equal one would still cost a layout, and be read aloud. True when it was.
    pub fn set_text(&self, text: &str) -> bool {
        let mut shown = self.shown.borrow_mut();
        if shown.as_deref() == Some(text) {
            return false;
        }
        // The first time, the page's own text may stand there already.
        let other = shown.is_some() || self.element.text_content().as_deref() != Some(text);
        if other {
            self.write(text);
        }
        *shown = Some(text.to_owned());
        other
    }

    /// Into the text that stands there, if there is only that: a new one would have to be styled and placed first.
    fn write(&self, text: &str) {
        let alone = self
            .element
            .first_child()
            .filter(|child| child.node_type() == Node::TEXT_NODE && child.next_sibling().is_none() && !text.is_empty());
        match alone {
            Some(child) => child.set_node_value(Some(text)),
            None => self.element.set_text_content(Some(text)),
        }
    }

    /// Sets `data-value`, what the text says for those who read the page by program, if it is another.
    pub fn set_value(&self, value: String) {
        if self.value.borrow().as_ref() != Some(&value) {
            // Only a malformed name is refused.
            self.element.set_attribute("data-value", &value).ok();
            self.value.replace(Some(value));
        }
    }
}

impl From<Element> for Slot {
    fn from(element: Element) -> Self {
        Self { element, shown: RefCell::new(None), value: RefCell::new(None) }
    }
}

/// Sets an attribute, if its value is another. Only a malformed name is refused, and ours are literals.
pub fn set_attribute(element: &Element, name: &str, value: &str) {
    if element.get_attribute(name).as_deref() != Some(value) {
        element.set_attribute(name, value).ok();
    }
}
