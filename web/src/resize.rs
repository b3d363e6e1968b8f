//! Tells the size of elements in device pixels, now and whenever it changes, also by zoom or by a move to another screen.

use wasm_bindgen::prelude::*;
use web_sys::{
    Element, ResizeObserver, ResizeObserverBoxOptions, ResizeObserverEntry, ResizeObserverOptions, ResizeObserverSize,
};

/// What is called with a size.
type OnSize = Box<dyn FnMut(usize, f64, (f64, f64))>;

/// Watches elements until it is dropped.
#[derive(Debug)]
pub(crate) struct SizeWatch {
    observer: ResizeObserver,
    _callback: Closure<dyn FnMut(js_sys::Array<ResizeObserverEntry>)>,
}

impl SizeWatch {
    /// Calls back with the element's index, its width [CSS px], and its width and height [device px].
    pub(crate) fn new<'e>(
        elements: impl Iterator<Item = &'e Element>,
        on_size: impl FnMut(usize, f64, (f64, f64)) + 'static,
    ) -> Result<Self, JsValue> {
        Self::watch(&elements.cloned().collect::<Vec<_>>(), Box::new(on_size))
    }

    /// Once for all callers, because it is downloaded.
    fn watch(elements: &[Element], mut on_size: OnSize) -> Result<Self, JsValue> {
        let watched = elements.to_vec();
        let callback = Closure::new(move |entries: js_sys::Array<ResizeObserverEntry>| {
            for entry in entries.iter() {
                if let Some(index) = watched.iter().position(|element| *element == entry.target()) {
                    on_size(index, entry.content_rect().width(), device_size(&entry));
                }
            }
        });
        let observer = ResizeObserver::new(callback.as_ref().unchecked_ref())?;
        let options = ResizeObserverOptions::new();
        if knows_device_pixels() {
            options.set_box(ResizeObserverBoxOptions::DevicePixelContentBox);
        }
        for element in elements {
            observer.observe_with_options(element, &options);
        }
        Ok(Self { observer, _callback: callback })
    }
}

impl Drop for SizeWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Whether the browser can watch device pixels: asked for what it does not know, an observer throws.
fn knows_device_pixels() -> bool {
    let entry = js_sys::Reflect::get(&js_sys::global(), &"ResizeObserverEntry".into());
    let prototype = entry.and_then(|entry| js_sys::Reflect::get(&entry, &"prototype".into()));
    prototype
        .and_then(|prototype| js_sys::Reflect::has(&prototype, &"devicePixelContentBoxSize".into()))
        .unwrap_or(false)
}

/// Exact device pixels where the browser knows them, else CSS pixels times the pixel ratio.
fn device_size(entry: &ResizeObserverEntry) -> (f64, f64) {
    let known = js_sys::Reflect::get(entry, &"devicePixelContentBoxSize".into()).ok();
    let exact = known
        .and_then(|sizes| sizes.dyn_into::<js_sys::Array>().ok())
        .and_then(|sizes| sizes.get(0).dyn_into::<ResizeObserverSize>().ok());
    match exact {
        Some(size) => (size.inline_size(), size.block_size()),
        None => {
            let ratio = web_sys::window().map_or(1.0, |window| window.device_pixel_ratio());
            let rect = entry.content_rect();
            (rect.width() * ratio, rect.height() * ratio)
        }
    }
}
