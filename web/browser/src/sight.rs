//! Tells which elements are in sight, or nearly: what nobody sees need not be drawn while it moves.

use wasm_bindgen::prelude::*;
use web_sys::{DomRect, Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};

use crate::dom::window;

/// How far out of sight still counts as near, so that a chart is ready when it is scrolled in.
const NEAR: &str = "10%";
/// The same as a share of the window's height.
const SHARE: f64 = 0.1;
/// An edge of less than this does not count as seen: a chart draws nothing there.
const EDGE: &str = "-5px";

/// Whether an element in this place is in sight, or nearly, now: for the first picture, before anything was reported.
pub fn in_sight(rect: &DomRect) -> bool {
    let Some(height) = window().ok().and_then(|window| window.inner_height().ok()?.as_f64()) else { return true };
    rect.bottom() > -height * SHARE && rect.top() < height * (1.0 + SHARE)
}

/// How much of an element has to be in sight to count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// None of it: it may be a tenth of the window's height away.
    Near,
    /// More than an edge.
    Seen,
}

/// Watches elements until it is dropped.
#[derive(Debug)]
pub struct SightWatch {
    observer: IntersectionObserver,
    _callback: Closure<dyn FnMut(js_sys::Array<IntersectionObserverEntry>)>,
}

impl SightWatch {
    /// Calls back with the element's index and whether that much of it is in sight, first for all and then whenever that
    /// changes.
    ///
    /// # Errors
    /// When the browser refuses to observe.
    pub fn new<'e>(
        elements: impl Iterator<Item = &'e Element>,
        sight: Sight,
        on_sight: impl FnMut(usize, bool) + 'static,
    ) -> Result<Self, JsValue> {
        Self::watch(&elements.cloned().collect::<Vec<_>>(), sight, Box::new(on_sight))
    }

    /// Once for all callers, because it is downloaded.
    fn watch(elements: &[Element], sight: Sight, mut on_sight: Box<dyn FnMut(usize, bool)>) -> Result<Self, JsValue> {
        let watched = elements.to_owned();
        let callback = Closure::new(move |entries: js_sys::Array<IntersectionObserverEntry>| {
            for entry in entries.iter() {
                if let Some(index) = watched.iter().position(|element| *element == entry.target()) {
                    on_sight(index, entry.is_intersecting());
                }
            }
        });
        let options = IntersectionObserverInit::new();
        options.set_root_margin(match sight {
            Sight::Near => NEAR,
            Sight::Seen => EDGE,
        });
        let observer = IntersectionObserver::new_with_options(callback.as_ref().unchecked_ref(), &options)?;
        for element in elements {
            observer.observe(element);
        }
        Ok(Self { observer, _callback: callback })
    }
}

impl Drop for SightWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
