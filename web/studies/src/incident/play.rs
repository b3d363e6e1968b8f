//! The state of the game: which incident, what was answered, how many were right. Nothing of it is stored.

use goodput_incidents::{Dashboard, Diagnosis, Game, Verdict};
use goodput_sim::Engine;

/// Incidents are numbered below this when a new one is drawn: short enough to be read out.
pub const NUMBERS: u32 = 1_000_000;

/// An incident at play.
#[derive(Debug)]
pub struct Play {
    /// The incident.
    pub game: Game,
    /// What is seen of it.
    pub dashboard: Dashboard,
    answer: Option<Diagnosis>,
    /// Incidents answered so far.
    pub answered: u32,
    /// How many of them right.
    pub right: u32,
}

impl Play {
    /// The first incident of a session.
    #[must_use]
    pub fn new(number: u64) -> Self {
        let game = Game::new(number);
        Self { dashboard: dashboard(&game), game, answer: None, answered: 0, right: 0 }
    }

    /// Another incident, in the same session.
    pub fn go_on(&mut self, number: u64) {
        *self = Self { answered: self.answered, right: self.right, ..Self::new(number) };
    }

    /// The first answer counts; later ones change nothing.
    pub fn commit(&mut self, answer: Diagnosis) {
        if self.answer.is_none() {
            self.answer = Some(answer);
            self.answered += 1;
            self.right += u32::from(answer == self.game.truth());
        }
    }

    /// What the answer is worth, once there is one.
    #[must_use]
    pub fn verdict(&self) -> Option<Verdict<'_>> {
        self.answer.map(|answer| Verdict::on(&self.game, &self.dashboard, answer))
    }
}

fn dashboard(game: &Game) -> Dashboard {
    let mut engine = Engine::new();
    let run = engine.run(game.scenario());
    Dashboard::of(run.fleet().expect("two replicas are a fleet"), game.scenario().get().horizon)
}

/// The number in the part of an address after `#`, if it names an incident.
#[must_use]
pub fn number_in(fragment: &str) -> Option<u64> {
    fragment.trim_start_matches('#').strip_prefix("incident=")?.parse().ok()
}

#[cfg(test)]
mod tests {
    use goodput_incidents::Diagnosis;

    use super::{Play, number_in};

    #[test]
    fn the_first_answer_counts_and_the_score_goes_on() {
        let mut play = Play::new(3);
        let truth = play.game.truth();
        assert!(play.verdict().is_none());
        play.commit(truth);
        play.commit(Diagnosis::ALL.into_iter().find(|&other| other != truth).expect("another"));
        assert!(play.verdict().is_some_and(|verdict| verdict.is_right()));
        assert_eq!((play.answered, play.right), (1, 1));
        play.go_on(4);
        assert!(play.verdict().is_none() && play.game.number() == 4);
        let wrong = Diagnosis::ALL.into_iter().find(|&other| other != play.game.truth()).expect("another");
        play.commit(wrong);
        assert_eq!((play.answered, play.right), (2, 1));
    }

    #[test]
    fn an_address_names_an_incident_or_none() {
        assert_eq!(number_in("#incident=4711"), Some(4711));
        for other in
            ["", "#", "#closer", "#incident=", "#incident=-1", "#incident=1e3", "#incident=99999999999999999999"]
        {
            assert_eq!(number_in(other), None, "{other}");
        }
    }
}
