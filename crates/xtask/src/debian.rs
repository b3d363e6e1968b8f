//! Debian packages: the one system where, as root, we install what is missing ourselves.

use std::path::Path;

use anyhow::Result;

use crate::process::{self, command, say};

/// Whether this is Debian and we may install packages.
pub(crate) fn may_install() -> bool {
    is_debian() && is_root() && process::find("apt-get").is_some()
}

/// Installs packages; the caller has asked [`may_install`].
///
/// # Errors
/// If apt-get fails.
pub(crate) fn install(packages: &[&str], about: &str) -> Result<()> {
    say(format!("installing {} with apt-get: {about}", packages.join(" ")));
    let apt_get = || {
        let mut command = command("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    process::run(apt_get().args(["update", "-qq"]))?;
    process::run(apt_get().args(["install", "-y", "-qq", "--no-install-recommends"]).args(packages))
}

/// Debian itself: its derivatives ship Chromium in other forms.
fn is_debian() -> bool {
    let release = std::fs::read_to_string(Path::new("/etc/os-release")).unwrap_or_default();
    release.lines().any(|line| line == "ID=debian")
}

pub(crate) fn is_root() -> bool {
    cfg!(unix) && process::output(command("id").arg("-u")).is_some_and(|id| id.trim() == "0")
}
