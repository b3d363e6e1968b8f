//! What the learner's own runs have shown so far in this visit.
//!
//! Only what the prose tells is kept: of each kind the most telling run, with the scenario it came from. Until a run of
//! a kind was made, the prose keeps the lesson's.

use goodput_summary::Summary;

use crate::model::ATTAINMENT_TARGET;

/// Below this share a high throughput has refuted itself.
const COLLAPSED: f64 = 0.5;
/// A median that takes at most this share of its limit is fine.
const FINE: f64 = 0.25;

/// A run that the prose may tell of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The highest throughput seen, where most requests miss the SLO.
    Peak,
    /// A fine median over a p99 past its limit: the run where the two are furthest apart.
    Tail,
    /// The highest rate at which the target was kept, once a higher rate has missed it.
    Held,
}

impl Kind {
    /// Every kind, in the order in which the answer tells of them.
    pub const ALL: [Self; 3] = [Self::Tail, Self::Peak, Self::Held];

    /// The kind that the page calls by this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "peak" => Some(Self::Peak),
            "tail" => Some(Self::Tail),
            "held" => Some(Self::Held),
            _ => None,
        }
    }
}

/// The telling runs of this visit.
#[derive(Clone, Debug, Default)]
pub struct Journal {
    /// The highest throughput, however many met the SLO there.
    highest: Option<Summary>,
    tail: Option<Summary>,
    held: Option<Summary>,
    /// The highest rate that missed the target [requests/s].
    missed_at: f64,
}

impl Journal {
    /// Takes down a run on which the lab has settled.
    pub fn note(&mut self, run: &Summary) {
        // Where nothing finished there is nothing to tell.
        let Some(share) = run.slo_attainment else { return };
        keep_higher(&mut self.highest, run, |run| run.throughput_tokens_per_s);
        if apart(run) > 0.0 {
            keep_higher(&mut self.tail, run, apart);
        }
        if share < ATTAINMENT_TARGET {
            self.missed_at = self.missed_at.max(run.rate_per_s);
        } else {
            keep_higher(&mut self.held, run, |run| run.rate_per_s);
        }
    }

    /// The learner's own run of a kind, if there was one.
    #[must_use]
    pub fn own(&self, kind: Kind) -> Option<&Summary> {
        match kind {
            Kind::Peak => self.highest.as_ref().filter(|run| run.slo_attainment < Some(COLLAPSED)),
            Kind::Tail => self.tail.as_ref(),
            Kind::Held => self.held.as_ref().filter(|run| run.rate_per_s < self.missed_at),
        }
    }

    /// Those of all kinds, in the order of [`Kind::ALL`].
    #[must_use]
    pub fn all(&self) -> [Option<&Summary>; 3] {
        [self.own(Kind::Tail), self.own(Kind::Peak), self.own(Kind::Held)]
    }
}

fn keep_higher(kept: &mut Option<Summary>, run: &Summary, value: fn(&Summary) -> f64) {
    if kept.as_ref().is_none_or(|kept| value(kept) < value(run)) {
        *kept = Some(run.clone());
    }
}

/// How many times the median of TTFT its p99 is, where the median is fine and p99 past the limit; else 0.
fn apart(run: &Summary) -> f64 {
    let limit_s = run.scenario.0.slo_ttft_ms / 1000.0;
    match run.ttft_s {
        Some(ttft) if ttft.p50 <= FINE * limit_s && ttft.p99 > limit_s => ttft.p99 / ttft.p50,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Scenario, Seed, run};

    use super::*;

    /// Notes a run of the lesson's server, and says which kinds of run the learner then has, by their rates.
    fn after(runs: &[(f64, Seed)]) -> Journal {
        let mut journal = Journal::default();
        for &(rate, seed) in runs {
            let scenario = Scenario { rate, seed, ..Scenario::default() }.validate().expect("a valid rate");
            journal.note(&Summary::new(&scenario, &run(&scenario)));
        }
        journal
    }

    fn on_the_lessons_draw(rates: &[f64]) -> [Option<f64>; 3] {
        let journal = after(&rates.iter().map(|&rate| (rate, Seed::Lesson)).collect::<Vec<_>>());
        journal.all().map(|run| run.map(|run| run.rate_per_s))
    }

    #[test]
    fn without_runs_nothing_is_ones_own() {
        assert_eq!(on_the_lessons_draw(&[]), [None, None, None]);
    }

    #[test]
    fn a_gentle_run_refutes_nothing_and_bounds_nothing() {
        assert_eq!(on_the_lessons_draw(&[4.0]), [None, None, None]);
        assert_eq!(on_the_lessons_draw(&[0.5, 3.0, 4.0]), [None, None, None]);
    }

    #[test]
    fn four_five_and_six_tell_the_lesson() {
        assert_eq!(on_the_lessons_draw(&[4.0, 5.0, 6.0]), [Some(5.0), Some(6.0), Some(4.0)]);
        assert_eq!(on_the_lessons_draw(&[6.0, 5.0, 4.0]), [Some(5.0), Some(6.0), Some(4.0)], "in any order");
    }

    #[test]
    fn the_most_telling_run_is_kept() {
        // 5.9 has the highest throughput of all; more load gives less.
        assert_eq!(on_the_lessons_draw(&[6.0, 5.9, 8.0])[1], Some(5.9));
        assert_eq!(on_the_lessons_draw(&[4.0, 4.3, 3.0, 6.0])[2], Some(4.3), "the highest that was kept");
    }

    #[test]
    fn a_throughput_that_still_serves_is_no_refutation() {
        // At 5 nine in ten still meet the SLO; it would not show what the sentence says.
        assert_eq!(on_the_lessons_draw(&[4.0, 5.0]), [Some(5.0), None, Some(4.0)]);
    }

    #[test]
    fn a_run_keeps_its_draw() {
        let journal = after(&[(5.4, Seed::Number(3)), (6.0, Seed::Number(3))]);
        let run = journal.own(Kind::Peak).expect("past capacity most miss the SLO");
        assert_eq!((run.scenario.0.seed, run.rate_per_s), (Seed::Number(3), 6.0));
    }

    #[test]
    fn a_run_in_which_nothing_finished_is_passed_over() {
        let scenario = Scenario { rate: 0.01, horizon: 61.0, warmup: 60.0, ..Scenario::default() };
        let scenario = scenario.validate().expect("short, but valid");
        let mut journal = Journal::default();
        let summary = Summary::new(&scenario, &run(&scenario));
        assert_eq!(summary.slo_attainment, None, "the case this test is about");
        journal.note(&summary);
        assert_eq!(journal.all(), [None; 3]);
    }

    #[test]
    fn kinds_have_the_names_of_the_page() {
        assert_eq!(["tail", "peak", "held"].map(Kind::named), Kind::ALL.map(Some));
        assert_eq!(Kind::named("other"), None);
    }
}
