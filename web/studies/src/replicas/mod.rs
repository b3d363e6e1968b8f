//! Why the mean of the replicas' p99s is no p99.

use goodput_charts::{Axis, Ink, Lane, Lanes, Unit, format};
use goodput_sim::{Engine, Routing, Scenario, ValidScenario};

use crate::exhibit::{Drawing, Exhibit, Picture, Table};
use crate::study::Study;
use crate::words::say;

/// Servers where the lab has one.
const SERVERS: u32 = 3;

/// The study.
#[derive(Debug)]
pub struct Replicas {
    scenario: ValidScenario,
    /// The lab has one server, so others were put beside it.
    is_assumed: bool,
}

impl Replicas {
    /// Of this scenario; if it has one server, of three such servers with three times its requests, each sent to any of them.
    #[must_use]
    pub fn new(scenario: ValidScenario) -> Self {
        let own = scenario.get();
        let many = Scenario {
            replicas: SERVERS,
            rate: own.rate * f64::from(SERVERS),
            routing: Routing::Random,
            ..own.clone()
        };
        match (own.replicas, many.validate()) {
            (1, Ok(many)) => Self { scenario: many, is_assumed: true },
            _ => Self { scenario, is_assumed: false },
        }
    }
}

impl Study for Replicas {
    fn advance(&mut self, engine: &mut Engine) -> Option<Exhibit> {
        let mut run = engine.run(&self.scenario);
        let each = run.fleet_report().map(|report| report.ttft_of_replicas_s).unwrap_or_default();
        let each: Vec<Option<f64>> = each.iter().map(|times| times.map(|times| times.p99)).collect();
        let measured: Vec<f64> = each.iter().copied().flatten().collect();
        let mean = (!measured.is_empty()).then(|| measured.iter().sum::<f64>() / measured.len() as f64);
        let pooled = run.report().ttft_s.map(|times| times.p99);
        Some(self.exhibit(&each, mean, pooled))
    }
}

impl Replicas {
    fn exhibit(&self, each: &[Option<f64>], mean: Option<f64>, pooled: Option<f64>) -> Exhibit {
        let scenario = self.scenario.get();
        let limit = scenario.slo_ttft_ms / 1000.0;
        let headline = self.headline(each.len(), mean, pooled);
        let name = |index: usize| say("replicas.one", &[("number", &(index + 1).to_string())]);
        let of_one = each.iter().enumerate().map(|(index, &value)| (name(index), value, Ink::Ink, false));
        let of_all = [
            (say("replicas.mean", &[]), mean, Ink::Muted, true),
            (say("replicas.pooled", &[]), pooled, Ink::P99, true),
        ];
        let lanes: Vec<Lane> =
            of_one.chain(of_all).map(|(label, value, ink, of_all)| Lane { label, value, ink, of_all }).collect();
        let values = || lanes.iter().filter_map(|lane| lane.value);
        let axis = Axis::decades(values().fold(limit, f64::min), values().fold(limit, f64::max), Unit::Latency);
        let caption = say("replicas.caption", &[]);
        let words = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), format::time);
        let table = Table {
            caption: caption.clone(),
            head: vec![say("replicas.whose", &[]), say("replicas.p99", &[])],
            rows: lanes.iter().map(|lane| vec![lane.label.clone(), words(lane.value)]).collect(),
        };
        let slo = say("slo", &[("time", &format::latency_tick(limit))]);
        let description = format!("{caption}. {headline}");
        let drawing = Drawing::Lanes(Box::new(Lanes { caption, description, axis, lanes, limit: (limit, slo) }));
        let picture = Picture { drawing, sliders: Vec::new(), readings: Vec::new() };
        Exhibit { headline, pictures: vec![picture], tables: vec![table] }
    }

    fn headline(&self, count: usize, mean: Option<f64>, pooled: Option<f64>) -> String {
        let scenario = self.scenario.get();
        let rate = format::rate(scenario.rate);
        let (Some(mean), Some(pooled)) = (mean, pooled) else { return say("none", &[("rate", &rate)]) };
        let limit = scenario.slo_ttft_ms / 1000.0;
        let values = [
            ("count", &format::count(count as f64)[..]),
            ("rate", &rate),
            ("mean", &format::time(mean)),
            ("pooled", &format::time(pooled)),
            ("limit", &format::latency_tick(limit)),
        ];
        let setting = match self.is_assumed {
            true => say("replicas.assumed", &values),
            false => say("replicas.own", &values),
        };
        let finding = match (mean <= limit, pooled <= limit) {
            (true, false) => say("replicas.headline.hides", &values),
            (false, true) => say("replicas.headline.alarms", &values),
            _ => say("replicas.headline.differs", &values),
        };
        format!("{setting} {finding}")
    }
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, Scenario, ValidScenario};

    use super::Replicas;
    use crate::exhibit::Drawing;
    use crate::study::{exhibit, study};

    fn values(scenario: Scenario) -> Vec<f64> {
        let found = exhibit(study("replicas", scenario.validate().expect("valid")).expect("a study"));
        let Drawing::Lanes(lanes) = &found.pictures[0].drawing else { panic!("lanes") };
        assert_eq!(found.tables[0].rows.len(), lanes.lanes.len());
        lanes.lanes.iter().map(|lane| lane.value.expect("measured")).collect()
    }

    #[test]
    fn the_pooled_p99_lies_among_the_p99s_of_the_replicas() {
        for rate in [4.0, 5.0, 6.0] {
            let values = values(Scenario { rate, ..Scenario::default() });
            let [each @ .., mean, pooled] = &values[..] else { panic!("lanes") };
            assert_eq!(each.len(), 3);
            let (least, most) =
                (each.iter().copied().fold(f64::MAX, f64::min), each.iter().copied().fold(0.0, f64::max));
            assert!((least..=most).contains(mean) && (least..=most).contains(pooled), "{values:?}");
        }
    }

    #[test]
    fn the_pooled_p99_is_what_the_lab_would_show() {
        let scenario = Scenario { replicas: 3, rate: 14.0, ..Scenario::default() };
        let report = Engine::new().run(&scenario.clone().validate().expect("valid")).report();
        let values = values(scenario);
        assert_eq!((values.len(), values.last().copied()), (5, report.ttft_s.map(|times| times.p99)));
    }

    #[test]
    fn one_server_gets_others_beside_it_at_the_same_load_each() {
        let study = Replicas::new(ValidScenario::default());
        assert_eq!((study.scenario.get().replicas, study.scenario.get().rate), (3, 15.0));
        assert!(study.is_assumed);
        let own = Scenario { replicas: 2, ..Scenario::default() }.validate().expect("valid");
        assert_eq!(Replicas::new(own.clone()).scenario, own);
    }
}
