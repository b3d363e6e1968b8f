//! Cargo, the same one that started us.

use std::process::Command;

use anyhow::Result;

use crate::process;

/// A `cargo` command in the root of the checkout.
pub(crate) fn cargo<const N: usize>(arguments: [&str; N]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = process::command(program);
    command.args(arguments);
    command
}

/// Downloads every crate of the lock file; silent if they are here.
///
/// All of them, also those of other platforms: offline, Trunk asks cargo for the metadata of the whole workspace.
///
/// # Errors
/// If a crate is missing and cannot be downloaded.
pub(crate) fn fetch() -> Result<()> {
    process::run(&mut cargo(["fetch", "--quiet"]))
}
