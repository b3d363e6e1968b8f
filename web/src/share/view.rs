//! The Share panel in the page. Nothing of it is made while it is closed.

use gloo_events::{EventListener, EventListenerOptions};
use goodput_charts::{ChartId, Scheme};
use js_sys::{JSON, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{
    Element, Event, EventTarget, HtmlDetailsElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement,
};

use crate::api::to_js;
use crate::clipboard::Clipboard;
use crate::controls::number;
use crate::dom::{Slot, document, find, find_all, set_attribute, window};
use crate::model::Model;
use crate::page::Page;
use crate::panel::Panel;
use crate::share::embed::{Embed, height, lock};
use crate::share::save::{self, Pixels};
use crate::share::state::State;
use crate::share::{citation, data, words};

/// What has happened to the panel.
#[derive(Debug)]
pub(crate) enum Call {
    /// It was used, or opened; or the host's policy kept it from something.
    Event(Event),
    /// The clipboard has taken a text, or has not.
    Copied(bool),
    /// A picture can be saved.
    Read,
}

/// The lab that is shared.
pub(crate) struct Shown<'a> {
    pub(crate) page: &'a Page,
    pub(crate) model: &'a mut Model,
    pub(crate) panels: &'a [Panel],
    pub(crate) scheme: Scheme,
}

/// A text to take away, the button for it, and what became of it.
#[derive(Debug)]
struct Text {
    field: HtmlTextAreaElement,
    copy: Element,
    said: Slot,
}

/// The elements of the panel.
#[derive(Debug)]
pub(crate) struct ShareView {
    root: HtmlDetailsElement,
    preview: HtmlDetailsElement,
    /// The lab in the preview, while that is open.
    frame: Option<Element>,
    /// The host's policy grants the page no frames.
    frames_refused: bool,
    /// Link, citation, code.
    texts: Vec<Text>,
    /// Which of them the clipboard was asked to take.
    copied: usize,
    clipboard: Clipboard,
    pixels: Option<Pixels>,
    _listeners: Vec<EventListener>,
}

impl ShareView {
    /// The panel of a lab. `on` is called with what happens to it.
    pub(crate) fn in_lab(lab: &Element, on: impl Fn(Call) + Clone + 'static) -> Result<Self, JsValue> {
        let root: HtmlDetailsElement = find(lab, "[data-share]")?;
        let mut texts = Vec::new();
        for copy in find_all(&root, "[data-copy]")? {
            let part = copy.closest("[data-text]")?.ok_or("a button copies no text")?;
            texts.push(Text { field: find(&part, "textarea")?, said: Slot::find(&part, "[data-said]")?, copy });
        }
        // Where a frame has no origin it is in a sandbox, which may let nothing be saved.
        let boxed = window()?.origin() == "null";
        find::<Element>(&root, "[data-boxed]")?.toggle_attribute_with_force("hidden", !boxed)?;
        let (document, mut listeners) = (document()?, Vec::new());
        for (target, kind) in [
            (AsRef::<EventTarget>::as_ref(&root), "toggle"),
            (root.as_ref(), "change"),
            (root.as_ref(), "click"),
            (document.as_ref(), "securitypolicyviolation"),
        ] {
            let on = on.clone();
            // A disclosure's toggle goes down to it and not up again.
            let options = EventListenerOptions::run_in_capture_phase();
            let call = move |event: &Event| on(Call::Event(event.clone()));
            listeners.push(EventListener::new_with_options(target, kind, options, call));
        }
        Ok(Self {
            preview: find(&root, "[data-preview]")?,
            frame: None,
            frames_refused: false,
            texts,
            copied: 0,
            clipboard: Clipboard::new(move |done| on(Call::Copied(done))),
            pixels: None,
            root,
            _listeners: listeners,
        })
    }

    /// Sees to what has happened. Gives what is to be said about it; `read` is called when a picture can be saved.
    pub(crate) fn receive(
        &mut self,
        call: &Call,
        shown: Shown<'_>,
        read: impl Fn() + 'static,
    ) -> Result<Option<String>, JsValue> {
        match call {
            Call::Copied(done) => return Ok(Some(self.tell_copied(*done))),
            Call::Read => {
                if let Some(pixels) = self.pixels.take() {
                    pixels.save()?;
                }
            }
            Call::Event(event) => {
                let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
                if event.type_() == "securitypolicyviolation" {
                    let broken = Reflect::get(event, &"effectiveDirective".into())?;
                    self.frames_refused |= broken == "frame-src";
                    self.fill(shown.page, shown.model)?;
                } else if event.type_() != "click" {
                    self.fill(shown.page, shown.model)?;
                } else if let Some(target) = target {
                    if let Some(index) = self.texts.iter().position(|text| text.copy == target) {
                        return Ok(self.copy(index));
                    }
                    if let Some(kind) = target.get_attribute("data-save") {
                        self.save(&kind, shown, read)?;
                    }
                }
            }
        }
        Ok(None)
    }

