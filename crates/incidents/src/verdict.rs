//! A diagnosis held against the truth.

use crate::dashboard::Dashboard;
use crate::diagnosis::Diagnosis;
use crate::game::Game;
use crate::signal::Signal;

/// How long it takes until what went wrong shows in every signal [s].
const SETTLES_S: f64 = 20.0;

/// From when on a game's run is steady [s].
const STEADY_S: f64 = 60.0;

/// A signal before and after something went wrong, in its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Change {
    /// Its mean from the first minute to the onset.
    pub before: f64,
    /// Its mean while the cause acts; of a retry storm, after the trigger is over.
    pub after: f64,
}

impl Change {
    /// How many times what it was.
    #[must_use]
    pub fn factor(self) -> f64 {
        self.after / self.before
    }
}

/// What a diagnosis is worth.
#[derive(Clone, Debug)]
pub struct Verdict<'a> {
    game: &'a Game,
    dashboard: &'a Dashboard,
    diagnosis: Diagnosis,
}

impl<'a> Verdict<'a> {
    /// Holds a diagnosis against the truth of a game, given what its dashboard showed.
    #[must_use]
    pub fn on(game: &'a Game, dashboard: &'a Dashboard, diagnosis: Diagnosis) -> Self {
        Self { game, dashboard, diagnosis }
    }

    /// What was said to have gone wrong.
    #[must_use]
    pub fn diagnosis(&self) -> Diagnosis {
        self.diagnosis
    }

    /// Whether it is what went wrong.
    #[must_use]
    pub fn is_right(&self) -> bool {
        self.diagnosis == self.game.truth()
    }

    /// A signal before and after; `None` where one of them has no value.
    #[must_use]
    pub fn change(&self, signal: Signal) -> Option<Change> {
        let (onset_s, relief_s) = (self.game.onset_s(), self.game.relief_s());
        let end_s = self.game.scenario().get().horizon;
        let (from_s, to_s) = match self.game.truth() {
            Diagnosis::RetryStorm => (relief_s + SETTLES_S, end_s),
            _ => (onset_s + SETTLES_S, relief_s),
        };
        let level = |from_s, to_s| self.dashboard.level(signal, from_s, to_s);
        Some(Change { before: level(STEADY_S, onset_s)?, after: level(from_s, to_s)? })
    }

    /// What speaks against a wrong diagnosis: the signal that it would have moved. Longer prompts also take more memory each,
    /// so where they are the truth it is they that speak against a smaller memory.
    #[must_use]
    pub fn against(&self) -> Option<(Signal, Change)> {
        let signal = match (self.diagnosis, self.game.truth()) {
            (diagnosis, truth) if diagnosis == truth => return None,
            (Diagnosis::KvPressure, Diagnosis::LongPrompts) => Signal::PromptTokens,
            (diagnosis, _) => diagnosis.signature(),
        };
        Some((signal, self.change(signal)?))
    }

    /// How long a step of the batch of afterwards would have taken before [s].
    #[must_use]
    pub fn step_at_old_pace_s(&self) -> Option<f64> {
        let scenario = self.game.scenario().get();
        let batch = self.change(Signal::Batch)?.after;
        Some((scenario.step_ms + scenario.per_seq_ms * batch) / 1000.0)
    }
}
