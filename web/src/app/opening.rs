//! How a lab opens: everything is found, listened to and measured, and then it comes to life in small steps.

use std::rc::Rc;

use goodput_charts::ChartId;
use wasm_bindgen::prelude::*;
use web_sys::{Element, EventTarget};

use crate::address::View;
use crate::app::listening::{listen, listen_to_panel, on_pointer, redraw_on};
use crate::app::{App, Handle, Paint};
use crate::beside::Beside;
use crate::callbacks::{after_ms, listen_to, on_submit};
use crate::controls::{Controls, Source, typed_rate};
use crate::dom::{Slot, document, find, find_all, set_attribute, window};
use crate::failure::report_failure;
use crate::goals_view::GoalsView;
use crate::guess::state::Truth;
use crate::guess::view::GuessView;
use crate::host::Host;
use crate::levers_view::{LeversView, links};
use crate::little::Little;
use crate::model::{Model, Msg};
use crate::page::Page;
use crate::panel::Panel;
use crate::picture::{Call, Picture};
use crate::prose::Prose;
use crate::readouts::Readouts;
use crate::resize::SizeWatch;
use crate::say::view::{Say, Sender};
use crate::scheme::SchemeChoice;
use crate::sentences::Sentences;
use crate::share::view::ShareView;
use crate::sight::{Sight, SightWatch, in_sight};
use crate::table::CurveTable;
use crate::told::{Answered, Ready};
use crate::wire::Kind;

impl App {
    pub(crate) fn new(root: Element, mut model: Model, page: Option<Page>, handle: Handle) -> Result<Self, JsValue> {
        // What lies behind a frame, or around a lab in somebody else's page, shines through.
        let opaque = page.as_ref().is_some_and(|page| !page.is_for_frames());
        let panels = ChartId::ALL.map(|id| Panel::take_over(&root, id, opaque));
        let panels = panels.into_iter().collect::<Result<Vec<_>, _>>()?;
        let controls = Controls::in_lab(&root)?;
        let beside = Beside::in_lab(&root)?;
        let table = CurveTable::in_lab(&root)?;
        let scheme = SchemeChoice::in_page()?;
        let mut listeners: Vec<_> = controls
            .sources(&root)?
            .into_iter()
            .chain(beside.sources())
            .map(|source| listen(source, handle.clone()))
            .collect();
        for (index, panel) in panels.iter().enumerate() {
            listeners.extend(listen_to_panel(index, panel, &handle));
        }
        listeners.push(redraw_on(&table.details, "toggle", handle.clone()));
        listeners.extend(scheme.listen({
            let handle = handle.clone();
            move || {
                handle.with(App::recolour);
            }
        }));
        let window: EventTarget = window()?.into();
        for (event, print) in [("beforeprint", App::before_print as fn(&mut App)), ("afterprint", App::after_print)] {
            let handle = handle.clone();
            listeners.push(listen_to(&window, event, move |_| {
                handle.with(print);
            }));
        }
        let form: EventTarget = find::<Element>(&root, "form")?.into();
        // Enter in a field must not load the page again.
        listeners.push(on_submit(&form, || {}));
        let sizes = SizeWatch::new(panels.iter().map(|panel| panel.plot.as_ref()), {
            let handle = handle.clone();
            move |index, css_width, device| {
                handle.with(|app| app.resize(index, css_width, device));
            }
        })?;
        let prose = Prose::in_page(&model)?;
        let mut watched: Vec<Element> = panels.iter().map(|panel| panel.plot.clone().into()).collect();
        watched.extend_from_slice(&prose.lines);
        let sight = SightWatch::new(watched.iter(), Sight::Seen, {
            let handle = handle.clone();
            move |index, is| {
                handle.with(|app| app.see(index, is));
            }
        })?;
        let passing = SightWatch::new([&root].into_iter(), Sight::Near, {
            let handle = handle.clone();
            move |_, in_sight| {
                handle.with(|app| app.pass(in_sight));
            }
        })?;
        let goals = if page.is_some() { GoalsView::in_page(&model)? } else { None };
        let truth = Truth::of(model.valid_scenario(), model.curve()).filter(|_| model.is_on_the_lessons_curve());
        let guess = match (&page, truth) {
            (Some(page), Some(truth)) => {
                let handle = handle.clone();
                GuessView::in_page(&root, truth, page.asks(), move |event| {
                    handle.with(|app| app.guess(event));
                })?
            }
            (Some(_), None) => {
                GuessView::pass()?;
                None
            }
            (None, _) => None,
        };
        let host = match &page {
            Some(page) if page.is_for_frames() => {
                let handle = handle.clone();
                Host::around(page.address.parent_origin.clone(), move |call| {
                    handle.with(|app| app.hear(&call));
                })?
            }
            _ => None,
        };
        let share = match &page {
            Some(_) => {
                let handle = handle.clone();
                let on = move |call| {
                    handle.with(|app| app.share(&call));
                };
                Some(ShareView::in_lab(&root, on)?)
            }
            None => {
                if let Some(panel) = root.query_selector("[data-share]")? {
                    set_attribute(&panel, "hidden", "");
                }
                None
            }
        };
        if guess.as_ref().is_some_and(GuessView::is_asking) {
            model.update(Msg::Cover);
        }
        if let Some(ghost) = guess.as_ref().and_then(|guess| guess.guess().ghost()) {
            model.keep_guess(ghost);
        }
        let mut app = Self {
            readouts: Readouts::in_lab(&root)?,
            prose,
            little: Little::in_lab(&root)?,
            levers: LeversView::in_lab(&root)?,
            beside,
            guess,
            goals,
            status: Slot::find(&root, "[data-lab-status]")?,
            model,
            root,
            controls,
            panels,
            table,
            scheme,
            say: None,
            handle,
            frame: None,
            settling: None,
            writing: None,
            starting: None,
            page,
            host,
            share,
            events: Vec::new(),
            telling: None,
            announcing: None,
            next_paint: Paint::InSight,
            sentences: Sentences::new(ChartId::ALL.len() + 2),
            untold: false,
            told_at: f64::NEG_INFINITY,
            announced_at: f64::NEG_INFINITY,
            picture: None,
            unobserved: false,
            listeners,
            _sizes: sizes,
            _sight: sight,
            _passing: passing,
        };
        app.measure()?;
        // Until its turn comes the finished picture of the page stands in a chart's place; it shows the same.
        app.soon(|app| {
            app.show(Paint::InSight);
            app.soon(|app| {
                app.describe();
                app.controls.enable();
                app.paint_rest(0);
            });
        });
        Ok(app)
    }

