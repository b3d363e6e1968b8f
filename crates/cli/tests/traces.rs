//! `goodput run --trace`: requests of a file instead of drawn ones.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn run(file: &str, flags: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_goodput"));
    command.args(["run", "--format", "json", "--trace", file]).args(flags).output().expect("the binary runs")
}

fn ran(file: &str, flags: &[&str]) -> (Value, String) {
    let output = run(file, flags);
    let errors = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(output.status.success(), "{errors}");
    (serde_json::from_slice(&output.stdout).expect("JSON"), errors)
}

fn refused(file: &str, flags: &[&str]) -> String {
    let output = run(file, flags);
    assert!(!output.status.success() && output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("UTF-8").trim_end().replace(file, "FILE")
}

fn file(name: &str, text: &str) -> String {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, text).expect("a file");
    file.to_str().expect("a path in UTF-8").to_owned()
}

/// 101 requests, one each second.
fn even(name: &str) -> String {
    let lines = (0..=100).map(|second| {
        let output = if second % 2 == 0 { 10 } else { 30 };
        format!("{{\"timestamp\": {}, \"input_length\": 500, \"output_length\": {output}}}\n", 7000 + 1000 * second)
    });
    file(name, &lines.collect::<String>())
}

#[test]
fn each_request_of_the_trace_is_served_as_it_is() {
    let flags = ["--horizon", "200", "--warmup", "0", "--max-batch", "1", "--step-ms", "10", "--per-seq-ms", "0"];
    let (whole, errors) = ran(&even("whole.jsonl"), &[&flags[..], &["--prefill-ms-per-1k", "100"]].concat());
    assert_eq!((&whole["offered"], &whole["completed"]), (&Value::from(101), &Value::from(101)));
    assert_eq!((&whole["rate_per_s"], &whole["scenario"]["output"]), (&Value::from(1.0), &Value::from(20)));
    // Nobody waits: 500 tokens of prompt are 50 ms. An answer of 10 tokens stays 10 steps, that is 10 / 9 a later token.
    assert_eq!((&whole["ttft_s"]["p50"], &whole["ttft_s"]["p99"]), (&Value::from(0.05), &Value::from(0.05)));
    let tpot = whole["tpot_s"]["p99"].as_f64().expect("a number");
    assert!((tpot - 0.1 / 9.0).abs() < 1e-9, "{tpot}");
    assert_eq!(
        errors,
        "trace: 101 requests in 100.0 s, 1.000 requests/s, gaps with CV 0.00, 500 prompt and 20 answer tokens on average\n\
         trace: the horizon of 200 s leaves the server idle after it, and rates count that time\n"
    );
}

#[test]
fn a_rate_stretches_the_trace() {
    let file = even("stretched.jsonl");
    let (fast, errors) = ran(&file, &["--rate", "10", "--horizon", "5", "--warmup", "0"]);
    assert_eq!((&fast["rate_per_s"], &fast["offered"]), (&Value::from(10.0), &Value::from(50)));
    assert!(errors.starts_with("trace: 101 requests in 10.0 s, 10.000 requests/s"), "{errors}");
    assert!(errors.ends_with("trace: 50 of them come before the horizon of 5 s, the others are not simulated\n"));
}

#[test]
fn a_fleet_takes_a_trace_too() {
    let chunked = ["--token-budget", "256", "--replicas", "2", "--horizon", "200", "--warmup", "0"];
    let (fleet, _) = ran(&even("fleet.jsonl"), &chunked);
    assert_eq!(fleet["completed"], 101);
}

#[test]
fn wrong_files_and_flags_are_refused_in_one_sentence() {
    let wrong = file("wrong.csv", "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.6805900,374,x\n");
    assert_eq!(refused(&wrong, &[]), "error: FILE: line 2, column 3: invalid digit found in string");
    let file = even("refused.jsonl");
    for flag in ["prompt", "output", "arrival-cv", "spike-factor", "output-cv", "cached-share"] {
        assert_eq!(
            refused(&file, &[&format!("--{flag}"), "1"]),
            format!("error: --{flag} and --trace do not go together: a trace has its own arrivals and lengths")
        );
    }
    assert_eq!(
        refused(&file, &["--users", "3"]),
        "error: --users and --trace do not go together: a trace says when its requests come"
    );
    assert_eq!(refused(&file, &["--rate", "0"]), "error: rate = 0 requests/s: allowed are 0.01 to 1000 requests/s");
    assert!(refused("nowhere.csv", &[]).starts_with("error: FILE: "));
}
