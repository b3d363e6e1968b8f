//! Bad input, and readers who leave: exit codes and words.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use assert_cmd::assert::Assert;

fn goodput(args: &[&str]) -> Assert {
    assert_cmd::Command::new(env!("CARGO_BIN_EXE_goodput")).args(args).assert()
}

/// Asserts exit code 2, nothing on standard output, and returns the first line of standard error.
fn refused(args: &[&str]) -> String {
    let assert = goodput(args).code(2).stdout("");
    let errors = String::from_utf8_lossy(&assert.get_output().stderr);
    errors.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_bad_rate_is_refused_in_one_sentence() {
    for (given, shown) in [("0", "0"), ("-1", "-1"), ("NaN", "NaN"), ("inf", "inf"), ("1e9", "1000000000")] {
        let errors = goodput(&["run", "--rate", given]).code(2).stdout("").get_output().stderr.clone();
        let sentence = format!("error: rate = {shown} requests/s: allowed are 0.01 to 1000 requests/s\n");
        assert_eq!(String::from_utf8_lossy(&errors), sentence);
    }
    assert_eq!(
        refused(&["run", "--rate", "fast"]),
        "error: rate = \"fast\": allowed are numbers, 0.01 to 1000 requests/s"
    );
}

#[test]
fn other_bad_values_are_refused_too() {
    assert_eq!(
        refused(&["run", "--max-batch", "0"]),
        "error: max-batch = 0 sequences: allowed are 1 to 4096 sequences"
    );
    assert_eq!(
        refused(&["run", "--warmup", "600"]),
        "error: warmup = 600 s: must be shorter than the horizon of 600 s"
    );
    assert_eq!(
        refused(&["run", "--seed", "luck"]),
        "error: seed = \"luck\": allowed are lesson, or a whole number, 0 to 18446744073709551615"
    );
    assert_eq!(
        refused(&["run", "--routing", "fastest"]),
        "error: routing = \"fastest\": allowed are round-robin, random, least-outstanding"
    );
    assert_eq!(
        refused(&["capacity", "--prefill-replicas", "1", "--autoscale", "queue"]),
        "error: prefill-replicas and autoscale do not go together: it would scale one of the two kinds of server only"
    );
    for command in [&["run"][..], &["sweep"], &["capacity"], &["chart", "--out", "never-made.svg"]] {
        assert_eq!(
            refused(&[command, &["--preset", "rush-hour"]].concat()),
            "error: preset = \"rush-hour\": allowed are assistant, calm, overload, batch-summaries, agent, code-completion, chat-trace, llama-8b-rtx-pro-6000, llama-8b-rtx-4090, opt-13b-a100, llama-70b-8-h100"
        );
    }
    assert_eq!(
        refused(&["run", "--rate", "1000", "--horizon", "2000"]),
        "error: rate = 1000 requests/s over horizon = 2000 s is 2000000 arrivals: allowed are at most 1000000 arrivals"
    );
    assert_eq!(
        refused(&["sweep", "--rates", "4:6:0"]),
        "error: invalid value '4:6:0' for '--rates <RATES>': the step is 0: it must be greater than 0"
    );
    assert_eq!(
        refused(&["sweep", "--rates", "-1:6:1"]),
        "error: invalid value '-1:6:1' for '--rates <RATES>': rate = -1 requests/s: allowed are 0.01 to 1000 requests/s"
    );
    assert_eq!(
        refused(&["capacity", "--attainment", "99"]),
        "error: invalid value '99' for '--attainment <SHARE>': allowed are shares above 0, at most 1 (0.99 is 99 %)"
    );
}

#[test]
fn an_unknown_flag_is_a_usage_error() {
    assert_eq!(refused(&["run", "--speed", "9"]), "error: unexpected argument '--speed' found");
    assert_eq!(refused(&["sweep", "--rate", "5"]), "error: unexpected argument '--rate' found");
    assert_eq!(refused(&["fly"]), "error: unrecognized subcommand 'fly'");
}

#[test]
fn nothing_is_printed_before_all_rates_are_checked() {
    let message = refused(&["sweep", "--rates", "5,1000", "--horizon", "2000"]);
    assert!(message.starts_with("error: rate = 1000 requests/s over horizon = 2000 s"), "{message}");
}

#[test]
fn a_long_simulation_is_fine_when_its_rates_are_low() {
    goodput(&["sweep", "--rates", "0.1", "--horizon", "1000000"]).success();
}

#[test]
fn help_shows_every_field_and_examples() {
    let assert = goodput(&["run", "--help"]).success();
    let help = String::from_utf8_lossy(&assert.get_output().stdout);
    for field in goodput_sim::FIELDS {
        assert!(help.contains(&format!("--{} <{}>", field.name, field.unit)), "{} is missing", field.name);
    }
    for choice in goodput_sim::CHOICES {
        assert!(help.contains(&format!("--{} <WORD>", choice.name)), "{} is missing", choice.name);
        assert!(help.contains(&choice.words.join("|")), "{} has its words", choice.name);
    }
    assert!(help.contains("Examples:"));
}

#[test]
fn a_reader_may_leave_early() {
    for format in ["csv", "json", "table"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_goodput"))
            .args(["sweep", "--seeds", "20", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut first = String::new();
        BufReader::new(child.stdout.take().expect("piped")).read_line(&mut first).expect("a line");
        assert!(!first.is_empty());
        let output = child.wait_with_output().expect("it ends");
        assert!(output.status.success(), "{format}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{format}");
    }
}
