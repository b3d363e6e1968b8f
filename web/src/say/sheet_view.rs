//! The learner's page on the page: to read, to print alone, to copy as text; and the way to forget it all.

use gloo_events::EventListener;
use wasm_bindgen::JsValue;
use web_sys::{Element, HtmlTextAreaElement};

use crate::callbacks::listen_to;
use crate::clipboard::Clipboard;
use crate::dom::{Slot, document, find, window};
use crate::say::sheet::SummarySheet;
use crate::say::view::{Msg, Sender, enable};
use crate::say::words;

/// On the document's root while this page alone is to be printed.
const PRINT_CLASS: &str = "print-summary";

/// The elements of the page to keep.
#[derive(Debug)]
pub(crate) struct SheetView {
    shown: SummarySheet,
    body: Element,
    status: Slot,
    plain: HtmlTextAreaElement,
    clipboard: Clipboard,
    _listeners: Vec<EventListener>,
}

impl SheetView {
    pub(crate) fn take_over(page: &Element, send: &Sender) -> Result<Self, JsValue> {
        let part = |name| find::<Element>(page, &format!("[data-summary={name}]"));
        let (print, copy, forget) = (part("print")?, part("copy")?, part("forget")?);
        let (body, status) = (part("sheet")?, part("status")?);
        let plain = find(page, "[data-summary=plain]")?;
        let window = window()?;
        let settled = send.clone();
        Ok(Self {
            shown: SummarySheet::default(),
            body,
            status: status.into(),
            plain,
            clipboard: Clipboard::new(move |done| settled.send(Msg::Copied(done))),
            _listeners: vec![
                // Printing calls back into the page before it returns, so nothing may be borrowed.
                listen_to(print.as_ref(), "click", |_| print_alone()),
                listen_to(window.as_ref(), "afterprint", |_| mark_for_print(false)),
                send.on(copy.as_ref(), "click", Msg::Copy),
                send.on(forget.as_ref(), "click", Msg::Forget),
            ],
        })
    }

    /// Shows the sheet, if it is another one.
    pub(crate) fn show(&mut self, sheet: SummarySheet) -> Result<(), JsValue> {
        if sheet == self.shown {
            return Ok(());
        }
        let document = document()?;
        let add = |parent: &Element, name: &str, text: Option<&str>| {
            let element = document.create_element(name)?;
            element.set_text_content(text);
            parent.append_child(&element)?;
            Ok::<_, JsValue>(element)
        };
        self.body.set_text_content(None);
        for (title, lines) in &sheet.sections {
            add(&self.body, "h3", Some(title))?;
            let list = add(&self.body, "ul", None)?;
            for line in lines {
                add(&list, "li", Some(line))?;
            }
        }
        self.shown = sheet;
        Ok(())
    }

    /// Hands the text to the clipboard, where the browser lets us.
    pub(crate) fn copy(&self) {
        if !self.clipboard.write(&self.shown.text()) {
            self.copied(false);
        }
    }

    /// Says that the text was copied; if it was not, brings it to light, selected.
    pub(crate) fn copied(&self, done: bool) {
        if !done {
            self.plain.set_value(&self.shown.text());
            enable(&self.plain);
            self.plain.focus().ok();
            self.plain.select();
        }
        // Said again if asked for again.
        self.status.set_text("");
        self.status.set_text(&words::copied(done));
    }

    /// Says that everything is forgotten.
    pub(crate) fn forgotten(&self) {
        self.status.set_text(&words::forgotten());
    }
}

fn print_alone() {
    mark_for_print(true);
    if let Ok(window) = window() {
        // A frame may be forbidden to print; then there is nothing to say either.
        if window.print().is_err() {
            mark_for_print(false);
        }
    }
}

fn mark_for_print(alone: bool) {
    if let Some(root) = document().ok().and_then(|document| document.document_element()) {
        let class = root.class_list();
        // Only a malformed name is refused.
        if alone { class.add_1(PRINT_CLASS) } else { class.remove_1(PRINT_CLASS) }.ok();
    }
}
