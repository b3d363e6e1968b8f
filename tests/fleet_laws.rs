//! What holds for every scenario of the wider model. LAWS.md gives each law's statement and reason.

use std::collections::BTreeMap;
use std::iter;

use goodput_sim::{
    Autoscale, Cause, Engine, Incident, OutputLaw, Report, Routing, Run, ScalingMoment, Scenario, Seed, SimTime, Stop,
    Trace, TraceRequest, ValidScenario,
};
use goodput_tests::fleet_twin::{self, Drawn, FleetLife, Request};
use goodput_tests::twin;
use proptest::prelude::*;

/// Small scenarios of every temper, with each lever of the wider model off or on, all of them mixed.
fn any_scenario() -> impl Strategy<Value = ValidScenario> {
    (any_plain(), any_server(), any_fleet(), any_clients(), any_incident(), few_levers()).prop_map(
        |(plain, server, fleet, clients, incident, few)| {
            let (budget_beyond_batch, memory_in_requests) = server;
            let (replicas, routing, (prefill_replicas, transfer_ms_per_1k), scaling) = fleet;
            let (users, think, retry_after) = clients.0;
            let (max_queue, max_queue_low, high_share) = clients.1;
            let (autoscale, more_replicas, queue_target, busy_target, provision) = scaling;
            let splits_prefill = prefill_replicas > 0;
            let request = plain.prompt + plain.output;
            let mut scenario = Scenario {
                token_budget: budget_beyond_batch
                    .filter(|_| !splits_prefill)
                    .map_or(0, |beyond| plain.max_batch + beyond),
                kv_tokens: memory_in_requests.map_or(0, |requests| (f64::from(request) * requests) as u32 + 16),
                replicas,
                routing,
                prefill_replicas,
                transfer_ms_per_1k,
                autoscale: if splits_prefill { Autoscale::Off } else { autoscale },
                max_replicas: replicas + more_replicas,
                queue_target,
                busy_target,
                provision,
                max_queue,
                max_queue_low,
                high_share,
                users,
                think,
                retry_after: if users > 0 { 0.0 } else { retry_after },
                ..plain
            };
            if few {
                // Replicas that do not know of each other have an engine of their own.
                let Scenario { replicas, routing, max_queue, .. } = scenario;
                scenario = Scenario { replicas, routing, max_queue, ..without_fleet(&scenario) };
            } else if let Some((cause, from, strength)) = incident {
                let possible = match cause {
                    Cause::LostReplica => scenario.replicas > 1,
                    Cause::LessMemory => scenario.kv_tokens > 0,
                    Cause::LongPrompts | Cause::ColdCache | Cause::SlowGpu => true,
                };
                let strength = if cause == Cause::LessMemory { (strength - 0.1) / 4.0 } else { strength };
                scenario.incident = possible.then_some(Incident { cause, from: from * scenario.horizon, strength });
            }
            scenario.validate().expect("small scenarios are valid")
        },
    )
}

/// Whether nothing couples the replicas, and each is a plain server.
fn few_levers() -> impl Strategy<Value = bool> {
    prop_oneof![1 => Just(true), 5 => Just(false)]
}

/// One server without any lever of the wider model.
fn any_plain() -> impl Strategy<Value = Scenario> {
    // The long ones give autoscaling the time to let replicas go.
    let rate_and_horizon = prop_oneof![5 => (0.5..20.0_f64, 1.0..12.0_f64), 1 => (0.05..1.5_f64, 60.0..160.0_f64)];
    let load = (rate_and_horizon, 0.0..0.9_f64);
    let shape = (1..=20_u32, 1..=500_u32, prop_oneof![1 => Just(1), 6 => 2..=40_u32]);
    let costs = (prop_oneof![1 => Just(0.0), 4 => 0.0..500.0_f64], 0.5..30.0_f64, prop_oneof![Just(0.0), 0.0..3.0_f64]);
    let cv = || prop_oneof![1 => Just(0.0), 2 => 0.01..1.5_f64];
    let share = || prop_oneof![2 => Just(0.0), 1 => Just(1.0), 3 => 0.0..1.0_f64];
    let output_law = prop_oneof![2 => Just(OutputLaw::Lognormal), 1 => Just(OutputLaw::Geometric)];
    let draws = (prop_oneof![Just(1.0), Just(0.0), 0.1..3.0_f64], cv(), cv(), output_law, share(), share());
    (load, shape, costs, draws, any_seed()).prop_map(|(load, shape, costs, draws, seed)| Scenario {
        rate: load.0.0,
        seed,
        horizon: load.0.1,
        warmup: load.0.1 * load.1,
        max_batch: shape.0,
        prompt: shape.1,
        output: shape.2,
        prefill_ms_per_1k: costs.0,
        step_ms: costs.1,
        per_seq_ms: costs.2,
        slo_ttft_ms: 300.0,
        slo_tpot_ms: 30.0,
        arrival_cv: draws.0,
        prompt_cv: draws.1,
        output_cv: draws.2,
        output_law: draws.3,
        cached_share: draws.4,
        cached_prompt: draws.5,
        ..Scenario::default()
    })
}

