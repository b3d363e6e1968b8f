//! Light or dark: by the system, or as the reader chose on this device.

use gloo_events::EventListener;
use goodput_charts::Scheme;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, EventTarget, HtmlInputElement, MediaQueryList};

use crate::callbacks::listen_to;
use crate::dom::{document, find_all, window};
use crate::memory::{recall, remember};

/// The key of the choice on the device; `visit.js` reads it too, before the first paint.
const KEY: &str = "scheme";

/// What decides between light and dark.
#[derive(Debug)]
pub(crate) struct SchemeChoice {
    page: Element,
    system: Option<MediaQueryList>,
    choices: Vec<HtmlInputElement>,
}

impl SchemeChoice {
    /// Finds the page's choice, if it offers one, and shows what was chosen.
    pub(crate) fn in_page() -> Result<Self, JsValue> {
        let page = document()?.document_element().ok_or("the document is empty")?;
        let choices: Vec<HtmlInputElement> =
            find_all(&page, "input[name=scheme]")?.into_iter().map(JsCast::unchecked_into).collect();
        let chosen = recall(KEY).unwrap_or_default();
        for choice in &choices {
            choice.set_checked(choice.value() == chosen);
        }
        Ok(Self { page, system: window()?.match_media("(prefers-color-scheme: dark)")?, choices })
    }

    /// The scheme in force.
    pub(crate) fn get(&self) -> Scheme {
        let dark = match self.page.get_attribute("data-scheme").as_deref() {
            Some("dark") => true,
            Some("light") => false,
            _ => self.system.as_ref().is_some_and(MediaQueryList::matches),
        };
        if dark { Scheme::Dark } else { Scheme::Light }
    }

    /// Calls back when the system or the reader changes it.
    pub(crate) fn listen(&self, changed: impl Fn() + Clone + 'static) -> Vec<EventListener> {
        let mut listeners = Vec::new();
        if let Some(system) = &self.system {
            let changed = changed.clone();
            listeners.push(listen_to(system, "change", move |_| changed()));
        }
        for choice in &self.choices {
            let (page, choice, changed) = (self.page.clone(), choice.clone(), changed.clone());
            let target: EventTarget = choice.clone().into();
            listeners.push(listen_to(&target, "change", move |_| {
                let value = choice.value();
                // Only a malformed name is refused.
                match value.is_empty() {
                    true => page.remove_attribute("data-scheme"),
                    false => page.set_attribute("data-scheme", &value),
                }
                .ok();
                remember(KEY, &value);
                changed();
            }));
        }
        listeners
    }
}
