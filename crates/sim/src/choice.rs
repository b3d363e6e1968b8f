//! The fields of a scenario whose value is a word, as a table: the twin of [`crate::field`].

use alloc::string::ToString;

use crate::error::ScenarioError;
use crate::scenario::Scenario;

/// An enum whose variants each have a word.
macro_rules! words {
    ($(#[$about:meta])* $kind:ident { $($(#[$doc:meta])* $variant:ident => $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub enum $kind { $($(#[$doc])* $variant),+ }

        impl $kind {
            const ALL: &[Self] = &[$(Self::$variant),+];
            const WORDS: &[&str] = &[$($word),+];

            /// Its word in forms, URLs, attributes, flags and JSON.
            #[must_use]
            pub const fn word(self) -> &'static str {
                Self::WORDS[self as usize]
            }
        }
    };
}

words! {
    /// What the answer lengths are drawn from.
    OutputLaw {
        /// Lognormal with the mean and the spread of the scenario; without a spread all are equal.
        #[default]
        Lognormal => "lognormal",
        /// Geometric with the mean of the scenario: after each token the answer ends with the same chance.
        Geometric => "geometric",
    }
}

words! {
    /// Which replica a request goes to, of those that take requests.
    Routing {
        /// Each in turn.
        #[default]
        RoundRobin => "round-robin",
        /// Any, each with the same chance.
        Random => "random",
        /// The one with the fewest requests that wait or run there; of equals the first.
        LeastOutstanding => "least-outstanding",
    }
}

words! {
    /// What the number of replicas follows.
    Autoscale {
        /// Nothing: it stays.
        #[default]
        Off => "off",
        /// Waiting requests per replica.
        Queue => "queue",
        /// The share of the time inside a step.
        Busy => "busy",
    }
}

/// One field of a [`Scenario`] whose value is one of some words.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The name as a form field, a URL parameter, an attribute and a flag.
    pub name: &'static str,
    /// The words, the default first.
    pub words: &'static [&'static str],
    /// What it is, in a few words.
    pub about: &'static str,
    read: fn(&Scenario) -> usize,
    write: fn(&mut Scenario, usize),
}

/// A field whose value is a variant of an enum.
macro_rules! choice {
    ($name:literal, $member:ident, $kind:ident, $about:literal) => {
        Choice {
            name: $name,
            words: $kind::WORDS,
            about: $about,
            read: |scenario| scenario.$member as usize,
            write: |scenario, place| scenario.$member = $kind::ALL[place],
        }
    };
}

/// Every field of a scenario whose value is a word, in the order in which they are shown.
pub static CHOICES: &[Choice] = &[
    choice!("output-law", output_law, OutputLaw, "what the answer lengths are drawn from"),
    choice!("routing", routing, Routing, "which replica a request goes to"),
    choice!("autoscale", autoscale, Autoscale, "what the number of replicas follows"),
];

impl Choice {
    /// The choice of this name, if it is one; hyphen and underscore are the same.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let hyphened = name.replace('_', "-");
        CHOICES.iter().find(|choice| choice.name == hyphened)
    }

    /// The word in a scenario.
    #[must_use]
    pub fn get(&self, scenario: &Scenario) -> &'static str {
        self.words[(self.read)(scenario)]
    }

    /// Puts a word into a scenario.
    ///
    /// # Errors
    /// [`ScenarioError::NotAChoice`]; the scenario is then unchanged.
    pub fn set(&self, scenario: &mut Scenario, text: &str) -> Result<(), ScenarioError> {
        let &Self { name: field, words: allowed, .. } = self;
        let place = allowed.iter().position(|&word| word == text.trim());
        let place = place.ok_or_else(|| ScenarioError::NotAChoice { field, text: text.trim().to_string(), allowed })?;
        (self.write)(scenario, place);
        Ok(())
    }

    /// Copies the word from one scenario to another.
    pub fn copy(&self, from: &Scenario, to: &mut Scenario) {
        (self.write)(to, (self.read)(from));
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::{Autoscale, CHOICES, Choice, Routing};
    use crate::scenario::Scenario;

    #[test]
    fn every_word_is_what_it_sets() {
        for choice in CHOICES {
            assert_eq!(choice.get(&Scenario::default()), choice.words[0], "the first is the default");
            for word in choice.words {
                let mut scenario = Scenario::default();
                choice.set(&mut scenario, word).expect(word);
                assert_eq!(choice.get(&scenario), *word);
                let mut copy = Scenario::default();
                choice.copy(&scenario, &mut copy);
                assert_eq!(copy, scenario);
            }
        }
    }

    #[test]
    fn words_set_by_name_or_are_refused_with_those_that_are_allowed() {
        let mut scenario = Scenario::default();
        scenario.set("routing", " least-outstanding ").expect("a word");
        scenario.set("autoscale", "busy").expect("a word");
        assert_eq!((scenario.routing, scenario.autoscale), (Routing::LeastOutstanding, Autoscale::Busy));
        let error = scenario.set("routing", "fastest").expect_err("no such word");
        assert_eq!(error.to_string(), "routing = \"fastest\": allowed are round-robin, random, least-outstanding");
        assert!(Choice::named("rate").is_none());
    }
}
