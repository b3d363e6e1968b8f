//! The verdict in words: what it was, which signal gave it away, what speaks against a wrong answer, what to do about it.

use goodput_incidents::{Change, Diagnosis, Game, Signal, Verdict};

use crate::incident::board::figure;
use crate::words::say;

/// A cause as it is offered: its name, and what it means.
#[must_use]
pub fn offered(diagnosis: Diagnosis) -> [String; 2] {
    [name(diagnosis), meaning(diagnosis)]
}

/// Its name, within a sentence.
fn name(diagnosis: Diagnosis) -> String {
    match diagnosis {
        Diagnosis::Burst => say("incident.burst", &[]),
        Diagnosis::LongPrompts => say("incident.long", &[]),
        Diagnosis::ClearedCache => say("incident.cleared", &[]),
        Diagnosis::LostReplica => say("incident.lost", &[]),
        Diagnosis::KvPressure => say("incident.kv", &[]),
        Diagnosis::SlowerGpu => say("incident.slower", &[]),
        Diagnosis::RetryStorm => say("incident.storm", &[]),
    }
}

fn meaning(diagnosis: Diagnosis) -> String {
    match diagnosis {
        Diagnosis::Burst => say("incident.burst.means", &[]),
        Diagnosis::LongPrompts => say("incident.long.means", &[]),
        Diagnosis::ClearedCache => say("incident.cleared.means", &[]),
        Diagnosis::LostReplica => say("incident.lost.means", &[]),
        Diagnosis::KvPressure => say("incident.kv.means", &[]),
        Diagnosis::SlowerGpu => say("incident.slower.means", &[]),
        Diagnosis::RetryStorm => say("incident.storm.means", &[]),
    }
}

/// Whether the answer was right, by sign and word, and what it was.
#[must_use]
pub fn judgement(verdict: &Verdict, game: &Game) -> String {
    let (truth, answer) = (name(game.truth()), name(verdict.diagnosis()));
    match verdict.is_right() {
        true => say("incident.right", &[("truth", &truth)]),
        false => say("incident.wrong", &[("truth", &truth), ("answer", &answer)]),
    }
}

/// When it set in.
#[must_use]
pub fn onset(game: &Game) -> String {
    say("incident.onset", &[("clock", &clock(game.onset_s()))])
}

