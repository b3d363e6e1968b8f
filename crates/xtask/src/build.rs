//! `cargo xtask build`: the static site in dist/.

use anyhow::{Context, Result};

use crate::process::{self, say};
use crate::targets;
use crate::tools::Toolbox;

/// Builds the release site.
///
/// # Errors
/// If a tool is missing and cannot be installed, or the build fails.
pub(crate) fn run() -> Result<()> {
    say("building the site into dist/: about two minutes the first time, half a minute after a change");
    targets::ensure(&[targets::PAGE])?;
    let mut trunk = Toolbox::ensure()?.trunk("build")?;
    process::run(&mut trunk).context("the site was not built")?;
    say("the site is in dist/: any static host can serve it, from any folder");
    Ok(())
}
