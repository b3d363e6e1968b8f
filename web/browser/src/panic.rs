//! After a panic a module's memory is not to be trusted: say so in place, and do nothing more.

use std::sync::atomic::{AtomicBool, Ordering};

use wasm_bindgen::JsValue;

static PANICKED: AtomicBool = AtomicBool::new(false);

/// Whether the module has panicked. Whoever is called from JavaScript asks first.
pub fn panicked() -> bool {
    PANICKED.load(Ordering::Relaxed)
}

/// Remembers a panic and writes it to the console. The words in the page are boot.js's: it also sees the traps that
/// never get here.
pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        PANICKED.store(true, Ordering::Relaxed);
        web_sys::console::error_1(&JsValue::from_str(&info.to_string()));
    }));
}
