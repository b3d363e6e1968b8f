//! The page's own words, from `text/en/lab.txt`: another language is another file.

use std::sync::LazyLock;

use goodput_charts::{Phrases, format, text_file};
use goodput_sim::{Report, Scenario, Seed};
use goodput_summary::Metric;

use crate::draws::Broken;
use crate::lever::Lever;
use crate::pins::Pin;
use crate::rate::Rate;

static ENGLISH: LazyLock<Phrases> = LazyLock::new(|| Phrases::read(text_file!("../text/en/lab.txt")));

static PICTURE: LazyLock<Phrases> = LazyLock::new(|| Phrases::read(text_file!("../text/en/picture.txt")));

/// A word of the moving picture's controls.
#[must_use]
pub fn picture(key: &str) -> String {
    PICTURE.say(key, &[])
}

/// How a value stands to its limit, by sign and word.
#[must_use]
pub fn check(passes: bool, limit: &str) -> String {
    let key = if passes { "check.within" } else { "check.over" };
    ENGLISH.say(key, &[("limit", limit)])
}

/// How the share of requests that meet the SLO stands to the planner's target.
#[must_use]
pub fn check_attainment(passes: bool, target: &str) -> String {
    let key = if passes { "check.attains" } else { "check.falls_short" };
    ENGLISH.say(key, &[("target", target)])
}

/// In place of the verdict on a run that is covered.
#[must_use]
pub fn covered() -> String {
    ENGLISH.say("covered", &[])
}

/// In place of the headline of a chart whose run is covered.
#[must_use]
pub fn covered_headline() -> String {
    ENGLISH.say("covered.headline", &[])
}

/// What is heard when a change to a covered rate has settled.
#[must_use]
pub fn covered_status(rate: &str) -> String {
    ENGLISH.say("covered.status", &[("rate", rate)])
}

/// A value of a metric, as the page writes its unit.
#[must_use]
pub fn figure(metric: &Metric, value: f64) -> String {
    match metric.unit {
        "s" => format::time(value),
        "" => format::percent(value),
        "requests/s" if metric.path == "rate_per_s" => format::rate(value),
        "requests/s" => format::per_s(value),
        _ => format::count(value),
    }
}

/// Which draw is in view.
#[must_use]
pub fn draw(seed: Seed) -> String {
    match seed {
        Seed::Lesson => ENGLISH.say("draw.lesson", &[]),
        Seed::Number(number) => ENGLISH.say("draw.number", &[("number", &number.to_string())]),
    }
}

/// What the table of the curves shows: rates a step apart, on a draw.
#[must_use]
pub fn table(step: Rate, seed: Seed) -> String {
    ENGLISH.say("table", &[("step", &step.text()), ("draw", &draw(seed))])
}

/// What a reader of values is called.
#[must_use]
pub fn reader(caption: &str) -> String {
    ENGLISH.say("reader", &[("caption", caption)])
}

/// How many draws broke the TTFT goal, at one rate after another; a sentence of its own while none is counted yet.
#[must_use]
pub fn draws(counts: &[Broken]) -> String {
    let Some((first, others)) = counts.split_first() else { return ENGLISH.say("draws.filling", &[]) };
    let count = |count: &Broken| match count.broken {
        0 => ENGLISH.say("draws.none", &[]),
        all if all == count.of => ENGLISH.say("draws.all", &[]),
        some => some.to_string(),
    };
    let rate = |count: &Broken| format::rate(count.rate.per_s());
    let of = first.of.to_string();
    let key = match first.broken {
        0 => "draws.first_none",
        all if all == first.of => "draws.first_all",
        _ => "draws.some",
    };
    let mut parts = vec![ENGLISH.say(key, &[("rate", &rate(first)), ("count", &count(first)), ("of", &of)])];
    parts.extend(
        others.iter().map(|other| ENGLISH.say("draws.other", &[("rate", &rate(other)), ("count", &count(other))])),
    );
    parts.join("; ") + "."
}

/// From the least to the greatest of the draws' values, each in words already.
#[must_use]
pub fn draws_range(from: &str, to: &str) -> String {
    ENGLISH.say("draws.range", &[("from", from), ("to", to)])
}

