//! How fast a run is, and how its cost grows.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use goodput_sim::{Engine, Routing, Scenario, ValidScenario};

fn valid(scenario: Scenario) -> ValidScenario {
    scenario.validate().expect("the benchmark's scenarios are valid")
}

/// One report of the lesson's ten minutes, in an engine that has run before.
fn one_run(c: &mut Criterion) {
    let mut group = c.benchmark_group("one run");
    let mut engine = Engine::new();
    for rate in [4.0, 5.0, 6.0] {
        let scenario = valid(Scenario { rate, ..Scenario::default() });
        group.bench_function(BenchmarkId::new("rate", rate), |b| b.iter(|| black_box(engine.run(&scenario).report())));
    }
    let scenario = ValidScenario::default();
    group.bench_function("rate/5, from nothing", |b| b.iter(|| black_box(goodput_sim::run(&scenario))));
    group.finish();
}

/// Every lever, one after the other on top of those before: what each costs.
fn levers(c: &mut Criterion) {
    let mut group = c.benchmark_group("levers");
    let mut engine = Engine::new();
    let arrivals = Scenario { rate: 4.5, arrival_cv: 1.5, spike_factor: 1.2, ..Scenario::default() };
    let cache = Scenario { cached_share: 0.5, prompt_cv: 1.0, ..arrivals.clone() };
    let queue = Scenario { max_queue: 50, ..cache.clone() };
    let outputs = Scenario { output_cv: 0.8, ..queue.clone() };
    let scenarios = [
        ("none", Scenario { rate: 4.5, ..Scenario::default() }),
        ("arrivals", arrivals),
        ("and prompts", cache),
        ("and queue", queue),
        ("and answers", outputs),
    ];
    for (name, scenario) in scenarios {
        let scenario = valid(scenario);
        group.bench_function(name, |b| b.iter(|| black_box(engine.run(&scenario).report())));
    }
    group.finish();
}

/// All levers that one server can have, against none: time for each request that was sent.
fn step_rule(c: &mut Criterion) {
    let mut group = c.benchmark_group("one server, per request");
    let mut engine = Engine::new();
    let all = Scenario {
        token_budget: 512,
        kv_tokens: 80_000,
        high_share: 0.3,
        max_queue: 50,
        max_queue_low: 30,
        output_cv: 0.5,
        prompt_cv: 0.5,
        cached_share: 0.5,
        arrival_cv: 1.5,
        retry_after: 10.0,
        ..Scenario::default()
    };
    for (name, scenario) in [("no lever", Scenario::default()), ("all levers", all)] {
        let scenario = valid(scenario);
        let run = engine.run(&scenario);
        let sent = run.fleet().map_or_else(|| run.offered().count(), |fleet| fleet.lives.len());
        group.throughput(Throughput::Elements(sent as u64));
        group.bench_function(name, |b| b.iter(|| black_box(engine.run(&scenario).report())));
    }
    group.finish();
}

/// Eight replicas with eight times the traffic against one server, for each routing.
fn replicas(c: &mut Criterion) {
    let mut group = c.benchmark_group("replicas");
    let mut engine = Engine::new();
    let eight = |routing| Scenario { replicas: 8, rate: 40.0, routing, ..Scenario::default() };
    let scenarios = [
        ("one", Scenario::default()),
        ("eight, round-robin", eight(Routing::RoundRobin)),
        ("eight, random", eight(Routing::Random)),
        ("eight, least-outstanding", eight(Routing::LeastOutstanding)),
    ];
    for (name, scenario) in scenarios {
        let scenario = valid(scenario);
        group.bench_function(name, |b| b.iter(|| black_box(engine.run(&scenario).report())));
    }
    group.finish();
}

/// The whole curve: 61 rates from 2 to 8.
fn sweep(c: &mut Criterion) {
    let rates: Vec<f64> = (20..=80).map(|tenths| f64::from(tenths) / 10.0).collect();
    let mut engine = Engine::new();
    c.bench_function("sweep of 61 rates", |b| b.iter(|| black_box(engine.sweep(&ValidScenario::default(), &rates))));
}

/// Cost grows with requests: with rate and horizon, but neither with the answer's length nor with the slots.
fn growth(c: &mut Criterion) {
    let mut engine = Engine::new();
    let mut grow = |name: &str, points: &[f64], scenario_at: fn(f64) -> Scenario| {
        let mut group = c.benchmark_group(format!("growth with {name}"));
        for &point in points {
            let scenario = valid(scenario_at(point));
            group.bench_function(BenchmarkId::from_parameter(point), |b| {
                b.iter(|| black_box(engine.run(&scenario).report()));
            });
        }
        group.finish();
    };
    grow("rate", &[1.0, 2.0, 4.0, 8.0, 16.0], |rate| Scenario { rate, ..Scenario::default() });
    grow("horizon", &[300.0, 600.0, 1200.0, 2400.0], |horizon| Scenario { horizon, ..Scenario::default() });
    grow("slots", &[16.0, 64.0, 256.0, 1024.0], |slots| Scenario { max_batch: slots as u32, ..Scenario::default() });
    grow("output", &[50.0, 200.0, 800.0], |output| Scenario {
        output: output as u32,
        // The same load in slots: a longer answer comes as much more rarely.
        rate: 2.0,
        ..Scenario::default()
    });
}

criterion_group!(benches, one_run, levers, step_rule, replicas, sweep, growth);
criterion_main!(benches);
