//! A running lab: its model, its view, and everything it has asked the browser for.
//!
//! One animation frame at a time: input only changes the model and asks for a frame; the frame simulates and draws what
//! the model then holds. Whatever the lab has asked for ends when the lab is dropped.

use std::cell::RefCell;
use std::mem::take;
use std::rc::{Rc, Weak};

use gloo_events::EventListener;
use gloo_render::AnimationFrame;
use gloo_timers::callback::Timeout;
use goodput_charts::{ChartId, Scheme, format, text};
use goodput_sim::SimTime;
use goodput_summary::Value;
use serde::Serialize;
use wasm_bindgen::prelude::*;
use web_sys::{CustomEvent, CustomEventInit, Element, EventTarget, PointerEvent};

use crate::address::View;
use crate::api::to_js;
use crate::beside::Beside;
use crate::callbacks::{after_ms, listen_to, on_submit};
use crate::controls::{Controls, Source, number, typed_rate};
use crate::dom::{Slot, document, find, find_all, now_ms, set_attribute, window};
use crate::goals::Goal;
use crate::goals_view::GoalsView;
use crate::guess::state::Truth;
use crate::guess::view::{Event, GuessView};
use crate::host::{Call as HostCall, Host};
use crate::lab::worded;
use crate::little::Little;
use crate::model::{Effects, Model, Msg};
use crate::page::Page;
use crate::panel::Panel;
use crate::panic::panicked;
use crate::picture::{Ask, Call, Picture};
use crate::player::Act;
use crate::prose::Prose;
use crate::readouts::Readouts;
use crate::resize::SizeWatch;
use crate::say::view::{Say, Sender};
use crate::scheme::SchemeChoice;
use crate::sentences::Sentences;
use crate::share::view::{Call as ShareCall, ShareView, Shown};
use crate::sight::{SightWatch, in_sight};
use crate::table::CurveTable;
use crate::told::{Answered, Failed, Reached, Ready, Score};
use crate::wire::{Asked, Kind};
use crate::words;

/// How long after the last change a lab counts as settled [ms].
const SETTLE_MS: u32 = 400;
/// Least time between two `lab-change` events [ms].
const CHANGE_MS: f64 = 100.0;
/// Least time between two announcements to a screen reader [ms].
const ANNOUNCE_MS: f64 = 5000.0;

/// The way back into a lab for what the browser calls.
#[derive(Clone, Debug)]
pub(crate) struct Handle(Weak<RefCell<Option<App>>>);

impl Handle {
    pub(crate) fn of(app: &Rc<RefCell<Option<App>>>) -> Self {
        Self(Rc::downgrade(app))
    }

    /// Calls into the lab, if it is still there, whole, and not at work already.
    fn with(&self, act: impl FnOnce(&mut App)) {
        let mut act = Some(act);
        self.call(&mut |app| {
            if let Some(act) = act.take() {
                act(app);
            }
        });
    }

    /// Once for all callers, because it is downloaded. The lab's events are fired when it is no longer borrowed: whoever
    /// listens may call back into it.
    fn call(&self, act: &mut dyn FnMut(&mut App)) {
        if panicked() {
            return;
        }
        let Some(app) = self.0.upgrade() else { return };
        let Some((root, events)) = app.try_borrow_mut().ok().and_then(|mut app| {
            let app = app.as_mut()?;
            act(app);
            Some((app.root.clone(), take(&mut app.events)))
        }) else {
            return;
        };
        for event in events {
            // Only an event that is being dispatched already is refused, and these are new.
            root.dispatch_event(&event).ok();
        }
    }

    /// Gives the model a message and sees to what follows.
    fn send(&self, msg: Msg) {
        self.with(|app| app.receive(msg));
    }

    fn frame(&self) {
        self.with(App::frame);
    }
}

