//! The arrival rate over time: one rate, or one with a spike in it.

use crate::scenario::Scenario;

/// The arrival rate over time. It squeezes or stretches the arrivals of the plain rate, so they remain the same ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RateProfile {
    rate_per_s: f64,
    /// How many times the plain rate it is in the spike.
    factor: f64,
    from_ns: f64,
    to_ns: f64,
}

impl RateProfile {
    pub(crate) fn of(scenario: &Scenario) -> Self {
        Self {
            rate_per_s: scenario.rate,
            factor: scenario.spike_factor,
            from_ns: 1e9 * scenario.spike_from,
            to_ns: 1e9 * scenario.spike_to,
        }
    }

    /// How many arrivals are expected up to a time [s].
    pub(crate) fn expected_arrivals(&self, until_s: f64) -> f64 {
        let plain = self.rate_per_s * until_s;
        if self.is_flat() {
            return plain;
        }
        let in_spike_s = (until_s.min(self.to_ns / 1e9) - self.from_ns / 1e9).max(0.0);
        plain + self.rate_per_s * (self.factor - 1.0) * in_spike_s
    }

    /// Whether there is nothing to squeeze.
    pub(crate) fn is_flat(&self) -> bool {
        self.factor == 1.0
    }

    /// When an arrival comes that would come at `plain` if the rate were the same throughout [ns].
    pub(crate) fn squeeze(&self, plain: f64) -> f64 {
        if plain < self.from_ns {
            return plain;
        }
        // What happens in the spike would take so long at the plain rate.
        let unsqueezed = self.factor * (self.to_ns - self.from_ns);
        let beyond = plain - self.from_ns - unsqueezed;
        // The bounds keep the order where the parts meet, whatever was rounded.
        if beyond < 0.0 {
            (self.from_ns + (plain - self.from_ns) / self.factor).min(self.to_ns)
        } else {
            self.to_ns + beyond
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RateProfile;
    use crate::scenario::Scenario;

    #[test]
    fn a_spike_squeezes_its_arrivals_and_puts_off_none() {
        let spike = Scenario { rate: 2.0, spike_factor: 4.0, spike_from: 10.0, spike_to: 20.0, ..Scenario::default() };
        let profile = RateProfile::of(&spike);
        assert_eq!(
            [5.0, 10.0, 15.0, 20.0, 30.0].map(|s| profile.expected_arrivals(s)),
            [10.0, 20.0, 60.0, 100.0, 120.0]
        );
        for seconds in [0.0, 5.0, 10.0, 12.5, 20.0, 33.0] {
            let nanos = profile.squeeze(profile.expected_arrivals(seconds) * 1e9 / 2.0);
            assert!((nanos - 1e9 * seconds).abs() < 1e-3, "{nanos}");
        }
    }

    #[test]
    fn nobody_comes_in_a_spike_of_nothing() {
        let lull = Scenario { rate: 1.0, spike_factor: 0.0, spike_from: 10.0, spike_to: 20.0, ..Scenario::default() };
        let profile = RateProfile::of(&lull);
        assert_eq!(profile.expected_arrivals(30.0), 20.0);
        assert_eq!([9e9, 10e9, 11e9].map(|plain| profile.squeeze(plain)), [9e9, 20e9, 21e9]);
    }
}