/// Minutes and seconds since the start.
fn clock(seconds: f64) -> String {
    let seconds = seconds as u32;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

/// A signal before and after, in words.
struct Levels {
    before: String,
    after: String,
}

impl Levels {
    fn of(verdict: &Verdict, signal: Signal) -> Self {
        let level = |which: fn(Change) -> f64| {
            verdict.change(signal).map_or_else(|| "–".to_owned(), |change| figure(signal, which(change)))
        };
        Self { before: level(|change| change.before), after: level(|change| change.after) }
    }

    /// The sentence of a key about them, and more values in it.
    fn say(&self, key: &'static str, more: &[(&str, &str)]) -> String {
        let mut values = vec![("before", &self.before[..]), ("after", &self.after[..])];
        values.extend(more);
        say(key, &values)
    }
}

/// Which signal gave it away, with its figures.
#[must_use]
pub fn telling(verdict: &Verdict, game: &Game) -> String {
    let levels = |signal| Levels::of(verdict, signal);
    let own = levels(game.truth().signature());
    let (requests, batch, kv) = (levels(Signal::NewRequests), levels(Signal::Batch), levels(Signal::KvUsed));
    match game.truth() {
        Diagnosis::Burst => own.say("incident.burst.tells", &[]),
        Diagnosis::LongPrompts => own.say("incident.long.tells", &[("now", &requests.after)]),
        Diagnosis::ClearedCache => {
            own.say("incident.cleared.tells", &[("prompt", &levels(Signal::PromptTokens).after)])
        }
        Diagnosis::LostReplica => {
            let other = levels(Signal::TokensOfSecond);
            own.say("incident.lost.tells", &[("then", &other.before), ("now", &other.after)])
        }
        Diagnosis::KvPressure => own.say("incident.kv.tells", &[("then", &kv.before), ("now", &kv.after)]),
        Diagnosis::SlowerGpu => own.say(
            "incident.slower.tells",
            &[
                ("then", &batch.before),
                ("now", &batch.after),
                ("usual", &figure(Signal::StepTime, verdict.step_at_old_pace_s().unwrap_or_default())),
            ],
        ),
        Diagnosis::RetryStorm => {
            let trigger_s = figure(Signal::Batch, game.relief_s() - game.onset_s());
            own.say(
                "incident.storm.tells",
                &[("then", &requests.before), ("now", &requests.after), ("trigger", &trigger_s)],
            )
        }
    }
}

/// What speaks against a wrong answer.
#[must_use]
pub fn against(verdict: &Verdict) -> Option<String> {
    let (signal, _) = verdict.against()?;
    let own = Levels::of(verdict, signal);
    Some(match (verdict.diagnosis(), signal) {
        (Diagnosis::Burst, _) => own.say("incident.burst.not", &[]),
        (Diagnosis::LongPrompts, _) => own.say("incident.long.not", &[]),
        (Diagnosis::ClearedCache, _) => own.say("incident.cleared.not", &[]),
        (Diagnosis::LostReplica, _) => {
            let other = Levels::of(verdict, Signal::TokensOfSecond);
            own.say("incident.lost.not", &[("other", &other.after)])
        }
        (Diagnosis::KvPressure, Signal::PromptTokens) => own.say("incident.kv.not_long", &[]),
        (Diagnosis::KvPressure, _) => own.say("incident.kv.not", &[]),
        (Diagnosis::SlowerGpu, _) => {
            let batch = Levels::of(verdict, Signal::Batch);
            own.say("incident.slower.not", &[("now", &batch.after)])
        }
        (Diagnosis::RetryStorm, _) => say("incident.storm.not", &[]),
    })
}

/// What to do about it.
#[must_use]
pub fn remedy(truth: Diagnosis) -> String {
    let remedy = match truth {
        Diagnosis::Burst => say("incident.burst.do", &[]),
        Diagnosis::LongPrompts => say("incident.long.do", &[]),
        Diagnosis::ClearedCache => say("incident.cleared.do", &[]),
        Diagnosis::LostReplica => say("incident.lost.do", &[]),
        Diagnosis::KvPressure => say("incident.kv.do", &[]),
        Diagnosis::SlowerGpu => say("incident.slower.do", &[]),
        Diagnosis::RetryStorm => say("incident.storm.do", &[]),
    };
    say("incident.do", &[("remedy", &remedy)])
}

#[cfg(test)]
mod tests {
    use goodput_incidents::{Diagnosis, Verdict};

    use super::{against, clock, judgement, offered, remedy, telling};
    use crate::incident::play::Play;

    /// `say` refuses a sentence that lacks a value, in tests; so saying all of them is the test.
    #[test]
    fn every_verdict_on_every_cause_is_said_with_figures() {
        let mut seen = Vec::new();
        for play in (0..60).map(Play::new) {
            let truth = play.game.truth();
            if seen.contains(&truth) {
                continue;
            }
            seen.push(truth);
            for answer in Diagnosis::ALL {
                let verdict = Verdict::on(&play.game, &play.dashboard, answer);
                let judgement = judgement(&verdict, &play.game);
                assert_eq!(judgement.starts_with('✓'), answer == truth, "{judgement}");
                assert!(telling(&verdict, &play.game).contains(|c: char| c.is_ascii_digit()));
                let against = against(&verdict);
                assert_eq!(against.is_none(), answer == truth, "{against:?}");
                println!("{truth:?}: {judgement} {} {}", telling(&verdict, &play.game), against.unwrap_or_default());
            }
            let [name, meaning] = offered(truth);
            assert!(name != meaning && !remedy(truth).is_empty());
        }
        assert_eq!(seen.len(), Diagnosis::ALL.len());
    }

    #[test]
    fn a_clock_reads_like_one() {
        assert_eq!([0.0, 59.0, 387.0].map(clock), ["0:00", "0:59", "6:27"]);
    }
}
