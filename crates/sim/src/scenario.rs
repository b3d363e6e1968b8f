//! What is simulated: a plain struct whose fields the reader may choose, and the checked form the engine takes.

use alloc::string::ToString;
use core::fmt;
use core::str::FromStr;

use crate::choice::{Autoscale, Choice, OutputLaw, Routing};
use crate::error::ScenarioError;
use crate::field::{FIELDS, Field};
use crate::incident::Incident;
use crate::levers;
use crate::rate_profile::RateProfile;

/// Most arrivals a scenario may expect, `rate x horizon` [requests]. It bounds time and memory of a run.
pub const MAX_EXPECTED_ARRIVALS: f64 = 1e6;

/// Most work a scenario may expect if its requests were served one at a time [s of GPU time].
/// It keeps every instant, also of a drained run, far below 2^64 ns.
pub const MAX_EXPECTED_WORK_S: f64 = 1e9;

/// Which draws the run uses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Seed {
    /// The lesson's own draw: mulberry32 with seed 3.
    #[default]
    Lesson,
    /// ChaCha8 with this number as its key.
    Number(u64),
}

impl Seed {
    /// `count` seeds for replications: this one, then others that differ from it.
    ///
    /// More seeds never change the earlier ones, nor the lesson's stream.
    pub fn replications(self, count: usize) -> impl Iterator<Item = Self> {
        let first_other = match self {
            Self::Lesson => 1,
            Self::Number(number) => number.wrapping_add(1),
        };
        let others = (0..).map(move |i| Self::Number(first_other.wrapping_add(i)));
        core::iter::once(self).chain(others).take(count)
    }
}

impl FromStr for Seed {
    type Err = ScenarioError;

