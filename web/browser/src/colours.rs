//! Light or dark, as the page is shown.

use goodput_charts::Scheme;
use wasm_bindgen::JsValue;
use web_sys::{Element, MediaQueryList};

use crate::dom::{document, window};

/// What decides between light and dark: the page's own attribute, and the system.
#[derive(Clone, Debug)]
pub struct Colours {
    /// The page, whose `data-scheme` comes first.
    pub page: Element,
    /// What the system wants, if the browser tells.
    pub system: Option<MediaQueryList>,
}

impl Colours {
    /// Those of this page.
    ///
    /// # Errors
    /// When the document is empty.
    pub fn of_page() -> Result<Self, JsValue> {
        let page = document()?.document_element().ok_or("the document is empty")?;
        Ok(Self { page, system: window()?.match_media("(prefers-color-scheme: dark)")? })
    }

    /// The scheme in force.
    pub fn scheme(&self) -> Scheme {
        let is_dark = match self.page.get_attribute("data-scheme").as_deref() {
            Some("dark") => true,
            Some("light") => false,
            _ => self.system.as_ref().is_some_and(MediaQueryList::matches),
        };
        if is_dark { Scheme::Dark } else { Scheme::Light }
    }
}
