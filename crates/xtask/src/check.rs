//! `cargo xtask test`: every check there is, in the order in which a failure is cheapest to find.

use std::time::Instant;

use anyhow::{Result, ensure};

use crate::browser::Browser;
use crate::cargo::cargo;
use crate::node::Node;
use crate::process::{self, say, took};
use crate::tools::Toolbox;
use crate::{browsers, build, dist, hosts, size, targets};

/// One check: its heading and what it does.
type Step = (&'static str, fn() -> Result<()>);

const STEPS: &[Step] = &[
    ("formatting", formatting),
    ("lints, native", lints_native),
    ("lints, wasm", lints_wasm),
    ("the engine alone without std, on bare wasm", engine_on_bare_wasm),
    ("the engine alone without std, on bare metal", engine_on_bare_metal),
    ("unit and documentation tests, laws, theory, goldens, command line", native_tests),
    ("the digest of whole reports, on wasm", digest_on_wasm),
    ("the same model in plain JavaScript", peer_tests),
    ("the site", build::run),
    ("size of a first load", size::check),
    ("a release of it", release),
    ("the page in a browser", browser_tests),
    ("the lab in frames of all kinds, in three browsers", browsers::matrix),
    ("the lab in other people's pages", hosts::run),
];

/// Runs the steps until one fails. The last line counts them, for whoever reads only that.
///
/// # Errors
/// Of the first step that fails.
pub(crate) fn run() -> Result<()> {
    say("running every check: about 6 minutes the first time, 2 after a change, more on a fresh machine");
    let start = Instant::now();
    for (index, (title, check)) in STEPS.iter().enumerate() {
        let number = index + 1;
        println!("\n== {number}/{} {title}", STEPS.len());
        process::flush();
        let step_start = Instant::now();
        let result = check();
        let time = took(step_start.elapsed());
        if let Err(error) = result {
            println!("\n== failed after {time}: {title}: {error:#}");
            println!("{index} passed, 1 failed");
            process::flush();
            std::process::exit(1);
        }
        println!("== passed in {time}");
    }
    println!("\n== every check passed, in {}", took(start.elapsed()));
    println!("{} passed, 0 failed", STEPS.len());
    Ok(())
}

fn formatting() -> Result<()> {
    targets::ensure_components()?;
    process::run(&mut cargo(["fmt", "--all", "--check"]))
}

fn lints_native() -> Result<()> {
    process::run(&mut cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))
}

fn lints_wasm() -> Result<()> {
    targets::ensure(&[targets::PAGE])?;
    let mut clippy = cargo(["clippy", "-p", "goodput-web", "-p", "goodput-studies", "--target", targets::PAGE]);
    process::run(clippy.args(["--", "-D", "warnings"]))
}

fn engine_on_bare_wasm() -> Result<()> {
    engine_alone(targets::BARE_WASM)
}

fn engine_on_bare_metal() -> Result<()> {
    engine_alone(targets::BARE_METAL)
}

/// Built by itself: together with others, their features could bring `std` in unseen.
fn engine_alone(target: &str) -> Result<()> {
    targets::ensure(&[target])?;
    process::run(&mut cargo(["build", "-p", "goodput-sim", "--target", target]))
}

fn native_tests() -> Result<()> {
    process::run(&mut cargo(["test", "--workspace"]))
}

fn digest_on_wasm() -> Result<()> {
    targets::ensure(&[targets::PAGE])?;
    Node::ensure()?;
    let toolbox = Toolbox::ensure()?;
    let mut test = cargo(["test", "-p", "goodput-tests", "--target", targets::PAGE, "--test", "determinism"]);
    test.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner");
    process::run(toolbox.lend_to(&mut test))
}

/// The benchmark compares against it, so it must compute the same thing.
fn peer_tests() -> Result<()> {
    process::run(Node::ensure()?.node().args(["--test", "tests/peer/model.test.mjs"]))
}

/// Packed twice, because whoever packs the same site again shall get the same bytes. The browser tests look inside.
fn release() -> Result<()> {
    let mut packed = [String::new(), String::new()];
    for sums in &mut packed {
        dist::pack(None)?;
        *sums = dist::sums()?;
    }
    ensure!(packed[0] == packed[1], "the same site made two releases that differ");
    Ok(())
}

fn browser_tests() -> Result<()> {
    process::run(Browser::ensure()?.playwright().arg("test"))
}
