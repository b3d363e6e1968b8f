//! The planner's goodput: the highest arrival rate whose SLO attainment stays at or above a target.

use crate::engine::Engine;
use crate::error::ScenarioError;
use crate::scenario::ValidScenario;
use crate::theory;

/// Found rates are multiples of this [requests/s].
pub const RESOLUTION: f64 = 0.01;

/// Grid steps of the first, coarse pass: 0.1 requests/s.
const COARSE: u32 = 10;

/// What a server can take, by search and by formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capacity {
    /// The highest rate up to which every rate looked at attains the target [requests/s]; `None` when not even the
    /// lowest does.
    pub highest_rate: Option<f64>,
    /// Attainment at that rate (0..=1).
    pub attainment: Option<f64>,
    /// The closed form: the rate at which the slots are all in use for ever [requests/s]. It knows no SLO.
    pub closed_form: f64,
}

impl Engine {
    /// Searches the capacity for an attainment `target` (0..=1) on the scenario's draws; its own rate does not matter.
    ///
    /// Attainment falls with load, but not at every step of a noisy curve. "Stays" is taken at its word: rates are
    /// tried from below, in steps of 0.1 up to the first that misses, then in steps of [`RESOLUTION`] before it.
    ///
    /// # Errors
    /// When the scenario cannot be run at the rates to be searched, because its horizon is too long.
    pub fn capacity(&mut self, scenario: &ValidScenario, target: f64) -> Result<Capacity, ScenarioError> {
        let closed_form = theory::capacity(scenario.get());
        // Past the slots' capacity the queue grows without limit. On a short run an SLO may still hold: look well beyond.
        let last = ((2.0 * closed_form / RESOLUTION) as u32).max(COARSE);
        let mut attains = |tick: u32| -> Result<Option<f64>, ScenarioError> {
            let report = self.run(&scenario.at_rate(f64::from(tick) * RESOLUTION)?).report();
            // A rate so low that nothing completes misses nothing.
            let attainment = report.slo_attainment.unwrap_or(1.0);
            Ok((attainment >= target).then_some(attainment))
        };
        let mut best = None;
        let mut tick = 1;
        let mut stride = COARSE;
        while tick <= last {
            if let Some(attainment) = attains(tick)? {
                best = Some((tick, attainment));
                tick += stride;
            } else if stride > 1 {
                stride = 1;
                tick = best.map_or(1, |(tick, _)| tick + 1);
            } else {
                break;
            }
        }
        Ok(Capacity {
            highest_rate: best.map(|(tick, _)| f64::from(tick) * RESOLUTION),
            attainment: best.map(|(_, attainment)| attainment),
            closed_form,
        })
    }
}
