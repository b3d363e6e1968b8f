//! What a scenario says of every server of a fleet.

use crate::admission::Door;
use crate::cost::CostModel;
use crate::incident::{Cause, Incident};
use crate::lengths::Lengths;
use crate::scenario::Scenario;
use crate::server::Stop;
use crate::units::SimTime;

use super::blocks::blocks;

/// What a scenario says of every server of a fleet, and of the time it runs.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    costs: CostModel,
    transfer_ms_per_1k: f64,
    pub(super) max_batch: u32,
    /// Most tokens of a step; `None` for whole prompts.
    pub(super) token_budget: Option<u32>,
    pub(super) kv_tokens: u32,
    pub(super) door: Door,
    /// Nothing is sent at or after it.
    pub(super) horizon: SimTime,
    /// No step begins at or after it.
    pub(super) stop_at: SimTime,
    incident: Option<(Cause, SimTime, f64)>,
}

impl Rules {
    pub(super) fn of(scenario: &Scenario, stop: Stop) -> Self {
        let horizon = SimTime::from_secs(scenario.horizon);
        let incident =
            scenario.incident.map(|Incident { cause, from, strength }| (cause, SimTime::from_secs(from), strength));
        Self {
            costs: CostModel::new(scenario),
            transfer_ms_per_1k: scenario.transfer_ms_per_1k,
            max_batch: scenario.max_batch,
            token_budget: (scenario.token_budget > 0).then_some(scenario.token_budget),
            kv_tokens: scenario.kv_tokens,
            door: Door::of(scenario),
            horizon,
            stop_at: match stop {
                Stop::AtHorizon => horizon,
                Stop::Drained => SimTime::MAX,
            },
            incident,
        }
    }

    /// The decode part of a step of so many sequences, and its chunks of so many tokens, that starts at `now` [ns].
    pub(super) fn step(&self, now: SimTime, running: u32, chunk: u32) -> SimTime {
        let prefill = if chunk > 0 { self.costs.prefill(chunk) } else { SimTime::ZERO };
        self.slowed(now, self.costs.decode_step(running) + prefill)
    }

    /// The prefill of so many tokens, at a boundary `now` [ns].
    pub(super) fn prefill(&self, now: SimTime, tokens: u32) -> SimTime {
        self.slowed(now, self.costs.prefill(tokens))
    }

    /// How long the KV memory of a prompt travels [ns].
    pub(super) fn transfer(&self, prompt: u32) -> SimTime {
        SimTime::from_millis(self.transfer_ms_per_1k * f64::from(prompt) / 1000.0)
    }

    /// The lengths of a request that is sent at `now`.
    pub(super) fn lengths(&self, now: SimTime, drawn: Lengths) -> Lengths {
        match self.acting(now) {
            Some((Cause::LongPrompts, strength)) => {
                let prompt = longer(drawn.prompt, strength).max(1);
                Lengths { prompt, cached: longer(drawn.cached, strength).min(prompt), ..drawn }
            }
            Some((Cause::ColdCache, _)) => Lengths { cached: 0, ..drawn },
            _ => drawn,
        }
    }

    /// Whether the KV memory of one server can hold a request to its end.
    pub(super) fn can_ever_fit(&self, lengths: Lengths) -> bool {
        let request = u64::from(lengths.prompt) + u64::from(lengths.output);
        self.kv_tokens == 0 || blocks(request) <= i64::from(self.kv_tokens / 16)
    }

    /// When the incident sets in, if that is still to come.
    pub(super) fn incident_after(&self, now: SimTime) -> Option<SimTime> {
        self.incident.map(|(_, from, _)| from).filter(|&from| from > now)
    }

    /// The share of the KV memory that is left, if some was lost by now.
    pub(super) fn memory_left(&self, now: SimTime) -> Option<f64> {
        self.acting(now).filter(|&(cause, _)| cause == Cause::LessMemory).map(|(_, share)| share)
    }

    /// Whether the first replica is lost by now.
    pub(super) fn first_is_lost(&self, now: SimTime) -> bool {
        self.acting(now).is_some_and(|(cause, _)| cause == Cause::LostReplica)
    }

    fn acting(&self, now: SimTime) -> Option<(Cause, f64)> {
        self.incident.filter(|&(_, from, _)| from <= now).map(|(cause, _, strength)| (cause, strength))
    }

    fn slowed(&self, now: SimTime, cost: SimTime) -> SimTime {
        match self.acting(now) {
            Some((Cause::SlowGpu, factor)) => SimTime::from_nanos((cost.as_nanos() as f64 * factor + 0.5) as u64),
            _ => cost,
        }
    }
}

fn longer(tokens: u32, factor: f64) -> u32 {
    (f64::from(tokens) * factor + 0.5).min(crate::field::MAX_PROMPT) as u32
}
