//! The autoscaler over time, on a signal that warns and on one that does not.

use goodput_charts::{Axis, Chart, Curve, Diagram, Dot, Ink, Marks, Point, Shade, Stroke, Tag, Unit, format};
use goodput_sim::{Autoscale, Engine, Report, ScalingMoment, Scenario, ValidScenario};

use crate::exhibit::{Drawing, Exhibit, Picture, Slider, Table};
use crate::study::Study;
use crate::words::say;

/// The spike where the lab has none: so many times the rate, between these parts of the run.
const SPIKE: (f64, f64, f64) = (2.5, 0.3, 0.6);
/// About so many rows of the table.
const ROWS: usize = 24;

/// The study, one of its two runs into its work.
#[derive(Debug)]
pub struct Autoscaler {
    scenario: ValidScenario,
    done: Vec<Seen>,
}

/// What one signal did.
#[derive(Clone, Debug)]
struct Seen {
    signal: Autoscale,
    moments: Vec<ScalingMoment>,
    report: Report,
    server_seconds: f64,
}

const SIGNALS: [Autoscale; 2] = [Autoscale::Queue, Autoscale::Busy];

impl Autoscaler {
    /// Of this scenario, with a spike if it has none. What cannot be scaled, servers that only prefill, is left out.
    #[must_use]
    pub fn new(scenario: &ValidScenario) -> Self {
        let own = scenario.get();
        let (factor, from, to) = SPIKE;
        let (factor, from, to) = match own.spike_factor {
            1.0 => (factor, from * own.horizon, to * own.horizon),
            factor => (factor, own.spike_from, own.spike_to),
        };
        let with = Scenario {
            autoscale: Autoscale::Queue,
            prefill_replicas: 0,
            max_replicas: own.max_replicas.max(own.replicas),
            spike_factor: factor,
            spike_from: from,
            spike_to: to,
            ..own.clone()
        };
        // A load so high that a spike would be refused goes without.
        let calm = Scenario {
            spike_factor: own.spike_factor,
            spike_from: own.spike_from,
            spike_to: own.spike_to,
            ..with.clone()
        };
        let scenario = with.validate().or_else(|_| calm.validate()).unwrap_or_default();
        Self { scenario, done: Vec::new() }
    }

    fn see(&self, engine: &mut Engine, signal: Autoscale) -> Option<Seen> {
        let scenario = Scenario { autoscale: signal, ..self.scenario.get().clone() }.validate().ok()?;
        let mut run = engine.run(&scenario);
        let server_seconds = run.fleet_report()?.server_seconds;
        let moments = run.fleet()?.scaling.clone();
        Some(Seen { signal, moments, report: run.report(), server_seconds })
    }

