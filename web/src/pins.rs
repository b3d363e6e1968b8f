//! Runs that were pinned, to compare the current one with.

use goodput_sim::{Report, ValidScenario};

/// Most pinned runs: more lines on one chart nobody can tell apart.
pub const MOST_PINS: usize = 3;

/// A pinned run.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// Its name on the charts.
    pub letter: char,
    /// What was simulated.
    pub scenario: ValidScenario,
    /// The run.
    pub report: Report,
    /// The curve it lies on.
    pub curve: Vec<Report>,
}

/// The pinned runs, in the order in which they were pinned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pins(Vec<Pin>);

impl Pins {
    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Pin> {
        self.0.iter()
    }

    /// Whether there is room for this run and it is not there yet.
    #[must_use]
    pub fn takes(&self, scenario: &ValidScenario) -> bool {
        self.0.len() < MOST_PINS && self.iter().all(|pin| pin.scenario != *scenario)
    }

    /// Pins a run under the first letter that is free. False when it is not taken.
    pub fn pin(&mut self, scenario: &ValidScenario, report: &Report, curve: &[Report]) -> bool {
        let free = ('A'..='C').find(|letter| self.iter().all(|pin| pin.letter != *letter));
        let Some(letter) = free.filter(|_| self.takes(scenario)) else { return false };
        let pin = Pin { letter, scenario: scenario.clone(), report: report.clone(), curve: curve.to_vec() };
        self.0.push(pin);
        true
    }

    /// Takes a pin off. False when there is none of that letter.
    pub fn unpin(&mut self, letter: char) -> bool {
        let before = self.0.len();
        self.0.retain(|pin| pin.letter != letter);
        self.0.len() < before
    }

    /// Takes all of them off.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

#[cfg(test)]
mod tests {
    use goodput_sim::{ValidScenario, run};

    use super::Pins;

    #[test]
    fn three_runs_have_a_letter_each_and_a_free_one_is_given_again() {
        let at = |rate| ValidScenario::default().at_rate(rate).expect("a valid rate");
        let mut pins = Pins::default();
        let pin = |pins: &mut Pins, rate| pins.pin(&at(rate), &run(&at(rate)), &[]);
        assert!(pin(&mut pins, 4.0) && pin(&mut pins, 5.0) && pin(&mut pins, 6.0));
        assert!(!pin(&mut pins, 7.0), "there is no room");
        assert!(pins.unpin('B') && !pins.unpin('B'));
        assert!(!pin(&mut pins, 4.0), "it is there already");
        assert!(pin(&mut pins, 7.0));
        let letters: String = pins.iter().map(|pin| pin.letter).collect();
        assert_eq!(letters, "ACB");
    }
}
