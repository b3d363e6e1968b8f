//! The game is fair: it can be played again, it gives nothing away before the onset, users feel what goes wrong, and the
//! dashboard tells the causes apart.

mod player;

use std::sync::LazyLock;

use goodput_incidents::{BUCKET_S, Dashboard, Diagnosis, Game, Signal, Verdict};
use goodput_sim::{Engine, ValidScenario};

/// Games that are played in most tests.
const GAMES: u64 = 200;

static PLAYED: LazyLock<Vec<(Game, Dashboard)>> = LazyLock::new(|| {
    let mut engine = Engine::new();
    (0..GAMES).map(Game::new).map(|game| (game.clone(), dashboard(&mut engine, game.scenario()))).collect()
});

fn dashboard(engine: &mut Engine, scenario: &ValidScenario) -> Dashboard {
    let run = engine.run(scenario);
    Dashboard::of(run.fleet().expect("two replicas are a fleet"), scenario.get().horizon)
}

/// How a signal changed: from -1, all lost, over 0, as before, to 1, out of nothing.
fn shift(verdict: &Verdict, signal: Signal) -> f64 {
    let change = verdict.change(signal).expect("load before and after");
    let sum = change.before + change.after;
    if sum > 0.0 { (change.after - change.before) / sum } else { 0.0 }
}

#[test]
fn a_player_who_follows_the_lesson_names_nearly_all() {
    let mut right_and_all = [(0, 0); Diagnosis::ALL.len()];
    for (game, dashboard) in &*PLAYED {
        let named = player::diagnose(dashboard);
        let (right, all) = &mut right_and_all[game.truth() as usize];
        *all += 1;
        *right += i32::from(named == Some(game.truth()));
        if named != Some(game.truth()) {
            println!("{}: {:?} was taken for {named:?}", game.number(), game.truth());
        }
    }
    println!("right and all of each cause: {right_and_all:?}");
    let right: i32 = right_and_all.iter().map(|(right, _)| right).sum();
    assert!(right * 100 >= GAMES as i32 * 97, "{right} of {GAMES}");
    assert!(right_and_all.iter().all(|(right, all)| right * 10 >= all * 9), "{right_and_all:?}");
}

#[test]
fn any_two_causes_differ_in_some_signal_in_every_game() {
    let range = |truth: Diagnosis, signal: Signal| {
        let games = PLAYED.iter().filter(|(game, _)| game.truth() == truth);
        let shifts = games.map(|(game, dashboard)| shift(&Verdict::on(game, dashboard, truth), signal));
        shifts.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), shift| (low.min(shift), high.max(shift)))
    };
    for (place, &one) in Diagnosis::ALL.iter().enumerate() {
        for &other in &Diagnosis::ALL[..place] {
            let apart = |signal: &Signal| {
                let ((low, high), (other_low, other_high)) = (range(one, *signal), range(other, *signal));
                low > other_high + 0.05 || other_low > high + 0.05
            };
            let telling: Vec<Signal> = Signal::ALL.into_iter().filter(apart).collect();
            assert!(!telling.is_empty(), "nothing tells {one:?} from {other:?}");
        }
    }
}

#[test]
fn a_signature_moves_when_its_cause_acts() {
    for (game, dashboard) in &*PLAYED {
        let verdict = Verdict::on(game, dashboard, game.truth());
        let shift = shift(&verdict, game.truth().signature());
        assert!(shift.abs() > 0.15, "{}: {:?} by {shift}", game.number(), game.truth());
    }
}

#[test]
fn what_speaks_against_a_wrong_answer_does_not_move_with_it() {
    for (game, dashboard) in &*PLAYED {
        for wrong in Diagnosis::ALL.into_iter().filter(|&diagnosis| diagnosis != game.truth()) {
            let verdict = Verdict::on(game, dashboard, wrong);
            let (signal, change) = verdict.against().expect("a wrong answer");
            let (number, truth) = (game.number(), game.truth());
            let says = format!("{number}: {truth:?}, not {wrong:?}: {signal:?} {change:?}");
            match (wrong, truth) {
                // There the longer prompts speak for themselves.
                (Diagnosis::KvPressure, Diagnosis::LongPrompts) => assert!(change.factor() > 1.3, "{says}"),
                // The step takes longer with a larger batch, but no longer than such a batch took before.
                (Diagnosis::SlowerGpu, _) => {
                    let old_pace_s = verdict.step_at_old_pace_s().expect("steps");
                    assert!((change.after / old_pace_s - 1.0).abs() < 0.01, "{says}, at the old pace {old_pace_s}");
                }
                // A replica that has more to do puts out more.
                (Diagnosis::LostReplica, _) => assert!(change.factor() > 0.4, "{says}"),
                (Diagnosis::RetryStorm, _) => assert_eq!((change.before, change.after), (0.0, 0.0), "{says}"),
                _ => assert!((0.75..1.3).contains(&change.factor()), "{says}"),
            }
        }
        let right = Verdict::on(game, dashboard, game.truth());
        assert!(right.is_right() && right.against().is_none());
    }
}

