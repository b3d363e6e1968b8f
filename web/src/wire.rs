//! The messages between a lab in a frame and the page around it: who may say what to whom, and how often.
//!
//! A message is `{lab: "goodput-lab", v: 1, id, type, payload}`. Any page around may know that the lab is there, how high it
//! is and what went wrong. What the learner does is told only to the origin that the address names, once it has greeted.

use std::collections::VecDeque;

use goodput_summary::Value;

/// What every message says it is.
pub const LAB: &str = "goodput-lab";
/// The version of the protocol.
pub const VERSION: f64 = 1.0;

/// Most messages in a second.
const MOST: usize = 20;
const SECOND_MS: f64 = 1000.0;
/// Most messages that wait for their turn.
const MOST_WAITING: usize = 64;
/// Longest name that the page around may give a lab [characters].
const LONGEST_ID: usize = 64;

/// What a lab tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The engine runs.
    Ready,
    /// The content has another height.
    Height,
    /// Something was refused.
    Error,
    /// The run in view changes.
    Change,
    /// The run in view has settled.
    Result,
    /// The learner has made a guess.
    Predict,
    /// The learner has reached a goal.
    Goal,
    /// The learner has answered a question.
    Answer,
    /// The learner has done all there is to do.
    Complete,
}

impl Kind {
    /// Its name, as the type of a message and of an event.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ready => "lab-ready",
            Self::Height => "lab-height",
            Self::Error => "lab-error",
            Self::Change => "lab-change",
            Self::Result => "lab-result",
            Self::Predict => "lab-predict",
            Self::Goal => "lab-goal",
            Self::Answer => "lab-answer",
            Self::Complete => "lab-complete",
        }
    }

    /// Whether any page around may know it.
    #[must_use]
    pub fn is_for_anyone(self) -> bool {
        matches!(self, Self::Ready | Self::Height | Self::Error)
    }

    /// Whether a later one makes an earlier one that still waits needless.
    fn replaces(self) -> bool {
        matches!(self, Self::Height | Self::Error | Self::Change | Self::Result)
    }

    /// How many messages it is: a height is told in Canvas's words, too.
    fn messages(self) -> usize {
        if self == Self::Height { 2 } else { 1 }
    }
}

/// Where a message may go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// To whoever is around.
    Anyone,
    /// To this origin.
    Origin(String),
}

/// A message that came, as far as it could be read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Message {
    /// Its `lab`.
    pub lab: Option<String>,
    /// Its `v`.
    pub v: Option<f64>,
    /// Its `id`.
    pub id: Option<String>,
    /// Its `type`.
    pub kind: Option<String>,
    /// The entries of its `payload`, if that is an object.
    pub payload: Vec<(String, Value)>,
}

/// What a message asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Asked {
    /// Parameters, and the run that is then in view.
    Parameters(Vec<(String, Value)>),
    /// Everything back to the start.
    Reset,
    /// The run in view is to be pinned.
    Pin,
}

/// One lab's side of the talk.
#[derive(Clone, Debug)]
pub struct Wire<T> {
    /// The origin that may send and is told; without one nobody is.
    parent_origin: Option<String>,
    id: String,
    greeted: bool,
    waiting: Vec<(Kind, T)>,
    /// When the last messages went [ms].
    sent: VecDeque<f64>,
}

impl<T> Wire<T> {
    /// A lab whose address names this origin, or none.
    #[must_use]
    pub fn new(parent_origin: Option<String>) -> Self {
        Self { parent_origin, id: String::new(), greeted: false, waiting: Vec::new(), sent: VecDeque::new() }
    }

    /// The name that the page around gave this lab; empty before.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Takes a message. What is not for us, or from somebody else, is passed over in silence.
    pub fn hear(&mut self, is_the_parent: bool, origin: &str, message: Message) -> Option<Asked> {
        let known = self.parent_origin.as_deref() == Some(origin);
        let ours = message.lab.as_deref() == Some(LAB) && message.v == Some(VERSION);
        if !(is_the_parent && known && ours) {
            return None;
        }
        match message.kind.as_deref() {
            Some("init") => {
                self.greeted = true;
                self.id = message.id.unwrap_or_default().chars().take(LONGEST_ID).collect();
                Some(Asked::Parameters(message.payload))
            }
            Some("set") => {
                let action = message.payload.iter().find(|(name, _)| name == "action").map(|(_, value)| value);
                match action {
                    Some(Value::Text(action)) if action == "reset" => Some(Asked::Reset),
                    Some(Value::Text(action)) if action == "pin" => Some(Asked::Pin),
                    _ => Some(Asked::Parameters(message.payload)),
                }
            }
            _ => None,
        }
    }

    /// Puts a message in line. What nobody may know is forgotten at once.
    pub fn tell(&mut self, kind: Kind, payload: T) {
        if !(kind.is_for_anyone() || self.greeted) {
            return;
        }
        if kind.replaces() {
            self.waiting.retain(|(waiting, _)| *waiting != kind);
        }
        if self.waiting.len() < MOST_WAITING {
            self.waiting.push((kind, payload));
        }
    }

    /// The next message that may go now, and where to.
    pub fn next(&mut self, now_ms: f64) -> Option<(Kind, T, Target)> {
        while self.sent.front().is_some_and(|sent| now_ms - sent >= SECOND_MS) {
            self.sent.pop_front();
        }
        let (kind, _) = self.waiting.first()?;
        if self.sent.len() + kind.messages() > MOST {
            return None;
        }
        let (kind, payload) = self.waiting.remove(0);
        self.sent.extend(std::iter::repeat_n(now_ms, kind.messages()));
        let target = match &self.parent_origin {
            Some(origin) if !kind.is_for_anyone() => Target::Origin(origin.clone()),
            _ => Target::Anyone,
        };
        Some((kind, payload, target))
    }

