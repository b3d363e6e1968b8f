//! The page around a lab in a frame: what it is told, and what it asks for. The rules are in `wire.rs`.

use gloo_events::EventListener;
use gloo_timers::callback::Timeout;
use goodput_browser::scenario::field;
use goodput_summary::Value;
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, MessageEvent, Window};

use crate::api::to_js;
use crate::callbacks::{after_ms, listen_to};
use crate::dom::{document, now_ms, window};
use crate::resize::SizeWatch;
use crate::told::Height;
use crate::wire::{Asked, Kind, LAB, Message, Target, VERSION, Wire};

/// What is told: a payload, and for a result its words.
#[derive(Debug)]
struct News {
    payload: JsValue,
    text: Option<String>,
}

/// The page around.
#[derive(Debug)]
pub(crate) struct Host {
    wire: Wire<News>,
    parent: Window,
    content: Element,
    told_height: Option<u32>,
    flushing: Option<Timeout>,
    _messages: EventListener,
    _size: SizeWatch,
}

/// What has come from the page around, or has changed for it.
#[derive(Debug)]
pub(crate) enum Call {
    /// A message.
    Message(MessageEvent),
    /// The content may have another height.
    Size,
    /// Messages that had to wait may go.
    Flush,
}

impl Host {
    /// The page around, if there is one. `on` is called with what comes from it.
    pub(crate) fn around(
        parent_origin: Option<String>,
        on: impl Fn(Call) + Clone + 'static,
    ) -> Result<Option<Self>, JsValue> {
        let window = window()?;
        let Some(parent) = window.parent()?.filter(|parent| *parent != window) else { return Ok(None) };
        let content: Element = document()?.body().ok_or("the page has no body")?.into();
        let size = SizeWatch::new([&content].into_iter(), {
            let on = on.clone();
            move |_, _, _| on(Call::Size)
        })?;
        let messages = listen_to(&window, "message", move |event| {
            if let Some(event) = event.dyn_ref::<MessageEvent>() {
                on(Call::Message(event.clone()));
            }
        });
        Ok(Some(Self {
            wire: Wire::new(parent_origin),
            parent,
            content,
            told_height: None,
            flushing: None,
            _messages: messages,
            _size: size,
        }))
    }

    /// Reads a message. What is not for us is nothing.
    pub(crate) fn hear(&mut self, event: &MessageEvent) -> Option<Asked> {
        let is_the_parent = event.source().is_some_and(|source| Object::is(&source, &self.parent));
        self.wire.hear(is_the_parent, &event.origin(), read(&event.data()))
    }

    /// The height of the content [CSS px]. It does not depend on the frame's, so telling it can never go round in circles.
    pub(crate) fn height(&self) -> u32 {
        self.content.get_bounding_client_rect().height().ceil() as u32
    }

    /// Tells the height, if it is another.
    pub(crate) fn tell_height(&mut self, again: impl FnOnce() + 'static) {
        let height = self.height();
        if height > 0 && self.told_height != Some(height) {
            self.told_height = Some(height);
            if let Ok(payload) = to_js(&Height { height }) {
                self.tell(Kind::Height, payload, None, again);
            }
        }
    }

    /// Tells something; `again` is called when what has to wait may go.
    pub(crate) fn tell(&mut self, kind: Kind, payload: JsValue, text: Option<String>, again: impl FnOnce() + 'static) {
        self.wire.tell(kind, News { payload, text });
        self.flush(again);
    }

    /// Sends what may go now.
    pub(crate) fn flush(&mut self, again: impl FnOnce() + 'static) {
        while let Some((kind, news, target)) = self.wire.next(now_ms()) {
            let target = match &target {
                Target::Anyone => "*",
                Target::Origin(origin) => origin,
            };
            // A parent that is gone hears nothing, which is as it should be.
            self.parent.post_message(&message(self.wire.id(), kind, &news), target).ok();
            if kind == Kind::Height {
                self.parent.post_message(&canvas_height(&news.payload), target).ok();
            }
        }
        self.flushing = self.wire.wait(now_ms()).map(|wait| after_ms(wait.ceil() as u32, again));
    }
}

/// A message that is sent.
fn message(id: &str, kind: Kind, news: &News) -> JsValue {
    let message = object([
        ("lab", &LAB.into()),
        ("v", &VERSION.into()),
        ("id", &id.into()),
        ("type", &kind.name().into()),
        ("payload", &news.payload),
    ]);
    if let Some(text) = &news.text {
        Reflect::set(&message, &"text".into(), &text.into()).ok();
    }
    message
}

/// The height as the learning platform Canvas wants to hear it.
fn canvas_height(payload: &JsValue) -> JsValue {
    let height = Reflect::get(payload, &"height".into()).unwrap_or_default();
    object([("subject", &"lti.frameResize".into()), ("height", &height)])
}

fn object<const N: usize>(entries: [(&str, &JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in entries {
        // A new plain object takes any property.
        Reflect::set(&object, &name.into(), value).ok();
    }
    object.into()
}

/// A message that came, as far as it can be read.
fn read(data: &JsValue) -> Message {
    let Some(data) = data.dyn_ref::<Object>() else { return Message::default() };
    let get = |name: &str| Reflect::get(data, &name.into()).unwrap_or_default();
    Message {
        lab: get("lab").as_string(),
        v: get("v").as_f64(),
        id: get("id").as_string(),
        kind: get("type").as_string(),
        payload: entries(&get("payload")),
    }
}

/// The entries of a payload. A scenario in it counts as its fields.
fn entries(payload: &JsValue) -> Vec<(String, Value)> {
    let Some(payload) = payload.dyn_ref::<Object>().filter(|payload| !Array::is_array(payload)) else {
        return Vec::new();
    };
    let mut pairs = Vec::new();
    for entry in Object::entries(payload).iter() {
        let value = entry.unchecked_ref::<Array>().get(1);
        let (name, read) = field(entry);
        match (name.as_str(), value.as_bool()) {
            ("scenario", _) => pairs.extend(scenario(&value)),
            (_, Some(on)) => pairs.push((name, Value::Text(if on { "on" } else { "off" }.to_owned()))),
            _ if Array::is_array(&value) => {
                let texts: Array = value.unchecked_into();
                pairs.push((name, Value::Text(texts.join(",").into())));
            }
            _ => pairs.push((name, read)),
        }
    }
    pairs
}

fn scenario(value: &JsValue) -> Vec<(String, Value)> {
    value.dyn_ref::<Object>().map(|fields| Object::entries(fields).iter().map(field).collect()).unwrap_or_default()
}
