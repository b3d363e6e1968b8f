//! Servers without levers of their own have a quicker engine. It must not show.

use goodput_sim::{Engine, FleetReport, Latency, Report, Routing, Scenario, Seed, Stop, ValidScenario};
use proptest::prelude::*;

/// More clients than there are requests: nobody ever waits for one, but only the event-driven simulation knows clients.
const PLENTY_OF_USERS: u32 = 100_000;

fn routing() -> impl Strategy<Value = Routing> {
    prop_oneof![Just(Routing::RoundRobin), Just(Routing::Random), Just(Routing::LeastOutstanding)]
}

/// Levers that one server, first come first served, with whole prompts can have, on one server or some.
fn any_plain_servers() -> impl Strategy<Value = Scenario> {
    let traffic = (0.1..40.0_f64, 1.0..40.0_f64, 0.0..0.9_f64, prop_oneof![Just(1.0), Just(0.0), 0.1..3.0_f64]);
    let spike = (prop_oneof![Just(1.0), 0.0..3.0_f64], 0.0..0.9_f64);
    let server = (1..=40_u32, 0..=30_u32, prop_oneof![Just(0.0), 0.0..1.0_f64], 0.01..30.0_f64);
    let lengths = (1..=2000_u32, prop_oneof![Just(1), 2..=200_u32]);
    let off_or = |most: f64| prop_oneof![2 => Just(0.0), 1 => 0.01..most];
    let spread = (off_or(2.0), off_or(2.0), off_or(1.0), 0.0..1.0_f64);
    let fleet = (1..=8_u32, routing(), any::<u64>());
    (traffic, spike, server, lengths, spread, fleet).prop_map(|(traffic, spike, server, lengths, spread, fleet)| {
        let (rate, horizon, warm, arrival_cv) = traffic;
        Scenario {
            rate,
            horizon,
            warmup: horizon * warm,
            arrival_cv,
            spike_factor: spike.0,
            spike_from: horizon * spike.1,
            spike_to: horizon,
            max_batch: server.0,
            // Low numbers stand for no limit.
            max_queue: server.1.saturating_sub(20),
            per_seq_ms: server.2,
            step_ms: server.3,
            prompt: lengths.0,
            output: lengths.1,
            prompt_cv: spread.0,
            output_cv: spread.1,
            cached_share: spread.2,
            cached_prompt: spread.3,
            replicas: fleet.0,
            routing: fleet.1,
            seed: if fleet.2.is_multiple_of(8) { Seed::Lesson } else { Seed::Number(fleet.2) },
            ..Scenario::default()
        }
    })
}

fn valid(scenario: Scenario) -> ValidScenario {
    scenario.validate().expect("small scenarios are valid")
}

/// All that is told of a run as a whole, and the times of its requests in an order of their own.
fn told(scenario: &ValidScenario, stop: Stop) -> (Report, Option<FleetReport>, Vec<Latency>) {
    let mut engine = Engine::new();
    let mut run = engine.run_until(scenario, stop);
    let mut latencies = run.latencies();
    latencies.sort_by(|a, b| a.ttft.cmp(&b.ttft).then(a.tpot_s.total_cmp(&b.tpot_s)));
    (run.report(), run.fleet_report(), latencies)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// The quick engine tells the bits of the event-driven simulation.
    #[test]
    fn plain_servers_are_a_fleet(
        scenario in any_plain_servers(),
        stop in prop_oneof![Just(Stop::AtHorizon), Just(Stop::Drained)],
    ) {
        let as_fleet = valid(Scenario { users: PLENTY_OF_USERS, ..scenario.clone() });
        let (report, fleet_report, latencies) = told(&valid(scenario.clone()), stop);
        let slow = told(&as_fleet, stop);
        prop_assert_eq!((report, latencies), (slow.0, slow.2));
        prop_assert_eq!(fleet_report, slow.1.filter(|_| scenario.replicas > 1), "one server is no fleet");
    }

    /// What a fleet tells of single requests is of the same run as its report.
    #[test]
    fn the_records_are_of_the_run_that_is_reported(scenario in any_plain_servers()) {
        let scenario = valid(Scenario { replicas: 2 + scenario.replicas, ..scenario });
        let (from, to) = (scenario.get().warmup, scenario.get().horizon);
        let mut engine = Engine::new();
        let mut run = engine.run(&scenario);
        let report = run.report();
        let lives = &run.fleet().expect("some servers are a fleet").lives;
        let is_measured = |sent: f64, finish: Option<f64>| sent >= from && finish.is_some_and(|finish| finish <= to);
        let seconds = |life: &goodput_sim::Life| (life.sent.as_secs(), life.finish.map(goodput_sim::SimTime::as_secs));
        let measured = lives.iter().map(seconds).filter(|&(sent, finish)| is_measured(sent, finish)).count();
        prop_assert_eq!(report.completed, measured as u64);
        prop_assert_eq!(run.report(), report, "whoever looks changes nothing");
    }
}
