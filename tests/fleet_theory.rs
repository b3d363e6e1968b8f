//! The wider model against closed forms of queueing theory.

use goodput_sim::{Autoscale, Engine, OutputLaw, Report, Routing, Scenario, Seed, theory};

fn simulate(scenario: Scenario) -> Report {
    let scenario = scenario.validate().expect("valid");
    Engine::new().run(&scenario).report()
}

/// Whether two numbers differ by at most this share of the second.
#[track_caller]
fn assert_near(what: &str, simulated: f64, expected: f64, share: f64) {
    assert!((simulated / expected - 1.0).abs() <= share, "{what}: simulated {simulated} against {expected}");
}

/// Mean wait of M/M/c [s], by Erlang's C formula: `C / (c / S - rate)`.
fn mean_wait_mmc_s(rate_per_s: f64, service_s: f64, servers: u32) -> f64 {
    let (load, servers) = (rate_per_s * service_s, f64::from(servers));
    // Erlang's B, one server after the other; C from it.
    let mut blocked = 1.0;
    let mut count = 0.0;
    while count < servers {
        count += 1.0;
        blocked = load * blocked / (count + load * blocked);
    }
    let waits = blocked / (1.0 - load / servers * (1.0 - blocked));
    waits / (servers / service_s - rate_per_s)
}

/// Mean wait of M/D/c [s], exactly: after one service time all that were in service are gone and those are there who came
/// meanwhile, so `N(t + S) = max(N(t) - c, 0) + Poisson`. Its fixed point is found by turning the crank.
fn mean_wait_mdc_s(rate_per_s: f64, service_s: f64, servers: usize) -> f64 {
    const MOST: usize = 300;
    let load = rate_per_s * service_s;
    let mut come = vec![1.0];
    for count in 1..MOST {
        come.push(come[count - 1] * load / count as f64);
    }
    let sum: f64 = come.iter().sum();
    let mut there = vec![0.0; MOST];
    there[0] = 1.0;
    for _ in 0..2000 {
        let mut next = vec![0.0; MOST];
        for (before, chance) in there.iter().enumerate().filter(|&(_, &chance)| chance > 1e-15) {
            let stay = before.saturating_sub(servers);
            for (next, come) in next[stay..].iter_mut().zip(&come) {
                *next += chance * come / sum;
            }
        }
        there = next;
    }
    let in_system: f64 = there.iter().enumerate().map(|(count, chance)| count as f64 * chance).sum();
    (in_system - load) / rate_per_s
}

/// The references themselves, where they are known: one server, and a line of Erlang's table.
#[test]
fn the_references_are_what_they_say() {
    for rate in [0.1, 0.3, 0.4] {
        let md1 = theory::mean_wait_md1_s(rate, 2.0).expect("below capacity");
        assert_near("M/D/1", mean_wait_mdc_s(rate, 2.0, 1), md1, 1e-6);
        let mm1 = theory::mean_wait_mm1_s(rate, 2.0).expect("below capacity");
        assert_near("M/M/1", mean_wait_mmc_s(rate, 2.0, 1), mm1, 1e-12);
    }
    // M/M/2 at a load of 0.75 per server: C = 9/14, so the wait is 9/7 of a service time.
    assert_near("M/M/2", mean_wait_mmc_s(1.5, 1.0, 2), 9.0 / 7.0, 1e-12);
}

/// One slot and answers that end after each token with the same chance: Pollaczek and Khinchine with c_s^2 = 1 - 1/n, and
/// without a prefill twice the wait of equal answers.
#[test]
fn one_slot_and_geometric_answers_are_m_m_1() {
    let base = Scenario {
        max_batch: 1,
        output_law: OutputLaw::Geometric,
        horizon: 2e6,
        warmup: 1e4,
        seed: Seed::Number(1),
        ..Scenario::default()
    };
    for (rate, prefill_ms_per_1k) in [(0.2, 60.0), (0.3, 0.0), (0.35, 0.0)] {
        let scenario = Scenario { rate, prefill_ms_per_1k, ..base.clone() };
        let (service_s, cs2) = (theory::lone_service_s(&scenario), theory::lone_service_cv2(&scenario));
        let wait_s = theory::mean_wait_s(rate, service_s, 1.0, cs2).expect("below capacity");
        let ttft_s = simulate(scenario).ttft_s.expect("completed").mean;
        assert_near("mean TTFT", ttft_s, wait_s + prefill_ms_per_1k / 1000.0, 0.03);
        if prefill_ms_per_1k == 0.0 {
            let md1 = theory::mean_wait_md1_s(rate, service_s).expect("below capacity");
            assert_near("mean wait", ttft_s, 2.0 * md1, 0.03);
        }
    }
}

