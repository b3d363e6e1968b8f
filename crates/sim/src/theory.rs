//! Closed forms to draw beside the simulation and to test it against. Section 3 of MODEL.md.

use crate::choice::{Autoscale, OutputLaw};
use crate::cost::CostModel;
use crate::scenario::Scenario;

/// The arrival rate at which every slot is in use for ever [requests/s]: `1 / (p + n (a + b B) / B)`.
///
/// A full batch of B gives each of its members one of n decode steps per step and stands still for one prefill p per
/// request. It knows no SLO. Replicas multiply it, limited KV memory makes the batch smaller, and servers that only
/// prefill take the prefill off the others.
#[must_use]
pub fn capacity(scenario: &Scenario) -> f64 {
    let costs = CostModel::new(scenario);
    let batch = full_batch(scenario);
    let full_step_s = costs.step.as_secs() + costs.per_seq.as_secs() * batch;
    let (prefill_s, decode_s) = (mean_prefill_s(scenario), f64::from(scenario.output) * full_step_s / batch);
    let servers =
        f64::from(if scenario.autoscale == Autoscale::Off { scenario.replicas } else { scenario.max_replicas });
    match scenario.prefill_replicas {
        0 => servers / (prefill_s + decode_s),
        prefill_servers => (f64::from(prefill_servers) / prefill_s).min(servers / decode_s),
    }
}

/// Most sequences of the usual lengths that run together: the slots, or what the KV memory holds of half-told answers.
fn full_batch(scenario: &Scenario) -> f64 {
    let slots = f64::from(scenario.max_batch);
    if scenario.kv_tokens == 0 {
        return slots;
    }
    let held = f64::from(scenario.prompt) + f64::from(scenario.output) / 2.0;
    slots.min(f64::from(scenario.kv_tokens) / held).max(1.0)
}

/// Mean prefill of a request, with what the prefix cache saves taken off [s].
fn mean_prefill_s(scenario: &Scenario) -> f64 {
    let whole_s = CostModel::new(scenario).prefill(scenario.prompt).as_secs();
    whole_s * (1.0 - scenario.cached_share * scenario.cached_prompt)
}

/// Whether each server has one rate all the time: not where clients wait for their answers, or replicas come and go. There
/// neither [`throughput`] nor [`mean_field`] says anything.
#[must_use]
pub fn has_steady_rate(scenario: &Scenario) -> bool {
    scenario.users == 0 && scenario.autoscale == Autoscale::Off
}

/// Output tokens that servers put out which keep up until their capacity [tokens/s]; `None` without a steady rate.
#[must_use]
pub fn throughput(scenario: &Scenario) -> Option<f64> {
    has_steady_rate(scenario).then(|| scenario.rate.min(capacity(scenario)) * f64::from(scenario.output))
}

/// The server below its slot limit, with every quantity replaced by its mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeanField {
    /// One decode step, the prefills that interrupt it included [s].
    pub step_s: f64,
    /// Sequences in the batch.
    pub batch: f64,
    /// Time per output token, as the metric counts it [s].
    pub tpot_s: f64,
}

/// The mean field at the scenario's rate: `T = a / (1 - lambda (p + b n))`, `B = lambda n T`. Each of R replicas has a
/// lambda of rate / R. Where other servers prefill, p is nothing, and the way between the two counts as time after the
/// first token.
///
/// `None` where it does not hold: without a steady rate, when the batch would not fit its limit, or the work would not fit
/// the time.
/// It reads a few per cent below the simulated TPOT: fluctuations make a convex cost worse (Jensen's inequality).
#[must_use]
pub fn mean_field(scenario: &Scenario) -> Option<MeanField> {
    if !has_steady_rate(scenario) {
        return None;
    }
    let costs = CostModel::new(scenario);
    let steps = f64::from(scenario.output);
    let rate = scenario.rate / f64::from(scenario.replicas);
    let (prefill_s, transfer_s) = match scenario.prefill_replicas {
        0 => (mean_prefill_s(scenario), 0.0),
        servers if scenario.rate * mean_prefill_s(scenario) >= f64::from(servers) => return None,
        _ => (0.0, scenario.transfer_ms_per_1k * f64::from(scenario.prompt) / 1e6),
    };
    let share = rate * (prefill_s + costs.per_seq.as_secs() * steps);
    if share >= 1.0 {
        return None;
    }
    let step_s = costs.step.as_secs() / (1.0 - share);
    let batch = rate * steps * step_s;
    let tpot_s = if scenario.output > 1 { (transfer_s + step_s * steps) / (steps - 1.0) } else { 0.0 };
    (batch <= full_batch(scenario)).then_some(MeanField { step_s, batch, tpot_s })
}

/// Mean service time of a request that is alone in the server [s]: with one slot the server is a single-server queue.
#[must_use]
pub fn lone_service_s(scenario: &Scenario) -> f64 {
    let costs = CostModel::new(scenario);
    mean_prefill_s(scenario) + f64::from(scenario.output) * costs.decode_step(1).as_secs()
}