/// Token budget beyond the batch [tokens] and memory [usual requests].
fn any_server() -> impl Strategy<Value = (Option<u32>, Option<f64>)> {
    let budget = prop_oneof![Just(None), prop_oneof![1..40_u32, 1..600_u32].prop_map(Some)];
    let memory = prop_oneof![1 => Just(None), 2 => prop_oneof![1.0..3.0_f64, 1.0..12.0_f64].prop_map(Some)];
    (budget, memory)
}

type Scaling = (Autoscale, u32, f64, f64, f64);

/// Replicas, routing, prefill servers with their transfer, autoscaling.
fn any_fleet() -> impl Strategy<Value = (u32, Routing, (u32, f64), Scaling)> {
    let replicas = prop_oneof![1 => Just(1), 2 => 1..=5_u32];
    let routing = prop_oneof![Just(Routing::RoundRobin), Just(Routing::Random), Just(Routing::LeastOutstanding)];
    let prefill = (prop_oneof![2 => Just(0), 1 => 1..=3_u32], prop_oneof![Just(0.0), 0.0..500.0_f64]);
    let autoscale = prop_oneof![Just(Autoscale::Off), Just(Autoscale::Queue), Just(Autoscale::Busy)];
    let provision = prop_oneof![1 => Just(0.0), 1 => Just(5.0), 2 => 0.0..10.0_f64];
    (replicas, routing, prefill, (autoscale, 0..=4_u32, 0.1..8.0_f64, 0.05..1.0_f64, provision))
}

type Patience = (u32, f64, f64);
type Door = (u32, u32, f64);

/// Users, their pause, their patience; the limits at the door and who is let past them.
fn any_clients() -> impl Strategy<Value = (Patience, Door)> {
    let users = prop_oneof![2 => Just(0), 1 => 1..12_u32];
    let think = prop_oneof![Just(0.0), 0.0..3.0_f64];
    let retry_after = prop_oneof![1 => Just(0.0), 1 => 0.02..3.0_f64];
    let limit = || prop_oneof![3 => Just(0), 1 => 1..12_u32];
    let high_share = prop_oneof![1 => Just(0.0), 1 => Just(1.0), 2 => 0.0..1.0_f64];
    ((users, think, retry_after), (limit(), limit(), high_share))
}

/// What goes wrong, when (as a share of the horizon), and how much.
fn any_incident() -> impl Strategy<Value = Option<(Cause, f64, f64)>> {
    let cause = prop_oneof![
        Just(Cause::LongPrompts),
        Just(Cause::ColdCache),
        Just(Cause::LostReplica),
        Just(Cause::LessMemory),
        Just(Cause::SlowGpu),
    ];
    let strength = prop_oneof![1 => Just(0.1), 1 => Just(1.0), 4 => 0.1..4.0_f64];
    let incident = (cause, prop_oneof![1 => Just(0.0), 4 => 0.0..1.0_f64], strength);
    prop_oneof![2 => Just(None), 3 => incident.prop_map(Some)]
}

fn any_seed() -> impl Strategy<Value = Seed> {
    prop_oneof![1 => Just(Seed::Lesson), 7 => any::<u64>().prop_map(Seed::Number)]
}

fn any_stop() -> impl Strategy<Value = Stop> {
    prop_oneof![Just(Stop::AtHorizon), Just(Stop::Drained)]
}