    fn from_str(text: &str) -> Result<Self, ScenarioError> {
        match text.trim() {
            "lesson" => Ok(Self::Lesson),
            number => {
                number.parse().map(Self::Number).map_err(|_| ScenarioError::NotASeed { text: number.to_string() })
            }
        }
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lesson => f.write_str("lesson"),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

/// What is simulated. Plain data: build it with a literal, then call [`Scenario::validate`].
///
/// The default is the lesson's server. The allowed range of every field stands in [`FIELDS`].
///
/// ```
/// use goodput_sim::{Scenario, run};
///
/// let scenario = Scenario { rate: 5.0, ..Scenario::default() }.validate()?;
/// let report = run(&scenario);
/// assert_eq!((report.offered, report.completed, report.good), (2756, 2710, 2411));
/// # Ok::<(), goodput_sim::ScenarioError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// Mean arrival rate [requests/s].
    pub rate: f64,
    /// Which draws.
    pub seed: Seed,
    /// Simulated time [s].
    pub horizon: f64,
    /// Discarded at the start: requests that arrived earlier are not measured [s].
    pub warmup: f64,
    /// Most sequences in the running batch.
    pub max_batch: u32,
    /// Mean prompt length [tokens].
    pub prompt: u32,
    /// Mean answer length [tokens].
    pub output: u32,
    /// Prefill cost per 1,000 prompt tokens [ms].
    pub prefill_ms_per_1k: f64,
    /// Decode step: the part that does not depend on the batch [ms].
    pub step_ms: f64,
    /// Decode step: the part that each running sequence adds [ms].
    pub per_seq_ms: f64,
    /// SLO on the time to first token, inclusive [ms].
    pub slo_ttft_ms: f64,
    /// SLO on the time per output token, inclusive [ms].
    pub slo_tpot_ms: f64,
    /// Coefficient of variation of the gaps between arrivals: 1 for Poisson, 0 for evenly spaced, else gamma.
    pub arrival_cv: f64,
    /// How many times the rate it is during a spike; 1 for no spike.
    pub spike_factor: f64,
    /// Begin of the spike [s].
    pub spike_from: f64,
    /// End of the spike [s].
    pub spike_to: f64,
    /// Coefficient of variation of the prompt lengths, which are lognormal; 0 for equal ones.
    pub prompt_cv: f64,
    /// Coefficient of variation of the answer lengths, which are lognormal; 0 for equal ones.
    pub output_cv: f64,
    /// Share of the requests that find a part of their prompt in the prefix cache (0..=1).
    pub cached_share: f64,
    /// The part that they find and whose prefill is skipped, as a share of the prompt (0..=1).
    pub cached_prompt: f64,
    /// What the answer lengths are drawn from.
    pub output_law: OutputLaw,
    /// Tokens that one step may take, decodes first, then chunks of prompts [tokens]. 0: whole prompts, which stall everyone.
    pub token_budget: u32,
    /// KV memory of each server that decodes [tokens]. 0 for no limit.
    pub kv_tokens: u32,
    /// Equal servers; with autoscaling the fewest there are.
    pub replicas: u32,
    /// Which replica a request goes to.
    pub routing: Routing,
    /// Servers that only prefill, one prompt at a time, before the replicas, which then only decode. 0: each replica does both.
    pub prefill_replicas: u32,
    /// How long the KV memory of a prompt travels from prefill to decode, per 1,000 tokens [ms].
    pub transfer_ms_per_1k: f64,
    /// What the number of replicas follows.
    pub autoscale: Autoscale,
    /// Most replicas that autoscaling may order.
    pub max_replicas: u32,
    /// Waiting requests per replica that autoscaling on the queue aims at [requests].
    pub queue_target: f64,
    /// GPU busy that autoscaling on it aims at (0..=1).
    pub busy_target: f64,
    /// From ordering a replica until it takes requests [s].
    pub provision: f64,
    /// Longest waiting line [requests]: who comes to a longer one is rejected. 0 for no limit.
    pub max_queue: u32,
    /// Share of the requests that have the high priority and are admitted first (0..=1).
    pub high_share: f64,
    /// Longest waiting line that a request without the high priority joins [requests]. 0 for no limit of its own.
    pub max_queue_low: u32,
    /// Most requests that clients have under way: whoever wants to send more waits for an answer first. 0: they never wait.
    pub users: u32,
    /// How long a client pauses after an answer before it can send again [s].
    pub think: f64,
    /// How long a client waits for the first token before it sends the request once more [s]. 0: for ever.
    pub retry_after: f64,
    /// What goes wrong. Not a field: it has no name in forms, URLs and flags.
    pub incident: Option<Incident>,
}

impl Default for Scenario {
    fn default() -> Self {
        Self {
            rate: 5.0,
            seed: Seed::Lesson,
            horizon: 600.0,
            warmup: 60.0,
            max_batch: 64,
            prompt: 1000,
            output: 200,
            prefill_ms_per_1k: 60.0,
            step_ms: 10.0,
            per_seq_ms: 0.4,
            slo_ttft_ms: 1000.0,
            slo_tpot_ms: 50.0,
            arrival_cv: 1.0,
            spike_factor: 1.0,
            spike_from: 240.0,
            spike_to: 300.0,
            prompt_cv: 0.0,
            output_cv: 0.0,
            cached_share: 0.0,
            cached_prompt: 0.5,
            output_law: OutputLaw::Lognormal,
            token_budget: 0,
            kv_tokens: 0,
            replicas: 1,
            routing: Routing::RoundRobin,
            prefill_replicas: 0,
            transfer_ms_per_1k: 5.0,
            autoscale: Autoscale::Off,
            max_replicas: 8,
            queue_target: 4.0,
            busy_target: 0.8,
            provision: 60.0,
            max_queue: 0,
            high_share: 0.0,
            max_queue_low: 0,
            users: 0,
            think: 0.0,
            retry_after: 0.0,
            incident: None,
        }
    }
}

impl Scenario {
    /// Checks every number once, so the engine need not.
    ///
    /// A scenario that validates terminates: a run takes time in proportion to its arrivals (not to tokens or
    /// steps), of which there are at most about [`MAX_EXPECTED_ARRIVALS`], and at most some 200 bytes of memory each.
    ///
    /// # Errors
    /// The first field outside its documented range, or the first pair of fields that do not go together.
    pub fn validate(self) -> Result<ValidScenario, ScenarioError> {
        for field in FIELDS {
            field.check(field.get(&self))?;
        }
        if self.warmup >= self.horizon {
            return Err(ScenarioError::WarmupTooLong { warmup: self.warmup, horizon: self.horizon });
        }
        if self.spike_factor != 1.0 {
            let &Self { spike_from: from, spike_to: to, horizon, .. } = &self;
            if from >= to {
                return Err(ScenarioError::SpikeEndsFirst { from, to });
            }
            if from >= horizon {
                return Err(ScenarioError::SpikeTooLate { from, horizon });
            }
        }
        let arrivals = RateProfile::of(&self).expected_arrivals(self.horizon);
        if arrivals > MAX_EXPECTED_ARRIVALS {
            return Err(ScenarioError::TooManyArrivals { rate: self.rate, horizon: self.horizon, arrivals });
        }
        // Bursts may bring more than is expected: a burst about the square of the variation, and there may be several.
        let bursts = 20.0 * (self.arrival_cv * self.arrival_cv - 1.0).max(0.0);
        let prefill_ms = self.prefill_ms_per_1k * f64::from(self.prompt) / 1000.0;
        let decode_ms = f64::from(self.output) * (self.step_ms + self.per_seq_ms);
        let work_s = (arrivals + bursts) * (prefill_ms + decode_ms) / 1000.0;
        if work_s > MAX_EXPECTED_WORK_S {
            return Err(ScenarioError::TooMuchWork { work_s });
        }
        levers::check(&self)?;
        Ok(ValidScenario(self))
    }

