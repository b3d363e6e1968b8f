//! How the page's language writes numbers, asked of the browser.

use goodput_charts::Numerals;
use js_sys::{Array, Intl, Object, Reflect};
use wasm_bindgen::JsValue;

use crate::dom::document;

/// A number that shows all there is to know: groups, a point, and the digit one.
const SAMPLE: f64 = 111_111.5;

/// Sets the numerals of all figures to those of the page's `lang`. Where the browser does not know it, they stay English.
///
/// # Errors
/// Where there is no document.
pub fn follow_page() -> Result<(), JsValue> {
    let lang = document()?.document_element().and_then(|page| page.get_attribute("lang")).unwrap_or_default();
    if lang.is_empty() || lang.starts_with("en") {
        return Ok(());
    }
    let format = Intl::NumberFormat::new(&Array::of1(&lang.into()), &Object::new());
    let mut numerals = Numerals::ENGLISH;
    for part in format.format_to_parts(SAMPLE) {
        let get = |key: &str| Reflect::get(&part, &key.into()).ok()?.as_string();
        let Some(value) = get("value").and_then(|value| value.chars().next()) else { continue };
        match get("type").as_deref() {
            Some("decimal") => numerals.decimal = value,
            Some("group") => numerals.group = value,
            Some("integer") => numerals.zero = char::from_u32(value as u32 - 1).unwrap_or('0'),
            _ => {}
        }
    }
    numerals.set();
    Ok(())
}
