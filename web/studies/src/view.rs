//! An exhibit in the page: its line, its pictures with their sliders, its tables.

use gloo_events::EventListener;
use goodput_browser::callbacks::listen_to;
use goodput_browser::dom::{document, set_attribute};
use goodput_charts::{Scheme, Theme, format};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, HtmlInputElement, MouseEvent};

use crate::exhibit::{Exhibit, Picture, Table};
use crate::room::Handle;
use crate::words::say;

/// The place of an exhibit.
pub(crate) struct View {
    headline: Element,
    figures_in: Element,
    tables_in: Element,
    scheme: Scheme,
    figures: Vec<Figure>,
}

/// A picture and what stands around it.
struct Figure {
    picture: Picture,
    caption: Element,
    plot: HtmlElement,
    sliders: Vec<(Element, HtmlInputElement)>,
    readout: Element,
    /// The reader has asked for a value: it is marked in the picture.
    is_read: bool,
    _listeners: Vec<EventListener>,
}

/// A new element of a class at the end of another.
pub(crate) fn add(parent: &Element, tag: &str, class: &str) -> Result<Element, JsValue> {
    let element = document()?.create_element(tag)?;
    if !class.is_empty() {
        element.set_class_name(class);
    }
    parent.append_child(&element)?;
    Ok(element)
}

/// A new element with a text at the end of another.
pub(crate) fn write(parent: &Element, tag: &str, text: &str) -> Result<Element, JsValue> {
    let element = add(parent, tag, "")?;
    element.set_text_content(Some(text));
    Ok(element)
}

impl View {
    /// In a room that is empty so far.
    pub(crate) fn in_room(room: &Element) -> Result<Self, JsValue> {
        let headline = add(room, "p", "finding")?;
        let figures_in = add(room, "div", "pictures")?;
        let tables = add(room, "details", "")?;
        write(&tables, "summary", &say("table", &[]))?;
        let tables_in = add(&tables, "div", "")?;
        Ok(Self { headline, figures_in, tables_in, scheme: Scheme::Light, figures: Vec::new() })
    }

    /// Shows an exhibit in place of the one before.
    pub(crate) fn show(&mut self, exhibit: Exhibit, handle: &Handle) -> Result<(), JsValue> {
        self.headline.set_text_content(Some(&format::unbroken(&exhibit.headline)));
        if self.figures.len() != exhibit.pictures.len() {
            self.figures_in.set_text_content(None);
            let figures = exhibit.pictures.into_iter().enumerate();
            let figures = figures.map(|(index, picture)| Figure::new(&self.figures_in, picture, index, handle));
            self.figures = figures.collect::<Result<_, _>>()?;
        } else {
            for (figure, picture) in self.figures.iter_mut().zip(exhibit.pictures) {
                figure.picture = picture;
            }
        }
        for figure in &mut self.figures {
            figure.fill();
        }
        self.draw();
        self.tables_in.set_text_content(None);
        exhibit.tables.iter().try_for_each(|table| fill_table(&self.tables_in, table))
    }

    /// Changes the colours.
    pub(crate) fn recolour(&mut self, scheme: Scheme) {
        if self.scheme != scheme {
            self.scheme = scheme;
            self.draw();
        }
    }

    /// Draws the pictures at the size that they have now.
    pub(crate) fn draw(&self) {
        for figure in &self.figures {
            figure.draw(self.scheme);
        }
    }

    /// The reader has moved a slider.
    fn read(&mut self, index: usize) {
        let Some(figure) = self.figures.get_mut(index) else { return };
        figure.is_read = true;
        figure.say();
        figure.draw(self.scheme);
    }

    /// The reader points at a place in a picture [CSS px].
    fn point(&mut self, index: usize, place: (f64, f64)) {
        let Some(figure) = self.figures.get(index) else { return };
        let at = figure.picture.drawing.places_at(&theme(self.scheme), figure.size(), place);
        if figure.sliders.is_empty() || figure.is_read && at == figure.at() {
            return;
        }
        for ((_, slider), at) in figure.sliders.iter().zip(at) {
            slider.set_value_as_number(at as f64);
        }
        self.read(index);
    }
}

