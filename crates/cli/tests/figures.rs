//! The figures: what the command line prints is what was published.

use std::process::Command;

use goodput_sim::{CHOICES, FIELDS, Scenario};
use serde_json::Value;

const LESSON: &str = include_str!("../../../tests/data/lesson.json");

fn goodput(args: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_goodput")).args(args).output().expect("the binary runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {errors}");
    assert_eq!(errors, "", "{args:?}: nothing but results");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&goodput(args)).expect("JSON")
}

fn run_at(rate: &str) -> Value {
    json(&["run", "--rate", rate, "--format", "json"])
}

/// `value` in `unit`, rounded to `digits` decimals as the lesson prints it.
fn rounded(value: &Value, unit: f64, digits: usize) -> String {
    format!("{:.digits$}", value.as_f64().expect("a number") / unit)
}

#[test]
fn at_4_all_is_well() {
    let run = run_at("4");
    assert_eq!(rounded(&run["throughput_tokens_per_s"], 1.0, 0), "804");
    assert_eq!(rounded(&run["ttft_s"]["p99"], 1e-3, 0), "188");
    assert_eq!(rounded(&run["tpot_s"]["p50"], 1e-3, 0), "25");
    assert_eq!(rounded(&run["slo_attainment"], 0.01, 0), "100");
}

#[test]
fn at_5_the_median_is_fine_and_the_tail_is_not() {
    let run = run_at("5");
    assert_eq!(rounded(&run["throughput_tokens_per_s"], 1.0, 0), "1004");
    assert_eq!(rounded(&run["ttft_s"]["p50"], 1e-3, 0), "81");
    assert_eq!(rounded(&run["ttft_s"]["p99"], 1.0, 2), "1.23");
    assert_eq!(rounded(&run["slo_attainment"], 0.01, 0), "89");
}

#[test]
fn at_6_throughput_peaks_and_goodput_is_zero() {
    let run = run_at("6");
    assert_eq!(rounded(&run["throughput_tokens_per_s"], 1.0, 0), "1142");
    assert_eq!(rounded(&run["ttft_s"]["p50"], 1.0, 1), "12.4");
    assert_eq!(rounded(&run["slo_attainment"], 0.01, 0), "0");
    assert_eq!(run["goodput_requests_per_s"], 0.0);
}

#[test]
fn a_preset_is_its_flags_and_flags_win_over_it() {
    let run = |flags: &[&str]| json(&[&["run", "--format", "json"], flags].concat());
    assert_eq!(run(&["--preset", "overload"]), run_at("6"));
    assert_eq!(run(&["--preset", "assistant"]), run(&[]));
    assert_eq!(run(&["--rate", "4.5", "--preset", "overload", "--seed", "7"]), run(&["--rate", "4.5", "--seed", "7"]));
    let sweep = |flags: &[&str]| goodput(&[&["sweep", "--rates", "4,5"], flags].concat());
    assert_eq!(sweep(&["--preset", "calm", "--max-batch", "32"]), sweep(&["--max-batch", "32"]));
}

/// Every field of `expected` is in `found`, numbers equal within 2e-6.
fn assert_contains(found: &Value, expected: &Value, path: &str) {
    match (found, expected) {
        (Value::Object(found), Value::Object(expected)) => {
            for (name, expected) in expected {
                let path = format!("{path}.{name}");
                assert_contains(found.get(name).unwrap_or_else(|| panic!("{path} is missing")), expected, &path);
            }
        }
        (Value::Number(found), Value::Number(expected)) => {
            let (found, expected) = (found.as_f64().expect("f64"), expected.as_f64().expect("f64"));
            assert!((found - expected).abs() <= 2e-6 * expected.abs(), "{path}: {found}, published {expected}");
        }
        _ => panic!("{path}: {found}, published {expected}"),
    }
}

#[test]
fn every_row_of_the_lesson_comes_out() {
    let lesson: Value = serde_json::from_str(LESSON).expect("JSON");
    for row in lesson["rows"].as_array().expect("rows") {
        let rate = row["rate_per_s"].to_string();
        assert_contains(&run_at(&rate), row, &format!("at {rate}"));
    }
}

#[test]
fn the_json_has_the_further_fields_and_can_be_run_again() {
    let run = run_at("5");
    for field in ["server_output_tokens_per_s", "itl_s", "rejected", "littles_law", "n_steps"] {
        assert!(!run[field].is_null(), "{field}");
    }
    assert_eq!((&run["scenario"]["rate"], &run["scenario"]["seed"]), (&Value::from(5.0), &Value::from("lesson")));
}

#[test]
fn flags_change_the_scenario() {
    let run = json(&["run", "--rate", "5,5", "--max-batch", "8", "--seed", "7", "--warmup", "0", "--format", "json"]);
    assert_eq!(run["rate_per_s"], 5.5);
    assert_eq!(run["scenario"]["max_batch"], 8);
    assert_eq!(run["scenario"]["seed"], 7);
    assert_eq!(run["scenario"]["warmup"], 0.0);
}

