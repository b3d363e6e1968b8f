//! Compilation targets and the components of the toolchain in force.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::cargo::cargo;
use crate::process::{self, command, say};

/// The page.
pub(crate) const PAGE: &str = "wasm32-unknown-unknown";
/// WebAssembly with nothing around it: there is no `std` to lean on.
pub(crate) const BARE_WASM: &str = "wasm32v1-none";
/// A microcontroller: no operating system either.
pub(crate) const BARE_METAL: &str = "thumbv7em-none-eabihf";

/// Adds the targets that the toolchain in force lacks.
///
/// # Errors
/// One sentence, if a target is missing and rustup is not there to add it.
pub(crate) fn ensure(targets: &[&str]) -> Result<()> {
    let missing: Vec<&str> = targets.iter().copied().filter(|target| !is_installed(target)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let list = missing.join(" ");
    let Some(rustup) = process::find("rustup") else {
        bail!(
            "the Rust target {list} is missing: install Rust with rustup (https://rustup.rs) or add the target with your package manager"
        );
    };
    say(format!("adding the Rust target {list} with rustup: some seconds each"));
    process::run(command(rustup).args(["target", "add"]).args(&missing)).with_context(|| {
        format!("the Rust target {list} cannot be installed: run `rustup target add {list}` while online")
    })
}

/// Adds rustfmt and clippy if the toolchain in force lacks them.
///
/// # Errors
/// One sentence, if one is missing and rustup is not there to add it.
pub(crate) fn ensure_components() -> Result<()> {
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if process::output(&mut cargo([subcommand, "--version"])).is_some() {
            continue;
        }
        let Some(rustup) = process::find("rustup") else {
            bail!(
                "{component} is missing: install Rust with rustup (https://rustup.rs) or {component} with your package manager"
            );
        };
        say(format!("adding {component} with rustup: some seconds"));
        process::run(command(rustup).args(["component", "add", component])).with_context(|| {
            format!("{component} cannot be installed: run `rustup component add {component}` while online")
        })?;
    }
    Ok(())
}

/// Whether the compiled core library of a target is there, however it came.
fn is_installed(target: &str) -> bool {
    process::output(command("rustc").args(["--print", "target-libdir", "--target", target]))
        .is_some_and(|folder| holds_core(Path::new(folder.trim())))
}

fn holds_core(folder: &Path) -> bool {
    std::fs::read_dir(folder)
        .is_ok_and(|entries| entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libcore-")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_target_is_not_installed() {
        assert!(!is_installed("no-such-target"));
    }
}
