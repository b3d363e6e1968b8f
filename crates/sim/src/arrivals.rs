//! When requests arrive, on common random numbers.
//!
//! The draws give one list of *unit* arrival times (rate 1). Every rate divides that same list,
//! so moving the rate stretches the same arrivals instead of rolling new ones.

use alloc::vec::Vec;

use crate::gaps::GapLaw;
use crate::rate_profile::RateProfile;
use crate::rng::{Purpose, UnitStream};
use crate::scenario::{Scenario, Seed};
use crate::units::SimTime;

/// The arrival times of one seed at rate 1, drawn as far as they were needed so far.
#[derive(Clone, Debug)]
pub(crate) struct UnitArrivals {
    seed: Seed,
    law: GapLaw,
    stream: UnitStream,
    times: Vec<f64>,
}

impl UnitArrivals {
    pub(crate) fn new(seed: Seed, law: GapLaw) -> Self {
        Self { seed, law, stream: UnitStream::new(seed, Purpose::Arrivals), times: Vec::new() }
    }

    /// Writes the instants of all arrivals before the horizon into `arrivals`. Draws anew only if seed or law differ.
    pub(crate) fn fill(&mut self, scenario: &Scenario, arrivals: &mut Vec<SimTime>) {
        let law = GapLaw::with_cv(scenario.arrival_cv);
        if (scenario.seed, law) != (self.seed, self.law) {
            let mut times = core::mem::take(&mut self.times);
            times.clear();
            *self = Self { times, ..Self::new(scenario.seed, law) };
        }
        let profile = RateProfile::of(scenario);
        self.draw_past(profile.expected_arrivals(scenario.horizon));
        let nanos_per_unit = 1e9 / scenario.rate;
        let horizon = SimTime::from_secs(scenario.horizon);
        let round = |nanos: f64| SimTime::from_nanos((nanos + 0.5) as u64);
        let plain = self.times.iter().map(|unit_time| unit_time * nanos_per_unit);
        arrivals.clear();
        if profile.is_flat() {
            arrivals.extend(plain.map(round).take_while(|&at| at < horizon));
        } else {
            arrivals.extend(plain.map(|plain| round(profile.squeeze(plain))).take_while(|&at| at < horizon));
        }
    }

    fn draw_past(&mut self, unit_time: f64) {
        let mut last = self.times.last().copied().unwrap_or(0.0);
        while last <= unit_time {
            last += self.law.gap(self.stream.next_unit());
            self.times.push(last);
        }
    }
}
