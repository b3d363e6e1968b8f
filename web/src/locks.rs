//! What a teacher has frozen: the reader may look at it, not change it.

use goodput_sim::Scenario;

use crate::lever::Lever;
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
        Lever::all().all(|lever| self.has(lever.name()))
    }

    /// The scenario with everything frozen as it was before.
    #[must_use]
    pub fn keep(&self, before: &Scenario, mut after: Scenario) -> Scenario {
        if self.has("rate") {
            after.rate = before.rate;
        }
        for lever in Lever::all().filter(|lever| self.has(lever.name())) {
            lever.copy(before, &mut after);
        }
        if self.has("seed") {
            after.seed = before.seed;
        }
        after
    }
}
