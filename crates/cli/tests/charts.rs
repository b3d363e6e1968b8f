//! The charts as files.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use assert_cmd::assert::Assert;

fn goodput(args: &[&str]) -> Assert {
    Command::new(env!("CARGO_BIN_EXE_goodput")).args(args).assert()
}

/// An empty directory of this test's own.
fn directory(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).expect("a directory for the test");
    directory
}

#[test]
fn every_chart_is_drawn() {
    let directory = directory("every-chart");
    for chart in ["throughput", "ttft", "tpot", "goodput", "time"] {
        let file = directory.join(format!("{chart}.svg"));
        let path = file.to_str().expect("UTF-8");
        goodput(&["chart", "--chart", chart, "--rates", "4,5,6", "--out", path]).success().stdout("").stderr("");
        let svg = fs::read_to_string(&file).expect("the file");
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{chart}");
        assert!(svg.contains(r#"width="560" height="280""#), "{chart}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{chart}");
    }
}

#[test]
fn theme_size_and_scenario_are_the_readers() {
    let directory = directory("the-readers");
    let drawn = |name: &str, flags: &[&str]| {
        let file = directory.join(name);
        let args = ["chart", "--rates", "4,5,6", "--out", file.to_str().expect("UTF-8")];
        goodput(&[&args, flags].concat()).success();
        fs::read_to_string(&file).expect("the file")
    };
    let svgs = [
        drawn("plain.svg", &[]),
        drawn("dark.svg", &["--theme", "dark"]),
        drawn("large.svg", &["--width", "800", "--height", "400"]),
        drawn("slots.svg", &["--max-batch", "8"]),
        drawn("between.svg", &["--rate", "5.55"]),
    ];
    assert_eq!(svgs.iter().collect::<BTreeSet<_>>().len(), svgs.len());
    assert_eq!(drawn("again.svg", &[]), svgs[0]);
}

#[test]
fn the_stills_are_all_there() {
    let directory = directory("stills").join("made/for/them");
    goodput(&["stills", "--out", directory.to_str().expect("UTF-8")]).success().stdout("").stderr("");
    let files: BTreeSet<_> = fs::read_dir(&directory)
        .expect("the directory")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    let expected: BTreeSet<_> = ["throughput", "ttft", "tpot", "goodput", "time", "scene"]
        .into_iter()
        .flat_map(|chart| ["light", "dark", "narrow-light", "narrow-dark"].map(|kind| format!("{chart}-{kind}.svg")))
        .collect();
    assert_eq!(files, expected);
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let file = directory("nowhere").join("not/there.svg");
    let path = file.to_str().expect("UTF-8");
    let assert = goodput(&["chart", "--rates", "5", "--out", path]).code(1).stdout("");
    let errors = String::from_utf8_lossy(&assert.get_output().stderr);
    assert!(errors.starts_with(&format!("error: cannot write {path}: ")), "{errors}");
}

#[test]
fn an_unknown_chart_is_a_usage_error() {
    goodput(&["chart", "--out", "x.svg", "--chart", "pie"]).code(2);
    goodput(&["chart", "--out", "x.svg", "--width", "0"]).code(2);
    goodput(&["chart"]).code(2);
}
