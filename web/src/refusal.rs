//! Why a parameter was refused, in one sentence: the value, and what is allowed.

use std::fmt;
use std::sync::LazyLock;

use goodput_charts::{Phrases, text_file};
use goodput_sim::ScenarioError;
use goodput_summary::Value;

static ENGLISH: LazyLock<Phrases> = LazyLock::new(|| Phrases::read(text_file!("../text/en/address.txt")));

/// Longest piece of somebody else's text that a sentence repeats [characters].
const LONGEST: usize = 40;

/// Why a parameter was refused. Nothing was changed.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// A field of the scenario: the engine's own words.
    Scenario(ScenarioError),
    /// In words of the page.
    Said(String),
}

impl Refusal {
    /// A value outside what `allowed`, a key of the page's words, lists.
    pub(crate) fn not_allowed(name: &str, value: &Value, allowed: &str) -> Self {
        let text = match value {
            Value::Text(text) => format!("\"{}\"", shortened(text)),
            Value::Number(number) => number.to_string(),
            Value::Nothing => "nothing".to_owned(),
        };
        let allowed = ENGLISH.say(&format!("allowed.{allowed}"), &[]);
        Self::Said(ENGLISH.say("not_allowed", &[("name", name), ("value", &text), ("allowed", &allowed)]))
    }

    /// Something that a sentence without a list of what is allowed tells best.
    pub(crate) fn said(key: &str, values: &[(&str, &str)]) -> Self {
        let values: Vec<_> = values.iter().map(|&(name, value)| (name, shortened(value))).collect();
        let values: Vec<_> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
        Self::Said(ENGLISH.say(key, &values))
    }

    /// A name that is no parameter's.
    pub(crate) fn unknown(name: &str, allowed: &str) -> Self {
        Self::Said(ENGLISH.say("unknown", &[("name", &shortened(name)), ("allowed", allowed)]))
    }
}

/// Somebody else's text, short enough for a sentence and on one line.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(LONGEST).map(|char| if char.is_control() { ' ' } else { char }).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push('…');
    }
    short
}

impl From<ScenarioError> for Refusal {
    fn from(error: ScenarioError) -> Self {
        Self::Scenario(match error {
            ScenarioError::NotANumber { field, text, min, max, unit } => {
                ScenarioError::NotANumber { field, text: shortened(&text), min, max, unit }
            }
            ScenarioError::NotASeed { text } => ScenarioError::NotASeed { text: shortened(&text) },
            ScenarioError::NotAChoice { field, text, allowed } => {
                ScenarioError::NotAChoice { field, text: shortened(&text), allowed }
            }
            ScenarioError::UnknownPreset { name } => ScenarioError::UnknownPreset { name: shortened(&name) },
            ScenarioError::UnknownField { name } => ScenarioError::UnknownField { name: shortened(&name) },
            other => other,
        })
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scenario(error) => error.fmt(f),
            Self::Said(words) => f.write_str(words),
        }
    }
}

/// All refusals in one visible line: the first, and how many more there are. Empty without any.
#[must_use]
pub fn line(refusals: &[Refusal]) -> String {
    match refusals {
        [] => String::new(),
        [one] => ENGLISH.say("line.one", &[("sentence", &one.to_string())]),
        [first, more @ ..] => {
            ENGLISH.say("line.more", &[("sentence", &first.to_string()), ("count", &more.len().to_string())])
        }
    }
}
