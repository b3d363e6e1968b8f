//! What holds for every scenario. LAWS.md gives each law's statement and reason.

use std::collections::BTreeSet;

use goodput_sim::{
    Engine, Fate, Lengths, Report, Run, Scenario, Seed, SimTime, Stage, Stop, Trace, TraceRequest, ValidScenario,
    theory,
};
use goodput_tests::twin;
use proptest::prelude::*;

/// Small scenarios of every temper: idle, near capacity, flooded; tiny batches, long prefills, one-token answers; each
/// lever on or off.
fn any_scenario() -> impl Strategy<Value = ValidScenario> {
    let load = (0.05..30.0_f64, 1.0..40.0_f64, 0.0..0.99_f64);
    let shape = (1..=70_u32, 1..=3000_u32, prop_oneof![Just(1), 2..=260_u32]);
    let costs = (prop_oneof![Just(0.0), 0.0..200.0_f64], 0.001..40.0_f64, prop_oneof![Just(0.0), 0.0..2.0_f64]);
    let slo = (1.0..3000.0_f64, 1.0..120.0_f64);
    let spike = (prop_oneof![2 => Just(1.0), 1 => Just(0.0), 3 => 0.0..4.0_f64], 0.0..0.9_f64, 0.01..1.0_f64);
    (load, shape, costs, slo, spike, any_levers(), any_seed()).prop_map(
        |(load, shape, costs, slo, spike, levers, seed)| {
            let (rate, horizon, warm) = load;
            let (spike_factor, begin, length) = spike;
            Scenario {
                rate,
                seed,
                horizon,
                warmup: horizon * warm,
                max_batch: shape.0,
                prompt: shape.1,
                output: shape.2,
                prefill_ms_per_1k: costs.0,
                step_ms: costs.1,
                per_seq_ms: costs.2,
                slo_ttft_ms: slo.0,
                slo_tpot_ms: slo.1,
                spike_factor,
                spike_from: horizon * begin,
                spike_to: horizon * (begin + length),
                ..levers
            }
            .validate()
            .expect("small scenarios are valid")
        },
    )
}

/// The lesson's scenario with any levers.
fn any_levers() -> impl Strategy<Value = Scenario> {
    let arrival_cv = prop_oneof![2 => Just(1.0), 1 => Just(0.0), 2 => 0.01..5.0_f64];
    let cv = || prop_oneof![2 => Just(0.0), 1 => 0.01..3.0_f64];
    let share = || prop_oneof![2 => Just(0.0), 1 => Just(1.0), 3 => 0.0..1.0_f64];
    let max_queue = prop_oneof![2 => Just(0), 1 => 1..20_u32];
    (arrival_cv, cv(), cv(), share(), share(), max_queue).prop_map(
        |(arrival_cv, prompt_cv, output_cv, cached_share, cached_prompt, max_queue)| Scenario {
            arrival_cv,
            prompt_cv,
            output_cv,
            cached_share,
            cached_prompt,
            max_queue,
            ..Scenario::default()
        },
    )
}

fn offered(run: &Run<'_>) -> Vec<(SimTime, Lengths)> {
    run.offered().collect()
}

fn any_seed() -> impl Strategy<Value = Seed> {
    prop_oneof![Just(Seed::Lesson), any::<u64>().prop_map(Seed::Number)]
}

/// Half of them sensible, half anything that a float can be.
fn any_number() -> impl Strategy<Value = f64> {
    prop_oneof![0.01..100.0_f64, any::<f64>()]
}

