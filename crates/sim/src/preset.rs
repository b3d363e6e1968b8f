//! Scenarios that have a name, so that a link, an embed or a flag can ask for one with a word.

use alloc::string::ToString;

use crate::error::ScenarioError;
use crate::scenario::Scenario;

/// A scenario with a name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name as a URL parameter, an attribute, a flag and in file names.
    pub name: &'static str,
    /// What it shows, in one line.
    pub about: &'static str,
    scenario: fn() -> Scenario,
}

/// Every preset, the default first. Another one is another row.
pub const PRESETS: &[Preset] = &[
    Preset {
        name: "assistant",
        about: "the lesson's server at 5 requests/s: the median is fine, the tail is not",
        scenario: Scenario::default,
    },
    Preset {
        name: "calm",
        about: "the same server at 4 requests/s: every request meets the SLO",
        scenario: || Scenario { rate: 4.0, ..Scenario::default() },
    },
    Preset {
        name: "overload",
        about: "the same server at 6 requests/s: busy, and nothing in time",
        scenario: || Scenario { rate: 6.0, ..Scenario::default() },
    },
];

impl Preset {
    /// The preset of this name.
    ///
    /// # Errors
    /// [`ScenarioError::UnknownPreset`].
    pub fn named(name: &str) -> Result<&'static Self, ScenarioError> {
        let name = name.trim();
        let known = PRESETS.iter().find(|preset| preset.name == name);
        known.ok_or_else(|| ScenarioError::UnknownPreset { name: name.to_string() })
    }

    /// Its scenario, in which other fields may still be set.
    #[must_use]
    pub fn scenario(&self) -> Scenario {
        (self.scenario)()
    }
}

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;
    use alloc::string::ToString;

    use super::{PRESETS, Preset};
    use crate::engine::run;
    use crate::scenario::Scenario;

    #[test]
    fn every_preset_can_be_asked_for_and_run() {
        for preset in PRESETS {
            let named = Preset::named(preset.name).expect(preset.name);
            assert_eq!(named.scenario(), preset.scenario());
            preset.scenario().validate().expect(preset.name);
            let plain = preset.name.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-');
            assert!(plain, "{} goes into URLs and file names as it is", preset.name);
            assert!(!preset.about.is_empty() && !preset.about.contains('\n'), "{}", preset.name);
        }
        let names: BTreeSet<_> = PRESETS.iter().map(|preset| preset.name).collect();
        assert_eq!(names.len(), PRESETS.len());
    }

    #[test]
    fn the_first_is_the_lesson_and_the_others_do_what_they_say() {
        assert_eq!(PRESETS[0].scenario(), Scenario::default());
        for (name, rate, share) in [("calm", 4.0, 1.0), ("overload", 6.0, 0.0)] {
            let scenario = Preset::named(name).expect(name).scenario();
            assert_eq!(scenario.rate, rate);
            assert_eq!(run(&scenario.validate().expect(name)).slo_attainment, Some(share), "{name}");
        }
    }

    #[test]
    fn an_unknown_name_is_refused_in_words() {
        let error = Preset::named("rush-hour").expect_err("no such preset");
        assert_eq!(error.to_string(), "preset = \"rush-hour\": allowed are assistant, calm, overload");
    }
}
