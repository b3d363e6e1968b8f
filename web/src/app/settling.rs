//! When nothing has changed for a while: the result is described, announced, written into the address and handed out.

use goodput_charts::{format, text};

use crate::app::{App, Paint};
use crate::callbacks::after_ms;
use crate::dom::now_ms;
use crate::failure::report_failure;
use crate::goals_view::GoalsView;
use crate::share::view::{Call as ShareCall, Shown};
use crate::wire::Kind;
use crate::words;

/// Least time between two announcements to a screen reader [ms].
const ANNOUNCE_MS: f64 = 5000.0;

impl App {
    /// Nothing has changed for a while: describe, announce, and hand out the result.
    pub(super) fn settle(&mut self) {
        self.settling = None;
        self.telling = None;
        self.untold = false;
        // In a page that is not shown no animation frame has come: what is handed out must be simulated all the same.
        // And those out of sight were passed over in the frames before.
        self.sentences.all_due();
        self.show(Paint::All);
        self.root.remove_attribute("data-moving").ok();
        self.describe();
        self.announce();
        // Under the cover a run is nobody's find yet, and what the lab shows by itself is not the reader's.
        if let Some(say) = self.say.as_mut().filter(|_| self.unobserved && !self.model.hides_run()) {
            say.note(&self.model.summary());
        }
        self.observe();
        self.tell_say();
        self.write();
        self.tell_all(Kind::Result, &self.model.summary());
    }

    /// Shows the goals the run that the reader has made, once its curve is whole: some are about that.
    fn observe(&mut self) {
        if self.model.is_growing() || self.model.hides_run() || !self.unobserved {
            return;
        }
        let Some(goals) = &mut self.goals else { return };
        let new = goals.observe(&self.model);
        let done = goals.done();
        self.unobserved = false;
        self.tell_goals(&new, done);
    }

    /// The curve, which grew on when all else had settled, is whole.
    pub(super) fn grown(&mut self) {
        self.next_paint = Paint::All;
        self.request_frame();
        self.describe();
        self.observe();
        self.tell_say();
    }

    /// Writes the address, and what the reader may take away. Under the cover the address would tell what is covered.
    pub(super) fn write(&mut self) {
        self.writing = None;
        self.fill_share();
        if let (Some(page), false) = (&mut self.page, self.model.is_covered()) {
            page.write(&self.model.setup());
        }
    }

    pub(super) fn describe(&self) {
        for (panel, chart) in self.panels.iter().zip(self.model.charts()) {
            panel.describe(chart);
        }
    }

    /// Says the result once, politely, and never in bursts: too early, it waits its turn and then says the latest.
    pub(super) fn announce(&mut self) {
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
        let effect = self.levers.take_unsaid();
        self.status.set_text(&match self.model.hides_run() {
            true => words::covered_status(&format::rate(report.rate_per_s)),
            false => effect.unwrap_or_else(|| text::status(report)),
        });
    }

    /// Says what the reader waits for, in the lab's one line for it. A result that comes soon after waits its turn.
    pub(super) fn say_at_once(&mut self, words: &str) {
        self.announced_at = now_ms();
        // Said again if asked for again.
        self.status.set_text("");
        self.status.set_text(words);
    }

    /// Hands the guess and the goals to the page that the learner keeps.
    pub(super) fn tell_say(&mut self) {
        let guessed = self.guess.as_ref().map(|guess| guess.guess().lines()).unwrap_or_default();
        let goals = self.goals.as_ref().map(GoalsView::lines).unwrap_or_default();
        if let Some(say) = &mut self.say {
            say.tell(guessed, goals);
        }
    }

    /// Brings the Share panel up to the state in view.
    pub(super) fn fill_share(&mut self) {
        if let (Some(share), Some(page)) = (&mut self.share, &self.page) {
            share.fill(page, &self.model).unwrap_or_else(|failure| report_failure(&failure));
        }
    }

    /// Sees to what the reader does in the Share panel.
    pub(super) fn share(&mut self, call: &ShareCall) {
        // What is taken away is whole.
        self.model.simulate().ok();
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
}