    /// Sets one field from its name and text, as a form, a URL, an attribute or a flag gives them.
    /// Hyphen and underscore are the same (`max-batch`, `max_batch`), a decimal comma is a decimal point.
    ///
    /// # Errors
    /// An unknown name, text that is no number, or a number outside the field's range.
    /// The scenario is then unchanged.
    pub fn set(&mut self, name: &str, text: &str) -> Result<(), ScenarioError> {
        if name == "seed" {
            self.seed = text.parse()?;
            return Ok(());
        }
        if let Some(choice) = Choice::named(name) {
            return choice.set(self, text);
        }
        let field = Field::named(name)?;
        field.put(self, field.parse(text)?);
        Ok(())
    }

    /// Sets one field from its name and value. Hyphen and underscore are the same.
    ///
    /// # Errors
    /// An unknown name, or a number outside the field's range. The scenario is then unchanged.
    pub fn set_number(&mut self, name: &str, value: f64) -> Result<(), ScenarioError> {
        let field = Field::named(name)?;
        field.check(value)?;
        field.put(self, value);
        Ok(())
    }
}

/// A [`Scenario`] whose numbers were checked. Only [`Scenario::validate`] makes one.
#[derive(Clone, Debug, PartialEq)]
pub struct ValidScenario(Scenario);

impl ValidScenario {
    /// The plain scenario.
    #[must_use]
    pub fn get(&self) -> &Scenario {
        &self.0
    }

    /// The same scenario at another arrival rate [requests/s].
    ///
    /// # Errors
    /// As [`Scenario::validate`].
    pub fn at_rate(&self, rate: f64) -> Result<Self, ScenarioError> {
        Scenario { rate, ..self.0.clone() }.validate()
    }

