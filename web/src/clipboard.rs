//! Handing a text to the clipboard, where the browser lets us.

use wasm_bindgen::prelude::*;

use crate::dom::window;

type Settled = Closure<dyn FnMut(JsValue)>;

/// The clipboard, and who is told how it went.
#[derive(Debug)]
pub(crate) struct Clipboard {
    taken: Settled,
    refused: Settled,
}

impl Clipboard {
    /// `settled` is called when a text was taken, and when it was refused.
    pub(crate) fn new(settled: impl Fn(bool) + Clone + 'static) -> Self {
        let when = |done: bool| {
            let settled = settled.clone();
            Closure::new(move |_| settled(done))
        };
        Self { taken: when(true), refused: when(false) }
    }

    /// Hands it a text. False where there is no clipboard, and nobody will be told.
    pub(crate) fn write(&self, text: &str) -> bool {
        let clipboard = window().map(|window| window.navigator().clipboard());
        // Where the connection is not secure there is none, whatever its type says.
        let Some(clipboard) = clipboard.ok().filter(|clipboard| !clipboard.is_undefined()) else { return false };
        drop(clipboard.write_text(text).then2(&self.taken, &self.refused));
        true
    }
}
