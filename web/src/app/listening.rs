//! How the browser's events come to a lab.

use gloo_events::EventListener;
use wasm_bindgen::prelude::*;
use web_sys::{EventTarget, PointerEvent};

use crate::app::{App, Handle, Reading};
use crate::callbacks::listen_to;
use crate::controls::Source;
use crate::panel::Panel;

pub(super) fn listen(Source { target, event, read }: Source, handle: Handle) -> EventListener {
    listen_to(&target, event, move |_| {
        if let Some(msg) = read() {
            handle.send(msg);
        }
    })
}

pub(super) fn listen_to_panel(index: usize, panel: &Panel, handle: &Handle) -> Vec<EventListener> {
    let on_reader = |event: &'static str, reading: Reading| {
        let handle = handle.clone();
        listen_to(&panel.reader, event, move |_| {
            handle.with(|app| app.read(index, reading));
        })
    };
    let inside = |event| on_pointer(index, panel, event, handle, |app, index, css_x| app.point(index, Some(css_x)));
    let outside = |event| on_pointer(index, panel, event, handle, |app, index, _| app.point(index, None));
    vec![
        inside("pointerdown"),
        inside("pointermove"),
        outside("pointerleave"),
        outside("pointercancel"),
        on_reader("focus", Reading::Starts),
        on_reader("input", Reading::Moves),
        on_reader("blur", Reading::Ends),
    ]
}

/// Calls with the panel's index and the pointer's position from the plot's left edge [CSS px].
pub(super) fn on_pointer(
    index: usize,
    panel: &Panel,
    event: &'static str,
    handle: &Handle,
    act: fn(&mut App, usize, f64),
) -> EventListener {
    let (handle, plot) = (handle.clone(), panel.plot.clone());
    listen_to(&panel.plot, event, move |event| {
        let Some(event) = event.dyn_ref::<PointerEvent>() else { return };
        let css_x = f64::from(event.client_x()) - plot.get_bounding_client_rect().left();
        handle.with(|app| act(app, index, css_x));
    })
}

pub(super) fn redraw_on(target: &EventTarget, event: &'static str, handle: Handle) -> EventListener {
    listen_to(target, event, move |_| {
        handle.with(App::request_frame);
    })
}