    /// How long those in line have to wait [ms]; `None` if nobody does.
    #[must_use]
    pub fn wait(&self, now_ms: f64) -> Option<f64> {
        let oldest = self.sent.front()?;
        (!self.waiting.is_empty()).then_some((oldest + SECOND_MS - now_ms).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHOOL: &str = "https://school.example";

    fn message(kind: &str) -> Message {
        Message {
            lab: Some(LAB.into()),
            v: Some(VERSION),
            id: Some("a".into()),
            kind: Some(kind.into()),
            payload: vec![("rate".into(), Value::Number(6.0))],
        }
    }

    fn drain(wire: &mut Wire<u32>, now_ms: f64) -> Vec<(Kind, u32, Target)> {
        std::iter::from_fn(|| wire.next(now_ms)).collect()
    }

    #[test]
    fn what_the_learner_does_is_told_to_the_named_origin_alone_and_after_its_greeting() {
        let mut wire = Wire::new(Some(SCHOOL.into()));
        for kind in [Kind::Ready, Kind::Result, Kind::Goal, Kind::Error] {
            wire.tell(kind, 1);
        }
        let told = drain(&mut wire, 0.0);
        assert_eq!(told, [(Kind::Ready, 1, Target::Anyone), (Kind::Error, 1, Target::Anyone)]);

        let pairs = vec![("rate".to_owned(), Value::Number(6.0))];
        assert_eq!(wire.hear(true, SCHOOL, message("init")), Some(Asked::Parameters(pairs)));
        assert_eq!(wire.id(), "a");
        for kind in [Kind::Result, Kind::Goal, Kind::Height] {
            wire.tell(kind, 2);
        }
        let school = || Target::Origin(SCHOOL.into());
        let told = drain(&mut wire, 1.0);
        assert_eq!(told, [(Kind::Result, 2, school()), (Kind::Goal, 2, school()), (Kind::Height, 2, Target::Anyone)]);
    }

    #[test]
    fn nobody_else_is_heard() {
        let asks = |wire: &mut Wire<u32>, is_the_parent, origin: &str, message| {
            let asked = wire.hear(is_the_parent, origin, message);
            wire.tell(Kind::Result, 0);
            asked.is_some() || wire.next(0.0).is_some()
        };
        let mut wire = Wire::new(Some(SCHOOL.into()));
        assert!(!asks(&mut wire, false, SCHOOL, message("init")), "another window");
        for origin in ["https://evil.example", "https://school.example.evil.example", "null", ""] {
            assert!(!asks(&mut wire, true, origin, message("init")), "{origin}");
        }
        for wrong in [
            Message { lab: None, ..message("init") },
            Message { lab: Some("other".into()), ..message("init") },
            Message { v: Some(2.0), ..message("init") },
            Message { kind: None, ..message("init") },
            message("lab-result"),
        ] {
            assert!(!asks(&mut wire, true, SCHOOL, wrong.clone()), "{wrong:?}");
        }
        assert!(!asks(&mut Wire::new(None), true, SCHOOL, message("init")), "no origin is named");
        assert!(asks(&mut wire, true, SCHOOL, message("set")), "and it can be heard");
    }

    #[test]
    fn in_no_second_are_there_more_than_twenty_and_the_latest_gets_through() {
        let mut wire = Wire::new(Some(SCHOOL.into()));
        wire.hear(true, SCHOOL, message("init"));
        let mut times: Vec<f64> = Vec::new();
        let mut heights = Vec::new();
        for step in 0..2000_u32 {
            let now_ms = f64::from(step) * 2.0;
            for kind in [Kind::Height, Kind::Change, Kind::Result, Kind::Error] {
                wire.tell(kind, step);
            }
            for (kind, payload, _) in drain(&mut wire, now_ms) {
                times.extend(std::iter::repeat_n(now_ms, kind.messages()));
                if kind == Kind::Height {
                    heights.push(payload);
                }
            }
        }
        for (i, first) in times.iter().enumerate() {
            assert!(times.get(i + MOST).is_none_or(|later| later - first >= SECOND_MS));
        }
        assert!(heights.is_sorted() && heights.len() > 5);
        let now_ms = 2.0 * 1999.0;
        let wait = wire.wait(now_ms).expect("some wait");
        assert!(wire.next(now_ms + wait - 0.1).is_none());
        let last = drain(&mut wire, now_ms + 2.0 * SECOND_MS);
        assert!(last.iter().any(|(kind, payload, _)| (*kind, *payload) == (Kind::Height, 1999)));
        assert_eq!(wire.wait(now_ms), None);
    }

    #[test]
    fn actions_are_no_parameters() {
        let mut wire = Wire::<u32>::new(Some(SCHOOL.into()));
        let act =
            |action: &str| Message { payload: vec![("action".into(), Value::Text(action.into()))], ..message("set") };
        assert_eq!(wire.hear(true, SCHOOL, act("reset")), Some(Asked::Reset));
        assert_eq!(wire.hear(true, SCHOOL, act("pin")), Some(Asked::Pin));
        assert!(
            matches!(wire.hear(true, SCHOOL, act("explode")), Some(Asked::Parameters(_))),
            "refused in words later"
        );
    }
}
