//! The page as its address wants it: which of its parts are shown, in which colours, and what could not be taken.

use goodput_charts::Scheme;
use js_sys::Array;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, UrlSearchParams};

use crate::address::{Address, View};
use crate::controls::number;
use crate::dom::{Slot, document, find, find_all, set_attribute, window};
use crate::refusal::{self, Refusal};
use crate::setup::Setup;

/// Our own page, alone or in somebody's frame.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) address: Address,
    root: Element,
    refusals: Vec<Slot>,
    /// What the address bar shows.
    written: String,
}

impl Page {
    /// Reads the address and dresses the page as it says.
    ///
    /// # Errors
    /// When there is no page, or its markup lacks what it needs.
    pub(crate) fn open() -> Result<Self, JsValue> {
        let root = document()?.document_element().ok_or("the document is empty")?;
        let query = window()?.location().search()?;
        let pairs = Array::from(&UrlSearchParams::new_with_str(&query)?.into());
        let pair = |pair: JsValue| {
            let pair: Array = pair.unchecked_into();
            let text = |index| pair.get(index).as_string().unwrap_or_default();
            (text(0), text(1))
        };
        let address = Address::read(pairs.iter().map(pair), number);
        let refusals = find_all(&root, "[data-refusals]")?.into_iter().map(Slot::from).collect();
        let page = Self { address, root, refusals, written: query };
        page.dress()?;
        page.refuse(&page.address.refusals);
        Ok(page)
    }

    /// Whether it is the page for frames.
    pub(crate) fn is_for_frames(&self) -> bool {
        self.root.has_attribute("data-embed")
    }

    /// What is shown around the lab.
    pub(crate) fn view(&self) -> View {
        self.address.view.unwrap_or(if self.is_for_frames() { View::Lab } else { View::Lesson })
    }

    /// Whether the reader is asked for a guess before the lab opens.
    pub(crate) fn asks(&self) -> bool {
        self.address.predict.unwrap_or_else(|| self.view().asks(&self.address.setup))
    }

    /// What was given once, and shows before the first frame.
    fn dress(&self) -> Result<(), JsValue> {
        set_attribute(&self.root, "data-view", self.view().name());
        if let Some(lang) = &self.address.lang {
            set_attribute(&self.root, "lang", lang);
        }
        if self.view() != View::Lesson {
            link_to_the_lesson(&self.root)?;
        }
        if self.address.still {
            set_attribute(&self.root, "data-motion", "reduced");
        }
        if let Some(rates) = &self.address.rates {
            offer(&self.root, rates.iter().map(|rate| rate.per_s()))?;
        }
        self.redress();
        Ok(())
    }

    /// What may change while the page is there.
    pub(crate) fn redress(&self) {
        match self.address.theme {
            Some(Scheme::Dark) => set_attribute(&self.root, "data-scheme", "dark"),
            Some(Scheme::Light) => set_attribute(&self.root, "data-scheme", "light"),
            None if self.is_for_frames() => drop(self.root.remove_attribute("data-scheme")),
            // On our own page the reader may have chosen.
            None => {}
        }
        set_attribute(&self.root, "data-hide", &self.address.hide.join(" "));
        if let (Some(accent), Some(root)) = (self.address.accent, self.root.dyn_ref::<HtmlElement>()) {
            let shades = format!("light-dark({}, {})", accent.on_light(), accent.on_dark());
            // Only a malformed name is refused.
            root.style().set_property("--accent", &shades).ok();
        }
    }

    /// Shows what could not be taken, in one line; with nothing the line goes.
    pub(crate) fn refuse(&self, refusals: &[Refusal]) {
        let line = refusal::line(refusals);
        for slot in &self.refusals {
            slot.set_text(&line);
            slot.element().toggle_attribute_with_force("hidden", line.is_empty()).ok();
        }
    }

    /// Writes the address of a lab that stands so into the address bar.
    pub(crate) fn write(&mut self, setup: &Setup) {
        let query = self.address.query(setup);
        let search = if query.is_empty() { query } else { format!("?{query}") };
        if search == self.written {
            return;
        }
        // Refused to a frame without an origin of its own and to a file; some browsers refuse what comes too often.
        // Then the bar is out of date, and nothing else.
        let write = || -> Result<(), JsValue> {
            let location = window()?.location();
            let url = format!("{}{search}{}", location.pathname()?, location.hash()?);
            window()?.history()?.replace_state_with_url(&JsValue::NULL, "", Some(&url))
        };
        write().ok();
        self.written = search;
    }
}

/// Where the lesson is not shown, links into it lead to the page that has it.
fn link_to_the_lesson(root: &Element) -> Result<(), JsValue> {
    for link in find_all(root, "[data-lab] a[href^='#']:not([href='#guess'])")? {
        let place = link.get_attribute("href").unwrap_or_default();
        set_attribute(&link, "href", &format!("./{place}"));
        set_attribute(&link, "target", "_blank");
    }
    Ok(())
}

/// Offers these rates as stops, in place of the lesson's.
fn offer(root: &Element, rates: impl Iterator<Item = f64>) -> Result<(), JsValue> {
    let group: Element = find(root, "[data-stops]")?;
    let stop: Element = find(&group, "[data-stop]")?;
    group.set_inner_html("");
    for rate in rates {
        let button: Element = stop.clone_node()?.unchecked_into();
        set_attribute(&button, "data-stop", &rate.to_string());
        set_attribute(&button, "aria-pressed", "false");
        button.set_text_content(Some(&rate.to_string()));
        group.append_child(&button)?;
    }
    Ok(())
}
