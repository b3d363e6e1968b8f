//! The planner's goodput: the highest arrival rate whose SLO attainment stays at or above a target.

use crate::engine::Engine;
use crate::scenario::ValidScenario;
use crate::theory;

/// Rates are looked at in ticks of one part in this many of a request/s: 0.01 requests/s.
const TICKS_PER_UNIT: f64 = 100.0;

/// The first pass looks at this many rates between nothing and the end of the search.
const FIRST_PASS: u32 = 100;

/// What a server can take, by search and by formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capacity {
    /// The highest rate up to which every rate looked at attains the target [requests/s]; `None` when not even the
    /// lowest does.
    pub highest_rate: Option<f64>,
    /// Attainment at that rate (0..=1).
    pub attainment: Option<f64>,
    /// The highest rate looked at [requests/s]. When it is the same as `highest_rate`, the target never failed.
    pub searched_to: f64,
    /// The closed form: the rate at which the slots are all in use for ever [requests/s]. It knows no SLO.
    pub closed_form: f64,
}

impl Engine {
    /// Searches the capacity for an attainment `target` (0..=1) on the scenario's draws; its own rate does not matter.
    ///
    /// Attainment falls with load, but not at every step of a noisy curve. "Stays" is taken at its word: rates are
    /// tried from below in long strides up to the first that misses, then from the last that held in shorter ones, down
    /// to 0.01 requests/s. The search ends at twice the closed form, or where the scenario would be refused.
    pub fn capacity(&mut self, scenario: &ValidScenario, target: f64) -> Capacity {
        let rate_at = |tick: u32| f64::from(tick) / TICKS_PER_UNIT;
        let closed_form = theory::capacity(scenario.get());
        // Past the slots' capacity the queue grows without limit. On a short run an SLO may still hold: look well beyond.
        let last = (2.0 * closed_form * TICKS_PER_UNIT) as u32;
        let mut searched_to = 0;
        let mut best = None;
        let mut tick = 1;
        let mut stride = (last / FIRST_PASS).max(1);
        loop {
            let held = if tick > last { None } else { scenario.at_rate(rate_at(tick)).ok() }.and_then(|scenario| {
                searched_to = searched_to.max(tick);
                // A rate so low that nothing completes misses nothing.
                let attainment = self.run(&scenario).report().slo_attainment.unwrap_or(1.0);
                (attainment >= target).then_some(attainment)
            });
            match held {
                Some(attainment) => best = Some((tick, attainment)),
                None if stride == 1 => break,
                None => stride = (stride / 10).max(1),
            }
            tick = best.map_or(1, |(tick, _)| tick + stride);
        }
        Capacity {
            highest_rate: best.map(|(tick, _)| rate_at(tick)),
            attainment: best.map(|(_, attainment)| attainment),
            searched_to: rate_at(searched_to),
            closed_form,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Engine, Scenario};

    fn capacity(scenario: Scenario, target: f64) -> super::Capacity {
        Engine::new().capacity(&scenario.validate().expect("valid"), target)
    }

    #[test]
    fn the_lessons_capacity_at_99_per_cent() {
        let found = capacity(Scenario::default(), 0.99);
        assert_eq!(found.highest_rate, Some(4.37));
        assert!(found.searched_to > 4.37 && found.attainment >= Some(0.99));
    }

    #[test]
    fn an_slo_that_never_holds_has_no_capacity() {
        let found = capacity(Scenario { slo_ttft_ms: 1.0, ..Scenario::default() }, 0.99);
        assert_eq!((found.highest_rate, found.searched_to), (None, 0.01));
    }

    #[test]
    fn an_slo_that_never_fails_says_how_far_was_searched() {
        let found = capacity(Scenario { slo_ttft_ms: 3.6e6, slo_tpot_ms: 3.6e6, ..Scenario::default() }, 1.0);
        assert_eq!(found.highest_rate, Some(found.searched_to));
        assert_eq!(found.searched_to, 11.67, "twice the closed form");
    }

    #[test]
    fn a_server_too_fast_to_search_to_its_end_is_searched_as_far_as_allowed() {
        let fast = Scenario {
            prefill_ms_per_1k: 0.0,
            step_ms: 0.001,
            per_seq_ms: 0.0,
            horizon: 1.0,
            warmup: 0.0,
            ..Scenario::default()
        };
        let found = capacity(fast, 0.9);
        assert_eq!(found.highest_rate, Some(1000.0));
        let long = capacity(Scenario { horizon: 2_592_000.0, rate: 0.01, ..Scenario::default() }, 0.9);
        assert_eq!(long.highest_rate, Some(0.38), "the most arrivals allowed in thirty days");
    }
}
