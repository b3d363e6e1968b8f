//! Many arrival rates from one text: `4:6:0.1` or `4,5,6`.

use std::iter;
use std::str::FromStr;

use anyhow::{Context, bail, ensure};
use goodput_sim::{Field, Scenario, ScenarioError, ValidScenario};
use rust_decimal::Decimal;

/// Most rates of one sweep.
const MAX_RATES: usize = 100_000;

/// The rates that the page's charts show.
pub(crate) const PAGE_RATES: &str = "0.5:8:0.1";

/// Arrival rates [requests/s], each in the range of a scenario's rate, in the order given; at least one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Rates(Vec<f64>);

impl Rates {
    /// The scenario at each of the rates; its own rate does not matter.
    pub(crate) fn scenarios(&self, scenario: &Scenario) -> Result<Vec<ValidScenario>, ScenarioError> {
        self.0.iter().map(|&rate| Scenario { rate, ..scenario.clone() }.validate()).collect()
    }

    /// These, and one more if it lies between two of them and is none of them.
    pub(crate) fn with(&self, rate: f64) -> Self {
        let Self(mut rates) = self.clone();
        let between = rates.iter().any(|&other| other < rate) && rates.iter().any(|&other| other > rate);
        if between && !rates.contains(&rate) {
            rates.push(rate);
        }
        Self(rates)
    }
}

impl FromStr for Rates {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let field = Field::named("rate")?;
        let rates: Vec<f64> = match text.split(':').collect::<Vec<_>>()[..] {
            [list] => list.split(',').map(|rate| field.parse(rate)).collect::<Result<_, _>>()?,
            [from, to, step] => {
                let rates = stepped(decimal(from)?, decimal(to)?, decimal(step)?)?;
                // Through its text a rate is the same number as that of `--rate`.
                rates.iter().map(|rate| field.parse(&rate.to_string())).collect::<Result<_, _>>()?
            }
            _ => bail!("allowed are FROM:TO:STEP as 4:6:0.1, or a list as 4,5,6"),
        };
        ensure!(rates.len() <= MAX_RATES, "these are {} rates: allowed are at most {MAX_RATES}", rates.len());
        Ok(Self(rates))
    }
}

fn decimal(text: &str) -> anyhow::Result<Decimal> {
    Decimal::from_str_exact(&text.trim().replace(',', "."))
        .ok()
        .with_context(|| format!("{text:?} is no number: allowed are FROM:TO:STEP as 4:6:0.1, or a list as 4,5,6"))
}

/// From `from` to `to`, both included, in decimal numbers: nothing drifts and the end is not missed.
fn stepped(from: Decimal, to: Decimal, step: Decimal) -> anyhow::Result<Vec<Decimal>> {
    ensure!(step > Decimal::ZERO, "the step is {step}: it must be greater than 0");
    ensure!(from <= to, "{from} to {to} goes down: the first rate must not be greater than the last");
    let rates: Vec<_> = iter::successors(Some(from), |rate| rate.checked_add(step))
        .take_while(|&rate| rate <= to)
        .take(MAX_RATES + 1)
        .collect();
    ensure!(rates.len() <= MAX_RATES, "the step of {step} gives more than {MAX_RATES} rates: take a longer one");
    Ok(rates)
}

#[cfg(test)]
mod tests {
    use super::Rates;

    fn rates(text: &str) -> Vec<f64> {
        text.parse::<Rates>().expect(text).0
    }

    fn refused(text: &str) -> String {
        text.parse::<Rates>().expect_err(text).to_string()
    }

    #[test]
    fn a_range_includes_its_end() {
        let tenths = rates("4.0:6.0:0.1");
        let expected: Vec<f64> = (40..=60).map(|tenth| f64::from(tenth) / 10.0).collect();
        assert_eq!(tenths, expected);
        assert_eq!(rates("0.5:8:0.1").len(), 76);
        assert_eq!(rates("2:3:0.4"), [2.0, 2.4, 2.8]);
        assert_eq!(rates("5:5:1"), [5.0]);
        assert_eq!(rates("4,0:5,0:0,5"), [4.0, 4.5, 5.0]);
    }

    #[test]
    fn a_list_keeps_its_order() {
        assert_eq!(rates("6, 4,5.25"), [6.0, 4.0, 5.25]);
        assert_eq!(rates("5"), [5.0]);
    }

    #[test]
    fn a_rate_between_the_others_is_added_once() {
        let few: Rates = "4,6".parse().expect("rates");
        for rate in [3.0, 4.0, 6.0, 7.0] {
            assert_eq!(few.with(rate), few);
        }
        assert_eq!(few.with(5.5).with(5.5).0, [4.0, 6.0, 5.5]);
    }

    #[test]
    fn errors_say_what_is_allowed() {
        assert_eq!(refused("0:8:1"), "rate = 0 requests/s: allowed are 0.01 to 1000 requests/s");
        assert_eq!(refused("4,fast"), "rate = \"fast\": allowed are numbers, 0.01 to 1000 requests/s");
        assert_eq!(refused(""), "rate = \"\": allowed are numbers, 0.01 to 1000 requests/s");
        assert_eq!(refused("4:6"), "allowed are FROM:TO:STEP as 4:6:0.1, or a list as 4,5,6");
        assert_eq!(refused("4:NaN:1"), "\"NaN\" is no number: allowed are FROM:TO:STEP as 4:6:0.1, or a list as 4,5,6");
        assert_eq!(refused("4:6:0"), "the step is 0: it must be greater than 0");
        assert_eq!(refused("6:4:1"), "6 to 4 goes down: the first rate must not be greater than the last");
        assert_eq!(
            refused("1:1000:0.0000001"),
            "the step of 0.0000001 gives more than 100000 rates: take a longer one"
        );
    }
}
