//! Many runs of one scenario: over arrival rates, and over draws.

use alloc::vec::Vec;

use crate::engine::Engine;
use crate::error::ScenarioError;
use crate::report::Report;
use crate::scenario::{Seed, ValidScenario};

impl Engine {
    /// One report per rate [requests/s], all on the same draws: the same arrivals, stretched.
    ///
    /// # Errors
    /// The first rate that makes the scenario invalid; nothing is returned for the others.
    pub fn sweep(&mut self, scenario: &ValidScenario, rates: &[f64]) -> Result<Vec<Report>, ScenarioError> {
        rates.iter().map(|&rate| Ok(self.run(&scenario.at_rate(rate)?).report())).collect()
    }

    /// One report per seed, all else equal.
    pub fn replicate(&mut self, scenario: &ValidScenario, seeds: impl IntoIterator<Item = Seed>) -> Vec<Report> {
        seeds.into_iter().map(|seed| self.run(&scenario.with_seed(seed)).report()).collect()
    }
}