    fn headline(&self) -> String {
        let from = self.scenario.get().spike_from;
        let words = self.done.iter().map(|seen| {
            let p99 = seen.report.ttft_s.map_or_else(|| "–".to_owned(), |times| format::time(times.p99));
            let before = seen.moments.iter().take_while(|moment| moment.at.as_secs() <= from).last();
            let ready =
                |moment: Option<&ScalingMoment>| moment.map_or_else(|| "–".to_owned(), |at| at.ready.to_string());
            let most = seen.moments.iter().max_by_key(|moment| moment.ready);
            let values = [
                ("signal", &name(seen.signal)[..]),
                ("before", &ready(before)),
                ("most", &ready(most)),
                ("end", &ready(seen.moments.last())),
                ("minutes", &format::count((seen.server_seconds / 60.0).round())),
                ("p99", &p99),
            ];
            say("autoscaler.headline", &values)
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn exhibit(&self) -> Exhibit {
        let most =
            |of: fn(&ScalingMoment) -> f64| self.done.iter().flat_map(|seen| &seen.moments).map(of).fold(1.0, f64::max);
        // Both signals on the same axes, or they could not be compared.
        let replicas =
            Axis::from_zero(most(|moment| f64::from(moment.wanted.max(moment.ready + moment.ordered))), Unit::Count);
        let waiting = Axis::from_zero(most(|moment| f64::from(moment.waiting)), Unit::Count);
        let busy = Axis::linear(0.0, 1.0, Unit::Share);
        let headline = self.headline();
        let mut pictures: Vec<Picture> = Vec::new();
        for draw in [Self::replicas, Self::waiting, Self::busy] {
            pictures.extend(self.done.iter().map(|seen| draw(self, seen, [replicas, waiting, busy], &headline)));
        }
        Exhibit { pictures, tables: self.done.iter().map(|seen| self.table(seen)).collect(), headline }
    }

    /// How many there are, are on order and are asked for.
    fn replicas(&self, seen: &Seen, [y, ..]: [Axis; 3], headline: &str) -> Picture {
        let curves = vec![
            self.curve(seen, Ink::Muted, Stroke::Dashed, "wanted", |moment| f64::from(moment.wanted)),
            self.curve(seen, Ink::P50, Stroke::Thin, "coming", |moment| f64::from(moment.ready + moment.ordered)),
            self.curve(seen, Ink::Throughput, Stroke::Thick, "ready", |moment| f64::from(moment.ready)),
        ];
        let caption = say("autoscaler.replicas", &[("signal", &name(seen.signal))]);
        let places: Vec<f64> = seen.moments.iter().map(|moment| moment.at.as_secs()).collect();
        let slider = Slider {
            label: say("autoscaler.slider", &[]),
            places: places.iter().map(|&at| format::span(at)).collect(),
            start: places.partition_point(|&at| at < self.scenario.get().spike_to).min(places.len().saturating_sub(1)),
        };
        Picture {
            drawing: Drawing::Diagram(Box::new(self.diagram(caption, y, curves, headline)), places),
            sliders: vec![slider],
            readings: seen.moments.iter().map(reading).collect(),
        }
    }

    fn waiting(&self, seen: &Seen, [_, y, _]: [Axis; 3], headline: &str) -> Picture {
        let mut curve = self.curve(seen, Ink::Ink, Stroke::Solid, "waiting", |moment| f64::from(moment.waiting));
        curve.filled = true;
        self.picture(say("autoscaler.waiting", &[("signal", &name(seen.signal))]), y, vec![curve], headline)
    }

    fn busy(&self, seen: &Seen, [.., y]: [Axis; 3], headline: &str) -> Picture {
        let curve = self.curve(seen, Ink::Muted, Stroke::Solid, "busy", |moment| moment.busy);
        self.picture(say("autoscaler.busy", &[("signal", &name(seen.signal))]), y, vec![curve], headline)
    }

    /// A line in steps: what was seen at a tick holds until the next.
    fn curve(&self, seen: &Seen, ink: Ink, stroke: Stroke, key: &str, of: fn(&ScalingMoment) -> f64) -> Curve {
        let mut points: Vec<Point> = Vec::new();
        for moment in &seen.moments {
            let (x, y) = (moment.at.as_secs(), Some(of(moment)));
            points.extend(points.last().copied().map(|last| Point { x, y: last.y }));
            points.push(Point { x, y });
        }
        let label = match key {
            "wanted" => say("autoscaler.curve.wanted", &[]),
            "coming" => say("autoscaler.curve.coming", &[]),
            "ready" => say("autoscaler.curve.ready", &[]),
            "waiting" => say("autoscaler.curve.waiting", &[]),
            _ => say("autoscaler.curve.busy", &[]),
        };
        Curve { ink, stroke, filled: false, dot: Dot::None, short: label.clone(), label, points, tag: Tag::None }
    }

    /// Without anything to read off: the picture of the servers above it has the words for all three.
    fn picture(&self, caption: String, y: Axis, curves: Vec<Curve>, headline: &str) -> Picture {
        let diagram = self.diagram(caption, y, curves, headline);
        Picture { drawing: Drawing::Diagram(Box::new(diagram), Vec::new()), sliders: Vec::new(), readings: Vec::new() }
    }

    fn diagram(&self, caption: String, y: Axis, curves: Vec<Curve>, headline: &str) -> Diagram {
        let scenario = self.scenario.get();
        let unit = Unit::of_span(scenario.horizon);
        let x_unit = match unit {
            Unit::Minutes => say("unit.minutes", &[]),
            Unit::Hours => say("unit.hours", &[]),
            _ => say("unit.seconds", &[]),
        };
        let shade = (scenario.spike_factor != 1.0).then(|| Shade {
            from: scenario.spike_from,
            to: scenario.spike_to,
            label: say("autoscaler.spike", &[("factor", &format::rate(scenario.spike_factor))]),
        });
        let description = format!("{caption}. {headline}");
        let chart = Chart {
            id: None,
            caption,
            x: Axis::linear(0.0, scenario.horizon, unit),
            x_unit_short: x_unit.clone(),
            x_unit,
            y,
            curves,
            ghosts: Vec::new(),
            rules: Vec::new(),
            shade,
        };
        Diagram { chart, marks: Marks::default(), spots: Vec::new(), description }
    }

    fn table(&self, seen: &Seen) -> Table {
        let head = ["time", "ready", "ordered", "waiting", "busy"].map(|key| match key {
            "time" => say("autoscaler.slider", &[]),
            "ready" => say("autoscaler.curve.ready", &[]),
            "ordered" => say("autoscaler.ordered", &[]),
            "waiting" => say("autoscaler.curve.waiting", &[]),
            _ => say("autoscaler.curve.busy", &[]),
        });
        let stride = seen.moments.len().div_ceil(ROWS).max(1);
        let rows = seen.moments.iter().step_by(stride).map(|moment| {
            vec![
                format::span(moment.at.as_secs()),
                moment.ready.to_string(),
                moment.ordered.to_string(),
                format::count(f64::from(moment.waiting)),
                format::percent(moment.busy),
            ]
        });
        let caption = say("autoscaler.table", &[("signal", &name(seen.signal))]);
        Table { caption, head: head.into(), rows: rows.collect() }
    }
}

fn name(signal: Autoscale) -> String {
    match signal {
        Autoscale::Busy => say("autoscaler.signal.busy", &[]),
        _ => say("autoscaler.signal.queue", &[]),
    }
}

fn reading(moment: &ScalingMoment) -> String {
    say(
        "autoscaler.reading",
        &[
            ("time", &format::span(moment.at.as_secs())),
            ("ready", &moment.ready.to_string()),
            ("ordered", &moment.ordered.to_string()),
            ("waiting", &format::count(f64::from(moment.waiting))),
            ("busy", &format::percent(moment.busy)),
        ],
    )
}

impl Study for Autoscaler {
    fn advance(&mut self, engine: &mut Engine) -> Option<Exhibit> {
        let signal = SIGNALS[self.done.len()];
        // Both were made of a scenario that is valid with autoscaling on.
        let seen = self.see(engine, signal)?;
        self.done.push(seen);
        (self.done.len() == SIGNALS.len()).then(|| self.exhibit())
    }
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Autoscale, Engine, Scenario, ValidScenario};

    use super::Autoscaler;
    use crate::exhibit::Drawing;
    use crate::study::{Study, exhibit, study};

    fn seen(scenario: Scenario) -> Autoscaler {
        let mut study = Autoscaler::new(&scenario.validate().expect("valid"));
        let mut engine = Engine::new();
        while study.advance(&mut engine).is_none() {}
        study
    }

    #[test]
    fn both_signals_are_drawn_on_the_same_axes() {
        let found = exhibit(study("autoscaler", ValidScenario::default()).expect("a study"));
        assert_eq!((found.pictures.len(), found.tables.len()), (6, 2));
        for pair in found.pictures.chunks(2) {
            let [Drawing::Diagram(a, _), Drawing::Diagram(b, _)] = [&pair[0].drawing, &pair[1].drawing] else {
                panic!("diagrams")
            };
            assert_eq!((a.chart.x, a.chart.y), (b.chart.x, b.chart.y));
        }
    }

    #[test]
    fn busy_costs_more_servers_than_the_queue() {
        let study = seen(Scenario::default());
        let [queue, busy] = &study.done[..] else { panic!("two runs") };
        assert!(busy.server_seconds > 1.3 * queue.server_seconds, "{} {}", busy.server_seconds, queue.server_seconds);
    }

    #[test]
    fn a_spike_of_the_lab_and_its_limits_are_kept() {
        let own = Scenario { spike_factor: 3.0, replicas: 2, max_replicas: 2, ..Scenario::default() };
        let study = seen(own);
        assert_eq!((study.scenario.get().spike_factor, study.scenario.get().spike_from), (3.0, 240.0));
        assert!(study.done.iter().flat_map(|seen| &seen.moments).all(|moment| moment.ready <= 2));
    }

    #[test]
    fn any_scenario_can_be_scaled() {
        let split = Scenario { prefill_replicas: 2, ..Scenario::default() };
        let many = Scenario { replicas: 12, rate: 40.0, ..Scenario::default() };
        let fast = Scenario {
            rate: 1000.0,
            horizon: 60.0,
            warmup: 5.0,
            spike_from: 20.0,
            spike_to: 30.0,
            prefill_ms_per_1k: 0.1,
            step_ms: 0.1,
            per_seq_ms: 0.001,
            ..Scenario::default()
        };
        for scenario in [split, many, fast] {
            let study = seen(scenario);
            assert_eq!(study.done.len(), 2);
            assert_eq!(study.done[1].signal, Autoscale::Busy);
        }
    }
}