/// The same scenario with every lever of the wider model off.
fn without_fleet(scenario: &Scenario) -> Scenario {
    let lesson = Scenario::default();
    Scenario {
        rate: scenario.rate,
        seed: scenario.seed,
        horizon: scenario.horizon,
        warmup: scenario.warmup,
        max_batch: scenario.max_batch,
        prompt: scenario.prompt,
        output: scenario.output,
        prefill_ms_per_1k: scenario.prefill_ms_per_1k,
        step_ms: scenario.step_ms,
        per_seq_ms: scenario.per_seq_ms,
        slo_ttft_ms: scenario.slo_ttft_ms,
        slo_tpot_ms: scenario.slo_tpot_ms,
        arrival_cv: scenario.arrival_cv,
        prompt_cv: scenario.prompt_cv,
        output_cv: scenario.output_cv,
        output_law: scenario.output_law,
        cached_share: scenario.cached_share,
        cached_prompt: scenario.cached_prompt,
        max_queue: scenario.max_queue,
        ..lesson
    }
}

/// What is offered, as the engine draws it.
fn drawn(run: &Run<'_>) -> Vec<Drawn> {
    let high_share = run.scenario().high_share;
    // Without a fleet nobody reads the marks.
    let marks = run.marks().chain(iter::repeat((0.0, 0.0)));
    run.offered()
        .zip(marks)
        .map(|((at, lengths), (unit_route, priority))| Drawn { at, lengths, unit_route, high: priority < high_share })
        .collect()
}

fn offered(scenario: &Scenario) -> Vec<Drawn> {
    let scenario = scenario.clone().validate().expect("valid");
    drawn(&Engine::new().run(&scenario))
}

fn live(scenario: &Scenario, stop: Stop) -> FleetLife {
    fleet_twin::live(scenario, &offered(scenario), stop)
}

/// When the first replica is lost.
fn loss(scenario: &Scenario) -> Option<SimTime> {
    let incident = scenario.incident.filter(|incident| incident.cause == Cause::LostReplica)?;
    Some(SimTime::from_secs(incident.from))
}

