//! The runs over all rates of a span: the coarse picture first, then the rates in between.

use goodput_sim::{Engine, Report, ScenarioError, ValidScenario};

use crate::rate::{Rate, Span};

/// The reports of one server and draw over a span, as far as they are there.
#[derive(Clone, Debug)]
pub struct Curve {
    span: Span,
    /// In order of the rate.
    reports: Vec<Report>,
    /// What is still to be simulated, the next one last.
    missing: Vec<Rate>,
    /// A rate that is there without being a position of the slider.
    guest: Option<Rate>,
}

impl Curve {
    /// Nothing yet.
    #[must_use]
    pub fn over(span: Span) -> Self {
        let mut missing = coarse_first(&span.rates().collect::<Vec<_>>());
        missing.reverse();
        Self { span, reports: Vec::new(), missing, guest: None }
    }

    /// Over these rates.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether every rate of the span is there.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.missing.is_empty()
    }

    /// The reports that are there, in order of their rates.
    #[must_use]
    pub fn reports(&self) -> &[Report] {
        &self.reports
    }

    /// Simulates what is missing, both ends and one more rate at least, while there is time for more.
    ///
    /// # Errors
    /// When a rate is refused, which none in a [`Span::of`] the scenario is.
    pub fn advance(
        &mut self,
        engine: &mut Engine,
        scenario: &ValidScenario,
        has_time: &mut dyn FnMut() -> bool,
    ) -> Result<(), ScenarioError> {
        while let Some(&rate) = self.missing.last() {
            let report = engine.run(&scenario.at_rate(rate.per_s())?).report();
            self.missing.pop();
            self.put(report);
            if self.reports.len() > 2 && !has_time() {
                break;
            }
        }
        Ok(())
    }

    /// Gives the run in view its place, also between two positions of the slider, and takes the one before it from there.
    /// True when the curve is another.
    pub fn hold(&mut self, run: &Report) -> bool {
        let rate = Rate::nearest(run.rate_per_s);
        let between = self.span.rates().all(|position| position != rate);
        if between && self.guest == Some(rate) {
            return false;
        }
        let before = self.reports.len();
        if let Some(guest) = self.guest.take() {
            self.reports.retain(|report| Rate::nearest(report.rate_per_s) != guest);
        }
        if between {
            self.guest = Some(rate);
        }
        self.missing.retain(|missing| *missing != rate);
        self.put(run.clone());
        self.guest.is_some() || self.reports.len() != before
    }

    fn put(&mut self, report: Report) {
        let place = self.reports.partition_point(|other| other.rate_per_s < report.rate_per_s);
        match self.reports.get(place) {
            Some(known) if known.rate_per_s == report.rate_per_s => {}
            _ => self.reports.insert(place, report),
        }
    }
}

/// Both ends, then every 32nd, every 16th, and so on: at any time the ones that are there are spread evenly.
fn coarse_first(rates: &[Rate]) -> Vec<Rate> {
    let mut order: Vec<Rate> = rates.last().copied().into_iter().collect();
    for stride in [64, 32, 16, 8, 4, 2, 1] {
        for &rate in rates.iter().step_by(stride) {
            if !order.contains(&rate) {
                order.push(rate);
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, Report, ValidScenario, run};

    use super::Curve;
    use crate::rate::Span;

    fn rates(curve: &Curve) -> Vec<f64> {
        curve.reports().iter().map(|report| report.rate_per_s).collect()
    }

    fn at(rate: f64) -> Report {
        run(&ValidScenario::default().at_rate(rate).expect("valid"))
    }

    #[test]
    fn it_grows_evenly_and_ends_whole_whatever_the_time() {
        let (lesson, mut engine) = (ValidScenario::default(), Engine::new());
        let mut slow = Curve::over(Span::LESSON);
        slow.advance(&mut engine, &lesson, &mut || false).expect("valid");
        assert_eq!(rates(&slow), [0.5, 6.9, 8.0], "both ends, and the 64th from the lower one");
        let mut turns = 1;
        while !slow.is_whole() {
            slow.advance(&mut engine, &lesson, &mut || false).expect("valid");
            turns += 1;
            if turns == 18 {
                let widest = rates(&slow).windows(2).map(|pair| pair[1] - pair[0]).fold(0.0, f64::max);
                assert!(widest < 0.85, "after 20 runs none is further apart than eight steps: {widest}");
            }
        }
        assert_eq!(turns, 74);
        let mut quick = Curve::over(Span::LESSON);
        quick.advance(&mut engine, &lesson, &mut || true).expect("valid");
        assert_eq!(quick.reports(), slow.reports());
        assert!(rates(&quick).is_sorted() && quick.reports().len() == 76);
    }

    #[test]
    fn the_run_in_view_has_its_place_and_leaves_it() {
        let (lesson, mut engine) = (ValidScenario::default(), Engine::new());
        let mut curve = Curve::over(Span::LESSON);
        curve.advance(&mut engine, &lesson, &mut || true).expect("valid");
        let whole = curve.reports().to_vec();
        assert!(!curve.hold(&at(5.0)), "it is there already");
        assert!(curve.hold(&at(5.84)) && !curve.hold(&at(5.84)));
        assert_eq!(curve.reports().len(), 77);
        assert!(curve.reports().contains(&at(5.84)));
        assert!(curve.hold(&at(6.0)), "the guest has left");
        assert_eq!(curve.reports(), whole);
    }

    #[test]
    fn while_it_grows_the_run_in_view_is_on_it() {
        let (lesson, mut engine) = (ValidScenario::default(), Engine::new());
        let mut curve = Curve::over(Span::LESSON);
        assert!(curve.hold(&at(5.0)));
        while !curve.is_whole() {
            curve.advance(&mut engine, &lesson, &mut || false).expect("valid");
            assert!(curve.reports().contains(&at(5.0)));
        }
        assert_eq!(curve.reports().len(), 76);
    }
}