#[test]
fn users_are_well_before_and_feel_it_after() {
    for (game, dashboard) in &*PLAYED {
        let verdict = Verdict::on(game, dashboard, game.truth());
        let [ttft, tpot] = [Signal::TtftP99, Signal::Tpot].map(|signal| verdict.change(signal).expect("answers"));
        let scenario = game.scenario().get();
        let (slo_ttft_s, slo_tpot_s) = (scenario.slo_ttft_ms / 1000.0, scenario.slo_tpot_ms / 1000.0);
        let says = format!("{}: {:?}, TTFT {ttft:?}, TPOT {tpot:?}", game.number(), game.truth());
        assert!(ttft.before < 0.7 * slo_ttft_s && tpot.before < 0.7 * slo_tpot_s, "{says}");
        assert!(ttft.after > 2.0 * slo_ttft_s, "{says}");
    }
}

#[test]
fn before_the_onset_nothing_is_given_away() {
    let mut engine = Engine::new();
    for (game, dashboard) in PLAYED.iter().take(40) {
        let calm = self::dashboard(&mut engine, game.calm());
        let whole_buckets = (game.onset_s() / BUCKET_S) as usize;
        for signal in Signal::ALL {
            let [with, without] = [dashboard, &calm].map(|dashboard| &dashboard.series(signal)[..whole_buckets]);
            assert_eq!(with, without, "{}: {:?}, {signal:?}", game.number(), game.truth());
        }
        assert_ne!(*dashboard, calm, "{}: then something does happen", game.number());
    }
}

#[test]
fn a_calm_run_is_well_to_its_end() {
    let mut engine = Engine::new();
    for (game, _) in PLAYED.iter().take(40) {
        let calm = dashboard(&mut engine, game.calm());
        assert_eq!(player::diagnose(&calm), None, "{}", game.number());
        assert!(calm.series(Signal::Repeated).iter().all(|share| *share == Some(0.0)), "nobody loses patience");
        assert!(calm.series(Signal::Preemptions).iter().all(|per_s| *per_s == Some(0.0)), "there is memory for all");
    }
}

#[test]
fn the_same_number_is_the_same_game() {
    let mut engine = Engine::new();
    for (game, dashboard) in PLAYED.iter().step_by(17) {
        assert_eq!(*game, Game::new(game.number()));
        assert_eq!(*dashboard, self::dashboard(&mut engine, game.scenario()));
    }
}

#[test]
fn causes_are_equally_frequent_and_onsets_lie_in_the_second_half() {
    let mut counts = [0_i32; Diagnosis::ALL.len()];
    for number in 0..7000 {
        // Far apart and next to each other.
        let game = Game::new(if number % 2 == 0 { number } else { number.wrapping_mul(0x1234_5678_9ABC_DEF1) });
        counts[game.truth() as usize] += 1;
        let horizon = game.scenario().get().horizon;
        assert!(game.onset_s() > horizon / 2.0 && game.onset_s() + 100.0 < horizon, "{}", game.onset_s());
    }
    // Four standard deviations of a thousand expected ones.
    assert!(counts.iter().all(|count| (count - 1000).abs() < 120), "{counts:?}");
}

#[test]
fn no_two_fleets_are_alike_and_all_numbers_give_one() {
    let mut rates: Vec<u64> = PLAYED.iter().map(|(game, _)| game.scenario().get().rate.to_bits()).collect();
    rates.sort_unstable();
    rates.dedup();
    assert_eq!(rates.len() as u64, GAMES);
    for number in [u64::MAX, u64::MAX - 1, 1 << 63, 1 << 32] {
        assert_eq!(Game::new(number).number(), number);
    }
}

/// The records say how often each request gave way, and not when: the batches at the boundaries do.
#[test]
fn preemptions_on_the_dashboard_are_those_of_the_requests() {
    let mut engine = Engine::new();
    let mut most = 0.0_f64;
    for (game, dashboard) in &PLAYED[..30] {
        let run = engine.run(game.scenario());
        let records = run.fleet().expect("a fleet");
        let counted: u32 = records.lives.iter().map(|life| life.preemptions).sum();
        let shown: f64 = dashboard.series(Signal::Preemptions).iter().flatten().sum::<f64>() * BUCKET_S;
        assert!((shown - f64::from(counted)).abs() < 1e-6, "{}: {shown} of {counted}", game.number());
        most = most.max(shown);
    }
    assert!(most > 10.0, "some do");
}
