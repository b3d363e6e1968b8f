//! The arrival rates that a study looks at.

use goodput_sim::{ValidScenario, theory};

/// How many there are, one run each.
pub const RATES: usize = 16;
/// They reach this many times the capacity, so that the collapse is among them.
const PAST_CAPACITY: f64 = 1.35;

/// Even steps of a round width up to past the capacity, and to past the scenario's own rate [requests/s].
#[must_use]
pub fn around(scenario: &ValidScenario) -> Vec<f64> {
    let scenario = scenario.get();
    let end = (theory::capacity(scenario) * PAST_CAPACITY).max(scenario.rate).clamp(0.16, 1000.0);
    let least = end / RATES as f64;
    let mut power = 0.01;
    while power * 10.0 <= least {
        power *= 10.0;
    }
    let steps = [1.0, 2.0, 2.5, 5.0].map(|factor| factor * power);
    let step = steps.into_iter().find(|&step| step >= least * (1.0 - 1e-9)).unwrap_or(10.0 * power);
    (1..=RATES).map(|i| i as f64 * step).collect()
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Scenario, ValidScenario};

    use super::{RATES, around};

    #[test]
    fn the_lessons_are_those_of_its_slider() {
        let rates = around(&ValidScenario::default());
        assert_eq!((rates.len(), rates[0], rates[RATES - 1]), (16, 0.5, 8.0));
    }

    #[test]
    fn they_rise_and_hold_the_rate_of_any_scenario() {
        let quick = Scenario { prefill_ms_per_1k: 1.0, step_ms: 1.0, per_seq_ms: 0.1, ..Scenario::default() };
        let fleet = Scenario { replicas: 7, ..Scenario::default() };
        for scenario in [Scenario::default(), quick, fleet] {
            for rate in [0.1, 5.0, 20.0] {
                let rates = around(&Scenario { rate, ..scenario.clone() }.validate().expect("valid"));
                assert!(rates.is_sorted() && rates[0] > 0.0);
                assert!(rate <= rates[RATES - 1] * (1.0 + 1e-9), "{rates:?}");
            }
        }
    }
}
