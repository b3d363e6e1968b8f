//! Node.js and npm: for wasm-opt, for the tests of the wasm build, for the browser tests.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::debian;
use crate::process::{self, command};

/// Oldest major version that the browser tests run on.
const OLDEST: u32 = 20;

/// Node.js on this machine.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    node: PathBuf,
    npm: PathBuf,
}

impl Node {
    /// Finds Node.js and npm, or installs them where we may.
    ///
    /// # Errors
    /// One sentence, if they are missing and cannot be installed, or are too old.
    pub(crate) fn ensure() -> Result<Self> {
        if Self::find().is_none() && debian::may_install() {
            debian::install(&["nodejs", "npm"], "about a minute")
                .context("Node.js cannot be installed: install Node.js 20 or newer from https://nodejs.org")?;
        }
        let Some(found) = Self::find() else {
            bail!("Node.js or npm is missing: install Node.js {OLDEST} or newer from https://nodejs.org");
        };
        match found.major() {
            Some(major) if major >= OLDEST => Ok(found),
            Some(major) => {
                bail!("Node.js {major} is too old: install Node.js {OLDEST} or newer from https://nodejs.org")
            }
            None => bail!("`node --version` does not work: install Node.js {OLDEST} or newer from https://nodejs.org"),
        }
    }

    fn find() -> Option<Self> {
        Some(Self { node: process::find("node")?, npm: process::find("npm")? })
    }

    fn major(&self) -> Option<u32> {
        let version = process::output(self.node().arg("--version"))?;
        version.trim().strip_prefix('v')?.split('.').next()?.parse().ok()
    }

    /// A `node` command.
    pub(crate) fn node(&self) -> Command {
        command(&self.node)
    }

    /// An `npm` command that only installs.
    pub(crate) fn npm(&self) -> Command {
        let mut npm = command(&self.npm);
        npm.env("NPM_CONFIG_FUND", "false").env("NPM_CONFIG_AUDIT", "false").env("NPM_CONFIG_UPDATE_NOTIFIER", "false");
        npm
    }
}
