//! The charts as files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use goodput_sim::{PRESETS, Preset};
use serde_json::Value;

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

/// Runs `goodput stills` with these flags; the files by name.
fn stills(name: &str, flags: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let directory = directory(name).join("made/for/them");
    let args = ["stills", "--out", directory.to_str().expect("UTF-8")];
    goodput(&[&args, flags].concat()).success().stdout("").stderr("");
    let entries = fs::read_dir(&directory).expect("the directory").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| (entry.file_name().into_string().expect("UTF-8"), fs::read(entry.path()).expect("a file")))
        .collect()
}

/// The presets that have pictures.
fn pictured() -> impl Iterator<Item = &'static Preset> {
    PRESETS.iter().filter(|preset| preset.is_of_the_lesson())
}

#[test]
fn the_stills_are_all_there() {
    let files = stills("stills", &[]);
    let of_the_page = ["throughput", "ttft", "tpot", "goodput", "time", "scene"]
        .into_iter()
        .flat_map(|chart| ["light", "dark", "narrow-light", "narrow-dark"].map(|kind| format!("{chart}-{kind}.svg")));
    let of_presets = pictured()
        .flat_map(|preset| [".svg", "-dark.svg", ".png", ".oembed.json"].map(|kind| format!("{}{kind}", preset.name)));
    let expected: Vec<_> = of_the_page.chain(of_presets).collect();
    assert_eq!(files.keys().collect::<BTreeSet<_>>(), expected.iter().collect());
    assert_eq!(files.len(), expected.len(), "no two pictures have one name");
    for preset in pictured() {
        let text = |ending: &str| String::from_utf8(files[&format!("{}{ending}", preset.name)].clone()).expect("UTF-8");
        for svg in [text(".svg"), text("-dark.svg")] {
            assert!(svg.starts_with("<svg") && svg.contains(r#"width="1200" height="630""#), "{}", preset.name);
        }
        assert_ne!(text(".svg"), text("-dark.svg"));
    }
}

/// Width and height, from the first chunk of a PNG file.
fn size(png: &[u8]) -> (u32, u32) {
    assert_eq!((&png[..8], &png[12..16]), (&b"\x89PNG\r\n\x1a\n"[..], &b"IHDR"[..]));
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().expect("four bytes"));
    (number(16), number(20))
}

#[test]
fn a_chart_can_be_a_picture_of_points() {
    let directory = directory("points");
    let drawn = |name: &str, flags: &[&str]| {
        let file = directory.join(name);
        let args = ["chart", "--rates", "4,5,6", "--out", file.to_str().expect("UTF-8")];
        goodput(&[&args, flags].concat()).success().stdout("").stderr("");
        fs::read(&file).expect("the file")
    };
    let png = drawn("chart.png", &["--width", "500", "--height", "300"]);
    assert_eq!(size(&png), (500, 300));
    assert_eq!(drawn("again.PNG", &["--width", "500", "--height", "300"]), png);
    assert_ne!(drawn("marked.png", &["--width", "500", "--height", "300", "--rate", "6"]), png);
}

#[test]
fn the_answers_to_how_to_embed_lead_to_the_site() {
    for (flags, base) in
        [(&[][..], "../"), (&["--site-url", "https://example.org/lab/v1"][..], "https://example.org/lab/v1/")]
    {
        let files = stills("oembed", flags);
        for preset in pictured() {
            let name = preset.name;
            let answer: Value = serde_json::from_slice(&files[&format!("{name}.oembed.json")]).expect("JSON");
            assert_eq!((&answer["type"], &answer["version"]), (&"rich".into(), &"1.0".into()));
            let html = answer["html"].as_str().expect("text");
            assert!(html.contains(&format!(r#" src="{base}embed.html?preset={name}" "#)), "{html}");
            assert!(
                html.contains(&format!(r#" width="{}" height="{}" "#, answer["width"], answer["height"])),
                "{html}"
            );
            assert_eq!(answer["thumbnail_url"], format!("{base}still/{name}.png"));
            let thumbnail = size(&files[&format!("{name}.png")]);
            assert_eq!(answer["thumbnail_width"], thumbnail.0);
            assert_eq!(answer["thumbnail_height"], thumbnail.1);
        }
    }
    goodput(&["stills", "--out", "never-made", "--site-url", "example.org"]).code(2).stdout("");
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
