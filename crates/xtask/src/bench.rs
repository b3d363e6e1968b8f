//! `cargo xtask bench`: the page against hand-written JavaScript, and slider to pixels.

use anyhow::Result;

use crate::browser::Browser;
use crate::build;
use crate::cargo::cargo;
use crate::process::{self, say};

/// Builds the site and measures it in a headless browser; with `engine`, the engine natively too.
///
/// # Errors
/// If something is missing and cannot be installed, the build fails, or a measurement fails.
pub(crate) fn run(engine: bool) -> Result<()> {
    say("building the site and measuring it in headless Chromium: about 3 minutes");
    build::run()?;
    if engine {
        say("measuring the engine natively: about 3 minutes");
        process::run(&mut cargo(["bench", "-p", "goodput-sim"]))?;
    }
    process::run(&mut Browser::ensure()?.script("bench.mjs"))
}
