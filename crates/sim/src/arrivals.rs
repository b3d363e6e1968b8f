//! When requests arrive: Poisson, on common random numbers.
//!
//! The draws give one list of *unit* arrival times (rate 1). Every rate divides that same list,
//! so moving the rate stretches the same arrivals instead of rolling new ones.

use alloc::vec::Vec;

use crate::math;
use crate::rng::{Purpose, UnitStream};
use crate::scenario::{Scenario, Seed};
use crate::units::SimTime;

/// The arrival times of one seed at rate 1, drawn as far as they were needed so far.
#[derive(Clone, Debug)]
pub(crate) struct UnitArrivals {
    seed: Seed,
    stream: UnitStream,
    times: Vec<f64>,
}

impl UnitArrivals {
    pub(crate) fn new(seed: Seed) -> Self {
        Self { seed, stream: UnitStream::new(seed, Purpose::Arrivals), times: Vec::new() }
    }

    /// Starts over when the seed differs; keeps what was drawn when it is the same.
    pub(crate) fn reseed(&mut self, seed: Seed) {
        if seed != self.seed {
            self.seed = seed;
            self.stream = UnitStream::new(seed, Purpose::Arrivals);
            self.times.clear();
        }
    }

    /// Writes the instants of all arrivals before the horizon into `arrivals`.
    pub(crate) fn fill(&mut self, scenario: &Scenario, arrivals: &mut Vec<SimTime>) {
        self.draw_past(scenario.rate * scenario.horizon);
        let nanos_per_unit = 1e9 / scenario.rate;
        let horizon = SimTime::from_secs(scenario.horizon);
        arrivals.clear();
        arrivals.extend(
            self.times
                .iter()
                .map(|unit_time| SimTime::from_nanos((unit_time * nanos_per_unit + 0.5) as u64))
                .take_while(|&at| at < horizon),
        );
    }

    fn draw_past(&mut self, unit_time: f64) {
        let mut last = self.times.last().copied().unwrap_or(0.0);
        while last <= unit_time {
            // u is in [0, 1), so the logarithm's argument is in (0, 1] and the gap is finite and not negative.
            last -= math::ln(1.0 - self.stream.next_unit());
            self.times.push(last);
        }
    }
}
