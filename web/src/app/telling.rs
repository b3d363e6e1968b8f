//! What a lab tells those who listen, in this page and around it, and what it is told.

use goodput_charts::text;
use goodput_summary::{Summary, Value};
use serde::Serialize;
use web_sys::{CustomEvent, CustomEventInit};

use crate::address::View;
use crate::api::to_js;
use crate::app::{App, Handle};
use crate::controls::number;
use crate::dom::now_ms;
use crate::goals::Goal;
use crate::guess::view::GuessView;
use crate::host::Call as HostCall;
use crate::model::Msg;
use crate::told::{Failed, Reached, Score};
use crate::wire::{Asked, Kind};

impl App {
    /// What the lab shows.
    pub(crate) fn summary(&self) -> Summary {
        self.model.summary()
    }

    /// Hands out what the lab shows while it moves.
    pub(super) fn tell(&mut self) {
        self.telling = None;
        self.untold = false;
        self.told_at = now_ms();
        self.tell_all(Kind::Change, &self.model.summary());
    }

    /// Tells what the learner expects, and at the end of questions that stand alone how near it was.
    pub(super) fn tell_guess(&mut self) {
        let Some(guess) = self.guess.as_ref().map(GuessView::guess) else { return };
        let (Some(predicted), (score, max)) = (guess.predicted(), guess.score()) else { return };
        self.tell_all(Kind::Predict, &predicted);
        if self.page.as_ref().is_some_and(|page| page.view() == View::Predict) {
            self.tell_all(Kind::Complete, &Score { score, max });
        }
    }

    /// Tells which goals are reached, and when all of them are.
    pub(super) fn tell_goals(&mut self, new: &[Goal], done: usize) {
        let of = Goal::ALL.len();
        for goal in new {
            self.tell_all(Kind::Goal, &Reached { goal: goal.name(), done, of });
        }
        if !new.is_empty() && done == of {
            self.tell_all(Kind::Complete, &Score { score: done, max: of });
        }
    }

    /// Sees to what comes from the page around.
    pub(super) fn hear(&mut self, call: &HostCall) {
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
    pub(super) fn set(&mut self, pairs: &[(String, Value)]) {
        let Some(page) = &mut self.page else { return };
        page.address.setup = self.model.setup();
        let refusals = page.address.update(pairs, number);
        let (setup, locks) = (Box::new(page.address.setup.clone()), page.address.lock.clone());
        let scheme = self.scheme.get();
        page.redress();
        page.refuse(&refusals);
        // New colours paint everything anew, and a host's slider sends many a rate.
        if self.scheme.get() != scheme {
            self.recolour();
        }
        self.receive(Msg::Lock(locks));
        self.receive(Msg::Stand(setup));
        self.fill_share();
        self.fail(refusals.iter().map(ToString::to_string).collect());
    }

    /// Tells what was refused.
    pub(super) fn fail(&mut self, sentences: Vec<String>) {
        for message in sentences {
            self.tell_all(Kind::Error, &Failed { message });
        }
    }

    /// Tells those who listen: by an event of the lab's root, and by a message to the page around.
    pub(super) fn tell_all(&mut self, kind: Kind, detail: &impl Serialize) {
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