fn theme(scheme: Scheme) -> Theme {
    Theme::new(scheme, 1.0)
}

impl Figure {
    fn new(parent: &Element, picture: Picture, index: usize, handle: &Handle) -> Result<Self, JsValue> {
        let figure = add(parent, "figure", "")?;
        let caption = add(&figure, "figcaption", "")?;
        let plot: HtmlElement = add(&figure, "div", "drawn")?.unchecked_into();
        let readers = add(&figure, "div", "readers")?;
        let mut listeners = Vec::new();
        let mut sliders = Vec::new();
        for _ in &picture.sliders {
            let label = add(&readers, "label", "")?;
            let name = add(&label, "span", "")?;
            let slider: HtmlInputElement = add(&label, "input", "")?.unchecked_into();
            slider.set_type("range");
            slider.set_min("0");
            let handle = handle.clone();
            listeners.push(listen_to(&slider, "input", move |_| handle.with(|inner| inner.view.read(index))));
            sliders.push((name, slider));
        }
        let readout = add(&figure, "output", "readout")?;
        let (handle, pointed) = (handle.clone(), plot.clone());
        listeners.push(listen_to(&plot, "pointermove", move |event| {
            let Some(event) = event.dyn_ref::<MouseEvent>() else { return };
            let edge = pointed.get_bounding_client_rect();
            let place = (f64::from(event.client_x()) - edge.left(), f64::from(event.client_y()) - edge.top());
            handle.with(|inner| inner.view.point(index, place));
        }));
        Ok(Self { picture, caption, plot, sliders, readout, is_read: false, _listeners: listeners })
    }

    /// The words, and the ends of the sliders; they stand where the reader has put them, or where the lab stands.
    fn fill(&mut self) {
        self.caption.set_text_content(Some(self.picture.drawing.caption()));
        for ((name, slider), wanted) in self.sliders.iter().zip(&self.picture.sliders) {
            name.set_text_content(Some(&wanted.label));
            slider.set_max(&wanted.places.len().saturating_sub(1).to_string());
            if !self.is_read {
                slider.set_value_as_number(wanted.start as f64);
            }
        }
        self.say();
    }

    /// Where the sliders stand.
    fn at(&self) -> Vec<usize> {
        self.sliders.iter().map(|(_, slider)| slider.value_as_number() as usize).collect()
    }

    fn say(&self) {
        let at = self.at();
        for (((_, slider), wanted), &at) in self.sliders.iter().zip(&self.picture.sliders).zip(&at) {
            set_attribute(slider, "aria-valuetext", wanted.places.get(at).map_or("", String::as_str));
        }
        self.readout.set_text_content(Some(self.picture.reading(&at)));
    }

    fn size(&self) -> (u32, u32) {
        (self.plot.client_width().max(0) as u32, self.picture.drawing.height())
    }

    fn draw(&self, scheme: Scheme) {
        let at = self.is_read.then(|| self.at());
        // Our own text, with every word of it escaped.
        self.plot.set_inner_html(&self.picture.drawing.svg(&theme(scheme), self.size(), at.as_deref()));
    }
}

pub(crate) fn fill_table(parent: &Element, Table { caption, head, rows }: &Table) -> Result<(), JsValue> {
    let scroll = add(parent, "div", "scroll")?;
    // What scrolls must be reached by keyboard, and say what it is.
    set_attribute(&scroll, "tabindex", "0");
    set_attribute(&scroll, "role", "region");
    set_attribute(&scroll, "aria-label", caption);
    let table = add(&scroll, "table", "")?;
    write(&table, "caption", caption)?;
    let row = add(&add(&table, "thead", "")?, "tr", "")?;
    for name in head {
        set_attribute(&write(&row, "th", name)?, "scope", "col");
    }
    let body = add(&table, "tbody", "")?;
    for cells in rows {
        let row = add(&body, "tr", "")?;
        for (index, cell) in cells.iter().enumerate() {
            match index {
                0 => set_attribute(&write(&row, "th", cell)?, "scope", "row"),
                _ => drop(write(&row, "td", cell)?),
            }
        }
    }
    Ok(())
}
