//! What the page says of the learner's own doing, from `text/en/say.txt`: another language is another file.

use std::sync::LazyLock;

use goodput_charts::{Phrases, format};

use crate::journal::{Found, Kind};
use crate::say::quiz::{Question, Slip, Verdict, in_seconds};
use crate::say::timer::{MARK_S, clock};
use crate::words::draw;

static ENGLISH: LazyLock<Phrases> = LazyLock::new(|| Phrases::read(include_str!("../../text/en/say.txt")));

fn say(key: &str, values: &[(&str, &str)]) -> String {
    ENGLISH.say(key, values)
}

/// How many of the points are ticked.
#[must_use]
pub fn covered(covered: usize, points: usize) -> String {
    say("covered", &[("covered", &covered.to_string()), ("points", &points.to_string())])
}

/// What the clock's button does.
#[must_use]
pub fn timer_button(running: bool, has_counted: bool) -> String {
    match (running, has_counted) {
        (true, _) => say("timer.stop", &[]),
        (false, true) => say("timer.resume", &[]),
        (false, false) => say("timer.start", &[]),
    }
}

/// How long it took, once the clock was stopped.
#[must_use]
pub fn timer_stopped(seconds: u32) -> String {
    let time = clock(seconds);
    let key = if seconds > MARK_S { "timer.over" } else { "timer.within" };
    ENGLISH.say(key, &[("time", &time)])
}

/// The question.
#[must_use]
pub fn question(question: &Question) -> String {
    let (tokens, ttft, tpot) = in_words(question);
    say("quiz.question", &[("tokens", &tokens), ("ttft", &ttft), ("tpot", &tpot)])
}

/// The sum, written out.
#[must_use]
pub fn sum(question: &Question) -> String {
    let e2e = question.e2e_ms();
    say(
        "quiz.sum",
        &[
            ("tokens", &question.tokens.to_string()),
            ("ttft", &in_seconds(question.ttft_ms)),
            ("tpot", &in_seconds(question.tpot_ms)),
            ("rest", &in_seconds(question.rest_ms())),
            ("e2e", &in_seconds(e2e)),
        ],
    )
}

/// What n in place of n - 1 would give.
#[must_use]
pub fn sum_with_n(question: &Question) -> String {
    let values = [("tokens", question.tokens.to_string()), ("time", in_seconds(question.with_n_ms()))];
    say("quiz.sum_with_n", &values.each_ref().map(|(name, value)| (*name, value.as_str())))
}

/// What is to be said of an answer.
#[must_use]
pub fn verdict(verdict: Verdict, question: &Question) -> String {
    let (tokens, ttft, tpot) = in_words(question);
    let values = [
        ("tokens", tokens.as_str()),
        ("ttft", &ttft),
        ("tpot", &tpot),
        ("ttft_s", &in_seconds(question.ttft_ms)),
        ("tpot_s", &in_seconds(question.tpot_ms)),
        ("gaps", &(question.tokens - 1).to_string()),
        ("e2e", &in_seconds(question.e2e_ms())),
    ];
    match verdict {
        Verdict::Right => say("quiz.right", &values),
        Verdict::RightWithN => say("quiz.right_with_n", &values),
        Verdict::Slip(Slip::NoTtft) => say("quiz.no_ttft", &values),
        Verdict::Slip(Slip::Units) => say("quiz.units", &values),
        Verdict::Slip(Slip::TtftEach) => say("quiz.ttft_each", &values),
        Verdict::Slip(Slip::OneGap) => say("quiz.one_gap", &values),
        Verdict::Low => say("quiz.low", &values),
        Verdict::High => say("quiz.high", &values),
        Verdict::NoNumber => say("quiz.no_number", &values),
    }
}

fn in_words(question: &Question) -> (String, String, String) {
    (question.tokens.to_string(), format!("{} ms", question.ttft_ms), format!("{} ms", question.tpot_ms))
}

/// The misconception, refuted with the learner's own run.
#[must_use]
pub fn refutation(run: &Found) -> String {
    with_figures("own.refutation", run)
}

/// What one of the learner's own runs showed, for the page to keep.
#[must_use]
pub fn found(kind: Kind, run: &Found) -> String {
    match kind {
        Kind::Tail => with_figures("found.tail", run),
        Kind::Peak => with_figures("found.peak", run),
        Kind::Held => with_figures("found.held", run),
    }
}

/// Where the answer's numbers come from: those of the tail, of the peak, of the rate that held.
#[must_use]
pub fn sources(own: [Option<&Found>; 3]) -> String {
    if own.iter().all(Option::is_none) {
        return say("source.lesson", &[]);
    }
    let [tail, peak, held] = own.map(|run| match run {
        Some(run) => with_figures("source.run", run),
        None => say("source.lessons_run", &[]),
    });
    say("source.own", &[("tail", &tail), ("peak", &peak), ("held", &held)])
}

/// A sentence with a run's figures; sentences take those they need.
fn with_figures(key: &str, run: &Found) -> String {
    let report = run.report();
    let time = |value: Option<f64>| value.map(format::time).unwrap_or_default();
    let values = [
        ("rate", format::rate(report.rate_per_s)),
        ("draw", draw(run.seed())),
        ("tokens", format::count(report.throughput_tokens_per_s)),
        ("share", report.slo_attainment.map(format::percent).unwrap_or_default()),
        ("p50", time(report.ttft_s.map(|ttft| ttft.p50))),
        ("p99", time(report.ttft_s.map(|ttft| ttft.p99))),
    ];
    say(key, &values.each_ref().map(|(name, value)| (*name, value.as_str())))
}

