//! What the page calls: the way into the studies.

use std::cell::RefCell;

use goodput_browser::{numerals, panic};
use wasm_bindgen::prelude::*;
use web_sys::HtmlDetailsElement;

use crate::room::Room;

thread_local! {
    /// The rooms that were opened, which live as long as the page.
    static ROOMS: RefCell<Vec<Room>> = const { RefCell::new(Vec::new()) };
}

/// Runs when the module is loaded.
#[wasm_bindgen(start)]
pub fn start() {
    panic::install();
    // Without a document there is nobody to read figures.
    numerals::follow_page().unwrap_or_default();
}

/// Shows the study whose `<details>` the reader has opened, of the scenario in `summary`, what the lab shows now; without
/// one, of the lesson's. From then on it follows the lab.
///
/// # Errors
/// When there is no such study, its markup lacks a part, or the summary is none.
#[wasm_bindgen]
pub fn enter(details: &HtmlDetailsElement, summary: &JsValue) -> Result<(), JsValue> {
    if panic::panicked() {
        return Err(JsValue::from_str("the studies have stopped"));
    }
    ROOMS.with_borrow_mut(|rooms| {
        if !rooms.iter().any(|room| room.is_of(details)) {
            rooms.push(Room::open(details)?);
        }
        rooms.iter().filter(|room| room.is_of(details)).try_for_each(|room| room.follow(summary))
    })
}
