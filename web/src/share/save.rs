//! Handing a file to the reader. A sandboxed frame may refuse it, and nobody is told.

use gloo_events::EventListener;
use js_sys::encode_uri_component;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlElement, HtmlImageElement};

use crate::dom::{document, set_attribute};

/// Device pixels in a CSS pixel of a picture: sharp on paper and on most screens.
const RATIO: u32 = 2;

/// Hands a text to the reader as a file.
pub(crate) fn text(name: &str, kind: &str, text: &str) -> Result<(), JsValue> {
    url(name, &data_url(kind, text))
}

fn url(name: &str, url: &str) -> Result<(), JsValue> {
    let link: HtmlElement = document()?.create_element("a")?.unchecked_into();
    set_attribute(&link, "href", url);
    set_attribute(&link, "download", name);
    link.click();
    Ok(())
}

/// An address that holds its text.
fn data_url(kind: &str, text: &str) -> String {
    ["data:", kind, ";charset=utf-8,", &String::from(encode_uri_component(text))].concat()
}

/// Lines and letters on their way to becoming pixels: a browser reads even its own text in a later task.
#[derive(Debug)]
pub(crate) struct Pixels {
    name: String,
    image: HtmlImageElement,
    _read: EventListener,
}

impl Pixels {
    /// Calls `read` when the picture can be saved.
    pub(crate) fn of(name: String, svg: &str, read: impl Fn() + 'static) -> Result<Self, JsValue> {
        let image: HtmlImageElement = document()?.create_element("img")?.unchecked_into();
        let listener = EventListener::once(&image, "load", move |_| read());
        set_attribute(&image, "src", &data_url("image/svg+xml", svg));
        Ok(Self { name, image, _read: listener })
    }

    /// Hands them to the reader as a PNG.
    pub(crate) fn save(&self) -> Result<(), JsValue> {
        let [width, height] = [self.image.width() * RATIO, self.image.height() * RATIO];
        let canvas: HtmlCanvasElement = document()?.create_element("canvas")?.unchecked_into();
        canvas.set_width(width);
        canvas.set_height(height);
        let context: CanvasRenderingContext2d =
            canvas.get_context("2d")?.ok_or("this browser has no 2D canvas")?.unchecked_into();
        let [width, height] = [width, height].map(f64::from);
        context.draw_image_with_html_image_element_and_dw_and_dh(&self.image, 0.0, 0.0, width, height)?;
        url(&self.name, &canvas.to_data_url()?)
    }
}