/// Squared coefficient of variation of that service time: prompts, answers and the cache vary it independently.
#[must_use]
pub fn lone_service_cv2(scenario: &Scenario) -> f64 {
    let costs = CostModel::new(scenario);
    let whole_prefill_s = costs.prefill(scenario.prompt).as_secs();
    let decode_s = f64::from(scenario.output) * costs.decode_step(1).as_secs();
    let &Scenario { prompt_cv, cached_share: share, cached_prompt: found, .. } = scenario;
    // First and second moment of the part of a prompt that is computed.
    let (computed, squared) = (1.0 - share * found, 1.0 - share + share * (1.0 - found) * (1.0 - found));
    let prefill_cv2 = (1.0 + prompt_cv * prompt_cv) * squared - computed * computed;
    let variance = whole_prefill_s * whole_prefill_s * prefill_cv2 + decode_s * decode_s * output_cv2(scenario);
    let service_s = lone_service_s(scenario);
    variance / (service_s * service_s)
}

/// Squared coefficient of variation of the answer lengths. Those that end after each token with the same chance are
/// nearly exponential.
fn output_cv2(scenario: &Scenario) -> f64 {
    match scenario.output_law {
        OutputLaw::Lognormal => scenario.output_cv * scenario.output_cv,
        OutputLaw::Geometric => 1.0 - 1.0 / f64::from(scenario.output),
    }
}

/// Mean wait of a single-server queue [s], with squared coefficients of variation of the gaps and of the service time
/// (Kingman): `rho / (1 - rho) x (ca2 + cs2) / 2 x S`. Exact for Poisson arrivals (`ca2` = 1: Pollaczek-Khinchine).
///
/// `None` at or past capacity, where there is no mean.
#[must_use]
pub fn mean_wait_s(rate_per_s: f64, service_s: f64, ca2: f64, cs2: f64) -> Option<f64> {
    let rho = rate_per_s * service_s;
    (rho < 1.0).then(|| rho / (1.0 - rho) * (ca2 + cs2) / 2.0 * service_s)
}

/// Mean wait of an M/D/1 queue [s]: Poisson arrivals, equal service times (Pollaczek-Khinchine).
#[must_use]
pub fn mean_wait_md1_s(rate_per_s: f64, service_s: f64) -> Option<f64> {
    mean_wait_s(rate_per_s, service_s, 1.0, 0.0)
}

/// Mean wait of an M/M/1 queue [s]: Poisson arrivals, exponential service times. Twice as long as M/D/1.
#[must_use]
pub fn mean_wait_mm1_s(rate_per_s: f64, service_s: f64) -> Option<f64> {
    mean_wait_s(rate_per_s, service_s, 1.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lessons_capacity_is_about_5_84() {
        assert!((capacity(&Scenario::default()) - 5.839_4).abs() < 1e-4);
    }

    #[test]
    fn the_tpot_wall_stands_before_the_slot_wall() {
        let tpot_s = |rate| mean_field(&Scenario { rate, ..Scenario::default() }).map(|field| field.tpot_s);
        assert!(tpot_s(5.6).expect("below the slot limit") < 0.050);
        assert!(tpot_s(5.75).expect("below the slot limit") > 0.050);
        assert_eq!(tpot_s(6.0), None);
    }

    #[test]
    fn each_replica_has_its_share_of_the_rate() {
        let one = Scenario { rate: 4.0, ..Scenario::default() };
        let eight = Scenario { replicas: 8, rate: 32.0, ..Scenario::default() };
        assert_eq!(mean_field(&one), mean_field(&eight));
        assert_eq!(throughput(&eight), throughput(&one).map(|tokens| 8.0 * tokens));
        assert_eq!(throughput(&Scenario { rate: 60.0, ..eight }), Some(8.0 * capacity(&one) * 200.0));
    }

    #[test]
    fn there_is_no_mean_without_a_steady_rate_or_past_a_limit() {
        let holds = Scenario { rate: 4.0, ..Scenario::default() };
        assert!(mean_field(&holds).is_some());
        let none = [
            Scenario { users: 64, ..holds.clone() },
            Scenario { autoscale: Autoscale::Queue, ..holds.clone() },
            Scenario { kv_tokens: 16_000, ..holds.clone() },
            Scenario { prefill_replicas: 1, replicas: 8, rate: 17.0, ..holds.clone() },
            Scenario { replicas: 2, rate: 12.0, ..holds.clone() },
        ];
        for scenario in none {
            assert_eq!(mean_field(&scenario), None, "{scenario:?}");
        }
        assert_eq!(throughput(&Scenario { users: 64, ..holds }), None);
    }

    #[test]
    fn exponential_service_waits_twice_as_long() {
        let (md1, mm1) = (mean_wait_md1_s(0.4, 2.14), mean_wait_mm1_s(0.4, 2.14));
        assert_eq!(mm1, md1.map(|wait| 2.0 * wait));
        assert_eq!(mean_wait_md1_s(0.5, 2.0), None);
    }
}