    /// Shows the state in view, if the panel is open.
    pub(crate) fn fill(&mut self, page: &Page, model: &Model) -> Result<(), JsValue> {
        if !self.root.open() {
            return Ok(());
        }
        let location = window()?.location();
        let place = location.origin()? + &location.pathname()?;
        let state =
            State::new(place, page.is_for_frames(), &page.address, page.view(), &model.setup(), model.is_covered());
        let link = state.link();
        let citation = match self.option("citation")?.as_str() {
            "bibtex" => citation::bibtex(&link),
            _ => citation::plain(&link),
        };
        let typed: HtmlInputElement = find(&self.root, "[data-option=height]")?;
        let embed = Embed {
            view: self.option("view")?,
            theme: self.option("theme")?,
            height: height(number(&typed.value())),
            lock: self.lock()?,
        };
        typed.set_value(&embed.height.to_string());
        let is_element = self.option("form")? == "element";
        // The element is as high as the lab in it.
        typed.set_disabled(is_element);
        let code = if is_element { embed.element(&state) } else { embed.iframe(&state) };
        for (text, value) in self.texts.iter().zip([&link, &citation, &code]) {
            if text.field.value() != *value {
                text.field.set_value(value);
                text.said.set_text("");
            }
        }
        // A run under the cover is not to be seen, also not as a file.
        find::<Element>(&self.root, "[data-save=json]")?.toggle_attribute_with_force("disabled", model.hides_run())?;
        self.show_preview(&embed.src(&state), &words::title(state.rate), embed.height)
    }

    fn option(&self, name: &str) -> Result<String, JsValue> {
        let option: Element = find(&self.root, &format!("[data-option={name}]"))?;
        Ok(option.unchecked_into::<HtmlSelectElement>().value())
    }

    /// What readers may not change.
    fn lock(&self) -> Result<String, JsValue> {
        let mut list = String::new();
        for choice in find_all(&self.root, "[data-lock]:checked")? {
            lock(&mut list, &choice.get_attribute("data-lock").unwrap_or_default());
        }
        Ok(list)
    }

    /// Shows the lab as it would stand in the other page, while the preview is open and the host's policy lets it.
    fn show_preview(&mut self, src: &str, title: &str, height: u32) -> Result<(), JsValue> {
        set_attribute(&find::<Element>(&self.preview, "a")?, "href", src);
        if self.frames_refused || !self.preview.open() {
            if let Some(frame) = self.frame.take() {
                frame.remove();
            }
            return Ok(());
        }
        let frame = match self.frame.take() {
            Some(frame) => frame,
            None => document()?.create_element("iframe")?,
        };
        for (name, value) in [("src", src), ("title", title), ("height", &height.to_string())] {
            set_attribute(&frame, name, value);
        }
        if frame.parent_element().is_none() {
            self.preview.append_child(&frame)?;
        }
        self.frame = Some(frame);
        Ok(())
    }

    /// Hands a text to the clipboard. Gives what is to be said at once: that there is none.
    fn copy(&mut self, index: usize) -> Option<String> {
        self.copied = index;
        let text = self.texts.get(index)?;
        if self.clipboard.write(&text.field.value()) { None } else { Some(self.tell_copied(false)) }
    }

    /// Says beside the button how it went; the reader's own hand can take what the clipboard did not.
    fn tell_copied(&self, done: bool) -> String {
        let words = words::copied(done);
        for (index, text) in self.texts.iter().enumerate() {
            text.said.set_text(if index == self.copied { &words } else { "" });
            if index == self.copied && !done {
                text.field.focus().ok();
                text.field.select();
            }
        }
        words
    }

    fn save(&mut self, kind: &str, shown: Shown<'_>, read: impl Fn() + 'static) -> Result<(), JsValue> {
        let Shown { model, panels, scheme, .. } = shown;
        let rate = Some(model.scenario().rate);
        match kind {
            "csv" => {
                let csv = data::csv(model.valid_scenario(), model.shown_curve());
                save::text(&data::file_name("curve", None, kind), "text/csv", &csv)
            }
            "json" => {
                let summary = to_js(&model.summary())?;
                let json = JSON::stringify_with_replacer_and_space(&summary, &JsValue::NULL, &2.into())?;
                save::text(&data::file_name("run", rate, kind), "application/json", &String::from(json))
            }
            _ => {
                model.follow_time();
                let wanted = self.option("chart")?;
                let Some(index) = ChartId::ALL.iter().position(|id| id.name() == wanted) else { return Ok(()) };
                let (Some(panel), Some(chart)) = (panels.get(index), model.charts().nth(index)) else { return Ok(()) };
                let Some(svg) = panel.lines(chart, model, scheme, false) else { return Ok(()) };
                let name = data::file_name(&wanted, rate, kind);
                if kind == "svg" {
                    return save::text(&name, "image/svg+xml", &svg);
                }
                self.pixels = Some(Pixels::of(name, &svg, read)?);
                Ok(())
            }
        }
    }
}