    /// The same scenario with other draws.
    #[must_use]
    pub fn with_seed(&self, seed: Seed) -> Self {
        Self(Scenario { seed, ..self.0.clone() })
    }
}

impl Default for ValidScenario {
    /// The lesson's server.
    fn default() -> Self {
        Self(Scenario::default())
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::{Scenario, Seed, ValidScenario};

    fn refused(scenario: Scenario) -> alloc::string::String {
        scenario.validate().expect_err("must be refused").to_string()
    }

    #[test]
    fn the_default_is_valid() {
        assert_eq!(Scenario::default().validate(), Ok(ValidScenario::default()));
    }

    #[test]
    fn errors_name_value_range_and_unit() {
        let with_rate = |rate| refused(Scenario { rate, ..Scenario::default() });
        assert_eq!(with_rate(0.0), "rate = 0 requests/s: allowed are 0.01 to 1000 requests/s");
        assert_eq!(with_rate(-1.0), "rate = -1 requests/s: allowed are 0.01 to 1000 requests/s");
        assert_eq!(with_rate(f64::NAN), "rate = NaN requests/s: allowed are 0.01 to 1000 requests/s");
        assert_eq!(with_rate(f64::INFINITY), "rate = inf requests/s: allowed are 0.01 to 1000 requests/s");
        assert_eq!(with_rate(1e9), "rate = 1000000000 requests/s: allowed are 0.01 to 1000 requests/s");
        assert_eq!(
            refused(Scenario { max_batch: 0, ..Scenario::default() }),
            "max-batch = 0 sequences: allowed are 1 to 4096 sequences"
        );
        assert_eq!(
            refused(Scenario { output: 0, ..Scenario::default() }),
            "output = 0 tokens: allowed are 1 to 100000 tokens"
        );
        assert_eq!(
            refused(Scenario { prompt: 0, ..Scenario::default() }),
            "prompt = 0 tokens: allowed are 1 to 1000000 tokens"
        );
        assert_eq!(
            refused(Scenario { warmup: 600.0, ..Scenario::default() }),
            "warmup = 600 s: must be shorter than the horizon of 600 s"
        );
        assert_eq!(
            refused(Scenario { rate: 1000.0, horizon: 2000.0, ..Scenario::default() }),
            "rate = 1000 requests/s over horizon = 2000 s is 2000000 arrivals: allowed are at most 1000000 arrivals"
        );
    }

    #[test]
    fn text_sets_fields_by_name() {
        let mut scenario = Scenario::default();
        scenario.set("rate", " 5,5 ").expect("a decimal comma");
        scenario.set("max-batch", "128").expect("as a flag");
        scenario.set("slo_ttft_ms", "500").expect("as a field");
        scenario.set("seed", "7").expect("a number");
        assert_eq!(
            scenario,
            Scenario { rate: 5.5, max_batch: 128, slo_ttft_ms: 500.0, seed: Seed::Number(7), ..Scenario::default() }
        );
        let before = scenario.clone();
        let refused = [
            ("rate", "fast", "rate = \"fast\": allowed are numbers, 0.01 to 1000 requests/s"),
            ("rate", "", "rate = \"\": allowed are numbers, 0.01 to 1000 requests/s"),
            ("max-batch", "1.5", "max-batch = 1.5 sequences: allowed are whole numbers, 1 to 4096 sequences"),
            ("seed", "-1", "seed = \"-1\": allowed are lesson, or a whole number, 0 to 18446744073709551615"),
            (
                "speed",
                "9",
                "there is no field \"speed\": allowed are rate, horizon, warmup, max-batch, prompt, output, prefill-ms-per-1k, step-ms, per-seq-ms, slo-ttft-ms, slo-tpot-ms, arrival-cv, spike-factor, spike-from, spike-to, prompt-cv, output-cv, cached-share, cached-prompt, token-budget, kv-tokens, replicas, prefill-replicas, transfer-ms-per-1k, max-replicas, queue-target, busy-target, provision, max-queue, high-share, max-queue-low, users, think, retry-after, output-law, routing, autoscale, seed",
            ),
        ];
        for (name, text, message) in refused {
            let error = scenario.set(name, text).expect_err(name);
            assert_eq!(error.to_string(), message);
        }
        assert_eq!(scenario, before, "a refused value changes nothing");
    }

    #[test]
    fn replications_start_with_the_seed_itself() {
        let seeds: alloc::vec::Vec<_> = Seed::Lesson.replications(3).collect();
        assert_eq!(seeds, [Seed::Lesson, Seed::Number(1), Seed::Number(2)]);
        let seeds: alloc::vec::Vec<_> = Seed::Number(7).replications(2).collect();
        assert_eq!(seeds, [Seed::Number(7), Seed::Number(8)]);
    }
}
