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
use crate::share::embed::{Embed, height};
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

/// A text to take away, and what became of it.
#[derive(Debug)]
struct Text {
    name: &'static str,
    field: HtmlTextAreaElement,
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
    texts: [Text; 3],
    /// The name of the text that the clipboard was asked to take.
    copied: String,
    clipboard: Clipboard,
    pixels: Option<Pixels>,
    _listeners: Vec<EventListener>,
}

impl ShareView {
    /// The panel of a lab. `on` is called with what happens to it.
    pub(crate) fn in_lab(lab: &Element, on: impl Fn(Call) + Clone + 'static) -> Result<Self, JsValue> {
        let root: HtmlDetailsElement = find(lab, "[data-share]")?;
        let text = |name| {
            let said = Slot::find(&root, &format!("[data-said={name}]"))?;
            Ok::<_, JsValue>(Text { name, field: find(&root, &format!("[data-text={name}]"))?, said })
        };
        // Where a frame has no origin it is in a sandbox, which may let nothing be saved.
        let boxed = window()?.origin() == "null";
        find::<Element>(&root, "[data-boxed]")?.toggle_attribute_with_force("hidden", !boxed)?;
        let listen = |target: &EventTarget, kind: &'static str| {
            let on = on.clone();
            // A disclosure's toggle goes down to it and not up again.
            let options = EventListenerOptions::run_in_capture_phase();
            EventListener::new_with_options(target, kind, options, move |event| on(Call::Event(event.clone())))
        };
        let listeners = vec![
            listen(&root, "toggle"),
            listen(&root, "change"),
            listen(&root, "click"),
            listen(document()?.as_ref(), "securitypolicyviolation"),
        ];
        Ok(Self {
            preview: find(&root, "[data-preview]")?,
            frame: None,
            frames_refused: false,
            texts: [text("link")?, text("citation")?, text("code")?],
            copied: String::new(),
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
                let asked = |name| target.as_ref().and_then(|target| target.get_attribute(name));
                if event.type_() == "securitypolicyviolation" {
                    let broken = Reflect::get(event, &"effectiveDirective".into())?;
                    self.frames_refused |= broken == "frame-src";
                    self.fill(shown.page, shown.model)?;
                } else if event.type_() != "click" {
                    self.fill(shown.page, shown.model)?;
                } else if let Some(name) = asked("data-copy") {
                    return Ok(self.copy(name));
                } else if let Some(kind) = asked("data-save") {
                    self.save(&kind, shown, read)?;
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
        let href = window()?.location().href()?;
        let state =
            State::new(&href, page.is_for_frames(), &page.address, page.view(), &model.setup(), model.is_covered());
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
            locks: self.locks()?,
        };
        typed.set_value(&embed.height.to_string());
        let is_element = self.option("form")? == "element";
        // The element is as high as the lab in it.
        typed.set_disabled(is_element);
        let code = if is_element { embed.element(&state) } else { embed.iframe(&state) };
        for (text, value) in self.texts.iter().zip([link, citation, code]) {
            if text.field.value() != value {
                text.field.set_value(&value);
                text.said.set_text("");
            }
        }
        // A run under the cover is not to be seen, also not as a file.
        find::<Element>(&self.root, "[data-save=json]")?.toggle_attribute_with_force("disabled", model.hides_run())?;
        self.show_preview(&embed.src(&state), &words::title(state.rate), embed.height)
    }

    fn option(&self, name: &str) -> Result<String, JsValue> {
        Ok(find::<HtmlSelectElement>(&self.root, &format!("[data-option={name}]"))?.value())
    }

    /// What readers may not change.
    fn locks(&self) -> Result<Vec<String>, JsValue> {
        let ticked = find_all(&self.root, "[data-lock]:checked")?;
        Ok(ticked.iter().filter_map(|lock| lock.get_attribute("data-lock")).collect())
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
    fn copy(&mut self, name: String) -> Option<String> {
        self.copied = name;
        let taken = self.text_copied().is_none_or(|text| self.clipboard.write(&text.field.value()));
        (!taken).then(|| self.tell_copied(false))
    }

    fn text_copied(&self) -> Option<&Text> {
        self.texts.iter().find(|text| text.name == self.copied)
    }

    /// Says beside the button how it went; the reader's own hand can take what the clipboard did not.
    fn tell_copied(&self, done: bool) -> String {
        let words = words::copied(done);
        for text in &self.texts {
            text.said.set_text(if text.name == self.copied { &words } else { "" });
        }
        if let (Some(text), false) = (self.text_copied(), done) {
            text.field.focus().ok();
            text.field.select();
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
                let Some(svg) = panel.lines(chart, model, scheme) else { return Ok(()) };
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
