//! What the page says of the learner's own doing, from `text/en/say.txt`: another language is another file.

use std::iter::zip;
use std::sync::LazyLock;

use goodput_charts::{Phrases, format, text_file};
use goodput_summary::Summary;

use crate::journal::Kind;
use crate::say::quiz::{Question, Slip, Verdict, in_seconds};
use crate::say::timer::{MARK_S, clock};
use crate::words::draw;

static ENGLISH: LazyLock<Phrases> = LazyLock::new(|| Phrases::read(text_file!("../../text/en/say.txt")));

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
    with_numbers("quiz.question", question)
}

/// The sum, written out.
#[must_use]
pub fn sum(question: &Question) -> String {
    with_numbers("quiz.sum", question)
}

/// What n in place of n - 1 would give.
#[must_use]
pub fn sum_with_n(question: &Question) -> String {
    with_numbers("quiz.sum_with_n", question)
}

/// What is to be said of an answer.
#[must_use]
pub fn verdict(verdict: Verdict, question: &Question) -> String {
    let key = match verdict {
        Verdict::Right => "quiz.right",
        Verdict::RightWithN => "quiz.right_with_n",
        Verdict::Slip(Slip::NoTtft) => "quiz.no_ttft",
        Verdict::Slip(Slip::Units) => "quiz.units",
        Verdict::Slip(Slip::TtftEach) => "quiz.ttft_each",
        Verdict::Slip(Slip::OneGap) => "quiz.one_gap",
        Verdict::Low => "quiz.low",
        Verdict::High => "quiz.high",
        Verdict::NoNumber => "quiz.no_number",
    };
    with_numbers(key, question)
}

/// A sentence with a question's numbers; sentences take those they need.
fn with_numbers(key: &str, question: &Question) -> String {
    say(
        key,
        &[
            ("tokens", &question.tokens.to_string()),
            ("gaps", &(question.tokens - 1).to_string()),
            ("ttft_ms", &question.ttft_ms.to_string()),
            ("tpot_ms", &question.tpot_ms.to_string()),
            ("ttft", &in_seconds(question.ttft_ms)),
            ("tpot", &in_seconds(question.tpot_ms)),
            ("rest", &in_seconds(question.rest_ms())),
            ("e2e", &in_seconds(question.e2e_ms())),
            ("with_n", &in_seconds(question.with_n_ms())),
        ],
    )
}

/// The misconception, refuted with the learner's own run.
#[must_use]
pub fn refutation(run: &Summary) -> String {
    with_figures("own.refutation", run)
}

/// What one of the learner's own runs showed, for the page to keep.
#[must_use]
pub fn found(kind: Kind, run: &Summary) -> String {
    match kind {
        Kind::Tail => with_figures("found.tail", run),
        Kind::Peak => with_figures("found.peak", run),
        Kind::Held => with_figures("found.held", run),
    }
}

/// Where the answer's numbers come from: those of the tail, of the peak, of the rate that held.
#[must_use]
pub fn sources(own: [Option<&Summary>; 3]) -> String {
    if own.iter().all(Option::is_none) {
        return say("source.lesson", &[]);
    }
    let source = |(key, run): (&str, Option<&Summary>)| run.map(|run| with_figures(key, run));
    let found: Vec<_> = zip(["source.tail", "source.peak", "source.held"], own).filter_map(source).collect();
    let key = if found.len() == own.len() { "source.all_own" } else { "source.some_own" };
    say(key, &[("found", &found.join(", "))])
}

/// A sentence with a run's figures; sentences take those they need.
fn with_figures(key: &str, run: &Summary) -> String {
    let (p50, p99) = run.ttft_s.map_or((0.0, 0.0), |ttft| (ttft.p50, ttft.p99));
    say(
        key,
        &[
            ("rate", &format::rate(run.rate_per_s)),
            ("draw", &draw(run.scenario.0.seed)),
            ("tokens", &format::count(run.throughput_tokens_per_s)),
            ("share", &format::percent(run.slo_attainment.unwrap_or_default())),
            ("p50", &format::time(p50)),
            ("p99", &format::time(p99)),
        ],
    )
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

/// A section of the page to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// What was predicted.
    Predicted,
    /// The goals reached.
    Goals,
    /// What the learner's runs showed.
    Found,
    /// Why throughput and goodput part.
    Why,
    /// What thirty seconds covered.
    Thirty,
    /// The follow-ups.
    FollowUps,
}

/// The title of a section.
#[must_use]
pub fn section(section: Section) -> String {
    let key = match section {
        Section::Predicted => "sheet.predicted",
        Section::Goals => "sheet.goals",
        Section::Found => "sheet.found",
        Section::Why => "sheet.why",
        Section::Thirty => "sheet.thirty",
        Section::FollowUps => "sheet.follow_ups",
    };
    say(key, &[])
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
            sources(journal.all()),
            "The numbers are from the lesson’s runs at 5, 6 and 4 requests/s. Make such runs in the lab, and yours stand here."
        );
        let scenario = Scenario { rate: 6.2, seed: Seed::Number(3), ..Scenario::default() }.validate().expect("valid");
        journal.note(&Summary::new(&scenario, &run(&scenario)));
        assert_eq!(
            sources(journal.all()),
            "From your own runs: throughput at 6.2 requests/s (draw 3). The rest is the lesson’s."
        );
        let said = refutation(journal.own(Kind::Peak).expect("past capacity"));
        assert!(
            said.starts_with("You pushed throughput to 1,1") && said.contains("at 6.2 requests/s (draw 3)"),
            "{said}"
        );
    }
}
