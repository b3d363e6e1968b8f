//! What a goal for the TTFT costs: the share of requests within the SLO, over the arrival rate and over that goal.

use goodput_charts::{HeatMap, format};
use goodput_sim::{Engine, SimTime, ValidScenario};

use crate::exhibit::{Drawing, Exhibit, Picture, Slider, Table};
use crate::rates::{RATES, around};
use crate::study::Study;
use crate::words::say;

/// The goals, in parts and multiples of the scenario's own.
const FACTORS: [f64; 9] = [0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0];
/// Which of them is the scenario's own.
const OWN: usize = 4;
/// Which of them is ten times as long.
const TENFOLD: usize = 7;
/// The share that a planner asks for.
const TARGET: f64 = 0.99;

/// The study, some rates into its work.
#[derive(Debug)]
pub struct Attainment {
    scenario: ValidScenario,
    rates: Vec<f64>,
    /// Rates that are done, each with the share at every goal.
    done: Vec<[Option<f64>; FACTORS.len()]>,
}

impl Attainment {
    /// Of this scenario; of its own rate only the mark depends on.
    #[must_use]
    pub fn new(scenario: ValidScenario) -> Self {
        Self { rates: around(&scenario), scenario, done: Vec::new() }
    }

    fn goal_ms(&self, row: usize) -> f64 {
        self.scenario.get().slo_ttft_ms * FACTORS[row]
    }

    /// The share within the SLO at each goal, for one rate; all `None` where nothing is known of it.
    fn shares(&self, engine: &mut Engine, rate: f64) -> [Option<f64>; FACTORS.len()] {
        let Ok(scenario) = self.scenario.at_rate(rate) else { return [None; FACTORS.len()] };
        let mut run = engine.run(&scenario);
        let latencies = run.latencies();
        let mut in_pace: Vec<SimTime> =
            latencies.iter().filter(|latency| latency.keeps_pace).map(|latency| latency.ttft).collect();
        in_pace.sort_unstable();
        // Whoever was turned away missed every goal.
        let judged = latencies.len() as u64 + run.report().rejected;
        std::array::from_fn(|row| {
            let goal = SimTime::from_millis(self.goal_ms(row));
            let good = in_pace.partition_point(|&ttft| ttft <= goal);
            (judged > 0).then(|| good as f64 / judged as f64)
        })
    }

    /// The highest rate up to which every rate reaches the target at this goal.
    fn highest_rate(&self, row: usize) -> Option<f64> {
        let reached = self.done.iter().take_while(|shares| shares[row].is_none_or(|share| share >= TARGET)).count();
        self.rates.get(reached.checked_sub(1)?).copied()
    }

    fn headline(&self) -> String {
        let goal = |row| format::latency_tick(self.goal_ms(row) / 1000.0);
        let target = target();
        let Some(own) = self.highest_rate(OWN) else {
            return say("attainment.headline.none", &[("target", &target), ("goal", &goal(OWN))]);
        };
        let tenfold = self.highest_rate(TENFOLD).unwrap_or(own);
        let values = [
            ("target", &target[..]),
            ("goal", &goal(OWN)),
            ("rate", &format::rate(own)),
            ("long", &goal(TENFOLD)),
            ("other", &format::rate(tenfold)),
        ];
        match tenfold > own {
            true => say("attainment.headline.more", &values),
            false => say("attainment.headline.same", &values),
        }
    }

