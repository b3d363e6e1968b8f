//! What the page calls: the way into the studies.

use std::cell::RefCell;

use goodput_browser::dom::find;
use goodput_browser::{numerals, panic};
use wasm_bindgen::prelude::*;
use web_sys::HtmlDetailsElement;

use crate::incident::room::IncidentRoom;
use crate::room::Room;

thread_local! {
    /// The rooms that were opened, which live as long as the page.
    static ROOMS: RefCell<Vec<Room>> = const { RefCell::new(Vec::new()) };
    /// That of the game, once it was opened.
    static GAME: RefCell<Option<IncidentRoom>> = const { RefCell::new(None) };
}

/// Runs when the module is loaded.
#[wasm_bindgen(start)]
pub fn start() {
    panic::install();
    // Without a document there is nobody to read figures.
    numerals::follow_page().unwrap_or_default();
}

/// Shows the study whose `<details>` the reader has opened, of the scenario in `summary`, what the lab shows now; without
/// one, of the lesson's. From then on it follows the lab. The game follows nobody.
///
/// # Errors
/// When there is no such study, its markup lacks a part, or the summary is none.
#[wasm_bindgen]
pub fn enter(details: &HtmlDetailsElement, summary: &JsValue) -> Result<(), JsValue> {
    if panic::panicked() {
        return Err(JsValue::from_str("the studies have stopped"));
    }
    if details.get_attribute("data-study").as_deref() == Some("incident") {
        return GAME.with_borrow_mut(|game| {
            if game.is_none() {
                *game = Some(IncidentRoom::open(&find(details, "[data-room]")?)?);
            }
            Ok(())
        });
    }
    ROOMS.with_borrow_mut(|rooms| {
        if !rooms.iter().any(|room| room.is_of(details)) {
            rooms.push(Room::open(details)?);
        }
        rooms.iter().filter(|room| room.is_of(details)).try_for_each(|room| room.follow(summary))
    })
}
