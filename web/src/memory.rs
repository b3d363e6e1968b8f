//! What a reader left on this device, and nowhere else: guesses, ticks, choices.
//!
//! Storage may be refused (a sandboxed frame, a strict browser). Then everything works and nothing is remembered.

use web_sys::Storage;

use crate::dom::{document, window};

/// All keys of ours begin with this: other pages of the same origin share the store.
const PREFIX: &str = "goodput-lab.";

/// The device's store, on our own page only: in somebody's frame nothing is kept, and each visit is like the first.
fn storage() -> Option<Storage> {
    let in_frame = document().ok()?.document_element()?.has_attribute("data-embed");
    if in_frame { None } else { window().ok()?.local_storage().ok()? }
}

/// What was remembered under `key`, if anything was.
pub(crate) fn recall(key: &str) -> Option<String> {
    storage()?.get_item(&format!("{PREFIX}{key}")).ok()?
}

/// Remembers `value` under `key`, where the browser lets us.
pub(crate) fn remember(key: &str, value: &str) {
    if let Some(storage) = storage() {
        // Full or refused: then it is not remembered, which the module's text allows.
        storage.set_item(&format!("{PREFIX}{key}"), value).ok();
    }
}

/// Forgets all that was remembered, whoever remembered it.
pub(crate) fn forget() {
    let Some(storage) = storage() else { return };
    let count = storage.length().unwrap_or_default();
    // All names first: they move up when one is taken out.
    let keys: Vec<_> = (0..count).filter_map(|index| storage.key(index).ok()?).collect();
    for key in keys.iter().filter(|key| key.starts_with(PREFIX)) {
        storage.remove_item(key).ok();
    }
}
