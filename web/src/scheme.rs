//! Light or dark: by the system, or as the reader chose on this device.

use gloo_events::EventListener;
use goodput_browser::colours::Colours;
use goodput_charts::Scheme;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{EventTarget, HtmlInputElement};

use crate::callbacks::listen_to;
use crate::dom::find_all;
use crate::memory::{recall, remember};

/// The key of the choice on the device; `visit.js` reads it too, before the first paint.
const KEY: &str = "scheme";

/// What decides between light and dark.
#[derive(Debug)]
pub(crate) struct SchemeChoice {
    colours: Colours,
    choices: Vec<HtmlInputElement>,
}

impl SchemeChoice {
    /// Finds the page's choice, if it offers one, and shows what was chosen.
    pub(crate) fn in_page() -> Result<Self, JsValue> {
        let colours = Colours::of_page()?;
        let choices: Vec<HtmlInputElement> =
            find_all(&colours.page, "input[name=scheme]")?.into_iter().map(JsCast::unchecked_into).collect();
        let chosen = recall(KEY).unwrap_or_default();
        for choice in &choices {
            choice.set_checked(choice.value() == chosen);
        }
        Ok(Self { colours, choices })
    }

    /// The scheme in force.
    pub(crate) fn get(&self) -> Scheme {
        self.colours.scheme()
    }

    /// Calls back when the system or the reader changes it.
    pub(crate) fn listen(&self, changed: impl Fn() + Clone + 'static) -> Vec<EventListener> {
        let mut listeners = Vec::new();
        if let Some(system) = &self.colours.system {
            let changed = changed.clone();
            listeners.push(listen_to(system, "change", move |_| changed()));
        }
        for choice in &self.choices {
            let (page, choice, changed) = (self.colours.page.clone(), choice.clone(), changed.clone());
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