/// A running lab.
#[derive(Debug)]
pub(crate) struct App {
    model: Model,
    root: Element,
    controls: Controls,
    readouts: Readouts,
    prose: Prose,
    beside: Beside,
    panels: Vec<Panel>,
    table: CurveTable,
    status: Slot,
    scheme: SchemeChoice,
    little: Little,
    /// The learner's parts of the lesson, around the page's own lab only.
    say: Option<Say>,
    /// The page's own lab has them; one in somebody else's page has not.
    guess: Option<GuessView>,
    goals: Option<GoalsView>,
    handle: Handle,
    frame: Option<AnimationFrame>,
    settling: Option<Timeout>,
    writing: Option<Timeout>,
    /// The next step of the start is coming.
    starting: Option<Timeout>,
    /// Our own page around its lab; a lab in somebody else's page has none.
    page: Option<Page>,
    /// The page around our own, which has it in a frame.
    host: Option<Host>,
    /// Only a lab in our own page has an address to share.
    share: Option<ShareView>,
    /// To be fired when the lab is no longer borrowed.
    events: Vec<CustomEvent>,
    telling: Option<Timeout>,
    announcing: Option<Timeout>,
    /// What the next frame shows anew: all, after a change of size or colours, which are rare.
    next_paint: Paint,
    /// The headlines of the panels, by index, after them the verdict, and last the prose that follows the lab.
    sentences: Sentences,
    /// A change that `lab-change` has not told yet.
    untold: bool,
    told_at: f64,
    announced_at: f64,
    picture: Option<Picture>,
    /// The reader has made a run that the goals have not seen.
    unobserved: bool,
    listeners: Vec<EventListener>,
    _sizes: SizeWatch,
    _sight: SightWatch,
    _passing: SightWatch,
}