/// A batch whose steps do not slow with its size, and no prefill: each slot is a server, so it is M/M/c. The half step until
/// the next boundary is all that is left between the two.
#[test]
fn slots_without_interference_are_erlang_c() {
    for (slots, load) in [(2, 0.6), (4, 0.7), (16, 0.75)] {
        let service_s = 2000.0 * 0.001;
        let rate = load * f64::from(slots) / service_s;
        let expected = mean_wait_mmc_s(rate, service_s, slots) + 0.000_5;
        let report = simulate(Scenario {
            rate,
            max_batch: slots,
            output: 2000,
            step_ms: 1.0,
            output_law: OutputLaw::Geometric,
            prefill_ms_per_1k: 0.0,
            per_seq_ms: 0.0,
            horizon: 9e5 / rate,
            warmup: 1e4,
            seed: Seed::Number(1),
            ..Scenario::default()
        });
        assert_near("mean TTFT", report.ttft_s.expect("completed").mean, expected, 0.04);
    }
}

/// One line before prefill servers and equal prompts: M/D/c, exactly computed.
#[test]
fn prefill_servers_are_m_d_c() {
    for (servers, load) in [(1, 0.8), (2, 0.7), (2, 0.9), (4, 0.85)] {
        let prefill_s = 0.060;
        let rate = load * f64::from(servers) / prefill_s;
        let report = simulate(Scenario {
            rate,
            prefill_replicas: servers,
            output: 1,
            horizon: 10_000.0,
            warmup: 100.0,
            seed: Seed::Number(1),
            ..Scenario::default()
        });
        let expected = mean_wait_mdc_s(rate, prefill_s, servers as usize) + prefill_s;
        assert_near("mean TTFT", report.ttft_s.expect("completed").mean, expected, 0.02);
    }
}

/// Random routing splits a Poisson stream into Poisson streams: each of the replicas is a server of its own at its share of
/// the rate.
#[test]
fn random_routing_makes_servers_of_their_own() {
    let alone = Scenario { rate: 4.5, horizon: 60_000.0, warmup: 600.0, seed: Seed::Number(1), ..Scenario::default() };
    let together = Scenario { rate: 4.0 * alone.rate, replicas: 4, routing: Routing::Random, ..alone.clone() };
    let (alone, together) = (simulate(alone), simulate(Scenario { horizon: 15_000.0, ..together }));
    let distributions =
        [(alone.ttft_s, together.ttft_s), (alone.tpot_s, together.tpot_s), (alone.e2e_s, together.e2e_s)];
    for (one, other) in distributions {
        let (one, other) = (one.expect("completed"), other.expect("completed"));
        assert_near("p50", other.p50, one.p50, 0.02);
        assert_near("p90", other.p90, one.p90, 0.02);
        assert_near("mean", other.mean, one.mean, 0.05);
    }
    assert_near("busy", together.busy_fraction, alone.busy_fraction, 0.01);
}

/// Least-outstanding routing over servers of one slot with nearly exponential service waits longer than one line before
/// all of them would (Erlang's C), and shorter than random routing (M/M/1).
#[test]
fn least_outstanding_lies_between_one_line_and_no_choice() {
    let replicas = 4;
    let (service_s, load) = (200.0 * 0.010, 0.8);
    let rate = load * f64::from(replicas) / service_s;
    let base = Scenario {
        rate,
        replicas,
        max_batch: 1,
        output_law: OutputLaw::Geometric,
        prefill_ms_per_1k: 0.0,
        per_seq_ms: 0.0,
        horizon: 1e5,
        warmup: 1e3,
        seed: Seed::Number(1),
        ..Scenario::default()
    };
    let wait_s = |routing| simulate(Scenario { routing, ..base.clone() }).ttft_s.expect("completed").mean;
    let one_line = mean_wait_mmc_s(rate, service_s, replicas);
    let no_choice = theory::mean_wait_mm1_s(load / service_s, service_s).expect("below capacity");
    let shortest = wait_s(Routing::LeastOutstanding);
    assert!(shortest > one_line && shortest < 2.0 * one_line, "{one_line} {shortest}");
    let in_turn = wait_s(Routing::RoundRobin);
    assert!(shortest < in_turn && in_turn < no_choice, "{shortest} {in_turn} {no_choice}");
    assert_near("random", wait_s(Routing::Random), no_choice, 0.06);
}

