//! Where a lab stands: what is simulated and what is shown beside it. It is what a permalink holds.

use std::iter;

use goodput_sim::{Field, Preset, Scenario, ScenarioError, Seed};
use goodput_summary::{Value, put};

use crate::draws::MOST_SEEDS;
use crate::lever::Lever;
use crate::pins::MOST_PINS;
use crate::rate::{Rate, Span};
use crate::refusal::Refusal;

/// The name of the field that is no [`Lever`].
const RATE: &str = "rate";

/// Longest run of the page [s]: all rates of the slider are simulated while it is being dragged.
const MAX_HORIZON_S: f64 = 3600.0;

/// The state of a lab that others may set and that a permalink holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Setup {
    /// The run in view. Its rate is one of [`Rate`].
    pub scenario: Scenario,
    /// Runs on so many draws, the lesson's among them; 1 is without others.
    pub seeds: usize,
    /// Whether theory is shown.
    pub theory: bool,
    /// The pinned runs.
    pub pins: Vec<Scenario>,
}

impl Default for Setup {
    /// The lesson's server at 5 requests/s on the lesson's draw, with nothing beside it.
    fn default() -> Self {
        Self { scenario: Scenario::default(), seeds: 1, theory: false, pins: Vec::new() }
    }
}

/// How a text is read as a number: by the browser in the page.
pub type ReadNumber = fn(&str) -> Option<f64>;

impl Setup {
    /// The parameters that [`Setup::put`] knows, besides the fields of a scenario and its preset.
    pub const BESIDE: [&str; 4] = ["seed", "seeds", "theory", "pin"];
    /// A name for a whole scenario, which the other parameters may refine.
    pub const PRESET: &str = "preset";

    /// Whether this is a parameter of a setup.
    #[must_use]
    pub fn has(name: &str) -> bool {
        name == Self::PRESET || Self::BESIDE.contains(&name) || field_names().any(|field| field == name)
    }

    /// Sets one parameter from its name and value, as an address, an attribute or a message gives them.
    ///
    /// # Errors
    /// Why the value is refused; the setup is then unchanged. How the fields go together is for [`Setup::check`].
    pub fn put(&mut self, name: &str, value: &Value, number: ReadNumber) -> Result<(), Refusal> {
        match name {
            Self::PRESET => self.scenario = preset(value)?,
            "seeds" => self.seeds = seeds(value, number)?,
            "theory" => self.theory = on_or_off("theory", value)?,
            "pin" => self.pins = self.with_pins(value, number)?,
            name => put_field(&mut self.scenario, name, value, number)?,
        }
        Ok(())
    }

    /// Puts every rate where it can be shown: see [`Span::round`].
    pub fn fit(&mut self) {
        for scenario in self.pins.iter_mut().chain([&mut self.scenario]) {
            scenario.rate = Span::of(scenario).round(Rate::nearest(scenario.rate)).per_s();
        }
    }

    /// Checks how the fields go together, at every rate that the slider offers then.
    ///
    /// # Errors
    /// The first pair of fields that does not.
    pub fn check(&self) -> Result<(), ScenarioError> {
        self.pins.iter().chain([&self.scenario]).try_for_each(check)
    }

    /// What differs from the default, by name, in a fixed order: the parameters of a permalink.
    #[must_use]
    pub fn pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = settings(&self.scenario);
        if self.seeds != 1 {
            pairs.push(("seeds", self.seeds.to_string()));
        }
        if self.theory {
            pairs.push(("theory", "on".to_owned()));
        }
        for pin in &self.pins {
            let settings: Vec<String> = settings(pin).iter().map(|(name, value)| format!("{name}:{value}")).collect();
            // The lesson's own run differs in nothing, and an empty value would be no pin.
            let start = || format!("rate:{}", pin.rate);
            pairs.push(("pin", if settings.is_empty() { start() } else { settings.join(",") }));
        }
        pairs
    }

    /// The pins and these: several in one value are parted by semicolons.
    fn with_pins(&self, value: &Value, number: ReadNumber) -> Result<Vec<Scenario>, Refusal> {
        let refused = || Refusal::not_allowed("pin", value, "pin");
        let Value::Text(text) = value else { return Err(refused()) };
        let mut pins = self.pins.clone();
        for pin in text.split(';').filter(|pin| !pin.trim().is_empty()) {
            let mut scenario = Scenario::default();
            for setting in pin.split(',') {
                let (name, value) = setting.split_once(':').ok_or_else(refused)?;
                put_field(&mut scenario, name.trim(), &Value::Text(value.trim().to_owned()), number)?;
            }
            if pins.len() == MOST_PINS {
                return Err(refused());
            }
            pins.push(scenario);
        }
        Ok(pins)
    }
}

