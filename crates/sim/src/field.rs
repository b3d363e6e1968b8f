//! The fields of a scenario as a table: name, unit, range. Written once, read by validation, form, URL and command line.

use alloc::string::ToString;

use crate::error::ScenarioError;
use crate::scenario::Scenario;

/// One number of a [`Scenario`]: its name everywhere, its unit, its allowed range.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// The name as a form field, a URL parameter, an attribute and a flag (`max-batch`).
    pub name: &'static str,
    /// The unit of the value and of the range.
    pub unit: &'static str,
    /// Least allowed value.
    pub min: f64,
    /// Greatest allowed value.
    pub max: f64,
    /// Whether only whole numbers make sense.
    pub whole: bool,
    /// What it is, in a few words.
    pub about: &'static str,
    read: fn(&Scenario) -> f64,
    write: fn(&mut Scenario, f64),
}

/// Longest prompt [tokens].
pub(crate) const MAX_PROMPT: f64 = 1e6;

/// Longest answer [tokens].
pub(crate) const MAX_OUTPUT: f64 = 1e5;

/// Most replicas [servers].
pub(crate) const MAX_REPLICAS: f64 = 64.0;

/// A field whose value is any number in its range.
macro_rules! number {
    ($name:literal, $member:ident, $min:expr, $max:expr, $unit:literal, $about:literal) => {
        Field {
            name: $name,
            unit: $unit,
            min: $min,
            max: $max,
            whole: false,
            about: $about,
            read: |scenario| scenario.$member,
            write: |scenario, value| scenario.$member = value,
        }
    };
}

/// A field whose value is a whole number in its range.
macro_rules! count {
    ($name:literal, $member:ident, $min:expr, $max:expr, $unit:literal, $about:literal) => {
        Field {
            name: $name,
            unit: $unit,
            min: $min,
            max: $max,
            whole: true,
            about: $about,
            read: |scenario| f64::from(scenario.$member),
            write: |scenario, value| scenario.$member = value as u32,
        }
    };
}

/// Every number of a scenario, in the order in which they are checked and shown. The seed and the
/// [`CHOICES`](crate::CHOICES) are no numbers.
pub static FIELDS: &[Field] = &[
    number!("rate", rate, 0.01, 1000.0, "requests/s", "mean arrival rate"),
    number!("horizon", horizon, 1.0, 2_592_000.0, "s", "simulated time"),
    number!("warmup", warmup, 0.0, 2_592_000.0, "s", "discarded at the start"),
    count!("max-batch", max_batch, 1.0, 4096.0, "sequences", "most sequences in the running batch"),
    count!("prompt", prompt, 1.0, MAX_PROMPT, "tokens", "mean prompt length"),
    count!("output", output, 1.0, MAX_OUTPUT, "tokens", "mean answer length"),
    number!("prefill-ms-per-1k", prefill_ms_per_1k, 0.0, 1e4, "ms", "prefill cost per 1,000 prompt tokens"),
    number!("step-ms", step_ms, 0.001, 1e4, "ms", "decode step, fixed part"),
    number!("per-seq-ms", per_seq_ms, 0.0, 1000.0, "ms", "decode step, part per running sequence"),
    number!("slo-ttft-ms", slo_ttft_ms, 0.001, 3.6e6, "ms", "SLO on the time to first token, inclusive"),
    number!("slo-tpot-ms", slo_tpot_ms, 0.001, 3.6e6, "ms", "SLO on the time per output token, inclusive"),
    number!(
        "arrival-cv",
        arrival_cv,
        0.0,
        20.0,
        "times the mean gap",
        "spread of the gaps between arrivals, 1 for Poisson, 0 for even ones"
    ),
    number!("spike-factor", spike_factor, 0.0, 100.0, "times the rate", "arrival rate in a spike, 1 for no spike"),
    number!("spike-from", spike_from, 0.0, 2_592_000.0, "s", "begin of the spike"),
    number!("spike-to", spike_to, 0.0, 2_592_000.0, "s", "end of the spike"),
    number!("prompt-cv", prompt_cv, 0.0, 5.0, "times the mean", "spread of the prompt lengths, 0 for none"),
    number!("output-cv", output_cv, 0.0, 5.0, "times the mean", "spread of the answer lengths, 0 for none"),
    number!(
        "cached-share",
        cached_share,
        0.0,
        1.0,
        "of the requests",
        "find a part of their prompt in the prefix cache"
    ),
    number!("cached-prompt", cached_prompt, 0.0, 1.0, "of the prompt", "is what they find there"),
    count!(
        "token-budget",
        token_budget,
        0.0,
        1e6,
        "tokens",
        "most a step takes, decodes first, then chunks of prompts, 0 for whole prompts"
    ),
    count!("kv-tokens", kv_tokens, 0.0, 1e9, "tokens", "KV memory of each server that decodes, 0 for no limit"),
    count!("replicas", replicas, 1.0, MAX_REPLICAS, "servers", "equal servers that share the requests"),
    count!(
        "prefill-replicas",
        prefill_replicas,
        0.0,
        MAX_REPLICAS,
        "servers",
        "that only prefill, before the replicas, which then only decode, 0 for none"
    ),
    number!(
        "transfer-ms-per-1k",
        transfer_ms_per_1k,
        0.0,
        1e4,
        "ms",
        "from prefill to decode, per 1,000 prompt tokens"
    ),
    count!("max-replicas", max_replicas, 1.0, MAX_REPLICAS, "servers", "most that autoscaling may order"),
    number!("queue-target", queue_target, 0.1, 1e4, "requests", "waiting per replica that autoscaling aims at"),
    number!("busy-target", busy_target, 0.01, 1.0, "of the time", "GPU busy that autoscaling aims at"),
    number!("provision", provision, 0.0, 86_400.0, "s", "from ordering a replica until it takes requests"),
    count!(
        "max-queue",
        max_queue,
        0.0,
        1e6,
        "requests",
        "longest waiting line, beyond it requests are rejected, 0 for no limit"
    ),
    number!("high-share", high_share, 0.0, 1.0, "of the requests", "have the high priority and are admitted first"),
    count!(
        "max-queue-low",
        max_queue_low,
        0.0,
        1e6,
        "requests",
        "longest waiting line that the others still join, 0 for no limit of their own"
    ),
    count!(
        "users",
        users,
        0.0,
        1e5,
        "clients",
        "that each wait for their answer before they send again, 0 for an open loop"
    ),
    number!("think", think, 0.0, 86_400.0, "s", "pause of a client after an answer"),
    number!(
        "retry-after",
        retry_after,
        0.0,
        86_400.0,
        "s",
        "without a first token a client sends the request once more, 0 for never"
    ),
];

