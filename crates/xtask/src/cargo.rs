//! Cargo, the same one that started us.

use std::path::PathBuf;
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

/// Compiler flags that keep the names of this machine's folders out of the module: the same sources shall make the same
/// bytes everywhere, and nobody's home shall be read in them. `None` if the folder's name does not fit into the flags.
pub(crate) fn without_our_folders() -> Option<String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(dirs::home_dir()?.join(".cargo")))?;
    let sources = home.join("registry").join("src");
    let sources = sources.to_str().filter(|path| !path.contains(char::is_whitespace))?;
    Some(format!("--remap-path-prefix={sources}=crates"))
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