/// The title of the page to keep.
#[must_use]
pub fn sheet_title() -> String {
    say("sheet.title", &[])
}

/// What a section without lines says.
#[must_use]
pub fn nothing_yet() -> String {
    say("sheet.nothing", &[])
}

/// A point that was covered, or was not.
#[must_use]
pub fn point(ticked: bool, label: &str) -> String {
    say(if ticked { "sheet.covered" } else { "sheet.left_out" }, &[("point", label)])
}

/// How many sums were right.
#[must_use]
pub fn sums(right: u32, tried: u32) -> String {
    say("sheet.sums", &[("right", &right.to_string()), ("tried", &tried.to_string())])
}

/// What the learner wrote to a follow-up.
#[must_use]
pub fn wrote(name: &str, text: &str) -> String {
    say("sheet.wrote", &[("name", name), ("text", text)])
}

/// The titles of the sections, in order: predicted, goals, found, why, thirty seconds, follow-ups.
#[must_use]
pub fn section_titles() -> [String; 6] {
    ["sheet.predicted", "sheet.goals", "sheet.found", "sheet.why", "sheet.thirty", "sheet.follow_ups"]
        .map(|key| say(key, &[]))
}

/// What became of the wish to copy.
#[must_use]
pub fn copied(done: bool) -> String {
    say(if done { "sheet.copied" } else { "sheet.select" }, &[])
}

/// Everything on this device is forgotten.
#[must_use]
pub fn forgotten() -> String {
    say("sheet.forgotten", &[])
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Scenario, Seed, run};

    use super::*;
    use crate::journal::Journal;
    use crate::say::quiz::Quiz;

    /// The keys are the string literals with a dot, and `covered`, of this file's part before the tests.
    #[test]
    fn every_sentence_has_a_use_and_every_use_a_sentence() {
        let source = include_str!("words.rs").split("#[cfg(test)]").next().expect("this file");
        let literals = source.split('"').skip(1).step_by(2);
        let keys: Vec<_> =
            literals.filter(|word| *word == "covered" || (word.contains('.') && !word.contains('/'))).collect();
        let known: Vec<_> = include_str!("../../text/en/say.txt")
            .lines()
            .filter(|line| !line.starts_with('#'))
            .filter_map(|line| Some(line.split_once(" = ")?.0))
            .collect();
        assert!(keys.len() > 20 && known.len() > 20);
        for key in &keys {
            assert!(known.contains(key), "no sentence for {key}");
        }
        for key in &known {
            assert!(keys.contains(key), "no use for {key}");
        }
    }

    #[test]
    fn the_clock_is_told_kindly() {
        assert_eq!(timer_stopped(30), "Stopped at 0:30, within the mark.");
        assert_eq!(timer_stopped(95), "Stopped at 1:35. Longer than the mark is fine while you practise.");
        assert_eq!(
            [(false, false), (true, true), (false, true)].map(|(r, c)| timer_button(r, c)),
            ["Start", "Stop", "Go on"]
        );
    }

    #[test]
    fn the_sum_is_written_out() {
        let quiz = Quiz::default();
        assert_eq!(
            question(&quiz.question),
            "An answer has 300 output tokens. TTFT is 400 ms, TPOT is 30 ms. How long is E2E, in seconds?"
        );
        assert_eq!(sum(&quiz.question), "0.4 s + 0.03 s × (300 − 1) = 0.4 s + 8.97 s = 9.37 s");
        assert!(sum_with_n(&quiz.question).contains("9.4 s"));
    }

    #[test]
    fn every_verdict_has_its_words() {
        let question = Quiz::default().question;
        let all = [
            Verdict::Right,
            Verdict::RightWithN,
            Verdict::Slip(Slip::NoTtft),
            Verdict::Slip(Slip::Units),
            Verdict::Slip(Slip::TtftEach),
            Verdict::Slip(Slip::OneGap),
            Verdict::Low,
            Verdict::High,
            Verdict::NoNumber,
        ]
        .map(|each| verdict(each, &question));
        for (i, words) in all.iter().enumerate() {
            assert!(!words.contains(['{', '}']) && !all[..i].contains(words), "{words}");
        }
        for right in &all[..2] {
            assert!(right.starts_with('✓'), "{right}");
        }
    }

    #[test]
    fn a_run_of_ones_own_is_named() {
        let mut journal = Journal::default();
        assert_eq!(
            sources(Kind::ALL.map(|kind| journal.own(kind))),
            "The numbers are from the lesson's runs at 5, 6 and 4 requests/s. Make such runs in the lab, and yours stand here."
        );
        let scenario = Scenario { rate: 6.2, seed: Seed::Number(3), ..Scenario::default() }.validate().expect("valid");
        journal.note(&scenario, &run(&scenario));
        assert_eq!(
            sources(Kind::ALL.map(|kind| journal.own(kind))),
            "Median and p99 are from the lesson's run; the throughput from your run at 6.2 requests/s, draw 3; \
             the rate that holds from the lesson's run."
        );
        let said = refutation(journal.own(Kind::Peak).expect("past capacity"));
        assert!(
            said.starts_with("You pushed throughput to 1,1") && said.contains("at 6.2 requests/s (draw 3)"),
            "{said}"
        );
    }
}