impl App {
    pub(crate) fn new(root: Element, mut model: Model, page: Option<Page>, handle: Handle) -> Result<Self, JsValue> {
        let panels = ChartId::ALL.map(|id| Panel::take_over(&root, id)).into_iter().collect::<Result<Vec<_>, _>>()?;
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
        let sight = SightWatch::new(panels.iter().map(|panel| panel.plot.as_ref()), {
            let handle = handle.clone();
            move |index, in_sight| {
                handle.with(|app| app.see(index, in_sight));
            }
        })?;
        let passing = SightWatch::new([&root].into_iter(), {
            let handle = handle.clone();
            move |_, in_sight| {
                handle.with(|app| app.pass(in_sight));
            }
        })?;
        let prose = Prose::in_page(&model)?;
        let goals = if page.is_some() { GoalsView::in_page(&model)? } else { None };
        let truth = Truth::of(model.valid_scenario(), model.curve()).filter(|_| model.is_on_the_lessons_curve());
        let guess = match (&page, truth) {
            (Some(page), Some(truth)) => {
                let handle = handle.clone();
                GuessView::in_page(&root, truth, page.asks(), move |event| {
                    handle.with(|app| app.guess(event));
                })?
            }
            _ => None,
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
    fn take_over_page(&mut self) {
        self.join_picture(&self.handle.clone()).unwrap_or_else(|failure| report_failure(&failure));
        self.soon(Self::join_lesson);
    }

    /// Takes over the lesson around the page's own lab.
    fn join_lesson(&mut self) {
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

    fn join_picture(&mut self, handle: &Handle) -> Result<(), JsValue> {
        let page = document()?.document_element().ok_or("the document is empty")?;
        for link in find_all(&page, "[data-go-rate]")? {
            let rate = link.get_attribute("data-go-rate").unwrap_or_default();
            let read = Box::new(move || Some(typed_rate(rate.clone())));
            self.listeners.push(listen(Source { target: link.into(), event: "click", read }, handle.clone()));
        }
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

    /// Moves the picture to the time at a position on the chart over time [CSS px].
    fn seek(&mut self, index: usize, css_x: f64) {
        let (Some(panel), Some(chart)) = (self.panels.get(index), self.model.charts().nth(index)) else { return };
        let seconds = panel.x_at(css_x, chart);
        if let (Some(seconds), Some(picture)) = (seconds, &mut self.picture) {
            picture.ask(Ask::Act(Act::Seek(SimTime::from_secs(seconds))), &self.model.run());
        }
    }

    /// Takes the sizes as they are now, for the first picture; later ones are reported.
    fn measure(&mut self) -> Result<(), JsValue> {
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
    fn paint_rest(&mut self, index: usize) {
        if let (Some(panel), Some(chart)) = (self.panels.get_mut(index), self.model.charts().nth(index)) {
            panel.paint(chart, &self.model).unwrap_or_else(|failure| report_failure(&failure));
            // An address may have asked for another run than the one that the page's own words are about.
            panel.show_readout(chart, &self.model);
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
    fn run(&mut self) {
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
    fn soon(&mut self, step: impl FnOnce(&mut Self) + 'static) {
        let handle = self.handle.clone();
        self.starting = Some(after_ms(0, move || {
            handle.with(step);
        }));
    }

    fn resize(&mut self, index: usize, css_width: f64, device: (f64, f64)) {
        let scheme = self.scheme.get();
        let other = self.panels.get_mut(index).is_some_and(|panel| panel.resize(css_width, device, scheme));
        if other {
            self.next_paint = Paint::All;
        }
        self.request_frame();
    }

    fn see(&mut self, index: usize, in_sight: bool) {
        if let Some(panel) = self.panels.get_mut(index) {
            panel.see(in_sight);
            self.sentences.due(index);
        }
        self.request_frame();
    }

    fn recolour(&mut self) {
        let scheme = self.scheme.get();
        for panel in &mut self.panels {
            panel.recolour(scheme);
        }
        self.recolour_pictures(scheme);
        self.next_paint = Paint::All;
        self.request_frame();
    }

    /// On paper the charts are drawn as lines, on white, whatever the screen's colours.
    fn before_print(&mut self) {
        self.show(Paint::All);
        for (panel, chart) in self.panels.iter().zip(self.model.charts()) {
            panel.put_on_paper(chart, &self.model);
        }
        self.recolour_pictures(Scheme::Light);
    }

    fn after_print(&mut self) {
        self.panels.iter().for_each(Panel::clear_paper);
        self.recolour_pictures(self.scheme.get());
    }

    /// Paints at once, in other colours, what is a canvas on paper too: the moving picture and the guessed line. A printer
    /// does not wait for a frame.
    fn recolour_pictures(&mut self, scheme: Scheme) {
        if let Some(picture) = &mut self.picture {
            picture.recolour(scheme);
            picture.follow(&self.model.run(), true);
        }
        if let Some(guess) = &mut self.guess {
            guess.recolour(scheme);
            guess.show(self.model.is_covered()).unwrap_or_else(|failure| report_failure(&failure));
        }
    }

    fn receive(&mut self, msg: Msg) {
        // That the lab opens is not the reader's doing.
        let by_hand = msg != Msg::Uncover;
        let points = matches!(msg, Msg::Point(..));
        let Effects { draw, changed } = self.model.update(msg);
        if changed {
            self.untold = true;
            self.unobserved = by_hand;
            // The run, or with a cover that goes what is said of it.
            self.sentences.all_due();
            set_attribute(&self.root, "data-moving", "");
            let handle = self.handle.clone();
            self.settling = Some(after_ms(SETTLE_MS, move || {
                handle.with(Self::settle);
            }));
        } else if draw && !points {
            // What stands beside the run belongs into the address, too.
            let handle = self.handle.clone();
            self.writing = Some(after_ms(SETTLE_MS, move || {
                handle.with(Self::write);
            }));
        }
        if draw {
            self.request_frame();
        }
    }

    /// The pointer is over a chart, at a position from its left edge [CSS px], or has left it.
    fn point(&mut self, index: usize, css_x: Option<f64>) {
        let (Some(panel), Some(chart)) = (self.panels.get(index), self.model.charts().nth(index)) else { return };
        let msg = Msg::Point(panel.id, css_x.and_then(|css_x| panel.x_at(css_x, chart)));
        self.receive(msg);
    }

    /// The chart's reader has the focus or was moved, or has lost the focus.
    fn read(&mut self, index: usize, reading: Reading) {
        let (Some(panel), Some(chart)) = (self.panels.get(index), self.model.charts().nth(index)) else { return };
        if reading == Reading::Starts {
            panel.place_reader(chart, &self.model);
        }
        let x = if reading == Reading::Ends { None } else { panel.reader_x(chart) };
        let msg = Msg::Point(panel.id, x);
        self.receive(msg);
    }

    /// Something has happened to the guess. With its end the lab opens.
    fn guess(&mut self, event: Event) {
        let scheme = self.scheme.get();
        let Some(guess) = &mut self.guess else { return };
        if guess.receive(event, scheme) {
            guess.open(&self.root).unwrap_or_else(|failure| report_failure(&failure));
            if let Some(ghost) = guess.guess().ghost() {
                self.model.keep_guess(ghost);
            }
            self.tell_guess();
            self.receive(Msg::Uncover);
        }
        self.request_frame();
    }

    /// The lab has come into sight or gone. Who has passed it by without a guess shall not find it covered; it is not
    /// remembered, so the next visit asks again.
    fn pass(&mut self, in_sight: bool) {
        let under_way = self.guess.as_ref().is_some_and(|guess| guess.guess().is_under_way());
        let is_above = !in_sight && self.root.get_bounding_client_rect().bottom() < 0.0;
        if self.model.is_covered() && is_above && !under_way {
            self.receive(Msg::Uncover);
        }
    }

    fn request_frame(&mut self) {
        if self.frame.is_none() {
            let handle = self.handle.clone();
            self.frame = Some(gloo_render::request_animation_frame(move |_| handle.frame()));
        }
    }

    fn frame(&mut self) {
        self.frame = None;
        let paint = std::mem::replace(&mut self.next_paint, Paint::InSight);
        self.show(paint);
        if self.untold && self.telling.is_none() && now_ms() - self.told_at >= CHANGE_MS {
            // Pixels first: those who listen are told when the frame is on its way.
            let handle = self.handle.clone();
            self.telling = Some(after_ms(0, move || {
                handle.with(Self::tell);
            }));
        }
    }

    /// Hands out what the lab shows while it moves.
    fn tell(&mut self) {
        self.telling = None;
        self.untold = false;
        self.told_at = now_ms();
        self.tell_all(Kind::Change, &self.model.summary());
    }

    /// Simulates what is wanted and shows it.
    fn show(&mut self, paint: Paint) {
        // Every rate on the slider is valid on every draw; were one not, the last picture would stay.
        let simulated = self.model.simulate().unwrap_or_else(|refusal| {
            report_failure(&worded(&refusal));
            false
        });
        if simulated {
            self.controls.show_capacity(&self.model);
        }
        let time_shows = |panel: &Panel| panel.id == ChartId::Time && panel.in_sight();
        if paint == Paint::All || self.panels.iter().any(time_shows) {
            self.model.follow_time();
        }
        self.controls.show(&self.model);
        self.readouts.show(&self.model);
        self.little.show(&self.model);
        self.show_beside().unwrap_or_else(|failure| report_failure(&failure));
        for (panel, chart) in self.panels.iter_mut().zip(self.model.charts()) {
            if panel.in_sight() || paint == Paint::All {
                panel.show_readout(chart, &self.model);
                panel.paint(chart, &self.model).unwrap_or_else(|failure| report_failure(&failure));
            }
        }
        self.table.show(&self.model).unwrap_or_else(|failure| report_failure(&failure));
        if let Some(picture) = self.picture.as_mut().filter(|_| simulated || paint == Paint::All) {
            picture.follow(&self.model.run(), paint == Paint::All);
        }
        if let Some(guess) = &mut self.guess {
            guess.show(self.model.is_covered()).unwrap_or_else(|failure| report_failure(&failure));
        }
        self.show_sentences(paint);
    }

    /// Shows what stands beside the run, and goes on with what of it is not simulated yet.
    fn show_beside(&mut self) -> Result<(), JsValue> {
        match self.model.advance_draws() {
            Ok(true) => self.request_frame(),
            Ok(false) => {}
            Err(refusal) => return Err(worded(&refusal)),
        }
        let (scheme, handle) = (self.scheme.get(), self.handle.clone());
        self.beside.show(&self.model, scheme, move |msg| handle.send(msg))
    }

    /// Shows the sentences that are due: at rest all of them, while something moves one in each frame.
    fn show_sentences(&mut self, paint: Paint) {
        let verdict = self.panels.len();
        while let Some(index) = self.sentences.take() {
            match self.panels.get(index) {
                Some(panel) if panel.in_sight() || paint == Paint::All => panel.show_headline(&self.model),
                // It is due again when it comes into sight.
                Some(_) => continue,
                None if index == verdict => self.readouts.show_verdict(&self.model),
                None => self.prose.show(&self.model),
            }
            if paint == Paint::InSight && self.sentences.any_due() {
                self.request_frame();
                return;
            }
        }
    }

    /// Nothing has changed for a while: describe, announce, and hand out the result.
    fn settle(&mut self) {
        self.settling = None;
        self.telling = None;
        self.untold = false;
        self.root.remove_attribute("data-moving").ok();
        // In a page that is not shown no animation frame has come: what is handed out must be simulated all the same.
        // And those out of sight were passed over in the frames before.
        self.sentences.all_due();
        self.show(Paint::All);
        self.describe();
        self.announce();
        // Under the cover a run is nobody's find yet.
        if let (Some(say), false) = (&mut self.say, self.model.hides_run()) {
            say.note(&self.model.summary());
        }
        if let (Some(goals), false, true) = (&mut self.goals, self.model.hides_run(), self.unobserved) {
            let new = goals.observe(&self.model);
            let done = goals.done();
            self.unobserved = false;
            self.tell_goals(&new, done);
        }
        self.tell_say();
        self.write();
        self.tell_all(Kind::Result, &self.model.summary());
    }

    /// Writes the address, and what the reader may take away. Under the cover the address would tell what is covered.
    fn write(&mut self) {
        self.writing = None;
        self.fill_share();
        if let (Some(page), false) = (&mut self.page, self.model.is_covered()) {
            page.write(&self.model.setup());
        }
    }

    /// Brings the Share panel up to the state in view.
    fn fill_share(&mut self) {
        if let (Some(share), Some(page)) = (&mut self.share, &self.page) {
            share.fill(page, &self.model).unwrap_or_else(|failure| report_failure(&failure));
        }
    }

    /// Sees to what the reader does in the Share panel.
    fn share(&mut self, call: &ShareCall) {
        let (Some(share), Some(page)) = (&mut self.share, &self.page) else { return };
        let shown = Shown { page, model: &mut self.model, panels: &self.panels, scheme: self.scheme.get() };
        let handle = self.handle.clone();
        let read = move || {
            handle.with(|app| app.share(&ShareCall::Read));
        };
        match share.receive(call, shown, read) {
            Ok(Some(words)) => self.say_at_once(&words),
            Ok(None) => {}
            Err(failure) => report_failure(&failure),
        }
    }

    /// Says what the reader waits for, in the lab's one line for it. A result that comes soon after waits its turn.
    fn say_at_once(&mut self, words: &str) {
        self.announced_at = now_ms();
        // Said again if asked for again.
        self.status.set_text("");
        self.status.set_text(words);
    }

    /// Tells what the learner expects, and at the end of questions that stand alone how near it was.
    fn tell_guess(&mut self) {
        let Some(guess) = self.guess.as_ref().map(GuessView::guess) else { return };
        let (Some(predicted), (score, max)) = (guess.predicted(), guess.score()) else { return };
        self.tell_all(Kind::Predict, &predicted);
        if self.page.as_ref().is_some_and(|page| page.view() == View::Predict) {
            self.tell_all(Kind::Complete, &Score { score, max });
        }
    }

    /// Tells which goals are reached, and when all of them are.
    fn tell_goals(&mut self, new: &[Goal], done: usize) {
        let of = Goal::ALL.len();
        for goal in new {
            self.tell_all(Kind::Goal, &Reached { goal: goal.name(), done, of });
        }
        if !new.is_empty() && done == of {
            self.tell_all(Kind::Complete, &Score { score: done, max: of });
        }
    }

    /// Sees to what comes from the page around.
    fn hear(&mut self, call: &HostCall) {
        let Some(host) = &mut self.host else { return };
        let flush = again(&self.handle);
        match call {
            HostCall::Size => host.tell_height(flush),
            HostCall::Flush => host.flush(flush),
            HostCall::Message(event) => {
                let Some(asked) = host.hear(event) else { return };
                match asked {
                    Asked::Parameters(pairs) => self.set(&pairs),
                    Asked::Reset => self.receive(Msg::Reset),
                    Asked::Pin => self.receive(Msg::Pin),
                }
                // Who asked waits for a result, also where nothing is another.
                if self.settling.is_none() {
                    self.tell_all(Kind::Result, &self.model.summary());
                }
            }
        }
    }

    /// Takes parameters from the page around.
    fn set(&mut self, pairs: &[(String, Value)]) {
        let Some(page) = &mut self.page else { return };
        page.address.setup = self.model.setup();
        let refusals = page.address.update(pairs, number);
        let (setup, locks) = (Box::new(page.address.setup.clone()), page.address.lock.clone());
        page.redress();
        page.refuse(&refusals);
        self.recolour();
        self.receive(Msg::Lock(locks));
        self.receive(Msg::Set(setup));
        self.fill_share();
        self.fail(refusals.iter().map(ToString::to_string).collect());
    }

    /// Tells what was refused.
    fn fail(&mut self, sentences: Vec<String>) {
        for message in sentences {
            self.tell_all(Kind::Error, &Failed { message });
        }
    }

    /// Hands the guess and the goals to the page that the learner keeps.
    fn tell_say(&mut self) {
        let guessed = self.guess.as_ref().map(|guess| guess.guess().lines()).unwrap_or_default();
        let goals = self.goals.as_ref().map(GoalsView::lines).unwrap_or_default();
        if let Some(say) = &mut self.say {
            say.tell(guessed, goals);
        }
    }

    fn describe(&self) {
        for (panel, chart) in self.panels.iter().zip(self.model.charts()) {
            panel.describe(chart);
        }
    }

    /// Says the result once, politely, and never in bursts: too early, it waits its turn and then says the latest.
    fn announce(&mut self) {
        let wait = self.announced_at + ANNOUNCE_MS - now_ms();
        if wait > 0.0 {
            let handle = self.handle.clone();
            let later = move || {
                handle.with(Self::announce);
            };
            self.announcing = Some(after_ms(wait.ceil() as u32, later));
            return;
        }
        self.announcing = None;
        self.announced_at = now_ms();
        let report = self.model.report();
        self.status.set_text(&match self.model.hides_run() {
            true => words::covered_status(&format::rate(report.rate_per_s)),
            false => text::status(report),
        });
    }

    /// Tells those who listen: by an event of the lab's root, and by a message to the page around.
    fn tell_all(&mut self, kind: Kind, detail: &impl Serialize) {
        let Ok(detail) = to_js(detail) else { return };
        let init = CustomEventInit::new();
        init.set_bubbles(true);
        init.set_detail(&detail);
        self.events.extend(CustomEvent::new_with_event_init_dict(kind.name(), &init));
        if let Some(host) = &mut self.host {
            let text = (kind == Kind::Result && !self.model.hides_run()).then(|| text::verdict(self.model.report()));
            host.tell(kind, detail, text, again(&self.handle));
        }
    }
}

/// How the messages that have to wait come back.
fn again(handle: &Handle) -> impl FnOnce() + 'static {
    let handle = handle.clone();
    move || {
        handle.with(|app| app.hear(&HostCall::Flush));
    }
}

fn listen(Source { target, event, read }: Source, handle: Handle) -> EventListener {
    listen_to(&target, event, move |_| {
        if let Some(msg) = read() {
            handle.send(msg);
        }
    })
}

/// Which charts to show anew: while something moves those in sight, at rest all of them, so that a print or a long
/// screenshot shows none that is out of date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Paint {
    All,
    InSight,
}

/// A chart's reader, as its reader uses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reading {
    Starts,
    Moves,
    Ends,
}

fn listen_to_panel(index: usize, panel: &Panel, handle: &Handle) -> Vec<EventListener> {
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
fn on_pointer(
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

fn redraw_on(target: &EventTarget, event: &'static str, handle: Handle) -> EventListener {
    listen_to(target, event, move |_| {
        handle.with(App::request_frame);
    })
}

fn report_failure(failure: &JsValue) {
    web_sys::console::error_1(failure);
}
