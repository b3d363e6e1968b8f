//! One setting of a scenario by its name, whether its value is a number or a word.

use goodput_sim::{CHOICES, Choice, FIELDS, Field, Scenario, ScenarioError};

/// A setting of a scenario.
#[derive(Clone, Copy, Debug)]
pub enum Lever {
    /// Its value is a number.
    Number(&'static Field),
    /// Its value is one of some words.
    Word(&'static Choice),
}

impl PartialEq for Lever {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Lever {
    /// All but the rate, in the order in which they are told.
    pub fn all() -> impl Iterator<Item = Self> {
        let numbers = FIELDS.iter().filter(|field| field.name != "rate").map(Self::Number);
        numbers.chain(CHOICES.iter().map(Self::Word))
    }

    /// The lever of this name; hyphen and underscore are the same.
    ///
    /// # Errors
    /// [`ScenarioError::UnknownField`].
    pub fn named(name: &str) -> Result<Self, ScenarioError> {
        Choice::named(name).map_or_else(|| Field::named(name).map(Self::Number), |choice| Ok(Self::Word(choice)))
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Number(field) => field.name,
            Self::Word(choice) => choice.name,
        }
    }

    /// Where it stands in a scenario, as its control shows it.
    #[must_use]
    pub fn text(self, scenario: &Scenario) -> String {
        match self {
            Self::Number(field) => field.get(scenario).to_string(),
            Self::Word(choice) => choice.get(scenario).to_owned(),
        }
    }

    /// Whether it stands alike in both.
    #[must_use]
    pub fn is_alike(self, one: &Scenario, other: &Scenario) -> bool {
        match self {
            Self::Number(field) => field.get(one) == field.get(other),
            Self::Word(choice) => choice.get(one) == choice.get(other),
        }
    }

    /// Takes it over from another scenario.
    pub fn copy(self, from: &Scenario, to: &mut Scenario) {
        match self {
            Self::Number(field) => field.copy(from, to),
            Self::Word(choice) => choice.copy(from, to),
        }
    }
}

/// A lever where somebody wants it.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// Which one.
    pub lever: Lever,
    /// The text of its value.
    pub text: String,
    /// The number that the text was read as by the browser, if it is one.
    pub number: Option<f64>,
}

impl Setting {
    /// Puts it into a scenario.
    ///
    /// # Errors
    /// What the field or the choice refuses; the scenario is then unchanged.
    pub fn put(&self, scenario: &mut Scenario) -> Result<(), ScenarioError> {
        match self.lever {
            Lever::Number(field) => scenario.set_number(field.name, field.read(&self.text, self.number)?),
            Lever::Word(choice) => choice.set(scenario, &self.text),
        }
    }
}

/// Settings as the page writes them: `cached-share=0.7,cached-prompt=0.8`.
///
/// # Errors
/// A part that is no setting: then its name is unknown.
pub fn settings(text: &str, number: fn(&str) -> Option<f64>) -> Result<Vec<Setting>, ScenarioError> {
    let setting = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        Ok(Setting { lever: Lever::named(name)?, text: value.to_owned(), number: number(value) })
    };
    text.split(',').map(setting).collect()
}

#[cfg(test)]
mod tests {
    use goodput_sim::Scenario;

    use super::{Lever, settings};

    #[test]
    fn settings_read_as_the_page_writes_them() {
        let read = settings("cached-share=0.7,routing=random", |text| text.parse().ok()).expect("settings");
        let mut scenario = Scenario::default();
        for setting in &read {
            setting.put(&mut scenario).expect("allowed");
        }
        assert_eq!(read.iter().map(|setting| setting.lever.text(&scenario)).collect::<Vec<_>>(), ["0.7", "random"]);
        assert_eq!(Lever::all().filter(|lever| !lever.is_alike(&scenario, &Scenario::default())).count(), 2);
        for setting in &read {
            setting.lever.copy(&Scenario::default(), &mut scenario);
        }
        assert_eq!(scenario, Scenario::default());
        for odd in ["speed=9", "", "cached-share=0.7,"] {
            assert!(settings(odd, |text| text.parse().ok()).is_err(), "{odd}");
        }
    }
}
