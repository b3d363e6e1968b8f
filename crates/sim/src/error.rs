//! Why a scenario was refused, in words for the reader: the value, what is allowed, the unit.

use alloc::string::String;
use core::fmt;

use crate::choice::CHOICES;
use crate::field::FIELDS;
use crate::preset::PRESETS;
use crate::scenario::{MAX_EXPECTED_ARRIVALS, MAX_EXPECTED_WORK_S};

/// Why a [`crate::Scenario`] was refused. Nothing was simulated.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ScenarioError {
    /// A number is NaN, infinite, or outside its range.
    OutOfRange {
        /// Name of the field.
        field: &'static str,
        /// What was given, in `unit`.
        value: f64,
        /// Least allowed value.
        min: f64,
        /// Greatest allowed value.
        max: f64,
        /// Unit of all three.
        unit: &'static str,
    },
    /// A fraction where only whole numbers make sense.
    NotWhole {
        /// Name of the field.
        field: &'static str,
        /// What was given, in `unit`.
        value: f64,
        /// Least allowed value.
        min: f64,
        /// Greatest allowed value.
        max: f64,
        /// Unit of all three.
        unit: &'static str,
    },
    /// Text that is no number.
    NotANumber {
        /// Name of the field.
        field: &'static str,
        /// What was given.
        text: String,
        /// Least allowed value.
        min: f64,
        /// Greatest allowed value.
        max: f64,
        /// Unit of the range.
        unit: &'static str,
    },
    /// Text that is no seed.
    NotASeed {
        /// What was given.
        text: String,
    },
    /// A word that is none of those a field takes.
    NotAChoice {
        /// Name of the field.
        field: &'static str,
        /// What was given.
        text: String,
        /// The words it takes.
        allowed: &'static [&'static str],
    },
    /// Two levers that do not go together.
    NotTogether {
        /// Name of the one field.
        field: &'static str,
        /// Name of the other.
        other: &'static str,
        /// Why not, in words that follow the two names.
        why: &'static str,
    },
    /// A token budget that leaves nothing for prompts when the batch is full.
    BudgetTooSmall {
        /// Token budget [tokens].
        token_budget: u32,
        /// Most sequences in a batch.
        max_batch: u32,
    },
    /// KV memory that does not hold one usual request.
    MemoryTooSmall {
        /// KV memory [tokens].
        kv_tokens: u32,
        /// What prompt and answer of the usual request take [tokens].
        request: u64,
    },
    /// Autoscaling that could never add a replica.
    NothingToScale {
        /// Fewest replicas.
        replicas: u32,
        /// Most replicas.
        max_replicas: u32,
    },
    /// An incident that the scenario has nothing for: no second replica, no limit on memory, or not within the run.
    ImpossibleIncident,
    /// A name that is no field of a scenario.
    UnknownField {
        /// What was given.
        name: String,
    },
    /// A name that is no preset.
    UnknownPreset {
        /// What was given.
        name: String,
    },
    /// Nothing is left to measure.
    WarmupTooLong {
        /// Warm-up [s].
        warmup: f64,
        /// Horizon [s].
        horizon: f64,
    },
    /// More arrivals than [`MAX_EXPECTED_ARRIVALS`].
    TooManyArrivals {
        /// Arrival rate [requests/s].
        rate: f64,
        /// Horizon [s].
        horizon: f64,
        /// How many are expected up to there.
        arrivals: f64,
    },
    /// A spike that is over before it begins.
    SpikeEndsFirst {
        /// Its begin [s].
        from: f64,
        /// Its end [s].
        to: f64,
    },
    /// A spike that no run sees.
    SpikeTooLate {
        /// Its begin [s].
        from: f64,
        /// Horizon [s].
        horizon: f64,
    },
    /// More work than [`MAX_EXPECTED_WORK_S`].
    TooMuchWork {
        /// Expected work, were the requests served one at a time [s].
        work_s: f64,
    },
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfRange { field, value, min, max, unit } => {
                write!(f, "{field} = {value} {unit}: allowed are {min} to {max} {unit}")
            }
            Self::NotWhole { field, value, min, max, unit } => {
                write!(f, "{field} = {value} {unit}: allowed are whole numbers, {min} to {max} {unit}")
            }
            Self::NotANumber { field, text, min, max, unit } => {
                write!(f, "{field} = \"{text}\": allowed are numbers, {min} to {max} {unit}")
            }
            Self::NotASeed { text } => {
                write!(f, "seed = \"{text}\": allowed are lesson, or a whole number, 0 to {}", u64::MAX)
            }
            Self::NotAChoice { field, text, allowed } => {
                write!(f, "{field} = \"{text}\": allowed are {}", allowed.join(", "))
            }
            Self::NotTogether { field, other, why } => write!(f, "{field} and {other} do not go together: {why}"),
            Self::BudgetTooSmall { token_budget, max_batch } => write!(
                f,
                "token-budget = {token_budget} tokens: must be more than max-batch = {max_batch}, or 0, so that a full batch leaves room for prompts"
            ),
            Self::MemoryTooSmall { kv_tokens, request } => write!(
                f,
                "kv-tokens = {kv_tokens} tokens: must be at least {request} tokens, which one prompt and its answer take, or 0 for no limit"
            ),
            Self::NothingToScale { replicas, max_replicas } => write!(
                f,
                "max-replicas = {max_replicas} servers: must be at least replicas = {replicas} servers"
            ),
            Self::ImpossibleIncident => f.write_str(
                "the incident must be one that can happen to these servers, within the horizon, with a strength of 0 to 100, \
                 or of 0.1 to 100 where it multiplies prompts or times",
            ),
            Self::UnknownField { name } => {
                write!(f, "there is no field \"{name}\": allowed are ")?;
                for name in FIELDS.iter().map(|field| field.name).chain(CHOICES.iter().map(|choice| choice.name)) {
                    write!(f, "{name}, ")?;
                }
                f.write_str("seed")
            }
            Self::UnknownPreset { name } => {
                write!(f, "preset = \"{name}\": allowed are ")?;
                for (index, preset) in PRESETS.iter().enumerate() {
                    let separator = if index == 0 { "" } else { ", " };
                    write!(f, "{separator}{}", preset.name)?;
                }
                Ok(())
            }
            Self::WarmupTooLong { warmup, horizon } => {
                write!(f, "warmup = {warmup} s: must be shorter than the horizon of {horizon} s")
            }
            Self::TooManyArrivals { rate, horizon, arrivals } => write!(
                f,
                "rate = {rate} requests/s over horizon = {horizon} s is {arrivals} arrivals: allowed are at most {MAX_EXPECTED_ARRIVALS} arrivals"
            ),
            Self::SpikeEndsFirst { from, to } => {
                write!(f, "spike-to = {to} s: must be later than spike-from = {from} s")
            }
            Self::SpikeTooLate { from, horizon } => {
                write!(f, "spike-from = {from} s: must be earlier than the horizon of {horizon} s")
            }
            Self::TooMuchWork { work_s } => write!(
                f,
                "the requests, one at a time, are {work_s} s of GPU time: allowed are at most {MAX_EXPECTED_WORK_S} s"
            ),
        }
    }
}

impl core::error::Error for ScenarioError {}