/// The names of a scenario's fields, numbers before words, without its seed.
pub(crate) fn field_names() -> impl Iterator<Item = &'static str> {
    iter::once(RATE).chain(Lever::all().map(Lever::name))
}

/// The fields that differ from the lesson's, and their values.
fn settings(scenario: &Scenario) -> Vec<(&'static str, String)> {
    let lesson = Scenario::default();
    let mut settings = Vec::new();
    if scenario.rate != lesson.rate {
        settings.push((RATE, scenario.rate.to_string()));
    }
    let moved = Lever::all().filter(|lever| !lever.is_alike(scenario, &lesson));
    settings.extend(moved.map(|lever| (lever.name(), lever.text(scenario))));
    if scenario.seed != Seed::Lesson {
        settings.push(("seed", scenario.seed.to_string()));
    }
    settings
}

/// Sets a field of a scenario. The page has narrower ranges than the engine for what takes its time.
fn put_field(scenario: &mut Scenario, name: &str, value: &Value, number: ReadNumber) -> Result<(), Refusal> {
    let Some(field) = narrowed(name)? else { return Ok(put(scenario, name, value)?) };
    let value = match value {
        Value::Text(text) => number(text).map_or_else(|| value.clone(), Value::Number),
        value => value.clone(),
    };
    match &value {
        Value::Number(number) => field.check(*number)?,
        // No number was read in it, and the field has the words for that.
        Value::Text(text) => {
            field.read(text, None)?;
        }
        Value::Nothing => {}
    }
    put(scenario, name, &value)?;
    if name == RATE {
        scenario.rate = Rate::nearest(scenario.rate).per_s();
    }
    Ok(())
}

/// Checks that a scenario can be simulated, at its own rate and at the highest that the slider offers then.
///
/// # Errors
/// Why not.
pub(crate) fn check(scenario: &Scenario) -> Result<(), ScenarioError> {
    scenario.clone().validate()?.at_rate(Span::of(scenario).to.per_s()).map(|_| ())
}

/// A field on the range that the page has for it; none for the seed and for words.
fn narrowed(name: &str) -> Result<Option<Field>, ScenarioError> {
    Ok(match name {
        "seed" => None,
        "horizon" => Some(Field::named(name)?.within(0.0, MAX_HORIZON_S)),
        name => match Lever::named(name)? {
            Lever::Number(field) => Some(*field),
            Lever::Word(_) => None,
        },
    })
}

fn preset(value: &Value) -> Result<Scenario, Refusal> {
    let name = match value {
        Value::Text(name) => name.as_str(),
        _ => "",
    };
    Ok(Preset::named(name)?.scenario())
}

fn seeds(value: &Value, number: ReadNumber) -> Result<usize, Refusal> {
    let count = match value {
        Value::Number(count) => Some(*count),
        Value::Text(text) => number(text),
        Value::Nothing => None,
    };
    let allowed = |count: &f64| (1.0..=MOST_SEEDS as f64).contains(count) && count.fract() == 0.0;
    count.filter(allowed).map(|count| count as usize).ok_or_else(|| Refusal::not_allowed("seeds", value, "seeds"))
}

/// Reads a switch.
pub(crate) fn on_or_off(name: &'static str, value: &Value) -> Result<bool, Refusal> {
    match value {
        Value::Text(text) if text == "on" => Ok(true),
        Value::Text(text) if text == "off" => Ok(false),
        value => Err(Refusal::not_allowed(name, value, "switch")),
    }
}