fn any_stop() -> impl Strategy<Value = Stop> {
    prop_oneof![Just(Stop::AtHorizon), Just(Stop::Drained)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// Law 1: the engine, which skips equal steps, and its plain twin agree to the last bit.
    #[test]
    fn the_engine_is_its_plain_twin(scenario in any_scenario(), stop in any_stop()) {
        let mut engine = Engine::new();
        let mut run = engine.run_until(&scenario, stop);
        let life = twin::live(scenario.get(), &offered(&run), stop);

        let arrivals: Vec<SimTime> = life.requests.iter().map(|request| request.arrival).collect();
        prop_assert_eq!((&run.records().arrivals, &run.records().rejections), (&arrivals, &life.rejections));
        for (i, request) in life.requests.iter().enumerate() {
            prop_assert_eq!(run.records().departures.of(i), request.finish);
        }
        let first_tokens: Vec<SimTime> =
            life.requests.iter().map_while(|request| request.tokens.first().copied()).collect();
        prop_assert_eq!(&run.records().first_tokens, &first_tokens);

        let report = Report { littles_law: None, ..run.report() };
        prop_assert_eq!(report, twin::report(scenario.get(), &life));
    }

    /// Law 2: the queue and the batch over time are those of the twin at the same boundaries.
    #[test]
    fn the_timeline_is_the_twins(scenario in any_scenario()) {
        let mut engine = Engine::new();
        let run = engine.run(&scenario);
        let life = twin::live(scenario.get(), &offered(&run), Stop::AtHorizon);
        let mut boundaries = life.boundaries.iter();
        for moment in run.timeline().step_by(2) {
            let twin = boundaries.find(|boundary| boundary.at == moment.at);
            let twin = twin.map(|boundary| (boundary.waiting, boundary.running));
            prop_assert_eq!(twin, Some((moment.waiting as usize, moment.running as usize)));
        }
    }

    /// Law 3: every arrival is finished, running, waiting or turned away, once.
    #[test]
    fn requests_are_conserved(scenario in any_scenario()) {
        let mut engine = Engine::new();
        let mut run = engine.run(&scenario);
        let report = run.report();
        prop_assert_eq!(report.offered, report.completed + report.unfinished + report.rejected);
        prop_assert!(report.good <= report.completed);
        let records = run.records();
        prop_assert_eq!(records.arrivals.len() + records.rejections.len(), run.offered().count());
        prop_assert!(scenario.get().max_queue > 0 || records.rejections.is_empty());
        let left: BTreeSet<usize> = (0..records.departures.count()).map(|place| records.departures.who(place)).collect();
        prop_assert_eq!(left.len(), records.departures.count(), "nobody leaves twice");
        prop_assert!(left.last().is_none_or(|&last| last < records.first_tokens.len()));
        prop_assert!(records.first_tokens.len() <= records.arrivals.len());
        let admitted: usize = records.stretches.iter().map(|stretch| stretch.admitted as usize).sum();
        let finished: usize = records.stretches.iter().map(|stretch| stretch.finished as usize).sum();
        prop_assert_eq!((admitted, finished), (records.first_tokens.len(), left.len()));
    }

    /// Law 4: arrival <= first token <= finish, and the clock never goes back.
    #[test]
    fn causes_come_before_effects(scenario in any_scenario(), stop in any_stop()) {
        let mut engine = Engine::new();
        let run = engine.run_until(&scenario, stop);
        let records = run.records();
        prop_assert!(records.arrivals.is_sorted() && records.first_tokens.is_sorted());
        prop_assert!(records.departures.times().is_sorted() && records.rejections.is_sorted());
        prop_assert!(records.arrivals.iter().zip(&records.first_tokens).all(|(arrival, first)| arrival <= first));
        for (place, &finish) in records.departures.times().iter().enumerate() {
            let request = records.departures.who(place);
            prop_assert_eq!(records.departures.of(request), Some(finish));
            prop_assert!(records.first_tokens[request] < finish);
        }
        prop_assert!(run.timeline().is_sorted_by_key(|moment| moment.at));
    }

    /// Law 5: the batch keeps its limit, every stretch does work, and a server with waiting work and room is never idle.
    #[test]
    fn the_batch_keeps_its_limit_and_work_is_conserved(scenario in any_scenario()) {
        let mut engine = Engine::new();
        let run = engine.run(&scenario);
        let limit = scenario.get().max_batch;
        for stretch in &run.records().stretches {
            prop_assert!((1..=limit).contains(&stretch.running) && stretch.steps >= 1);
        }
        for moment in run.timeline().step_by(2) {
            // Whoever still waits after the admissions arrived at that very boundary's past and found no room.
            prop_assert!(moment.waiting == 0 || moment.running == limit, "{moment:?}");
        }
    }

    /// Law 6: Little's law holds to 1e-9 over every span, drained or not.
    #[test]
    fn littles_law(scenario in any_scenario(), stop in any_stop()) {
        let mut engine = Engine::new();
        if let Some(law) = engine.run_until(&scenario, stop).littles_law() {
            let product = law.arrival_rate_per_s * law.mean_time_in_system_s;
            prop_assert!((law.mean_in_system - product).abs() <= 1e-9 * product, "{law:?}");
        }
    }

    /// Law 7: common random numbers. Another rate stretches the same arrivals.
    #[test]
    fn the_rate_stretches_the_same_arrivals(
        seed in any_seed(), rate in 0.5..8.0_f64, arrival_cv in prop_oneof![Just(0.0), Just(1.0), 0.1..3.0_f64],
    ) {
        let arrivals = |rate: f64| {
            let scenario = Scenario { rate, seed, arrival_cv, horizon: 60.0, warmup: 0.0, ..Scenario::default() };
            Engine::new().run(&scenario.validate().expect("valid")).records().arrivals.clone()
        };
        for (slow, fast) in arrivals(rate).into_iter().zip(arrivals(2.0 * rate)) {
            prop_assert!((slow.as_secs() - 2.0 * fast.as_secs()).abs() < 3e-9);
        }
    }

    /// Law 8: what a report says of one run is consistent with itself.
    #[test]
    fn reports_are_consistent(scenario in any_scenario()) {
        let report = goodput_sim::run(&scenario);
        for d in [report.ttft_s, report.tpot_s, report.itl_s, report.e2e_s].into_iter().flatten() {
            prop_assert!(0.0 <= d.p50 && d.p50 <= d.p90 && d.p90 <= d.p99 && d.p99.is_finite());
            prop_assert!(d.mean.is_finite() && d.mean >= 0.0);
        }
        prop_assert_eq!(report.ttft_s.is_some(), report.completed > 0);
        prop_assert_eq!(report.slo_attainment.is_some(), report.completed + report.rejected > 0);
        prop_assert!((0.0..=1.0).contains(&report.busy_fraction));
        prop_assert!(report.goodput_requests_per_s <= report.throughput_requests_per_s);
        if let (Some(ttft), Some(e2e)) = (report.ttft_s, report.e2e_s) {
            prop_assert!(ttft.mean < e2e.mean);
        }
    }

    /// Law 9: any numbers at all are either refused in words or simulated to an end.
    #[test]
    fn any_numbers_are_refused_or_served(
        rate in any_number(), horizon in any_number(), warmup in any_number(), step_ms in any_number(),
        max_batch in prop_oneof![0..100_u32, any::<u32>()],
    ) {
        match (Scenario { rate, horizon, warmup, step_ms, max_batch, ..Scenario::default() }).validate() {
            Ok(scenario) => prop_assert_eq!(goodput_sim::run(&scenario).rate_per_s, rate),
            Err(refusal) => {
                let words = refusal.to_string();
                prop_assert!(words.contains("allowed are") || words.contains("must be"), "{}", words);
            }
        }
    }

    /// Law 12: an autopsy's parts sum to the TTFT, its tokens and its longest gap are the twin's, and its verdict is the
    /// report's.
    #[test]
    fn an_autopsy_adds_up(scenario in any_scenario()) {
        let mut engine = Engine::new();
        let mut run = engine.run(&scenario);
        let report = run.report();
        let life = twin::live(scenario.get(), &offered(&run), Stop::AtHorizon);
        let horizon = SimTime::from_secs(scenario.get().horizon);
        let warmup = SimTime::from_secs(scenario.get().warmup);
        let mut good = 0;
        for (i, request) in life.requests.iter().enumerate() {
            let autopsy = run.autopsy(i).expect("an arrival");
            let end = request.tokens.first().copied().unwrap_or(horizon);
            prop_assert_eq!(autopsy.ttft.sum(), end.saturating_sub(request.arrival));
            prop_assert_eq!(&autopsy.tokens, &request.tokens);
            prop_assert_eq!(autopsy.finish, request.finish);
            let gaps = request.tokens.windows(2).map(|pair| pair[1] - pair[0]);
            prop_assert_eq!(autopsy.longest_gap.map(|gap| gap.length), gaps.max());
            prop_assert_eq!(autopsy.fate(), run.fate(i));
            let measured = request.arrival >= warmup && request.finish.is_some_and(|finish| finish <= horizon);
            prop_assert!(autopsy.finish.is_none() || autopsy.fate() != Fate::Unknown);
            good += u64::from(measured && autopsy.fate() == Fate::Meets);
            // The boundary waited for is the first one the twin saw at or after the arrival, where the server was busy.
            let reached = request.arrival + autopsy.ttft.boundary;
            if autopsy.ttft.boundary > SimTime::ZERO && reached < horizon {
                let next = life.boundaries.iter().find(|boundary| boundary.at >= request.arrival);
                prop_assert!(next.is_none_or(|next| next.at == reached), "{:?} {:?}", next, autopsy);
            }
            // Who waits for a slot found the batch full at every boundary in between.
            if autopsy.ttft.slot > SimTime::ZERO && !request.tokens.is_empty() {
                let admission = reached + autopsy.ttft.slot;
                let full = |boundary: &&twin::Boundary| boundary.at >= reached && boundary.at < admission;
                prop_assert!(life.boundaries.iter().filter(full).all(|at| at.running == scenario.get().max_batch as usize));
            }
        }
        prop_assert_eq!(good, report.good);
        prop_assert_eq!(run.autopsy(life.requests.len()), None);
    }

    /// Law 13: a snapshot agrees with the timeline at every boundary, and with the twin's tokens at every event.
    #[test]
    fn snapshots_agree_with_the_run(scenario in any_scenario()) {
        let mut engine = Engine::new();
        let run = engine.run(&scenario);
        let records = run.records();
        let life = twin::live(scenario.get(), &offered(&run), Stop::AtHorizon);
        let limit = scenario.get().max_batch as usize;
        for moment in run.timeline().step_by(2) {
            let snapshot = run.snapshot(moment.at);
            prop_assert_eq!((snapshot.waiting.len(), snapshot.running.len()), (moment.waiting as usize, moment.running as usize));
        }
        let mut at = SimTime::ZERO;
        let mut events = 0;
        while let Some(next) = run.next_event(at).filter(|_| events < 400) {
            prop_assert!(next > at);
            at = next;
            events += 1;
            let snapshot = run.snapshot(at);
            prop_assert!(snapshot.running.len() <= limit);
            let stays = |i: &usize| records.departures.of(*i).is_none_or(|finish| finish > at);
            let admitted = (0..snapshot.waiting.start).filter(stays);
            prop_assert!(snapshot.running.iter().map(|sequence| sequence.request).eq(admitted));
            let slots = snapshot.running.iter().map(|sequence| records.departures.slot(sequence.request, limit));
            prop_assert_eq!(slots.filter(|&slot| slot < limit).collect::<BTreeSet<_>>().len(), snapshot.running.len());
            prop_assert_eq!(snapshot.waiting.end, records.arrivals.partition_point(|&arrival| arrival <= at));
            for sequence in &snapshot.running {
                let emitted = life.requests[sequence.request].tokens.iter().filter(|&&token| token <= at).count();
                match sequence.stage {
                    Stage::Admitted => prop_assert_eq!(emitted, 0),
                    Stage::Prefill { done, length } => prop_assert!(emitted == 0 && done < length),
                    Stage::Stalled { tokens } | Stage::Decoding { tokens } => {
                        prop_assert!((1..=life.requests[sequence.request].lengths.output).contains(&tokens));
                        prop_assert_eq!(tokens as usize, emitted);
                    }
                }
            }
            let prefills = snapshot.running.iter().filter(|sequence| matches!(sequence.stage, Stage::Prefill { .. }));
            prop_assert!(prefills.count() <= 1);
        }
    }

    /// Law 14: what lies in memory answers like a run of its own, and only for the scenario that was run.
    #[test]
    fn a_run_again_is_the_run(first in any_scenario(), second in any_scenario(), stop in any_stop()) {
        let mut engine = Engine::new();
        let _ = engine.run_until(&first, stop);
        prop_assert_eq!(engine.again(&first).report(), goodput_sim::run(&first));
        prop_assert_eq!(engine.again(&first).report(), goodput_sim::run(&first));
        prop_assert_eq!(engine.again(&second).report(), goodput_sim::run(&second));
    }

    /// Law 16: a lever changes only what it means. Whoever turns it off leaves all other draws as they were.
    #[test]
    fn a_lever_leaves_the_draws_of_others_alone(scenario in any_scenario()) {
        let scenario = scenario.get();
        let lesson = Scenario::default();
        let drawn = |scenario: Scenario| offered(&Engine::new().run(&scenario.validate().expect("valid")));
        let with = drawn(scenario.clone());
        let arrivals = |drawn: &[(SimTime, Lengths)]| drawn.iter().map(|&(arrival, _)| arrival).collect::<Vec<_>>();
        let lengths = |drawn: &[(SimTime, Lengths)]| drawn.iter().map(|&(_, lengths)| lengths).collect::<Vec<_>>();

        let equal_prompts = drawn(Scenario { prompt_cv: 0.0, ..scenario.clone() });
        prop_assert_eq!(arrivals(&equal_prompts), arrivals(&with));
        prop_assert!(equal_prompts.iter().zip(&with).all(|((_, a), (_, b))| a.output == b.output));
        // Where all of a prompt is cached or nothing of it, whoever finds something is known.
        let found = |prompt_cv| lengths(&drawn(Scenario { prompt_cv, cached_prompt: 1.0, ..scenario.clone() }));
        let both = found(0.0).into_iter().zip(found(1.0));
        prop_assert!(both.into_iter().all(|(a, b)| (a.cached == 0) == (b.cached == 0)));
        let equal_outputs = drawn(Scenario { output_cv: 0.0, ..scenario.clone() });
        let with_equal_output = |lengths: Lengths| Lengths { output: scenario.output, ..lengths };
        prop_assert!(equal_outputs.iter().copied().eq(with.iter().map(|&(at, lengths)| (at, with_equal_output(lengths)))));
        let no_cache = drawn(Scenario { cached_share: 0.0, ..scenario.clone() });
        let with_nothing_cached = |lengths: Lengths| Lengths { cached: 0, ..lengths };
        prop_assert!(no_cache.iter().copied().eq(with.iter().map(|&(at, lengths)| (at, with_nothing_cached(lengths)))));
        prop_assert_eq!(&drawn(Scenario { max_queue: 0, ..scenario.clone() }), &with);
        for other in [
            Scenario { arrival_cv: 1.0, ..scenario.clone() },
            Scenario { spike_factor: lesson.spike_factor, ..scenario.clone() },
            Scenario { rate: 0.9 * scenario.rate, ..scenario.clone() },
        ] {
            let both = lengths(&drawn(other)).into_iter().zip(lengths(&with));
            prop_assert!(both.into_iter().all(|(a, b)| a == b));
        }
        let begin = SimTime::from_secs(scenario.spike_from);
        let before = |drawn: Vec<SimTime>| drawn.into_iter().filter(|&at| at < begin).collect::<Vec<_>>();
        let no_spike = drawn(Scenario { spike_factor: 1.0, ..scenario.clone() });
        prop_assert_eq!(before(arrivals(&no_spike)), before(arrivals(&with)));
    }

    /// Law 15: no measured request's TTFT is nearer to the p99 than that of the one shown for it.
    #[test]
    fn the_p99_request_is_the_nearest(scenario in any_scenario()) {
        let mut engine = Engine::new();
        let mut run = engine.run(&scenario);
        let p99 = run.report().ttft_s.map(|ttft| ttft.p99);
        prop_assert_eq!(run.p99_request().is_some(), p99.is_some());
        if let Some((shown, p99)) = run.p99_request().zip(p99) {
            let records = run.records();
            let warmup = SimTime::from_secs(scenario.get().warmup);
            let away = |i: usize| ((records.first_tokens[i] - records.arrivals[i]).as_secs() - p99).abs();
            let horizon = SimTime::from_secs(scenario.get().horizon);
            let finished = |i: usize| records.departures.of(i).is_some_and(|finish| finish <= horizon);
            let measured = (0..records.arrivals.len()).filter(|&i| records.arrivals[i] >= warmup && finished(i));
            prop_assert!(measured.clone().any(|i| i == shown));
            prop_assert!(measured.into_iter().all(|i| away(i) >= away(shown) - 1e-12));
        }
    }

    /// Law 17: given back the requests that were drawn, the engine does the same with them.
    #[test]
    fn a_replay_of_what_was_drawn_is_the_run(scenario in any_scenario()) {
        let scenario = Scenario { cached_share: 0.0, ..scenario.get().clone() }.validate().expect("valid");
        let mut engine = Engine::new();
        let mut run = engine.run(&scenario);
        let requests = offered(&run);
        let report = run.report();
        let request = |&(at, lengths): &(SimTime, Lengths)| TraceRequest::new(at, lengths.prompt, lengths.output);
        let given = requests.iter().map(request).collect::<Result<_, _>>().expect("lengths are in range");
        // There is no rate in fewer than two requests.
        let Ok(trace) = Trace::new(given) else { return Ok(()) };

        let mut replay = engine.replay(&scenario, &trace);
        prop_assert_eq!(offered(&replay), requests);
        let replayed = replay.report();
        // Equal answers share a divisor when they are drawn, so their TPOT is rounded once less.
        let tpots = report.tpot_s.zip(replayed.tpot_s).map(|(drawn, given)| (drawn.mean - given.mean).abs());
        prop_assert!(tpots.is_none_or(|difference| difference < 1e-12), "{:?}", tpots);
        prop_assert_eq!(Report { tpot_s: report.tpot_s, ..replayed }, report.clone());
        prop_assert_eq!(engine.again(&scenario).report(), report);
    }
}

/// Law 9 at the corners of every range: the dearest scenarios that validate end, and soon.
#[test]
fn the_corners_of_every_range_terminate() {
    let fields = goodput_sim::FIELDS;
    let mut served = 0;
    for field in fields {
        for corner in [field.min, field.max] {
            let mut scenario = Scenario::default();
            scenario.set(field.name, &corner.to_string()).expect("a corner is inside");
            if let Ok(scenario) = scenario.validate() {
                let report = goodput_sim::run(&scenario);
                assert_eq!(report.offered, report.completed + report.unfinished);
                served += 1;
            }
        }
    }
    for choice in goodput_sim::CHOICES {
        for word in choice.words {
            let mut scenario = Scenario::default();
            scenario.set(choice.name, word).expect("one of its words");
            let report = goodput_sim::run(&scenario.validate().expect("a word alone is valid"));
            assert_eq!(report.offered, report.completed + report.unfinished + report.rejected);
        }
    }
    // The warm-up cannot fill the horizon, and a horizon of one second is all warm-up.
    assert_eq!(served, 2 * fields.len() - 3);
}

/// Law 10: more seeds never change the lesson's stream.
#[test]
fn more_draws_never_change_the_lesson() {
    let mut engine = Engine::new();
    let scenario = ValidScenario::default();
    let alone = engine.run(&scenario).report();
    let among_many = engine.replicate(&scenario, Seed::Lesson.replications(5));
    assert_eq!(among_many[0], alone);
    assert_ne!(among_many[1], alone);
}

/// Law 11: the planner's capacity is a rate that attains the target, and it lies below the slots' capacity.
#[test]
fn capacity_attains_its_target() {
    let mut engine = Engine::new();
    let scenario = ValidScenario::default();
    let mut last = f64::INFINITY;
    for target in [0.5, 0.9, 0.99, 0.999] {
        let capacity = engine.capacity(&scenario, target);
        let rate = capacity.highest_rate.expect("the lowest rate attains it");
        assert!(rate <= last && rate < theory::capacity(scenario.get()));
        let attained = engine.run(&scenario.at_rate(rate).expect("valid")).report().slo_attainment;
        assert!(attained >= Some(target), "{attained:?} at {rate}");
        last = rate;
    }
}
