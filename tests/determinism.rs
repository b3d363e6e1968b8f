//! Same scenario and seed, same bits: natively and on wasm32, which runs this file too.

use goodput_sim::{Engine, Scenario, Seed, ValidScenario};
use goodput_tests::digest::digest;

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
