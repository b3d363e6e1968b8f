//! What a teacher has frozen: the reader may look at it, not change it.

use goodput_sim::{CHOICES, FIELDS, Scenario};

use crate::setup::{Setup, field_names};

/// The names of what is frozen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Locks(Vec<&'static str>);

impl Locks {
    /// From a list of names, `all` among them. `None` if one is no control's.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let known = || field_names().chain(Setup::BESIDE);
        let mut locks = Vec::new();
        for name in text.split(',').map(str::trim).filter(|name| !name.is_empty()) {
            match name {
                "all" => locks.extend(known()),
                name => locks.push(known().find(|known| *known == name)?),
            }
        }
        Some(Self(locks))
    }

    /// Whether this control is frozen.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.0.contains(&name)
    }

    /// Whether every setting of the server is frozen that the form offers.
    #[must_use]
    pub fn has_server(&self) -> bool {
        field_names().filter(|name| *name != "rate").all(|name| self.has(name))
    }

    /// The scenario with everything frozen as it was before.
    #[must_use]
    pub fn keep(&self, before: &Scenario, mut after: Scenario) -> Scenario {
        for field in FIELDS.iter().filter(|field| self.has(field.name)) {
            field.copy(before, &mut after);
        }
        for choice in CHOICES.iter().filter(|choice| self.has(choice.name)) {
            choice.copy(before, &mut after);
        }
        if self.has("seed") {
            after.seed = before.seed;
        }
        after
    }
}