    /// Takes over what belongs to the page's own lab and stands outside it: the moving picture, and whatever sets a rate.
    /// Whatever is amiss there, the lab runs.
    pub(super) fn take_over_page(&mut self) {
        self.join_picture(&self.handle.clone()).unwrap_or_else(|failure| report_failure(&failure));
        self.soon(Self::join_lesson);
    }

    /// Takes over the lesson around the page's own lab.
    pub(super) fn join_lesson(&mut self) {
        let send = Sender::new({
            let handle = self.handle.clone();
            move |msg| {
                handle.with(|app| {
                    let answered = app.say.as_mut().and_then(|say| say.receive(msg));
                    if let Some(correct) = answered {
                        app.tell_all(Kind::Answer, &Answered { question: "e2e", correct });
                    }
                });
            }
        });
        match Say::in_page(&send) {
            Ok(say) => self.say = say,
            Err(failure) => report_failure(&failure),
        }
        self.tell_say();
        self.soon(Self::run);
    }

    pub(super) fn join_picture(&mut self, handle: &Handle) -> Result<(), JsValue> {
        let page = document()?.document_element().ok_or("the document is empty")?;
        for link in find_all(&page, "[data-go-rate]")? {
            let rate = link.get_attribute("data-go-rate").unwrap_or_default();
            let read = Box::new(move || Some(typed_rate(rate.clone())));
            self.listeners.push(listen(Source { target: link.into(), event: "click", read }, handle.clone()));
        }
        let tries = links(&page, &self.root)?;
        self.listeners.extend(tries.into_iter().map(|source| listen(source, handle.clone())));
        let call: Call = {
            let handle = handle.clone();
            Rc::new(move |act| {
                handle.with(|app| {
                    if let Some(picture) = &mut app.picture {
                        act(picture, &app.model.run());
                    }
                });
            })
        };
        let (scheme, ratio) = (self.scheme.get(), window()?.device_pixel_ratio());
        self.picture = Picture::in_page(scheme, ratio, &self.model.run(), call)?;
        // A press on the chart over time moves the picture to that time.
        for (index, panel) in self.panels.iter().enumerate().filter(|(_, panel)| panel.id == ChartId::Time) {
            self.listeners.push(on_pointer(index, panel, "pointerdown", handle, App::seek));
        }
        Ok(())
    }

    /// Takes the sizes as they are now, for the first picture; later ones are reported.
    pub(super) fn measure(&mut self) -> Result<(), JsValue> {
        let ratio = window()?.device_pixel_ratio();
        let scheme = self.scheme.get();
        // All are read before any is written to: a write in between would lay out the page anew for each.
        let places: Vec<_> = self.panels.iter().map(|panel| panel.plot.get_bounding_client_rect()).collect();
        for (panel, rect) in self.panels.iter_mut().zip(places) {
            let device = (rect.width() * ratio, rect.height() * ratio);
            panel.resize(rect.width(), device, scheme);
            panel.see(in_sight(&rect));
        }
        Ok(())
    }

    /// Paints what was out of sight at the start, one picture in a task of its own, so that the page answers in between.
    /// It needs no animation frame: in a hidden page there is none.
    pub(super) fn paint_rest(&mut self, index: usize) {
        self.show_panel(index);
        if let Some(panel) = self.panels.get(index) {
            // An address may have asked for another run than the one that the page's own words are about.
            panel.show_headline(&self.model);
        }
        let has_lesson = self.page.as_ref().is_some_and(|page| page.view() == View::Lesson);
        match (index < self.panels.len(), has_lesson) {
            (true, _) => self.soon(move |app| app.paint_rest(index + 1)),
            (false, true) => self.soon(Self::take_over_page),
            (false, false) => self.run(),
        }
    }

    /// The lab is there, whole.
    pub(super) fn run(&mut self) {
        self.starting = None;
        if let Some(picture) = &mut self.picture {
            picture.follow(&self.model.run(), true);
        }
        set_attribute(&self.root, "data-state", "running");
        let height = self.host.as_ref().map_or_else(|| self.root.client_height() as u32, Host::height);
        self.tell_all(Kind::Ready, &Ready { version: env!("CARGO_PKG_VERSION"), height });
        let refused = self.page.as_ref().map(|page| page.address.refusals.iter().map(ToString::to_string).collect());
        self.fail(refused.unwrap_or_default());
    }

    /// Takes the next step of the start, in a task of its own.
    pub(super) fn soon(&mut self, step: impl FnOnce(&mut Self) + 'static) {
        let handle = self.handle.clone();
        self.starting = Some(after_ms(0, move || {
            handle.with(step);
        }));
    }
}
