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
use goodput_sim::SimTime;
use web_sys::{CustomEvent, Element};

use crate::beside::Beside;
use crate::callbacks::after_ms;
use crate::controls::Controls;
use crate::dom::{Slot, set_attribute};
use crate::failure::report_failure;
use crate::goals_view::GoalsView;
use crate::guess::view::{Event, GuessView};
use crate::host::Host;
use crate::levers_view::LeversView;
use crate::little::Little;
use crate::model::{Effects, Model, Msg};
use crate::page::Page;
use crate::panel::Panel;
use crate::panic::panicked;
use crate::picture::{Ask, Picture};
use crate::player::Act;
use crate::prose::Prose;
use crate::readouts::Readouts;
use crate::resize::SizeWatch;
use crate::say::view::Say;
use crate::scheme::SchemeChoice;
use crate::sentences::Sentences;
use crate::share::view::ShareView;
use crate::sight::SightWatch;
use crate::table::CurveTable;

mod listening;
mod opening;
mod settling;
mod showing;
mod telling;

/// How long after the last change a lab counts as settled [ms].
const SETTLE_MS: u32 = 400;

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
    levers: LeversView,
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
    /// Moves the picture to the time at a position on the chart over time [CSS px].
    fn seek(&mut self, index: usize, css_x: f64) {
        let (Some(panel), Some(chart)) = (self.panels.get(index), self.model.charts().nth(index)) else { return };
        let seconds = panel.x_at(css_x, chart);
        if let (Some(seconds), Some(picture)) = (seconds, &mut self.picture) {
            picture.ask(Ask::Act(Act::Seek(SimTime::from_secs(seconds))), &self.model.run());
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