#[test]
fn every_field_has_its_flag() {
    let lesson = Scenario::default();
    let numbers = FIELDS.iter().map(|field| (field.name, field.get(&lesson).to_string()));
    let words = CHOICES.iter().map(|choice| (choice.name, choice.get(&lesson).to_owned()));
    let flags: Vec<String> = numbers.chain(words).flat_map(|(name, value)| [format!("--{name}"), value]).collect();
    let all: Vec<&str> = ["run", "--format", "json"].into_iter().chain(flags.iter().map(String::as_str)).collect();
    assert_eq!(json(&all), run_at("5"));
    let fleet = json(&["run", "--replicas", "4", "--routing", "random", "--format", "json"]);
    assert_eq!(
        (&fleet["scenario"]["replicas"], &fleet["scenario"]["routing"]),
        (&Value::from(4), &Value::from("random"))
    );
}

#[test]
fn the_table_is_for_reading() {
    let table = goodput(&["run", "--rate", "5"]);
    for figure in ["1003.7", "80.6 ms", "1.23 s", "89.0 %", "2710"] {
        assert!(table.contains(figure), "{figure} is missing in\n{table}");
    }
    let table = goodput(&["run", "--rate", "0.01", "--horizon", "1", "--warmup", "0"]);
    assert!(!table.contains("NaN") && !table.contains("None"), "{table}");
}

#[test]
fn a_range_of_rates_includes_its_end() {
    let csv = goodput(&["sweep", "--rates", "4.0:6.0:0.1"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let columns: Vec<_> = reader.headers().expect("a header").iter().map(str::to_owned).collect();
    assert_eq!(columns[..2], ["seed", "rate_per_s"]);
    assert!(columns.contains(&"ttft_s.p99".to_owned()));
    let rows: Vec<_> = reader.records().map(|row| row.expect("a row")).collect();
    let rates: Vec<f64> = rows.iter().map(|row| row[1].parse().expect("a rate")).collect();
    assert_eq!(rates, (40..=60).map(|tenth| f64::from(tenth) / 10.0).collect::<Vec<_>>());
}

#[test]
fn a_sweep_says_what_single_runs_say() {
    let sweep = json(&["sweep", "--rates", "4,5,6", "--format", "json"]);
    assert_eq!(sweep, Value::from(["4", "5", "6"].map(run_at).to_vec()));
    let csv = goodput(&["sweep", "--rates", "5"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let columns = reader.headers().expect("a header").clone();
    let row = reader.records().next().expect("a row").expect("a row");
    let cell = |name: &str| row[columns.iter().position(|column| column == name).expect(name)].to_owned();
    let run = run_at("5");
    assert_eq!(cell("seed"), "lesson");
    assert_eq!(cell("completed"), run["completed"].to_string());
    assert_eq!(cell("ttft_s.p99"), run["ttft_s"]["p99"].to_string());
}

#[test]
fn more_seeds_only_add_rows() {
    for format in ["csv", "table"] {
        let one = goodput(&["sweep", "--rates", "4,5,6", "--seeds", "1", "--format", format]);
        let three = goodput(&["sweep", "--rates", "4,5,6", "--seeds", "3", "--format", format]);
        assert_eq!(three.lines().take(4).collect::<Vec<_>>(), one.lines().collect::<Vec<_>>());
        assert_eq!(three.lines().count(), 1 + 3 * 3);
    }
    let three = json(&["sweep", "--rates", "5", "--seeds", "3", "--format", "json"]);
    let seeds: Vec<_> = three.as_array().expect("rows").iter().map(|row| &row["scenario"]["seed"]).collect();
    assert_eq!(seeds, [&Value::from("lesson"), &Value::from(1), &Value::from(2)]);
}

#[test]
fn capacity_lies_below_the_closed_form() {
    let capacity = json(&["capacity", "--attainment", "0.99", "--format", "json"]);
    let closed_form = capacity["closed_form"].as_f64().expect("a rate");
    let highest = capacity["highest_rate"].as_f64().expect("a rate");
    assert!((closed_form - 5.84).abs() < 0.005, "{closed_form}");
    assert!((4.0..5.0).contains(&highest), "{highest}: all is well at 4, 11 % miss at 5");
    assert!(capacity["attainment"].as_f64() >= Some(0.99));

    // Without a TPOT goal, and nobody minding a short wait, it comes near the closed form.
    let patient =
        ["capacity", "--attainment", "0.99", "--slo-ttft-ms", "5000", "--slo-tpot-ms", "1000", "--format", "json"];
    let highest = json(&patient)["highest_rate"].as_f64().expect("a rate");
    assert!((highest / closed_form - 1.0).abs() < 0.1, "{highest}");
    assert!(goodput(&["capacity"]).contains("5.84"));
}

#[test]
fn a_server_that_never_keeps_its_slo_has_no_capacity() {
    let args = ["capacity", "--slo-ttft-ms", "1", "--format", "json"];
    assert_eq!(json(&args)["highest_rate"], Value::Null);
    assert!(goodput(&args[..3]).contains("no rate does"));
}
