//! What goes wrong without stopping anything.

use wasm_bindgen::JsValue;

/// Tells whoever looks after the page. What stands there stays.
pub fn report_failure(failure: &JsValue) {
    web_sys::console::error_1(failure);
}
