//! Same scenario and seed, same bits: natively and on wasm32, which runs this file too.

use goodput_sim::{Autoscale, Cause, Engine, Incident, OutputLaw, Routing, Scenario, Seed, ValidScenario};
use goodput_tests::digest::{digest, fleet_digest};

/// If this fails after a deliberate change of the model, put in the new digests, raise [`goodput_sim::ENGINE_VERSION`] and say so
/// in CHANGELOG.md.
const DIGESTS: [(f64, Seed, u64); 6] = [
    (0.5, Seed::Lesson, 0x24d5_cab9_cf71_4286),
    (4.0, Seed::Lesson, 0xb2ce_20b3_7f5e_7e79),
    (5.0, Seed::Lesson, 0x87f1_7b7c_f20c_00e5),
    (6.0, Seed::Lesson, 0xa1fe_0357_e193_3201),
    (5.0, Seed::Number(7), 0x8d34_7d0b_6524_89e6),
    (8.0, Seed::Number(u64::MAX), 0x11af_4628_02f8_265c),
];

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn reports_are_the_same_everywhere() {
    let mut engine = Engine::new();
    let digests = DIGESTS.map(|(rate, seed, _)| {
        let scenario = Scenario { rate, seed, ..Scenario::default() }.validate().expect("valid");
        (rate, seed, digest(&engine.run(&scenario).report()))
    });
    assert_eq!(digests, DIGESTS);
}

/// Bursty arrivals with a spike, varied lengths, a prefix cache and a longest queue, all at once.
const DIGESTS_OF_LEVERS: [(f64, Seed, u64); 3] = [
    (0.3, Seed::Lesson, 0x31f5_59c7_6276_52e6),
    (2.0, Seed::Lesson, 0x9a9f_d4d6_5ef5_a31a),
    (20.0, Seed::Number(7), 0x36a4_4d40_5e6f_6e09),
];

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn so_are_reports_with_every_lever() {
    let mut engine = Engine::new();
    let digests = DIGESTS_OF_LEVERS.map(|(arrival_cv, seed, _)| {
        let scenario = Scenario {
            seed,
            arrival_cv,
            spike_factor: 2.0,
            prompt_cv: 1.0,
            output_cv: 0.8,
            cached_share: 0.5,
            max_queue: 40,
            ..Scenario::default()
        };
        (arrival_cv, seed, digest(&engine.run(&scenario.validate().expect("valid")).report()))
    });
    assert_eq!(digests, DIGESTS_OF_LEVERS);
}

/// Fleets in which each lever of the wider model is on somewhere.
fn fleets() -> [Scenario; 5] {
    let lesson = Scenario::default();
    let wrong = |cause, strength| Some(Incident { cause, from: 200.0, strength });
    [
        Scenario {
            rate: 4.5,
            token_budget: 256,
            kv_tokens: 48_000,
            output_law: OutputLaw::Geometric,
            prompt_cv: 1.0,
            incident: wrong(Cause::LessMemory, 0.8),
            ..lesson.clone()
        },
        Scenario {
            rate: 15.0,
            replicas: 3,
            routing: Routing::LeastOutstanding,
            high_share: 0.2,
            max_queue_low: 20,
            retry_after: 5.0,
            incident: wrong(Cause::LostReplica, 0.0),
            ..lesson.clone()
        },
        Scenario {
            rate: 12.0,
            prefill_replicas: 1,
            replicas: 2,
            cached_share: 0.5,
            routing: Routing::Random,
            kv_tokens: 60_000,
            incident: wrong(Cause::ColdCache, 0.0),
            ..lesson.clone()
        },
        Scenario {
            rate: 8.0,
            autoscale: Autoscale::Queue,
            max_replicas: 4,
            provision: 30.0,
            incident: wrong(Cause::LongPrompts, 2.0),
            ..lesson.clone()
        },
        Scenario {
            rate: 10.0,
            autoscale: Autoscale::Busy,
            users: 120,
            think: 2.0,
            seed: Seed::Number(7),
            incident: wrong(Cause::SlowGpu, 1.5),
            ..lesson
        },
    ]
}

/// In the order of [`fleets`].
const DIGESTS_OF_FLEETS: [u64; 5] =
    [0x93c4_28cd_f181_6528, 0x1e56_cb12_18e5_3ca6, 0x14d0_3819_ca50_c659, 0xfe21_0024_77b1_9ff1, 0xa47d_b985_2d1d_b6d8];

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn so_are_reports_of_fleets() {
    let mut engine = Engine::new();
    let digests = fleets().map(|scenario| {
        let scenario = scenario.validate().expect("valid");
        let mut run = engine.run(&scenario);
        let report = run.report();
        fleet_digest(&report, &run.fleet_report().expect("a fleet"))
    });
    assert_eq!(digests, DIGESTS_OF_FLEETS);
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn what_an_engine_ran_before_changes_nothing() {
    let mut engine = Engine::new();
    let first = engine.run(&ValidScenario::default()).report();
    engine.run(&ValidScenario::default().with_seed(Seed::Number(9))).report();
    engine.run(&ValidScenario::default().at_rate(8.0).expect("valid")).report();
    assert_eq!(engine.run(&ValidScenario::default()).report(), first);
    assert_eq!(goodput_sim::run(&ValidScenario::default()), first);
}
