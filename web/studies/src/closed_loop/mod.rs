//! A client that waits for its answers against one that does not: what a load test in a closed loop hides.

use goodput_charts::{
    Axis, Chart, Curve, Diagram, Dot, End, Ink, Line, Marks, Point, Rule, Side, Stroke, Tag, Unit, format,
};
use goodput_sim::{Engine, Scenario, ValidScenario};

use crate::exhibit::{Drawing, Exhibit, Picture, Slider, Table};
use crate::rates::around;
use crate::study::Study;
use crate::words::say;

/// The study, some rates into its work.
#[derive(Debug)]
pub struct ClosedLoop {
    scenario: ValidScenario,
    users: u32,
    rates: Vec<f64>,
    done: Vec<Found>,
}

/// p99 TTFT at one rate [s].
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    /// Requests come whatever happens.
    open: Option<f64>,
    /// Users wait for their answers, and the clock starts when they send.
    sent: Option<f64>,
    /// The same run, and the clock starts when they wanted to.
    wanted: Option<f64>,
}

impl ClosedLoop {
    /// Of this scenario, with its own users, or else as many as there are slots.
    #[must_use]
    pub fn new(scenario: ValidScenario) -> Self {
        let users = match scenario.get().users {
            0 => scenario.get().max_batch.min(100_000),
            users => users,
        };
        let mut rates = around(&scenario);
        let own = scenario.get().rate;
        // What the lab shows is among them.
        if let Err(place) = rates.binary_search_by(|rate| rate.total_cmp(&own)) {
            rates.insert(place, own);
        }
        Self { scenario, users, rates, done: Vec::new() }
    }

    /// One run of each kind. Who waits for an answer does not send again, so neither does the other.
    fn find(&self, engine: &mut Engine, rate: f64) -> Found {
        let with = |users| Scenario { rate, users, retry_after: 0.0, ..self.scenario.get().clone() }.validate();
        let (Ok(open), Ok(closed)) = (with(0), with(self.users)) else { return Found::default() };
        let open = engine.run(&open).report().ttft_s.map(|times| times.p99);
        let mut run = engine.run(&closed);
        let wanted = run.fleet_report().and_then(|report| report.ttft_intended_s).map(|times| times.p99);
        Found { open, sent: run.report().ttft_s.map(|times| times.p99), wanted }
    }

    fn headline(&self) -> String {
        let own = self.scenario.get().rate;
        let found = self.rates.iter().zip(&self.done).find(|(rate, _)| **rate == own).map(|(_, found)| *found);
        let rate = format::rate(own);
        let Some(Found { open: Some(open), sent: Some(sent), wanted: Some(wanted) }) = found else {
            return say("none", &[("rate", &rate)]);
        };
        let values = [
            ("rate", &rate[..]),
            ("users", &format::count(f64::from(self.users))),
            ("open", &format::time(open)),
            ("sent", &format::time(sent)),
            ("wanted", &format::time(wanted)),
        ];
        // Half as long is no rounding any more.
        match sent < wanted / 2.0 {
            true => say("closed_loop.headline.hides", &values),
            false => say("closed_loop.headline.same", &values),
        }
    }

    fn curves(&self) -> Vec<Curve> {
        let curve = |ink, stroke, dot, tag, label: String, short: String, of: fn(&Found) -> Option<f64>| {
            let points = self.rates.iter().zip(&self.done).map(|(&x, found)| Point { x, y: of(found) }).collect();
            Curve { ink, stroke, filled: false, dot, label, short, points, tag }
        };
        vec![
            curve(
                Ink::P99,
                Stroke::Thick,
                Dot::Disc,
                Tag::Value(Side::Above),
                say("closed_loop.open", &[]),
                say("closed_loop.short.open", &[]),
                |found| found.open,
            ),
            // Over the open loop, with which it often coincides.
            curve(
                Ink::P50,
                Stroke::Dashed,
                Dot::Ring,
                Tag::None,
                say("closed_loop.wanted", &[]),
                say("closed_loop.short.wanted", &[]),
                |found| found.wanted,
            ),
            curve(
                Ink::Throughput,
                Stroke::Solid,
                Dot::Disc,
                Tag::Value(Side::Below),
                say("closed_loop.sent", &[]),
                say("closed_loop.short.sent", &[]),
                |found| found.sent,
            ),
        ]
    }