/// What a pinned run is: its letter, rate, draw, and what is not the lesson's about its server.
#[must_use]
pub fn pin_label(pin: &Pin) -> String {
    let scenario = pin.scenario.get();
    let mut label = ENGLISH.say(
        "pin.label",
        &[
            ("letter", pin.letter.encode_utf8(&mut [0; 4])),
            ("rate", &format::rate(scenario.rate)),
            ("draw", &draw(scenario.seed)),
        ],
    );
    let lesson = Scenario::default();
    for lever in Lever::all().filter(|lever| !lever.is_alike(scenario, &lesson)) {
        let value = match lever {
            Lever::Number(field) => format::rate(field.get(scenario)),
            Lever::Word(choice) => choice.get(scenario).to_owned(),
        };
        label.push_str(", ");
        label.push_str(&ENGLISH.say("pin.setting", &[("name", lever.name()), ("value", &value)]));
    }
    label
}

/// What has changed from a pinned run to the one in view.
#[must_use]
pub fn pin_versus(pinned: &Report, now: &Report) -> String {
    if pinned == now {
        return ENGLISH.say("pin.same", &[]);
    }
    let ttft = |report: &Report| report.ttft_s;
    let p99 = change(ttft(pinned).map(|times| times.p99), ttft(now).map(|times| times.p99));
    let p50 = change(ttft(pinned).map(|times| times.p50), ttft(now).map(|times| times.p50));
    let throughput = change(Some(pinned.throughput_tokens_per_s), Some(now.throughput_tokens_per_s));
    let goodput = change(Some(pinned.goodput_requests_per_s), Some(now.goodput_requests_per_s));
    ENGLISH.say("pin.versus", &[("p99", &p99), ("p50", &p50), ("throughput", &throughput), ("goodput", &goodput)])
}

/// A value that a lever has not changed.
#[must_use]
pub fn unchanged() -> String {
    ENGLISH.say("change.same", &[])
}

/// A value before and after a lever was moved, each in words already.
#[must_use]
pub fn changed(before: &str, after: &str) -> String {
    ENGLISH.say("effect.change", &[("before", before), ("after", after)])
}

/// A throughput [tokens/s] with its unit.
#[must_use]
pub fn tokens_per_s(value: f64) -> String {
    ENGLISH.say("effect.tokens", &[("count", &format::count(value))])
}

/// A mean number of servers.
#[must_use]
pub fn servers(mean: f64) -> String {
    format::count((mean * 10.0).round() / 10.0)
}

/// In place of a value that a run has not.
#[must_use]
pub fn no_value() -> String {
    ENGLISH.say("effect.none", &[])
}

/// What is said of a preset whose rate is another one now.
#[must_use]
pub fn preset_at_another_rate() -> String {
    ENGLISH.say("preset.another_rate", &[])
}

/// How many levers of a group are off their default; empty for none.
#[must_use]
pub fn levers_changed(count: usize) -> String {
    match count {
        0 => String::new(),
        count => ENGLISH.say("levers.changed", &[("count", &count.to_string())]),
    }
}

/// The buttons beside the slider, by how far they move it.
#[must_use]
pub fn nudge(up: bool, step: &str) -> String {
    ENGLISH.say(if up { "nudge.more" } else { "nudge.less" }, &[("step", step)])
}

/// The button that takes a pin off.
#[must_use]
pub fn unpin(letter: char) -> String {
    ENGLISH.say("pin.unpin", &[("letter", letter.encode_utf8(&mut [0; 4]))])
}

