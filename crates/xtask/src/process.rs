//! Running other programs and talking to the person at the terminal.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

/// Root of the checkout: two folders above this crate.
pub(crate) fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here)
}

/// One line about what happens now.
pub(crate) fn say(text: impl AsRef<str>) {
    println!("xtask: {}", text.as_ref());
    flush();
}

/// Writes out what is buffered, so that our lines and a child's come in order.
pub(crate) fn flush() {
    // A closed terminal is no reason to stop building.
    let _ = std::io::stdout().flush();
}

/// A command that starts in the root of the checkout.
pub(crate) fn command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// Where a program is on PATH, if it is.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    which::which(program).ok()
}

/// Shows the command, runs it with the terminal's output, and fails if it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let line = shown(command);
    println!("$ {line}");
    flush();
    let status = command.status().with_context(|| format!("cannot start `{line}`"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// What the command prints, or `None` if it cannot start or fails.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then_some(text)
}

/// "4.2 s" or "3 min 05 s".
pub(crate) fn took(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{:.1} s", time.as_secs_f64())
    } else {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    }
}

/// The command as a person would type it: the program's name without its folder.
fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_stem().unwrap_or(program.as_os_str());
    std::iter::once(name).chain(command.get_args()).map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_as_a_person_says_them() {
        assert_eq!(took(Duration::from_millis(4_200)), "4.2 s");
        assert_eq!(took(Duration::from_secs(185)), "3 min 05 s");
    }

    #[test]
    fn a_failing_command_is_named_in_the_error() {
        let mut command = command("rustc");
        command.arg("--no-such-flag").stderr(Stdio::null());
        let error = run(&mut command).expect_err("rustc knows no such flag");
        assert!(error.to_string().starts_with("`rustc --no-such-flag` failed"), "{error}");
    }

    #[test]
    fn the_root_holds_the_workspace() {
        assert!(root().join("Trunk.toml").is_file());
    }
}