    fn exhibit(&self) -> Exhibit {
        let scenario = self.scenario.get();
        let goals: Vec<f64> = (0..FACTORS.len()).map(|row| self.goal_ms(row) / 1000.0).collect();
        let cells = (0..FACTORS.len()).flat_map(|row| self.done.iter().map(move |shares| shares[row]));
        let headline = self.headline();
        let map = HeatMap {
            caption: say("attainment.caption", &[]),
            description: say("attainment.description", &[("headline", &headline)]),
            rates: self.rates.clone(),
            goals: goals.clone(),
            shares: cells.collect(),
            target: TARGET,
            target_label: target(),
            current: (scenario.rate, OWN),
            x_unit: say("unit.rate", &[]),
            x_unit_short: say("short.rate", &[]),
        };
        let words = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), format::percent);
        let reading = |row: usize, column: usize| {
            let values = [
                ("rate", &format::rate(self.rates[column])[..]),
                ("goal", &format::latency_tick(goals[row])),
                ("share", &words(map.share(column, row))),
            ];
            say("attainment.reading", &values)
        };
        let readings = (0..goals.len()).flat_map(|row| (0..self.rates.len()).map(move |column| (row, column)));
        let readings = readings.map(|(row, column)| reading(row, column)).collect();
        let away = |rate: &f64| (rate - scenario.rate).abs();
        let nearest = (0..RATES).min_by(|&a, &b| away(&self.rates[a]).total_cmp(&away(&self.rates[b])));
        let sliders = vec![
            Slider {
                label: say("slider.rate", &[]),
                places: self.rates.iter().map(|&rate| format!("{} {}", format::rate(rate), map.x_unit)).collect(),
                start: nearest.unwrap_or_default(),
            },
            Slider {
                label: say("attainment.slider.goal", &[]),
                places: goals.iter().map(|&goal| format::latency_tick(goal)).collect(),
                start: OWN,
            },
        ];
        let mut head = vec![map.x_unit.clone()];
        head.extend(goals.iter().map(|&goal| format::latency_tick(goal)));
        let rows = self.rates.iter().zip(&self.done).map(|(&rate, shares)| {
            std::iter::once(format::rate(rate)).chain(shares.iter().map(|&share| words(share))).collect()
        });
        let table = Table { caption: say("attainment.table", &[]), head, rows: rows.collect() };
        Exhibit {
            headline,
            tables: vec![table],
            pictures: vec![Picture { drawing: Drawing::HeatMap(Box::new(map)), sliders, readings }],
        }
    }
}

/// The target in words: a round one, so without the tenths that a measured share near 100 % has.
fn target() -> String {
    say("attainment.target", &[("target", &format::count(TARGET * 100.0))])
}

impl Study for Attainment {
    fn advance(&mut self, engine: &mut Engine) -> Option<Exhibit> {
        if let Some(&rate) = self.rates.get(self.done.len()) {
            let shares = self.shares(engine, rate);
            self.done.push(shares);
        }
        (self.done.len() == self.rates.len()).then(|| self.exhibit())
    }
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, Scenario, ValidScenario};

    use super::{Attainment, FACTORS, OWN};
    use crate::exhibit::Drawing;
    use crate::study::{Study, exhibit, study};

    fn scenarios() -> Vec<ValidScenario> {
        let long = Scenario { slo_ttft_ms: 20_000.0, ..Scenario::default() };
        let shed = Scenario { max_queue: 3, output_cv: 1.0, ..Scenario::default() };
        let quick = Scenario { prefill_ms_per_1k: 1.0, step_ms: 1.0, per_seq_ms: 0.1, ..Scenario::default() };
        let fleet = Scenario { replicas: 2, high_share: 0.3, max_queue_low: 4, ..Scenario::default() };
        [Scenario::default(), long, shed, quick, fleet].map(|scenario| scenario.validate().expect("valid")).into()
    }

    #[test]
    fn at_the_goal_of_the_scenario_it_is_the_attainment_of_the_report() {
        let mut engine = Engine::new();
        for scenario in scenarios() {
            let mut map = Attainment::new(scenario.clone());
            while map.advance(&mut engine).is_none() {}
            for (&rate, shares) in map.rates.iter().zip(&map.done) {
                let report = engine.run(&scenario.at_rate(rate).expect("a rate")).report();
                assert_eq!(shares[OWN], report.slo_attainment, "at {rate}");
                assert!(shares.is_sorted(), "a longer goal never keeps fewer: {shares:?}");
            }
        }
    }

    #[test]
    fn the_lesson_loses_its_target_between_4_and_4_5_and_a_longer_goal_does_not_help() {
        let found = exhibit(study("attainment", ValidScenario::default()).expect("a study"));
        let [picture] = &found.pictures[..] else { panic!("one picture") };
        let Drawing::HeatMap(map) = &picture.drawing else { panic!("a map") };
        assert_eq!((map.rates[0], map.rates[15], map.goals[OWN]), (0.5, 8.0, 1.0));
        assert!(found.headline.contains("4 requests/s"), "{}", found.headline);
        let [rate, goal] = &picture.sliders[..] else { panic!("two sliders") };
        assert_eq!((rate.start, goal.start), (9, OWN), "5 requests/s, 1 s");
        assert!(picture.reading(&[9, OWN]).contains("89 %"), "{}", picture.reading(&[9, OWN]));
        assert_eq!(picture.readings.len(), FACTORS.len() * map.rates.len());
        assert_eq!(found.tables[0].rows.len(), map.rates.len());
    }
}
