//! What the browser tests need: their npm packages and a Chromium.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::debian;
use crate::node::Node;
use crate::process::{self, root, say};

/// Names Chromium goes by on PATH.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Where macOS keeps what is not on PATH.
const MAC_APPS: [&str; 2] = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// A browser and the scripts that drive it.
#[derive(Clone, Debug)]
pub(crate) struct Browser {
    node: Node,
    /// A Chromium of the system; `None` is Playwright's own.
    chromium: Option<PathBuf>,
}

impl Browser {
    /// Finds Node.js, the packages of tests/browser and Chromium, or installs what is missing.
    ///
    /// # Errors
    /// One sentence, if something is missing and cannot be installed.
    pub(crate) fn ensure() -> Result<Self> {
        let node = Node::ensure()?;
        ensure_packages(&node)?;
        let chromium = ensure_chromium(&node)?;
        Ok(Self { node, chromium })
    }

    /// A script of tests/browser under Node.js, told about the site and the browser.
    pub(crate) fn script(&self, path: &str) -> Command {
        let mut command = script(&self.node, path);
        command.env("GOODPUT_DIST", root().join("dist"));
        if let Some(chromium) = &self.chromium {
            command.env("GOODPUT_CHROMIUM", chromium);
        }
        command
    }

    /// Playwright's command line.
    pub(crate) fn playwright(&self) -> Command {
        self.script(PLAYWRIGHT)
    }
}

const PLAYWRIGHT: &str = "node_modules/@playwright/test/cli.js";

fn folder() -> PathBuf {
    root().join("tests").join("browser")
}

fn script(node: &Node, path: &str) -> Command {
    let mut command = node.node();
    command.current_dir(folder()).arg(path);
    command
}

fn ensure_packages(node: &Node) -> Result<()> {
    let folder = folder();
    if is_newer(&folder.join("node_modules/.package-lock.json"), &folder.join("package-lock.json")) {
        return Ok(());
    }
    say("installing the packages of tests/browser from npm: about 10 seconds");
    // Playwright's packages would otherwise fetch browsers on some set-ups; we choose ours below.
    process::run(node.npm().arg("ci").current_dir(&folder).env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"))
        .context("the packages of tests/browser cannot be installed: run `npm ci` in tests/browser while online")
}

fn is_newer(left: &Path, right: &Path) -> bool {
    let written = |path: &Path| path.metadata().and_then(|meta| meta.modified()).ok();
    matches!((written(left), written(right)), (Some(left), Some(right)) if left >= right)
}

fn ensure_chromium(node: &Node) -> Result<Option<PathBuf>> {
    if let Some(chromium) = find_chromium() {
        return Ok(Some(chromium));
    }
    if debian::may_install()
        && debian::install(&["chromium"], "about a minute").is_ok()
        && let Some(chromium) = find_chromium()
    {
        return Ok(Some(chromium));
    }
    say("getting Chromium with Playwright: about a minute, seconds if it is already there");
    let mut install = script(node, PLAYWRIGHT);
    install.arg("install");
    if cfg!(target_os = "linux") && debian::is_root() {
        install.arg("--with-deps");
    }
    process::run(install.arg("chromium")).context(
        "Chromium is missing and cannot be installed: install Chromium or Chrome, or set CHROME_PATH to where it is",
    )?;
    Ok(None)
}

fn find_chromium() -> Option<PathBuf> {
    let named = ["GOODPUT_CHROMIUM", "CHROME_PATH"].into_iter().filter_map(std::env::var_os).map(PathBuf::from);
    let on_path = NAMES.into_iter().filter_map(process::find);
    let on_mac = MAC_APPS.into_iter().map(PathBuf::from);
    named.chain(on_path).chain(on_mac).find(|path| path.is_file())
}
