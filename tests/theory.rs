//! The simulation against closed forms, and a law that needs a drained run.

use goodput_sim::{Engine, Scenario, Seed, Stop, theory};

/// One slot turns the server into a single-server queue: M/D/1, by Pollaczek and Khinchine.
#[test]
fn one_slot_is_m_d_1() {
    let mut engine = Engine::new();
    for rate in [0.2, 0.3, 0.4] {
        let scenario =
            Scenario { rate, max_batch: 1, horizon: 1e6, warmup: 1e4, seed: Seed::Number(1), ..Scenario::default() };
        let service_s = theory::lone_service_s(&scenario);
        assert!((service_s - 2.14).abs() < 1e-9);
        let expected = theory::mean_wait_md1_s(rate, service_s).expect("below capacity") + 0.060;
        let scenario = scenario.validate().expect("valid");
        let ttft = engine.run(&scenario).report().ttft_s.expect("completed").mean;
        assert!((ttft / expected - 1.0).abs() < 0.02, "mean TTFT at {rate}: {ttft} s against {expected} s");
    }
}

/// One slot and evenly spaced arrivals: nobody waits below capacity, and above it each waits longer by the same time.
#[test]
fn evenly_spaced_arrivals_are_d_d_1() {
    let mut engine = Engine::new();
    let at_rate = |rate| Scenario { rate, arrival_cv: 0.0, max_batch: 1, ..Scenario::default() };
    let calm = at_rate(0.4).validate().expect("valid");
    let ttft = engine.run(&calm).report().ttft_s.expect("completed");
    assert_eq!([ttft.mean, ttft.p99], [0.060; 2]);
    let flooded = at_rate(0.5).validate().expect("valid");
    let run = engine.run(&flooded);
    let records = run.records();
    assert!(records.first_tokens.len() > 200);
    for (place, (&first_token, &arrival)) in records.first_tokens.iter().zip(&records.arrivals).enumerate() {
        // Every 2 s comes work for 2.14 s.
        assert_eq!((first_token - arrival).as_nanos(), 60_000_000 + 140_000_000 * place as u64);
    }
}

/// Mean TTFT of a long run with one slot [s], and what the formula for any gaps and any service times says.
fn one_slot(engine: &mut Engine, scenario: &Scenario) -> (f64, f64) {
    let scenario = Scenario { max_batch: 1, horizon: 2e6, warmup: 1e4, seed: Seed::Number(1), ..scenario.clone() };
    let (service_s, cs2) = (theory::lone_service_s(&scenario), theory::lone_service_cv2(&scenario));
    let ca2 = scenario.arrival_cv * scenario.arrival_cv;
    let wait_s = theory::mean_wait_s(scenario.rate, service_s, ca2, cs2).expect("below capacity");
    let prefill_s = 0.060 * (1.0 - scenario.cached_share * scenario.cached_prompt);
    let scenario = scenario.validate().expect("valid");
    (engine.run(&scenario).report().ttft_s.expect("completed").mean, wait_s + prefill_s)
}

/// Answers of varied length make one slot M/G/1, by Pollaczek and Khinchine; a cache takes off what it saves.
#[test]
fn varied_answers_are_m_g_1() {
    let mut engine = Engine::new();
    for (rate, output_cv, cached_share) in [(0.2, 0.5, 0.0), (0.3, 1.0, 0.0), (0.35, 0.5, 0.7)] {
        let scenario = Scenario { rate, output_cv, cached_share, ..Scenario::default() };
        let (ttft, expected) = one_slot(&mut engine, &scenario);
        assert!((ttft / expected - 1.0).abs() < 0.03, "at {rate}, {output_cv}: {ttft} s against {expected} s");
    }
}

/// Gaps that are not Poisson's against Kingman, who is near the truth where the load is high.
#[test]
fn bursty_and_smooth_arrivals_wait_as_kingman_says() {
    let mut engine = Engine::new();
    for (arrival_cv, output_cv) in [(0.5, 0.5), (2.0, 0.0), (2.0, 1.0)] {
        let scenario = Scenario { rate: 0.42, arrival_cv, output_cv, ..Scenario::default() };
        let (ttft, expected) = one_slot(&mut engine, &scenario);
        assert!((ttft / expected - 1.0).abs() < 0.08, "{arrival_cv}, {output_cv}: {ttft} s against {expected} s");
    }
}

/// The mean field reads 4 to 8 per cent below the simulated TPOT where the batch fluctuates: Jensen's inequality.
#[test]
fn mean_field_lies_just_below_the_simulated_tpot() {
    let mut engine = Engine::new();
    for rate in [3.0, 4.0, 4.5] {
        let scenario = Scenario { rate, horizon: 60_000.0, seed: Seed::Number(1), ..Scenario::default() };
        let expected = theory::mean_field(&scenario).expect("below the slot limit").tpot_s;
        let scenario = scenario.validate().expect("valid");
        let tpot = engine.run(&scenario).report().tpot_s.expect("completed").mean;
        let below = 1.0 - expected / tpot;
        assert!((0.0..0.09).contains(&below), "at {rate}: mean field {expected} s, simulated {tpot} s");
    }
}

/// Far past capacity the batch is always full and the server's output rate is the closed form's.
#[test]
fn the_slots_capacity_is_what_a_flooded_server_serves() {
    let scenario = Scenario { rate: 12.0, horizon: 20_000.0, ..Scenario::default() };
    let expected = theory::capacity(&scenario) * 200.0;
    let report = goodput_sim::run(&scenario.validate().expect("valid"));
    assert!((report.server_output_tokens_per_s / expected - 1.0).abs() < 0.002, "{report:?} against {expected}");
}

/// L = lambda W to 1e-9 on a drained run, far below, at and past capacity.
#[test]
fn littles_law_on_a_drained_run() {
    let mut engine = Engine::new();
    for rate in [0.5, 4.0, 5.0, 6.0, 8.0] {
        let scenario = Scenario { rate, ..Scenario::default() }.validate().expect("valid");
        let run = engine.run_until(&scenario, Stop::Drained);
        let finishes = run.records().departures.times();
        assert_eq!(finishes.len(), run.records().arrivals.len(), "drained");
        let mean_stay_s = {
            let stays = finishes.iter().zip(&run.records().arrivals);
            stays.map(|(&finish, &arrival)| (finish - arrival).as_secs()).sum::<f64>()
                / run.records().arrivals.len() as f64
        };
        let law = run.littles_law().expect("arrivals");
        assert!((law.mean_time_in_system_s / mean_stay_s - 1.0).abs() < 1e-12, "W is the mean end-to-end latency");
        let product = law.arrival_rate_per_s * law.mean_time_in_system_s;
        assert!((law.mean_in_system / product - 1.0).abs() < 1e-9, "{law:?} at {rate}");
    }
}
