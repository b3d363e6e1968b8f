//! A game: a fleet, and what goes wrong with it.

use goodput_sim::{Cause, Incident, Scenario, ScenarioError, ValidScenario, theory};

use crate::diagnosis::Diagnosis;
use crate::draws::Draws;
use crate::workload::{self, HORIZON_S};

/// One incident. The same number gives the same game for ever.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    number: u64,
    truth: Diagnosis,
    onset_s: f64,
    relief_s: f64,
    calm: ValidScenario,
    scenario: ValidScenario,
}

impl Game {
    /// The game of a number. Whatever goes wrong, the load on what is left is then beyond its capacity, by a share that is
    /// drawn; so users feel it, and each cause equally.
    #[must_use]
    pub fn new(number: u64) -> Self {
        let mut draws = Draws::new(number);
        let truth = Diagnosis::ALL[draws.below(Diagnosis::ALL.len() as u32) as usize];
        let load = draws.between(0.56, 0.64);
        let calm = workload::draw(number, load, &mut draws);
        let onset_s = f64::from(draws.whole(320, 440, 1));
        // How many times the work of before it is for what is left of the fleet.
        let excess = draws.between(1.12, 1.35) / load;
        let lasts_s = f64::from(draws.whole(100, 160, 5));
        let trigger_s = f64::from(draws.whole(15, 25, 1));
        let patience_s = f64::from(draws.whole(4, 7, 1));
        let incident =
            |cause, strength| Scenario { incident: Some(Incident { cause, from: onset_s, strength }), ..calm.clone() };
        let spike = |spike_factor, lasts_s| Scenario {
            spike_factor,
            spike_from: onset_s,
            spike_to: onset_s + lasts_s,
            ..calm.clone()
        };
        let scenario = match truth {
            Diagnosis::Burst => spike(excess, lasts_s),
            Diagnosis::LongPrompts => incident(Cause::LongPrompts, longer_prompts(&calm, excess)),
            Diagnosis::ClearedCache => incident(Cause::ColdCache, 1.0),
            Diagnosis::LostReplica => incident(Cause::LostReplica, 1.0),
            Diagnosis::KvPressure => incident(Cause::LessMemory, less_memory(&calm, excess)),
            Diagnosis::SlowerGpu => incident(Cause::SlowGpu, excess),
            Diagnosis::RetryStorm => Scenario { retry_after: patience_s, ..spike(2.0 * excess, trigger_s) },
        };
        let relief_s = if scenario.incident.is_some() { HORIZON_S } else { scenario.spike_to };
        // Patient or not is nothing that goes wrong: it is there from the start, and makes no difference before.
        let calm = Scenario { spike_factor: 1.0, incident: None, ..scenario.clone() };
        Self { number, truth, onset_s, relief_s, calm: valid(calm), scenario: valid(scenario) }
    }

    /// Its number.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// What goes wrong.
    #[must_use]
    pub fn truth(&self) -> Diagnosis {
        self.truth
    }

    /// When it sets in [s]: somewhere in the second half.
    #[must_use]
    pub fn onset_s(&self) -> f64 {
        self.onset_s
    }

    /// When the spike is over, if it was one, else the end of the run [s].
    #[must_use]
    pub fn relief_s(&self) -> f64 {
        self.relief_s
    }

    /// What is simulated.
    #[must_use]
    pub fn scenario(&self) -> &ValidScenario {
        &self.scenario
    }

    /// The same without what goes wrong.
    #[must_use]
    pub fn calm(&self) -> &ValidScenario {
        &self.calm
    }
}

/// By which factor prompts must be longer for `excess` times the work of a request.
fn longer_prompts(calm: &Scenario, excess: f64) -> f64 {
    let work_s =
        |factor: f64| service_s(&Scenario { prompt: (f64::from(calm.prompt) * factor) as u32, ..calm.clone() });
    bisect(1.0, 8.0, |factor| work_s(factor) < excess * service_s(calm))
}

/// Which share of the KV memory must be left for `excess` times the work of a request.
fn less_memory(calm: &Scenario, excess: f64) -> f64 {
    let work_s =
        |share: f64| service_s(&Scenario { kv_tokens: (f64::from(calm.kv_tokens) * share) as u32, ..calm.clone() });
    bisect(0.0, 1.0, |share| work_s(share) > excess * service_s(calm))
}

/// What a request takes of the time of a fleet at its capacity [s].
fn service_s(scenario: &Scenario) -> f64 {
    1.0 / theory::capacity(scenario)
}

/// Where `is_below` changes from true to false.
fn bisect(mut low: f64, mut high: f64, is_below: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..30 {
        let middle = (low + high) / 2.0;
        if is_below(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

fn valid(scenario: Scenario) -> ValidScenario {
    let checked: Result<ValidScenario, ScenarioError> = scenario.validate();
    checked.expect("every draw lies in its field's range")
}
