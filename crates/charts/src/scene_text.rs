//! Sentences about the moving picture and about one request's autopsy. Every number in them is the engine's.

use goodput_sim::{Autopsy, Fate, Scenario, Stage};

use crate::format;
use crate::phrases::say;
use crate::scene::Scene;

/// A simulated instant: `170.2 s`.
#[must_use]
pub fn instant(seconds: f64) -> String {
    say("scene.instant", &[("seconds", &format!("{seconds:.1}"))])
}

/// One line above the picture: what happens now.
#[must_use]
pub fn scene_headline(scene: &Scene) -> String {
    let count = |number: usize| format::count(number as f64);
    let time = instant(scene.at.as_secs());
    let waiting = match scene.waiting_count {
        0 => say("scene.wait.none", &[]),
        1 => say("scene.wait.one", &[]),
        many => say("scene.wait.many", &[("count", &count(many))]),
    };
    let now = match (scene.prefill, scene.running.len()) {
        (_, 0) => say("scene.now.idle", &[]),
        (Some(length), 1) => say("scene.now.lone", &[("time", &format::latency_tick(length.as_secs()))]),
        (Some(length), _) => say("scene.now.prefill", &[("time", &format::latency_tick(length.as_secs()))]),
        (None, _) => say("scene.now.decode", &[("time", &format::time(scene.step.as_secs()))]),
    };
    let (running, slots) = (count(scene.running.len()), count(scene.slots));
    let values =
        [("time", time.as_str()), ("waiting", &waiting), ("running", &running), ("slots", &slots), ("now", &now)];
    say("scene.headline", &values)
}

/// Where a request is in the picture, for those who go through them by keyboard.
#[must_use]
pub fn request_in_scene(scene: &Scene, request: usize) -> String {
    let place = if let Some(place) = scene.waiting.iter().position(|waiting| waiting.request == request) {
        say("scene.place.waiting", &[("place", &format::count((place + 1) as f64))])
    } else if let Some(running) = scene.running.iter().find(|running| running.request == request) {
        match running.stage {
            Stage::Admitted | Stage::Prefill { .. } => say("scene.place.prefill", &[]),
            Stage::Stalled { tokens } | Stage::Decoding { tokens } => say(
                "scene.place.tokens",
                &[("tokens", &format::count(f64::from(tokens))), ("all", &format::count(f64::from(running.output)))],
            ),
        }
    } else {
        say("scene.place.left", &[])
    };
    say("scene.request", &[("number", &number(request)), ("place", &place)])
}

/// A request's number, as people count: from one.
fn number(request: usize) -> String {
    format::count((request + 1) as f64)
}

/// What an autopsy is of.
#[must_use]
pub fn autopsy_title(autopsy: &Autopsy) -> String {
    let at = instant(autopsy.arrival.as_secs());
    say("autopsy.title", &[("number", &number(autopsy.request)), ("time", &at)])
}

/// What took most of the time to the first token, and how it went on.
#[must_use]
pub fn autopsy_sentence(autopsy: &Autopsy) -> String {
    let time = |time: goodput_sim::SimTime| format::time(time.as_secs());
    let parts = autopsy.ttft;
    let longest = parts.boundary.max(parts.slot).max(parts.others).max(parts.own);
    let values = [("ttft", &*time(parts.sum())), ("part", &*time(longest))];
    let wait = if autopsy.tokens.is_empty() {
        say("autopsy.never", &[("ttft", &time(parts.sum()))])
    } else if longest == parts.slot {
        say("autopsy.most.slot", &values)
    } else if longest == parts.boundary {
        say("autopsy.most.boundary", &values)
    } else if longest == parts.others {
        say("autopsy.most.others", &values)
    } else {
        say("autopsy.most.own", &values)
    };
    let Some(gap) = autopsy.longest_gap else { return wait };
    let length = time(gap.length);
    let gap = match gap.prefills {
        0 => say("autopsy.gap.none", &[("gap", &length)]),
        1 => say("autopsy.gap.one", &[("gap", &length)]),
        many => say("autopsy.gap.many", &[("gap", &length), ("count", &format::count(f64::from(many)))]),
    };
    format!("{wait} {gap}")
}

