//! The clock on the page. While it runs and can be seen it asks for one timeout a second, and else for none.

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlDetailsElement};

use crate::callbacks::after_ms;
use crate::dom::{Slot, document, find, now_ms, set_attribute};
use crate::say::timer::{Timer, clock};
use crate::say::view::{Msg, Sender};
use crate::say::words;

/// The clock's elements.
#[derive(Debug)]
pub(crate) struct TimerView {
    timer: Timer,
    button: Slot,
    face: HtmlDetailsElement,
    time: Slot,
    meter: Element,
    status: Slot,
    send: Sender,
    ticking: Option<Timeout>,
    _listeners: [EventListener; 4],
}

impl TimerView {
    pub(crate) fn take_over(page: &Element, send: &Sender) -> Result<Self, JsValue> {
        let button: Element = find(page, "[data-timer=toggle]")?;
        let reset: Element = find(page, "[data-timer=reset]")?;
        let face: HtmlDetailsElement = find(page, "[data-timer=face]")?;
        let time = Slot::find(page, "[data-timer=time]")?;
        let meter = find(page, "[data-timer=meter]")?;
        let status = Slot::find(page, "[data-timer=status]")?;
        let document = document()?;
        Ok(Self {
            timer: Timer::default(),
            _listeners: [
                send.on(&button, "click", Msg::ToggleTimer),
                send.on(&reset, "click", Msg::ResetTimer),
                send.on(&face, "toggle", Msg::Look),
                send.on(&document, "visibilitychange", Msg::Look),
            ],
            button: button.into(),
            face,
            time,
            meter,
            status,
            send: send.clone(),
            ticking: None,
        })
    }

    pub(crate) fn toggle(&mut self) {
        let now = now_ms();
        self.timer.toggle(now);
        // Only at rest is the time said aloud, and once.
        let said = if self.timer.is_running() { String::new() } else { words::timer_stopped(self.timer.seconds(now)) };
        self.status.set_text(&said);
        self.show();
    }

    pub(crate) fn reset(&mut self) {
        self.timer.reset();
        self.status.set_text("");
        self.show();
    }

    /// Shows the time, and asks for the next second if that will be seen.
    pub(crate) fn show(&mut self) {
        let now = now_ms();
        let seconds = self.timer.seconds(now);
        self.button.set_text(&words::timer_button(self.timer.is_running(), self.timer.has_counted()));
        self.time.set_text(&clock(seconds));
        set_attribute(&self.meter, "value", &seconds.to_string());
        let is_seen = self.face.open() && document().is_ok_and(|document| !document.hidden());
        self.ticking = (self.timer.is_running() && is_seen).then(|| {
            let send = self.send.clone();
            after_ms(self.timer.until_next_ms(now), move || send.send(Msg::Look))
        });
    }
}