/// Two priorities before one slot: Cobham's formula, `W0 / (1 - rho_high)` and `W0 / ((1 - rho_high) (1 - rho))` with the
/// mean rest W0 of the service under way.
#[test]
fn priorities_wait_as_cobham_says() {
    for (rate, high_share) in [(0.3, 0.5), (0.4, 0.3), (0.42, 0.8)] {
        let scenario = Scenario {
            rate,
            high_share,
            max_batch: 1,
            horizon: 2e6,
            warmup: 1e4,
            seed: Seed::Number(1),
            ..Scenario::default()
        };
        let service_s = theory::lone_service_s(&scenario);
        let (rho, rho_high) = (rate * service_s, high_share * rate * service_s);
        let rest_s = rate * service_s * service_s / 2.0;
        let scenario = scenario.validate().expect("valid");
        let report = Engine::new().run(&scenario).fleet_report().expect("priorities need a fleet");
        let high_s = report.ttft_high_s.expect("completed").mean - 0.060;
        let low_s = report.ttft_low_s.expect("completed").mean - 0.060;
        assert_near("high", high_s, rest_s / (1.0 - rho_high), 0.02);
        assert_near("low", low_s, rest_s / ((1.0 - rho_high) * (1.0 - rho)), 0.04);
    }
}

/// Answers that a server gives [1/s]. Unlike those of the load test, they count all that it does in the window.
fn answers_per_s(report: &Report, output: u32) -> f64 {
    report.server_output_tokens_per_s / f64::from(output)
}

/// Clients of the lesson's server that always want more than they can send.
fn flooding_clients() -> Scenario {
    Scenario { rate: 100.0, horizon: 4000.0, warmup: 400.0, seed: Seed::Number(1), ..Scenario::default() }
}

/// A saturated closed loop: the interactive response time law `X (Z + R) = N`, whatever the number of clients.
#[test]
fn clients_are_waiting_or_thinking() {
    for (users, think) in [(1, 0.0), (20, 3.0), (80, 0.0), (200, 10.0)] {
        let report = simulate(Scenario { users, think, ..flooding_clients() });
        let stay_s = report.e2e_s.expect("completed").mean;
        assert_near("X (Z + R)", answers_per_s(&report, 200) * (think + stay_s), f64::from(users), 0.005);
    }
}

/// One client alone takes its service time and its pause; many bring the server to its capacity and no further.
#[test]
fn few_clients_see_an_empty_server_and_many_its_capacity() {
    let base = flooding_clients();
    let one = simulate(Scenario { users: 1, think: 1.0, ..base.clone() });
    let alone = 1.0 / (1.0 + theory::lone_service_s(&base));
    assert_near("one client", answers_per_s(&one, 200), alone, 0.001);
    let many = simulate(Scenario { users: 300, ..base.clone() });
    assert_near("300 clients", answers_per_s(&many, 200), theory::capacity(&base), 0.002);
}

/// Flooded fleets put out what the closed form says: replicas multiply it, prefill servers take the prefill off, and the
/// slower of the two kinds sets the pace.
#[test]
fn flooded_fleets_serve_their_capacity() {
    let base = Scenario { horizon: 3000.0, warmup: 600.0, seed: Seed::Number(1), ..Scenario::default() };
    for (replicas, prefill_replicas, autoscale) in
        [(3, 0, Autoscale::Off), (3, 1, Autoscale::Off), (1, 2, Autoscale::Off), (1, 0, Autoscale::Queue)]
    {
        let scenario = Scenario { replicas, prefill_replicas, autoscale, max_replicas: 4, ..base.clone() };
        let expected = theory::capacity(&scenario);
        // Not far beyond it: first tokens of prefill servers count too, also of those who wait for a replica.
        let report = simulate(Scenario { rate: 1.2 * expected, ..scenario });
        assert_near("answers", answers_per_s(&report, 200), expected, 0.01);
    }
}

/// The mean field of a fleet is that of each of its servers: below the simulated TPOT, and not by much.
#[test]
fn mean_field_of_a_fleet_lies_just_below_its_tpot() {
    let long = Scenario { horizon: 20_000.0, seed: Seed::Number(1), ..Scenario::default() };
    let fleets = [
        Scenario { replicas: 2, rate: 8.0, ..long.clone() },
        Scenario { replicas: 8, rate: 30.0, routing: Routing::Random, ..long.clone() },
        Scenario { replicas: 4, rate: 16.0, routing: Routing::LeastOutstanding, ..long.clone() },
        Scenario { token_budget: 512, rate: 4.0, ..long.clone() },
        Scenario { cached_share: 0.7, cached_prompt: 0.8, rate: 5.0, ..long.clone() },
        Scenario { kv_tokens: 60_000, rate: 3.0, ..long.clone() },
        Scenario { prefill_replicas: 1, replicas: 1, rate: 5.0, ..long.clone() },
        Scenario { prefill_replicas: 2, replicas: 3, rate: 15.0, transfer_ms_per_1k: 50.0, ..long.clone() },
    ];
    for scenario in fleets {
        let expected = theory::mean_field(&scenario).expect("below every limit").tpot_s;
        let tpot = simulate(scenario.clone()).tpot_s.expect("completed").mean;
        let below = 1.0 - expected / tpot;
        assert!((0.0..0.09).contains(&below), "mean field {expected} s, simulated {tpot} s: {scenario:?}");
    }
}