/// A change of a value in words. Less than 2 % is none: so much one draw differs from itself a minute later.
fn change(before: Option<f64>, now: Option<f64>) -> String {
    let (Some(before), Some(now)) = (before, now) else { return ENGLISH.say("change.none", &[]) };
    let (key, amount) = match (before, now, now / before) {
        (0.0, 0.0, _) => ("change.same", 0.0),
        (0.0, ..) => ("change.from_zero", 0.0),
        (_, 0.0, _) => ("change.to_zero", 0.0),
        (_, _, 2.0..) => ("change.times_higher", now / before),
        (_, _, 1.02..) => ("change.percent_higher", (now / before - 1.0) * 100.0),
        (_, _, ..=0.5) => ("change.times_lower", before / now),
        (_, _, ..=0.98) => ("change.percent_lower", (1.0 - now / before) * 100.0),
        _ => ("change.same", 0.0),
    };
    let times = if amount < 10.0 { format!("{amount:.1}") } else { format::count(amount.round()) };
    ENGLISH.say(key, &[("times", &times), ("percent", &format!("{amount:.0}"))])
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Routing, Scenario, Seed, ValidScenario, run};

    use super::*;
    use crate::draws::Broken;
    use crate::pins::Pins;
    use crate::rate::Span;

    #[test]
    fn changes_read_as_one_would_say_them() {
        let pairs = [(0.2, 1.24), (1.0, 1.01), (1.0, 1.5), (1.0, 0.6), (2.0, 0.01), (4.0, 0.0), (0.0, 1.0), (0.0, 0.0)];
        let said = pairs.map(|(before, now)| change(Some(before), Some(now)));
        assert_eq!(
            said,
            [
                "6.2x higher",
                "unchanged",
                "50 % higher",
                "40 % lower",
                "200x lower",
                "down to zero",
                "up from zero",
                "unchanged"
            ]
        );
        assert_eq!(change(None, Some(1.0)), "without a value");
    }

    #[test]
    fn pins_say_what_they_are_and_what_changed() {
        let [five, six] = [5.0, 6.0].map(|rate| ValidScenario::default().at_rate(rate).expect("valid"));
        let mut pins = Pins::default();
        pins.pin(&five, &run(&five), &[]);
        let pin = pins.iter().next().expect("one pin");
        assert_eq!(pin_label(pin), "A: 5 requests/s, the lesson’s draw");
        assert_eq!(pin_versus(&pin.report, &run(&five)), "this is the run in view.");
        assert_eq!(
            pin_versus(&pin.report, &run(&six)),
            "now TTFT p99 is 24x higher, its median 154x higher, throughput 14 % higher, goodput down to zero."
        );
        assert_eq!(unpin('A'), "Unpin A");

        let fleet = Scenario { replicas: 4, routing: Routing::Random, ..Scenario::default() };
        let fleet = fleet.validate().expect("valid");
        pins.pin(&fleet, &run(&fleet), &[]);
        let label = pins.iter().nth(1).map(pin_label);
        assert_eq!(label.as_deref(), Some("B: 5 requests/s, the lesson’s draw, replicas 4, routing random"));
    }

    #[test]
    fn draws_are_counted_at_one_rate_after_another() {
        let count = |rate, broken| Broken { rate: Rate::nearest(rate), broken, of: 51 };
        assert_eq!(
            draws(&[count(5.0, 21), count(4.0, 0), count(6.0, 51)]),
            "At 5 requests/s, 21 of 51 draws broke the goal for TTFT at p99; at 4, none; at 6, all of them."
        );
        assert_eq!(
            draws(&[count(6.0, 51), count(4.0, 0)]),
            "At 6 requests/s, all 51 draws broke the goal for TTFT at p99; at 4, none."
        );
        assert_eq!(draws(&[]), "Running other draws of the same traffic …");
    }

    #[test]
    fn every_word_has_its_text() {
        assert_eq!(check(true, "1 s"), "✓ within 1 s");
        assert_eq!(check(false, "50 ms"), "✕ over 50 ms");
        assert_eq!(check_attainment(true, "99 %"), "✓ 99 % or more");
        assert_eq!(check_attainment(false, "99 %"), "✕ below 99 %");
        assert_eq!((draw(Seed::Lesson).as_str(), draw(Seed::Number(7)).as_str()), ("the lesson’s draw", "draw 7"));
        assert_eq!(table(Span::LESSON.step, Seed::Number(7)), "In steps of 0.1 requests/s, draw 7");
        assert_eq!(reader("Goodput"), "Read values: Goodput");
        assert_eq!(["play", "pause", "reader"].map(picture), ["Play", "Pause", "Requests in the picture"]);
        assert_eq!(covered(), "What happens above 4 requests/s opens after your guess, or when you skip it.");
        assert_eq!(covered_headline(), "Covered until you have guessed");
        assert_eq!(covered_status("6"), "6 requests/s: covered until you have guessed or skipped.");
    }
}