    fn exhibit(&self) -> Exhibit {
        let scenario = self.scenario.get();
        let limit = scenario.slo_ttft_ms / 1000.0;
        let headline = self.headline();
        let all = || self.done.iter().flat_map(|found| [found.open, found.sent, found.wanted]).flatten();
        let y = Axis::decades(all().fold(limit, f64::min), all().fold(limit, f64::max) * 2.0, Unit::Latency);
        let caption = say("closed_loop.caption", &[]);
        let chart = Chart {
            id: None,
            caption: caption.clone(),
            x: Axis::linear(self.rates[0], self.rates[self.rates.len() - 1], Unit::Rate),
            x_unit: say("unit.rate", &[]),
            x_unit_short: say("short.rate", &[]),
            y,
            curves: self.curves(),
            ghosts: Vec::new(),
            rules: vec![Rule {
                line: Line::Across { y: limit, side: Side::Above, end: End::Left },
                label: say("slo", &[("time", &format::latency_tick(limit))]),
            }],
            shade: None,
        };
        let words = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), format::time);
        let reading = |(rate, found): (&f64, &Found)| {
            say(
                "closed_loop.reading",
                &[
                    ("rate", &format::rate(*rate)),
                    ("open", &words(found.open)),
                    ("sent", &words(found.sent)),
                    ("wanted", &words(found.wanted)),
                ],
            )
        };
        let rows =
            self.rates.iter().zip(&self.done).map(|(&rate, found)| {
                vec![format::rate(rate), words(found.open), words(found.sent), words(found.wanted)]
            });
        let table = Table {
            caption: caption.clone(),
            head: vec![
                say("unit.rate", &[]),
                say("closed_loop.open", &[]),
                say("closed_loop.sent", &[]),
                say("closed_loop.wanted", &[]),
            ],
            rows: rows.collect(),
        };
        let slider = Slider {
            label: say("slider.rate", &[]),
            places: self.rates.iter().map(|&rate| format!("{} {}", format::rate(rate), chart.x_unit)).collect(),
            start: self.rates.iter().position(|&rate| rate == scenario.rate).unwrap_or_default(),
        };
        let marks = Marks { current: Some(scenario.rate), ..Marks::default() };
        let description = format!("{caption}. {headline}");
        let diagram = Diagram { chart, marks, spots: Vec::new(), description };
        Exhibit {
            headline,
            tables: vec![table],
            pictures: vec![Picture {
                drawing: Drawing::Diagram(Box::new(diagram), self.rates.clone()),
                sliders: vec![slider],
                readings: self.rates.iter().zip(&self.done).map(reading).collect(),
            }],
        }
    }
}

impl Study for ClosedLoop {
    fn advance(&mut self, engine: &mut Engine) -> Option<Exhibit> {
        if let Some(&rate) = self.rates.get(self.done.len()) {
            let found = self.find(engine, rate);
            self.done.push(found);
        }
        (self.done.len() == self.rates.len()).then(|| self.exhibit())
    }
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, Scenario, ValidScenario};

    use super::ClosedLoop;
    use crate::study::{Study, exhibit, study};

    fn found(scenario: Scenario) -> ClosedLoop {
        let mut study = ClosedLoop::new(scenario.validate().expect("valid"));
        let mut engine = Engine::new();
        while study.advance(&mut engine).is_none() {}
        study
    }

    #[test]
    fn who_waits_before_sending_never_waits_less_in_all() {
        for scenario in [Scenario::default(), Scenario { users: 20, think: 1.0, ..Scenario::default() }] {
            for found in found(scenario).done {
                assert!(found.sent <= found.wanted, "{found:?}");
            }
        }
    }

    #[test]
    fn past_capacity_the_loop_looks_fine_and_its_users_are_not() {
        let study = found(Scenario { rate: 6.5, ..Scenario::default() });
        let own = study.rates.iter().position(|&rate| rate == 6.5).expect("its own rate");
        let [open, sent, wanted] =
            [study.done[own].open, study.done[own].sent, study.done[own].wanted].map(Option::unwrap);
        assert!(open > 10.0 && wanted > 10.0, "{open} {wanted}");
        assert!(sent < 1.5, "{sent}");
    }

    #[test]
    fn the_open_loop_is_what_the_lab_shows() {
        let lesson = ValidScenario::default();
        let found = exhibit(study("closed-loop", lesson).expect("a study"));
        assert!(found.headline.contains("1.23 s"), "{}", found.headline);
        let rates: Vec<_> = found.tables[0].rows.iter().map(|row| &row[0][..]).collect();
        assert_eq!((rates.len(), rates[9]), (16, "5"), "a rate of the grid is not there twice");
    }

    #[test]
    fn retries_are_left_out_of_both() {
        let study = found(Scenario { retry_after: 2.0, ..Scenario::default() });
        assert!(study.done.iter().all(|found| found.open.is_some() && found.wanted.is_some()));
    }
}
