//! `goodput fit`: costs that are known come out again, and what is held out is not looked at.

use std::env;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use goodput_sim::{Engine, Scenario, Stop};
use serde_json::{Value, json};

fn fit(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_goodput")).arg("fit").args(args).output().expect("the binary runs")
}

fn fitted(file: &str, flags: &[&str]) -> Value {
    let output = fit(&[&[file, "--format", "json"], flags].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn refused(file: &str, flags: &[&str]) -> String {
    let output = fit(&[&[file], flags].concat());
    assert!(!output.status.success() && output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("UTF-8").trim_end().replace(file, "FILE")
}

/// A file of its own in a folder of its own, so that no meta.json of another test lies beside it.
fn file(name: &str, lines: &[Value]) -> String {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("requests.jsonl");
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    fs::write(&file, lines.join("\n")).expect("a file");
    file.to_str().expect("a path in UTF-8").to_owned()
}

/// A server that fills up, and then has a line.
fn server() -> Scenario {
    Scenario {
        rate: 8.0,
        horizon: 20.0,
        warmup: 0.0,
        max_batch: 24,
        token_budget: 512,
        prompt: 700,
        prompt_cv: 1.0,
        output: 150,
        output_cv: 0.5,
        step_ms: 14.0,
        per_seq_ms: 0.35,
        prefill_ms_per_1k: 55.0,
        ..Scenario::default()
    }
}

/// The timings of the requests of a scenario, as a benchmark would write them, on a clock that started long ago.
fn timings(scenario: Scenario) -> Vec<Value> {
    let scenario = scenario.validate().expect("a valid scenario");
    let mut engine = Engine::new();
    let run = engine.run_until(&scenario, Stop::Drained);
    let lives = &run.fleet().expect("chunked prefill is a fleet's").lives;
    let lines = lives.iter().map(|life| {
        let at = |time: Option<goodput_sim::SimTime>| 1000.0 + time.expect("it is drained").as_secs();
        json!({
            "input_toks": life.lengths.prompt,
            "output_toks": life.lengths.output,
            "queued_ts": at(Some(life.sent)),
            "scheduled_ts": at(life.admitted),
            "first_token_ts": at(life.first_token),
            "last_token_ts": at(life.finish),
        })
    });
    lines.collect()
}

const SHAPE: &[&str] = &["--max-batch", "24", "--token-budget", "512"];

fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

#[test]
fn known_costs_come_out_again() {
    let found = fitted(&file("known", &timings(server())), SHAPE);
    for (name, known) in [("step_ms", 14.0), ("per_seq_ms", 0.35), ("prefill_ms_per_1k", 55.0)] {
        let cost = number(&found["costs"][name]);
        assert!((cost / known - 1.0).abs() < 0.01, "{name} = {cost}, not {known}");
    }
    for half in ["fitted", "held_out"] {
        for figure in ["ttft_mean", "ttft_p90", "ttft_p99", "tpot_mean"] {
            let error = number(&found[half][figure]["error"]);
            assert!(error.abs() < 0.02, "{half} {figure}: {error}");
        }
    }
    assert_eq!(found["running_when_others_waited"], 24);
}

#[test]
fn what_is_held_out_is_not_looked_at() {
    let lines = timings(server());
    let mut garbled = lines.clone();
    for (place, line) in garbled.iter_mut().enumerate().skip(lines.len() / 2) {
        for (name, seconds) in [("scheduled_ts", 3.0), ("first_token_ts", 40.0), ("last_token_ts", 90.0)] {
            line[name] = json!(number(&line[name]) + seconds * (place % 7) as f64);
        }
    }
    let (honest, other) = (fitted(&file("honest", &lines), SHAPE), fitted(&file("garbled", &garbled), SHAPE));
    assert_eq!((&honest["costs"], &honest["fitted"]), (&other["costs"], &other["fitted"]));
    assert_ne!(honest["held_out"], other["held_out"]);
}

#[test]
fn the_file_beside_tells_the_shape_and_flags_win() {
    let file = file("beside", &timings(server()));
    let meta = PathBuf::from(&file).with_file_name("meta.json");
    fs::write(meta, "{\"engine_kwargs\": {\"max_num_seqs\": 24, \"max_num_batched_tokens\": 512}}").expect("a file");
    assert_eq!(fitted(&file, &[]), fitted(&file, SHAPE));
    let output = fit(&[&file, "--max-batch", "64"]);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "meta.json beside the file: --token-budget 512\n");
    let table = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(table.contains("held out  TTFT p99"), "{table}");
    assert!(table.contains("goodput run --max-batch 64 --token-budget 512"), "{table}");
}

#[test]
fn what_cannot_be_fitted_is_refused_in_one_sentence() {
    let lines = timings(server());
    let few = file("few", &lines[..19]);
    assert_eq!(refused(&few, SHAPE), "error: FILE: these are 19 requests: a fit needs at least 20");
    let mut wrong = lines.clone();
    wrong[4]["first_token_ts"] = json!(0.0);
    assert_eq!(
        refused(&file("order", &wrong), SHAPE),
        "error: FILE: line 5: queued, scheduled, first token must follow each other"
    );
    wrong[4] = json!({"input_toks": 5});
    assert_eq!(refused(&file("missing", &wrong), SHAPE), "error: FILE: line 5, column 16: missing field `output_toks`");
    let all = file("all", &lines);
    assert_eq!(
        refused(&all, &["--kv-tokens", "160"]),
        "error: such a server does not serve every request, so no cost fits: is its memory too small?"
    );
    assert_eq!(refused(&all, &["--max-batch", "0"]), "error: max-batch = 0 sequences: allowed are 1 to 4096 sequences");
    assert!(refused("nowhere.jsonl", &[]).starts_with("error: FILE: "));
}

/// The bars of the page's promise, on the timings of a real server; CONTRIBUTING.md says where they can be had.
#[test]
fn a_real_server_is_predicted() {
    let Some(file) = env::var_os("GOODPUT_TIMINGS") else { return };
    let found = fitted(file.to_str().expect("a path in UTF-8"), &[]);
    let bars = [("ttft_mean", 0.08), ("ttft_p90", 0.08), ("ttft_p99", 0.08), ("tpot_mean", 0.06)];
    for (figure, bar) in bars {
        let error = number(&found["held_out"][figure]["error"]);
        assert!(error.abs() <= bar, "held out {figure}: {error}");
    }
}
