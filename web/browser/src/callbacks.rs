//! What the browser is asked to call, each of a kind compiled once: the libraries' own functions are compiled anew for
//! every closure, and all of that would be downloaded.

use gloo_events::{EventListener, EventListenerOptions};
use gloo_timers::callback::Timeout;
use web_sys::{Event, EventTarget};

/// Calls at every event of this kind, until what is returned is dropped.
pub fn listen_to(target: &EventTarget, event: &'static str, act: impl FnMut(&Event) + 'static) -> EventListener {
    fn once_compiled(target: &EventTarget, event: &'static str, act: Box<dyn FnMut(&Event)>) -> EventListener {
        EventListener::new(target, event, act)
    }
    once_compiled(target, event, Box::new(act))
}

/// Calls when a form is sent, in place of the browser, which would load the page again.
pub fn on_submit(form: &EventTarget, act: impl FnMut() + 'static) -> EventListener {
    fn once_compiled(form: &EventTarget, mut act: Box<dyn FnMut()>) -> EventListener {
        let options = EventListenerOptions::enable_prevent_default();
        EventListener::new_with_options(form, "submit", options, move |event| {
            event.prevent_default();
            act();
        })
    }
    once_compiled(form, Box::new(act))
}

/// Calls once, after so many milliseconds, unless what is returned is dropped before.
pub fn after_ms(millis: u32, act: impl FnOnce() + 'static) -> Timeout {
    fn once_compiled(millis: u32, act: Box<dyn FnOnce()>) -> Timeout {
        Timeout::new(millis, act)
    }
    once_compiled(millis, Box::new(act))
}
