//! `cargo xtask setup`: everything at once, for a machine that goes offline later.

use anyhow::Result;

use crate::browser::Browser;
use crate::process::say;
use crate::tools::Toolbox;
use crate::{browsers, targets};

/// Installs whatever any command needs.
///
/// # Errors
/// One sentence about the first thing that is missing and cannot be installed.
pub(crate) fn run() -> Result<()> {
    say("installing what is missing: seconds if all is here, up to 10 minutes on a fresh machine");
    targets::ensure_components()?;
    targets::ensure(&[targets::PAGE, targets::BARE_WASM, targets::BARE_METAL])?;
    Toolbox::ensure()?;
    Browser::ensure()?;
    browsers::setup();
    say("everything is in place");
    Ok(())
}