/// Whether every prompt that is computed once remains in memory.
fn nothing_is_lost(scenario: &Scenario) -> bool {
    scenario.kv_tokens == 0 && loss(scenario).is_none()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    /// The engine, which skips equal steps, and the twin agree to the last bit.
    #[test]
    fn the_fleet_is_its_plain_twin(scenario in any_scenario(), stop in any_stop()) {
        let mut engine = Engine::new();
        let mut run = engine.run_until(&scenario, stop);
        let twin = fleet_twin::live(scenario.get(), &drawn(&run), stop);
        let Some(fleet) = run.fleet() else { return Ok(()) };

        prop_assert_eq!(fleet.lives.len(), twin.requests.len());
        for (life, request) in fleet.lives.iter().zip(&twin.requests) {
            let what_was_sent = (life.sent, life.intended, life.lengths, life.attempt, life.high, life.rejected);
            let same = (request.sent, request.intended, request.lengths, request.attempt, request.high, request.rejected);
            prop_assert_eq!(what_was_sent, same);
            let what_happened = (life.admitted, life.first_token, life.finish, life.preemptions);
            let first_token = request.tokens.first().copied();
            prop_assert_eq!(what_happened, (request.admitted, first_token, request.finish, request.preemptions));
            if life.first_token.is_some() {
                prop_assert_eq!(life.replica.map(|replica| replica as usize), request.replica);
            }
        }
        for (replica, (boundaries, time)) in fleet.replicas.iter().zip(twin.boundaries.iter().zip(&twin.replicas)) {
            prop_assert_eq!(replica.existed, time.existed);
            let mut boundaries = boundaries.iter();
            for stretch in &replica.stretches {
                for step in 0..u64::from(stretch.steps) {
                    let ends = stretch.steps_from + stretch.step * (step + 1);
                    let boundary = boundaries.next();
                    let twin = boundary.map(|twin| (twin.end, twin.running, twin.filling, twin.tokens));
                    let tokens = stretch.running + stretch.chunk;
                    prop_assert_eq!(twin, Some((ends, stretch.running as usize, stretch.filling as usize, tokens)));
                    if step == 0 {
                        let twin = boundary.map(|twin| (twin.at, twin.waiting, twin.used, twin.total));
                        let total = (stretch.total_blocks > 0 || scenario.get().kv_tokens > 0).then_some(i64::from(stretch.total_blocks));
                        let used = if total.is_some() { i64::from(stretch.used_blocks) } else { boundary.map_or(0, |twin| twin.used) };
                        prop_assert_eq!(twin, Some((stretch.start, stretch.waiting as usize, used, total)));
                    }
                    if step + 1 == u64::from(stretch.steps) && stretch.total_blocks > 0 {
                        prop_assert_eq!(boundary.map(|twin| twin.used), Some(i64::from(stretch.most_blocks)));
                    }
                }
            }
            prop_assert_eq!(boundaries.next(), None);
        }
        prop_assert_eq!(fleet.replicas.len(), twin.replicas.len());
        let ticks: Vec<_> = twin
            .ticks
            .iter()
            .map(|tick| ScalingMoment {
                at: tick.at,
                ready: tick.ready as u32,
                wanted: tick.wanted as u32,
                ordered: tick.ordered as u32,
                waiting: tick.waiting as u32,
                busy: tick.busy,
            })
            .collect();
        prop_assert_eq!(&fleet.scaling, &ticks);
        prop_assert_eq!(run.fleet_report(), Some(fleet_twin::fleet_report(scenario.get(), &twin)));
        let report = Report { littles_law: None, ..run.report() };
        prop_assert_eq!(report, twin::report(scenario.get(), &twin.as_one()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    /// Levers that cannot bite turn one server into a fleet, and change no figure.
    #[test]
    fn a_fleet_that_is_one_plain_server_reports_the_same(scenario in any_scenario(), stop in any_stop()) {
        let plain = without_fleet(scenario.get());
        let report = |scenario: &Scenario| {
            let scenario = scenario.clone().validate().expect("valid");
            let mut engine = Engine::new();
            let mut run = engine.run_until(&scenario, stop);
            (run.fleet().is_some(), run.report())
        };
        let (is_fleet, as_it_is) = report(&plain);
        prop_assert!(!is_fleet);
        for lever in [
            Scenario { kv_tokens: 1_000_000_000, ..plain.clone() },
            Scenario { users: 100_000, ..plain.clone() },
            Scenario { retry_after: plain.horizon, ..plain.clone() },
            Scenario { high_share: 1.0, ..plain.clone() },
            Scenario { autoscale: Autoscale::Busy, max_replicas: 1, ..plain.clone() },
        ] {
            prop_assert_eq!(report(&lever), (true, as_it_is.clone()));
        }
    }

    /// L = lambda W to 1e-9 over every span, for the whole fleet, drained or not.
    #[test]
    fn littles_law(scenario in any_scenario(), stop in any_stop()) {
        if let Some(law) = Engine::new().run_until(&scenario, stop).littles_law() {
            let product = law.arrival_rate_per_s * law.mean_time_in_system_s;
            prop_assert!((law.mean_in_system - product).abs() <= 1e-9 * product, "{law:?}");
        }
    }

    /// Waiting and running over time are those of the twin, counted one by one.
    #[test]
    fn the_timeline_is_the_twins(scenario in any_scenario()) {
        let mut engine = Engine::new();
        let run = engine.run(&scenario);
        let twin = fleet_twin::live(scenario.get(), &drawn(&run), Stop::AtHorizon);
        let by = |time: Option<SimTime>, at: SimTime| time.is_some_and(|time| time <= at);
        prop_assert!(run.timeline().is_sorted_by_key(|moment| moment.at));
        for moment in run.timeline().filter(|_| run.fleet().is_some()) {
            let there = |request: &&Request| {
                !request.rejected && request.sent <= moment.at && !by(request.finish, moment.at)
            };
            let (running, waiting): (Vec<&Request>, Vec<&Request>) =
                twin.requests.iter().filter(there).partition(|request| by(request.admitted, moment.at));
            let counted = (moment.waiting as usize, moment.running as usize);
            prop_assert_eq!(counted, (waiting.len(), running.len()));
        }
    }

    /// What a report says of one run is consistent with itself, and with what it says of parts of the run.
    #[test]
    fn reports_are_consistent(scenario in any_scenario()) {
        let mut engine = Engine::new();
        let mut run = engine.run(&scenario);
        let report = run.report();
        let Some(fleet) = run.fleet_report() else { return Ok(()) };
        let ttfts = [fleet.ttft_intended_s, fleet.ttft_high_s, fleet.ttft_low_s].into_iter().chain(fleet.ttft_of_replicas_s);
        let pooled = [report.ttft_s, report.tpot_s, report.itl_s, report.e2e_s];
        for d in pooled.into_iter().chain(ttfts).flatten() {
            prop_assert!(0.0 <= d.p50 && d.p50 <= d.p90 && d.p90 <= d.p99 && d.p99.is_finite(), "{d:?}");
            prop_assert!(d.mean.is_finite() && d.mean >= 0.0);
        }
        prop_assert_eq!(report.offered, report.completed + report.unfinished + report.rejected);
        prop_assert_eq!(report.ttft_s.is_some(), report.completed > 0);
        prop_assert!((0.0..=1.0).contains(&report.busy_fraction), "{}", report.busy_fraction);
        prop_assert!(report.goodput_requests_per_s <= report.throughput_requests_per_s);
        if let (Some(sent), Some(intended)) = (report.ttft_s, fleet.ttft_intended_s) {
            prop_assert!(intended.mean >= sent.mean && intended.p99 >= sent.p99, "waiting to send is waiting too");
        }
        if let (Some(all), Some(high), Some(low)) = (report.ttft_s, fleet.ttft_high_s, fleet.ttft_low_s) {
            prop_assert!(high.mean.min(low.mean) <= all.mean * (1.0 + 1e-12));
            prop_assert!(high.mean.max(low.mean) >= all.mean * (1.0 - 1e-12));
        }
    }

    /// What an engine ran before changes nothing.
    #[test]
    fn an_engine_forgets_the_run_before(first in any_scenario(), second in any_scenario(), stop in any_stop()) {
        let mut engine = Engine::new();
        let _ = engine.run_until(&first, stop).report();
        let mut fresh = Engine::new();
        let (mut again, mut alone) = (engine.run(&second), fresh.run(&second));
        prop_assert_eq!(again.report(), alone.report());
        prop_assert_eq!(again.fleet_report(), alone.fleet_report());
        prop_assert_eq!(again.fleet().map(|fleet| &fleet.scaling), alone.fleet().map(|fleet| &fleet.scaling));
    }

    /// With every lever off the wider twin is the plain one.
    #[test]
    fn with_every_lever_off_it_is_the_plain_server(scenario in any_scenario(), stop in any_stop()) {
        let scenario = without_fleet(scenario.get());
        let offered = offered(&scenario);
        let fleet = fleet_twin::live(&scenario, &offered, stop).as_one();
        let offered: Vec<_> = offered.iter().map(|drawn| (drawn.at, drawn.lengths)).collect();
        let plain = twin::live(&scenario, &offered, stop);
        prop_assert_eq!(&fleet, &plain);
        prop_assert_eq!(twin::report(&scenario, &fleet), twin::report(&scenario, &plain));
    }

    /// Every request is turned away, or finished with every token, or still under way; nothing is sent twice but by a retry.
    #[test]
    fn requests_are_conserved(scenario in any_scenario(), stop in any_stop()) {
        let scenario = scenario.get();
        let offered = offered(scenario);
        let life = fleet_twin::live(scenario, &offered, stop);
        prop_assert!(life.requests.is_sorted_by_key(|request| request.sent));
        let mut attempts: BTreeMap<usize, Vec<&Request>> = BTreeMap::new();
        for request in &life.requests {
            let output = request.lengths.output;
            let turned_away = request.rejected && request.tokens.is_empty() && request.finish.is_none();
            let finished = !request.rejected && request.finish.is_some() && request.tokens.len() == output as usize;
            let under_way = !request.rejected && request.finish.is_none() && request.tokens.len() <= output as usize;
            prop_assert!(turned_away || finished || (under_way && stop == Stop::AtHorizon), "{request:?}");
            prop_assert_eq!(request.high, offered[request.drawn].high);
            attempts.entry(request.drawn).or_default().push(request);
        }
        for sent in attempts.values() {
            prop_assert!(sent.len() == 1 || (scenario.retry_after > 0.0 && sent.len() <= 4));
            prop_assert!(sent.iter().enumerate().all(|(place, request)| request.attempt as usize == place));
        }
        if scenario.users == 0 {
            prop_assert_eq!(attempts.len(), offered.len());
        }
        let report = twin::report(scenario, &life.as_one());
        prop_assert_eq!(report.offered, report.completed + report.unfinished + report.rejected);
    }

    /// Wanted <= sent <= first token <= ... <= finish, and all of it on servers that were there.
    #[test]
    fn causes_come_before_effects(scenario in any_scenario(), stop in any_stop()) {
        let life = live(scenario.get(), stop);
        let horizon = SimTime::from_secs(scenario.get().horizon);
        for request in &life.requests {
            prop_assert!(request.intended <= request.sent && request.sent < horizon);
            prop_assert!(request.tokens.first().is_none_or(|&first| first >= request.sent), "{request:?}");
            prop_assert!(request.tokens.is_sorted());
            prop_assert!(request.finish.is_none_or(|finish| request.tokens.iter().all(|&token| token <= finish)));
        }
        for boundaries in &life.boundaries {
            prop_assert!(boundaries.windows(2).all(|pair| pair[0].end <= pair[1].at));
            prop_assert!(stop == Stop::Drained || boundaries.iter().all(|boundary| boundary.at < horizon));
        }
        for server in life.replicas.iter().chain(&life.prefill_servers) {
            prop_assert!(server.busy <= server.existed && server.existed <= horizon, "{server:?}");
        }
    }

    /// Slots, token budget and memory keep their limits at every boundary; one sequence alone may overdraw memory that shrank.
    #[test]
    fn every_step_keeps_its_limits(scenario in any_scenario()) {
        let scenario = scenario.get();
        let life = live(scenario, Stop::AtHorizon);
        for boundary in life.boundaries.iter().flatten() {
            let batch = boundary.filling + boundary.running;
            prop_assert!((1..=scenario.max_batch as usize).contains(&batch), "{boundary:?}");
            prop_assert!(boundary.filling == 0 || scenario.token_budget > 0);
            prop_assert!(scenario.token_budget == 0 || boundary.tokens <= scenario.token_budget, "{boundary:?}");
            if let Some(total) = boundary.total {
                prop_assert!(boundary.used > 0 && (boundary.used <= total || batch == 1), "{boundary:?}");
            }
            prop_assert!(boundary.preempted == 0 || (boundary.admitted == 0 && boundary.total.is_some()));
        }
        let preempted: usize = life.boundaries.iter().flatten().map(|boundary| boundary.preempted).sum();
        prop_assert_eq!(preempted, life.requests.iter().map(|request| request.preemptions as usize).sum::<usize>());
    }

    /// Nobody waits while there is a slot, tokens in the budget, and memory; no replica rests while somebody waits there.
    #[test]
    fn work_is_conserved(scenario in any_scenario()) {
        let scenario = scenario.get();
        let life = live(scenario, Stop::AtHorizon);
        for boundary in life.boundaries.iter().flatten() {
            let is_full = boundary.filling + boundary.running == scenario.max_batch as usize;
            let budget_is_spent = scenario.token_budget > 0 && boundary.tokens == scenario.token_budget;
            prop_assert!(boundary.waiting == 0 || is_full || budget_is_spent || boundary.total.is_some(), "{boundary:?}");
        }
        for (replica, boundaries) in life.boundaries.iter().enumerate() {
            for pair in boundaries.windows(2) {
                let left_something = pair[0].waiting > 0 || pair[0].filling > 0;
                let was_lost = replica == 0 && loss(scenario).is_some_and(|loss| loss <= pair[0].end);
                prop_assert!(!left_something || pair[0].end == pair[1].at || was_lost, "{pair:?}");
            }
        }
    }

    /// Whoever is admitted without the high priority leaves nobody behind who has it.
    #[test]
    fn the_high_priority_goes_first(scenario in any_scenario()) {
        let life = live(scenario.get(), Stop::AtHorizon);
        for boundary in life.boundaries.iter().flatten() {
            prop_assert!(boundary.admitted == boundary.admitted_high || boundary.waiting_high == 0, "{boundary:?}");
        }
    }

    /// Drained, every answer took as many decode steps as it has tokens, preempted or not; and where nothing is lost, every
    /// prompt was computed once.
    #[test]
    fn every_token_is_computed_once(scenario in any_scenario()) {
        let scenario = scenario.get();
        let life = live(scenario, Stop::Drained);
        let steps: usize = life.boundaries.iter().flatten().map(|boundary| boundary.running).sum();
        let served = || life.requests.iter().filter(|request| !request.rejected);
        let answers: usize = served().map(|request| request.lengths.output as usize).sum();
        prop_assert_eq!(steps, answers);
        if scenario.token_budget > 0 {
            let tokens: usize = life.boundaries.iter().flatten().map(|boundary| boundary.tokens as usize).sum();
            let prompts: u32 = served().map(|request| request.lengths.prompt - request.lengths.cached).sum();
            let once = answers + prompts as usize;
            prop_assert!(tokens == once || (tokens > once && !nothing_is_lost(scenario)), "{tokens}, {once}");
        }
    }

    /// Clients that wait for answers never have more under way than there are clients, and rest only when nothing is wanted.
    #[test]
    fn a_closed_loop_has_its_users(scenario in any_scenario(), stop in any_stop(), users in 1..12_u32) {
        let scenario = Scenario { users, retry_after: 0.0, ..scenario.get().clone() };
        let offered = offered(&scenario);
        let life = fleet_twin::live(&scenario, &offered, stop);
        let think = SimTime::from_secs(scenario.think);
        let end = |request: &Request| if request.rejected { Some(request.sent) } else { request.finish };
        for (number, request) in life.requests.iter().enumerate() {
            let earlier = || life.requests[..number].iter();
            let away = |other: &&Request| end(other).is_none_or(|end| end + think > request.sent);
            let under_way = earlier().filter(away).count();
            prop_assert!(under_way < users as usize, "{under_way} and {request:?}");
            let somebody_is_back = || earlier().any(|other| end(other).is_some_and(|end| end + think == request.sent));
            prop_assert!(request.sent == request.intended || somebody_is_back(), "{request:?}");
            prop_assert_eq!(request.drawn, number, "first in, first out");
            prop_assert_eq!(request.intended, offered[number].at);
        }
    }

    /// Who sends again had no first token for exactly so long, and who had none for so long sends again.
    #[test]
    fn retries_are_due(scenario in any_scenario(), retry_after in 0.02..3.0_f64) {
        let scenario = Scenario { users: 0, retry_after, ..scenario.get().clone() };
        let life = live(&scenario, Stop::AtHorizon);
        let (horizon, patience) = (SimTime::from_secs(scenario.horizon), SimTime::from_secs(retry_after));
        let mut sent: BTreeMap<(usize, u32), &Request> = BTreeMap::new();
        for request in &life.requests {
            sent.insert((request.drawn, request.attempt), request);
        }
        for (&(drawn, attempt), request) in &sent {
            let due = request.sent + patience;
            let is_late = request.tokens.first().is_none_or(|&first| first > due);
            let retry = sent.get(&(drawn, attempt + 1));
            prop_assert!(retry.is_none_or(|retry| retry.sent == due && retry.lengths.output == request.lengths.output));
            // A token of that very instant may come before the retry or after it.
            if request.tokens.first() != Some(&due) {
                prop_assert_eq!(retry.is_some(), is_late && attempt < 3 && due < horizon, "{:?}", request);
            }
        }
    }

    /// In turn: no two replicas were given numbers of requests that differ by more than one.
    #[test]
    fn round_robin_spreads_evenly(scenario in any_scenario(), replicas in 2..=5_u32) {
        let scenario = Scenario {
            replicas,
            routing: Routing::RoundRobin,
            autoscale: Autoscale::Off,
            kv_tokens: 0,
            max_queue: 0,
            max_queue_low: 0,
            incident: None,
            ..scenario.get().clone()
        };
        let life = live(&scenario, Stop::Drained);
        let given = |replica| life.requests.iter().filter(|request| request.replica == Some(replica)).count();
        let given: Vec<usize> = (0..replicas as usize).map(given).collect();
        prop_assert_eq!(given.iter().sum::<usize>(), life.requests.len());
        prop_assert!(given.iter().max() <= given.iter().min().map(|fewest| fewest + 1).as_ref(), "{given:?}");
    }

    /// There are never more replicas than allowed nor fewer than there must be, and none of them works before it is ready.
    #[test]
    fn autoscaling_keeps_its_bounds(
        scenario in any_scenario(),
        autoscale in prop_oneof![Just(Autoscale::Queue), Just(Autoscale::Busy)],
        (rate, horizon) in (0.05..1.5_f64, 160.0..200.0_f64),
    ) {
        let scenario = Scenario { rate, horizon, autoscale, prefill_replicas: 0, ..scenario.get().clone() };
        let life = live(&scenario, Stop::AtHorizon);
        let fewest = scenario.replicas as usize - usize::from(loss(&scenario).is_some());
        for (place, tick) in life.ticks.iter().enumerate() {
            prop_assert_eq!(tick.at, SimTime::from_secs(5.0 * (place + 1) as f64));
            prop_assert!(tick.ready >= fewest && tick.ready + tick.ordered <= scenario.max_replicas as usize);
            prop_assert!((0.0..=1.0 + 1e-9).contains(&tick.busy), "{tick:?}");
        }
        prop_assert_eq!(life.ticks.len(), (scenario.horizon / 5.0).ceil() as usize - 1);
    }

    /// A lever that cannot bite changes nothing.
    #[test]
    fn levers_that_cannot_bite_change_nothing(scenario in any_scenario(), stop in any_stop()) {
        let base = scenario.get();
        let offered = offered(base);
        let incident = |cause| Some(Incident { cause, from: 0.3 * base.horizon, strength: 1.0 });
        let calm = Scenario { incident: None, ..base.clone() };
        let limited = Scenario { kv_tokens: base.kv_tokens.max(100_000), ..calm.clone() };
        let open = Scenario { users: 0, retry_after: 0.0, ..calm.clone() };
        let fixed = Scenario { autoscale: Autoscale::Off, prefill_replicas: 0, ..calm.clone() };
        let lone = Scenario { replicas: 1, ..fixed.clone() };
        let same = [
            ("prompts as long", &calm, Scenario { incident: incident(Cause::LongPrompts), ..calm.clone() }),
            ("GPUs as slow", &calm, Scenario { incident: incident(Cause::SlowGpu), ..calm.clone() }),
            ("memory as large", &limited, Scenario { incident: incident(Cause::LessMemory), ..limited.clone() }),
            ("memory enough", &Scenario { kv_tokens: 0, ..calm.clone() }, Scenario { kv_tokens: 1_000_000_000, ..calm.clone() }),
            ("a client for each", &open, Scenario { users: 1 + offered.len() as u32, ..open.clone() }),
            ("endless patience", &open, Scenario { retry_after: base.horizon, ..open.clone() }),
            ("nowhere else to go", &lone, Scenario { routing: Routing::LeastOutstanding, ..lone.clone() }),
            ("nothing to scale", &fixed, Scenario { autoscale: Autoscale::Queue, max_replicas: fixed.replicas, ..fixed.clone() }),
        ];
        for (why, one, other) in same {
            let [one, other] = [one, &other].map(|scenario| times(&fleet_twin::live(scenario, &offered, stop)));
            prop_assert_eq!(one, other, "{}", why);
        }
        let no_limit_for_the_low = Scenario { max_queue_low: 0, ..base.clone() };
        let all = |high| offered.iter().map(|drawn| Drawn { high, ..*drawn }).collect::<Vec<_>>();
        let [low, high] = [false, true].map(|high| times(&fleet_twin::live(&no_limit_for_the_low, &all(high), stop)));
        prop_assert_eq!(low, high, "all equal");
    }
}

/// When each request was sent, its tokens, when it left.
fn times(life: &FleetLife) -> Vec<(SimTime, Vec<SimTime>, Option<SimTime>)> {
    life.requests.iter().map(|request| (request.sent, request.tokens.clone(), request.finish)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// Given back the requests that were drawn, a fleet does the same with them.
    #[test]
    fn a_replay_of_what_was_drawn_is_the_fleets_run(scenario in any_scenario()) {
        let scenario = Scenario { cached_share: 0.0, ..scenario.get().clone() }.validate().expect("valid");
        let mut engine = Engine::new();
        let run = engine.run(&scenario);
        let given = drawn(&run).into_iter().map(|Drawn { at, lengths, .. }| {
            TraceRequest::new(at, lengths.prompt, lengths.output).expect("lengths are in range")
        });
        // There is no rate in fewer than two requests.
        let Ok(trace) = Trace::new(given.collect()) else { return Ok(()) };
        let lives = run.fleet().map(|fleet| fleet.lives.clone());

        let replay = engine.replay(&scenario, &trace);
        prop_assert_eq!(replay.fleet().map(|fleet| fleet.lives.clone()), lives);
    }
}
