//! Lines to compare with, under the curves: pinned runs, theory, a reader's guess.

use goodput_sim::{Scenario, ValidScenario, theory};

use crate::axis::{Axis, Scale};
use crate::chart::{Chart, ChartId, Curve, Point};
use crate::phrases::say;
use crate::theme::Ink;

/// A dotted line that is not the run in view.
#[derive(Clone, Debug, PartialEq)]
pub struct Ghost {
    /// What its colour stands for.
    pub ink: Ink,
    /// Its name, drawn at its right end, or at its mark if it has one.
    pub label: String,
    /// Its points in order of x.
    pub points: Vec<Point>,
    /// A value of x that is marked on it with a square, as the rate of a pinned run.
    pub mark: Option<f64>,
}

impl Chart {
    /// This chart with a run pinned beside it: `pinned`, the same chart of the other run, with its `label`, marked at
    /// its own rate.
    #[must_use]
    pub fn with_pinned(self, pinned: &Self, label: &str, rate: f64) -> Self {
        self.beside(pinned, None, label.to_owned(), Some(rate))
    }

    /// This chart with the lesson's run beside it, in grey: `lesson`, the same chart of that. Where it reaches into a corner
    /// only, its name has no room there.
    #[must_use]
    pub fn with_lesson(self, lesson: &Self) -> Self {
        let has_room = self.x.position(lesson.x.hi()) > 0.3;
        let label = if has_room { say("ghost.lesson", &[]) } else { String::new() };
        self.beside(lesson, Some(Ink::Slo), label, None)
    }

    /// This chart with the main curve of another of its kind, in that one's colour if in no other.
    fn beside(self, other: &Self, ink: Option<Ink>, label: String, mark: Option<f64>) -> Self {
        let Some(main) = other.curves.last() else { return self };
        self.with_ghost(Ghost { ink: ink.unwrap_or(main.ink), label, points: main.points.clone(), mark })
    }

    /// This chart with a line beside its curves, as far as its x axis reaches. The y axis grows to hold both, so that
    /// neither is bent.
    #[must_use]
    pub fn with_ghost(mut self, mut ghost: Ghost) -> Self {
        ghost.points.retain(|point| self.x.contains(point.x));
        let values = || ghost.points.iter().filter_map(|point| point.y);
        if let Some(highest) = values().reduce(f64::max) {
            self.y = self.y.holding(&match self.y.scale() {
                Scale::Linear => Axis::from_zero(highest, self.y.unit()),
                Scale::Log => Axis::decades(values().fold(highest, f64::min), highest, self.y.unit()),
            });
        }
        self.ghosts.push(ghost);
        self
    }

    /// This chart with what theory says beside it, where it says anything: the mean field's TPOT, and the throughput of
    /// a server that keeps up until its capacity.
    #[must_use]
    pub fn with_theory(mut self, scenario: &ValidScenario) -> Self {
        let scenario = scenario.get();
        let (ink, y): (Ink, fn(&Scenario) -> Option<f64>) = match self.id {
            Some(ChartId::Throughput) => (Ink::Throughput, theory::throughput),
            Some(ChartId::Tpot) => (Ink::P50, |at| theory::mean_field(at).map(|field| field.tpot_s)),
            _ => return self,
        };
        let rates = self.curves.first().map(|curve| curve.points.iter().map(|point| point.x));
        let at = |rate| Point { x: rate, y: y(&Scenario { rate, ..scenario.clone() }).filter(|&y| self.y.contains(y)) };
        let points = rates.into_iter().flatten().map(at).collect();
        self.ghosts.push(Ghost { ink, label: say("ghost.theory", &[]), points, mark: None });
        self
    }
}

impl Ghost {
    /// The last point that is there.
    pub(crate) fn end(&self) -> Option<(f64, f64)> {
        self.points.iter().rev().find_map(|point| Some((point.x, point.y?)))
    }

    /// The point at its mark.
    pub(crate) fn marked(&self) -> Option<(f64, f64)> {
        let (_, point) = Curve::point_in(&self.points, self.mark?)?;
        Some((point.x, point.y?))
    }
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, Scenario, ValidScenario};

    use super::Ghost;
    use crate::theme::Ink;
    use crate::{ChartId, rate_chart};

    const RATES: [f64; 5] = [0.5, 2.0, 4.0, 5.0, 8.0];

    fn sweep(scenario: &ValidScenario) -> Vec<goodput_sim::Report> {
        Engine::new().sweep(scenario, &RATES).expect("valid rates")
    }

    #[test]
    fn a_line_beside_the_curves_has_room_on_the_axis() {
        let lesson = ValidScenario::default();
        let slow = Scenario { step_ms: 40.0, ..Scenario::default() }.validate().expect("valid");
        for id in ChartId::RATES {
            let [here, other] = [&lesson, &slow].map(|scenario| rate_chart(id, scenario, &sweep(scenario)));
            let both = here.clone().with_pinned(&other, "A", 5.0).with_lesson(&here);
            assert_eq!(both.curves, here.curves);
            assert!(both.y.hi() >= here.y.hi() && both.y.lo() <= here.y.lo());
            let [pinned, lesson] = &both.ghosts[..] else { panic!("two ghosts") };
            let drawn = |ghost: &Ghost| ghost.points.iter().filter_map(|point| point.y).collect::<Vec<_>>();
            assert!(drawn(pinned).into_iter().all(|y| both.y.contains(y)), "{id:?}");
            assert_eq!(pinned.marked().map(|(x, _)| x), Some(5.0), "5 is one of the rates");
            assert_eq!((lesson.ink, lesson.mark), (Ink::Slo, None));
            assert_eq!(drawn(lesson).len(), RATES.len());
        }
    }

    #[test]
    fn a_line_ends_where_the_x_axis_ends() {
        let lesson = ValidScenario::default();
        let curve = sweep(&lesson);
        for id in ChartId::RATES {
            let short = rate_chart(id, &lesson, &curve[1..3]);
            let ghost = &short.clone().with_lesson(&rate_chart(id, &lesson, &curve)).ghosts[0];
            assert_eq!(ghost.points.iter().map(|point| point.x).collect::<Vec<_>>(), [2.0, 4.0]);
            let elsewhere = short.clone().with_lesson(&rate_chart(id, &lesson, &curve[4..]));
            assert_eq!((elsewhere.y, elsewhere.ghosts[0].points.len()), (short.y, 0));
        }
    }

    #[test]
    fn theory_lies_a_little_below_the_simulated_tpot() {
        let lesson = ValidScenario::default();
        let chart = rate_chart(ChartId::Tpot, &lesson, &sweep(&lesson)).with_theory(&lesson);
        let simulated = &chart.curves[0].points;
        let theory = &chart.ghosts[0].points;
        for (simulated, theory) in simulated.iter().zip(theory).filter(|(point, _)| (2.0..=5.0).contains(&point.x)) {
            let share = theory.y.expect("below the limit") / simulated.y.expect("something finished");
            assert!((0.85..=1.0).contains(&share), "{share} at {}", theory.x);
        }
        assert_eq!(theory.last().and_then(|point| point.y), None, "past capacity there is no mean");
    }
}
