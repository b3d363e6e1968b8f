//! Finding things in the page. What the page must have and has not is an error that names it.

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Document, Element, Window};

pub(crate) fn window() -> Result<Window, JsValue> {
    web_sys::window().ok_or_else(|| JsValue::from_str("there is no window"))
}

pub(crate) fn document() -> Result<Document, JsValue> {
    window()?.document().ok_or_else(|| JsValue::from_str("there is no document"))
}

/// The first element inside `root` that the selector finds, as the type wanted.
pub(crate) fn find<T: JsCast>(root: &Element, selector: &str) -> Result<T, JsValue> {
    root.query_selector(selector)?
        .and_then(|element| element.dyn_into().ok())
        .ok_or_else(|| JsValue::from_str(&format!("the lab's markup lacks {selector}")))
}

/// All elements inside `root` that the selector finds.
pub(crate) fn find_all(root: &Element, selector: &str) -> Result<Vec<Element>, JsValue> {
    let nodes = root.query_selector_all(selector)?;
    Ok((0..nodes.length()).filter_map(|i| nodes.get(i)?.dyn_into().ok()).collect())
}

/// Sets the text of an element, if it is another: an equal one would still cost a layout.
pub(crate) fn set_text(element: &Element, text: &str) {
    if element.text_content().as_deref() != Some(text) {
        element.set_text_content(Some(text));
    }
}

/// Sets an attribute, if its value is another. Only a malformed name is refused, and ours are literals.
pub(crate) fn set_attribute(element: &Element, name: &str, value: &str) {
    if element.get_attribute(name).as_deref() != Some(value) {
        element.set_attribute(name, value).ok();
    }
}
