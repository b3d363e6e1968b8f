//! The flags that describe a scenario, made from the engine's table of its fields.

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use goodput_sim::{CHOICES, Choice, FIELDS, Field, PRESETS, Preset, Scenario, ScenarioError};

/// The name of the field, and of the flag, that sweeps have many of.
const RATE: &str = "rate";

/// The flag of the named scenario that the others change.
const PRESET: &str = "preset";

/// The flags of a command that looks at one arrival rate.
#[derive(Debug, Args)]
pub(crate) struct ScenarioArgs {
    #[command(flatten)]
    rate: RateArg,
    #[command(flatten)]
    server: ServerArgs,
}

impl ScenarioArgs {
    /// The scenario that was asked for, not validated yet.
    pub(crate) fn scenario(&self) -> Result<Scenario, ScenarioError> {
        let mut scenario = self.server.scenario()?;
        if let Some(text) = &self.rate.0 {
            scenario.set(RATE, text)?;
        }
        Ok(scenario)
    }

    /// Whether a flag was given.
    pub(crate) fn gives(&self, name: &str) -> bool {
        (name == RATE && self.rate.0.is_some()) || self.server.fields.iter().any(|(given, _)| *given == name)
    }
}

/// `--rate`, alone.
#[derive(Debug)]
struct RateArg(Option<String>);

/// The flags of a command that looks at many rates: a preset, every field of a scenario but the rate, and the seed.
///
/// Values stay text until [`ServerArgs::scenario`], so that the engine refuses them in its own words.
#[derive(Debug)]
pub(crate) struct ServerArgs {
    preset: Option<String>,
    fields: Vec<(&'static str, String)>,
}

impl ServerArgs {
    /// The scenario that was asked for, not validated yet, at the rate of its preset. Flags win over the preset,
    /// wherever they stand.
    pub(crate) fn scenario(&self) -> Result<Scenario, ScenarioError> {
        let mut scenario = match &self.preset {
            Some(name) => Preset::named(name)?.scenario(),
            None => Scenario::default(),
        };
        for (name, text) in &self.fields {
            scenario.set(name, text)?;
        }
        Ok(scenario)
    }
}

/// The flags of a command that finds the costs of a server: what its batches look like.
#[derive(Debug)]
pub(crate) struct ShapeArgs(Vec<(&'static str, String)>);

/// The names of its flags.
const SHAPE: &[&str] = &["max-batch", "token-budget", "kv-tokens"];

impl ShapeArgs {
    /// Whether a flag was given.
    pub(crate) fn gives(&self, name: &str) -> bool {
        self.0.iter().any(|(given, _)| *given == name)
    }

    /// Puts what was given into a scenario.
    pub(crate) fn apply(&self, scenario: &mut Scenario) -> Result<(), ScenarioError> {
        self.0.iter().try_for_each(|(name, text)| scenario.set(name, text))
    }
}

fn flag(name: &'static str, value_name: &'static str, help: String) -> Arg {
    Arg::new(name).long(name).value_name(value_name).help(help).allow_negative_numbers(true).help_heading("Scenario")
}

fn field_flag(field: &'static Field) -> Arg {
    let &Field { name, unit, min, max, about, .. } = field;
    let default = field.get(&Scenario::default());
    let (initial, rest) = about.split_at(1);
    flag(name, unit, format!("{}{rest}, {min} to {max} [default: {default}]", initial.to_uppercase()))
}

fn choice_flag(choice: &'static Choice) -> Arg {
    let &Choice { name, words, about, .. } = choice;
    let (initial, rest) = about.split_at(1);
    let allowed = words.join("|");
    flag(name, "WORD", format!("{}{rest}: {allowed} [default: {}]", initial.to_uppercase(), words[0]))
}

fn seed_flag() -> Arg {
    let default = Scenario::default().seed;
    flag("seed", "lesson|N", format!("Which draws: the lesson's own, or those of a whole number [default: {default}]"))
}

fn preset_flag() -> Arg {
    let names: Vec<_> = PRESETS.iter().map(|preset| format!("{} ({})", preset.name, preset.about)).collect();
    flag(PRESET, "NAME", format!("A named scenario, which the other flags change: {}", names.join("; ")))
}

fn is_rate(field: &&Field) -> bool {
    field.name == RATE
}

impl Args for RateArg {
    fn augment_args(command: Command) -> Command {
        command.args(FIELDS.iter().filter(is_rate).map(field_flag))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for RateArg {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        Ok(Self(matches.get_one(RATE).cloned()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for ServerArgs {
    fn augment_args(command: Command) -> Command {
        let fields = FIELDS.iter().filter(|field| !is_rate(field)).map(field_flag);
        command.arg(preset_flag()).args(fields).args(CHOICES.iter().map(choice_flag)).arg(seed_flag())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ServerArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let numbers = FIELDS.iter().filter(|field| !is_rate(field)).map(|field| field.name);
        let names = numbers.chain(CHOICES.iter().map(|choice| choice.name)).chain(["seed"]);
        let given = |name| matches.get_one::<String>(name).cloned();
        Ok(Self { preset: given(PRESET), fields: names.filter_map(|name| Some((name, given(name)?))).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for ShapeArgs {
    fn augment_args(command: Command) -> Command {
        command.args(FIELDS.iter().filter(|field| SHAPE.contains(&field.name)).map(field_flag))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ShapeArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = |&name: &&'static str| Some((name, matches.get_one::<String>(name).cloned()?));
        Ok(Self(SHAPE.iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