/// A time per output token, to the hundredth of a millisecond: near the limit a rounded one would seem to keep it.
#[must_use]
pub fn tpot(seconds: f64) -> String {
    say("autopsy.tpot", &[("ms", &format!("{:.2}", seconds * 1e3))])
}

/// How a request's TTFT and TPOT stand to their SLOs, by sign and word; empty while that is open.
#[must_use]
pub fn autopsy_checks(autopsy: &Autopsy, scenario: &Scenario) -> [String; 2] {
    let check = |fate: Fate, limit_ms: f64| {
        let limit = format::latency_tick(limit_ms / 1000.0);
        match fate {
            Fate::Meets => say("autopsy.meets", &[("limit", &limit)]),
            Fate::Misses => say("autopsy.misses", &[("limit", &limit)]),
            Fate::Unknown => say("autopsy.open", &[]),
        }
    };
    [check(autopsy.ttft_fate, scenario.slo_ttft_ms), check(autopsy.tpot_fate, scenario.slo_tpot_ms)]
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, SimTime, ValidScenario};

    use super::*;
    use crate::scene::{Order, STILL_S};

    #[test]
    fn the_still_says_what_happens() {
        let scenario = ValidScenario::default();
        let mut engine = Engine::new();
        let run = engine.run(&scenario);
        let at = |seconds: f64| scene_headline(&Scene::of(&run, SimTime::from_secs(seconds), Order::Slot));
        assert_eq!(at(STILL_S), "170.2 s: 14 wait, 64 of 64 slots taken; a prefill stops everyone for 60 ms");
        assert_eq!(at(0.0), "0.0 s: nobody waits, 0 of 64 slots taken; the server is idle");
    }

    #[test]
    fn the_p99_request_says_why_it_was_late() {
        let scenario = ValidScenario::default();
        let mut engine = Engine::new();
        let run = engine.run(&scenario);
        let autopsy = run.autopsy(run.p99_request().expect("measured requests")).expect("a request");
        assert_eq!(autopsy_title(&autopsy), "Request 855, arrived at 166.0 s");
        assert_eq!(
            autopsy_sentence(&autopsy),
            "Of 1.23 s to its first token, 1.15 s was waiting for a slot. Its longest gap between two tokens was 276 ms: \
             4 prefills of others fell into it."
        );
        assert_eq!(autopsy.tpot_s.map(tpot).as_deref(), Some("50.02 ms"));
        assert_eq!(autopsy_checks(&autopsy, scenario.get()), ["✕ over 1 s", "✕ over 50 ms"]);
    }

    /// In a debug build `say` panics where a sentence asks for a value that it is not given.
    #[test]
    fn every_request_and_every_second_has_its_words() {
        let mut engine = Engine::new();
        for rate in [0.5, 4.0, 6.0, 8.0] {
            let scenario = ValidScenario::default().at_rate(rate).expect("valid");
            let run = engine.run(&scenario);
            for second in 0..=600 {
                let scene = Scene::of(&run, SimTime::from_secs(f64::from(second)), Order::Slot);
                let mut words = vec![scene_headline(&scene)];
                if let Some((first, last)) = scene.requests() {
                    words.extend([first, last].map(|request| request_in_scene(&scene, request)));
                }
                assert!(words.iter().all(|words| !words.is_empty() && !words.contains('{')), "{words:?}");
            }
            for request in 0..run.records().arrivals.len() {
                let autopsy = run.autopsy(request).expect("a request");
                assert!(autopsy_sentence(&autopsy).ends_with('.'));
                assert_eq!(autopsy_checks(&autopsy, scenario.get()).len(), 2);
            }
        }
    }
}