impl Field {
    /// The field of this name; hyphen and underscore are the same.
    ///
    /// # Errors
    /// [`ScenarioError::UnknownField`].
    pub fn named(name: &str) -> Result<&'static Self, ScenarioError> {
        let hyphened = name.replace('_', "-");
        FIELDS
            .iter()
            .find(|field| field.name == hyphened)
            .ok_or_else(|| ScenarioError::UnknownField { name: name.to_string() })
    }

    /// The same field on a narrower range, as a slider offers it.
    #[must_use]
    pub fn within(self, min: f64, max: f64) -> Self {
        Self { min: min.max(self.min), max: max.min(self.max), ..self }
    }

    /// The value in a scenario, in [`Field::unit`].
    #[must_use]
    pub fn get(&self, scenario: &Scenario) -> f64 {
        (self.read)(scenario)
    }

    /// Puts a value that [`Field::check`] accepted into a scenario.
    pub(crate) fn put(&self, scenario: &mut Scenario, value: f64) {
        (self.write)(scenario, value);
    }

    /// Copies the value from one scenario to another.
    pub fn copy(&self, from: &Scenario, to: &mut Scenario) {
        self.put(to, self.get(from));
    }

    /// Reads a value from text; a decimal comma is a decimal point.
    ///
    /// # Errors
    /// Text that is no number, and what [`Field::check`] refuses.
    pub fn parse(&self, text: &str) -> Result<f64, ScenarioError> {
        self.read(text, text.trim().replace(',', ".").parse().ok())
    }

    /// Takes the number that a text was read as by somebody else, `None` for no number.
    ///
    /// The page lets its browser read numbers: the tables that exact reading needs would be a tenth of its download.
    ///
    /// # Errors
    /// As [`Field::parse`].
    pub fn read(&self, text: &str, number: Option<f64>) -> Result<f64, ScenarioError> {
        let &Self { name: field, unit, min, max, .. } = self;
        let text = text.trim().to_string();
        let value = number.ok_or(ScenarioError::NotANumber { field, text, min, max, unit })?;
        self.check(value)?;
        Ok(value)
    }

    /// Checks a value against range and wholeness.
    ///
    /// # Errors
    /// [`ScenarioError::OutOfRange`] (also for NaN) or [`ScenarioError::NotWhole`].
    pub fn check(&self, value: f64) -> Result<(), ScenarioError> {
        let &Self { name: field, unit, min, max, .. } = self;
        if !(min..=max).contains(&value) {
            return Err(ScenarioError::OutOfRange { field, value, min, max, unit });
        }
        if self.whole && value != libm::trunc(value) {
            return Err(ScenarioError::NotWhole { field, value, min, max, unit });
        }
        Ok(())
    }
}
