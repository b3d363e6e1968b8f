//! Tells when the page changes between light and dark; a printer always gets light.

use gloo_events::EventListener;
use goodput_browser::callbacks::listen_to;
use goodput_browser::colours::Colours;
use goodput_browser::dom::window;
use goodput_charts::Scheme;
use wasm_bindgen::prelude::*;
use web_sys::{MutationObserver, MutationObserverInit};

/// Watches until it is dropped.
pub(crate) struct SchemeWatch {
    colours: Colours,
    observer: MutationObserver,
    _changed: Closure<dyn FnMut()>,
    _listeners: Vec<EventListener>,
}

impl SchemeWatch {
    /// Calls back with the scheme whenever it may be another.
    pub(crate) fn new(repaint: impl Fn(Scheme) + Clone + 'static) -> Result<Self, JsValue> {
        let colours = Colours::of_page()?;
        let window = window()?;
        let changed = {
            let (colours, repaint) = (colours.clone(), repaint.clone());
            move || repaint(colours.scheme())
        };
        let on_paper = move || repaint(Scheme::Light);
        let mut listeners = vec![listen_to(&window, "beforeprint", move |_| on_paper())];
        let back = changed.clone();
        listeners.push(listen_to(&window, "afterprint", move |_| back()));
        if let Some(system) = &colours.system {
            let changed = changed.clone();
            listeners.push(listen_to(system, "change", move |_| changed()));
        }
        let changed = Closure::new(changed);
        let observer = MutationObserver::new(changed.as_ref().unchecked_ref())?;
        let wanted = MutationObserverInit::new();
        wanted.set_attribute_filter(&[JsValue::from_str("data-scheme")].into_iter().collect::<js_sys::Array>());
        observer.observe_with_options(&colours.page, &wanted)?;
        Ok(Self { colours, observer, _changed: changed, _listeners: listeners })
    }

    /// The scheme in force.
    pub(crate) fn now(&self) -> Scheme {
        self.colours.scheme()
    }
}

impl Drop for SchemeWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
