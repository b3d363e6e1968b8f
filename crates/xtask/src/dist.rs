//! `cargo xtask dist`: everything that a release consists of, in release/.

mod npm;
mod one_file;
mod scorm;
mod sums;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::node::Node;
use crate::process::{root, say};
use crate::{build, files};

/// The version of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// What its addresses promise: within it no parameter changes its meaning.
const MAJOR: &str = env!("CARGO_PKG_VERSION_MAJOR");

/// Builds the site and packs it.
///
/// # Errors
/// If the site cannot be built, or a file not made.
pub(crate) fn run() -> Result<()> {
    build::run()?;
    pack()
}

/// Packs the site that lies in dist/. The same site gives the same bytes: no clock, no name of a machine, no hash order.
///
/// # Errors
/// If the site is not whole, or a file cannot be made.
pub(crate) fn pack() -> Result<()> {
    let site = root().join("dist");
    let release = folder();
    if release.exists() {
        fs::remove_dir_all(&release).context("cannot empty release/")?;
    }

    say("one file of the whole page");
    files::write(&release.join(name(".html")), one_file::build(&site)?)?;
    say("a zip for SCORM 1.2");
    scorm::write(&site, &release.join(name("-scorm12.zip")))?;
    say("the package for npm");
    npm::pack(&Node::ensure()?, &site, &release)?;
    // What is to be downloaded, and not the folders that are to be served.
    let downloads = sums::lines(&release)?;
    files::write(&release.join(name(".sha256")), downloads)?;

    say("the site, in its folders");
    let fixed = release.join(format!("v{VERSION}"));
    files::copy_all(&site, &fixed)?;
    files::write(&fixed.join("release.json"), sums::release(VERSION, &site)?)?;
    files::write(&fixed.join("SHA256SUMS"), sums::lines(&fixed)?)?;
    // A copy, because static hosts know no links.
    files::copy_all(&fixed, &release.join(format!("v{MAJOR}")))?;
    files::write(&release.join("index.html"), include_str!("dist/root.html").replace("{major}", MAJOR))?;
    say(format!("release/ is complete: v{VERSION}/ stays as it is for ever, v{MAJOR}/ moves on"));
    Ok(())
}

/// The digests of all files in release/.
///
/// # Errors
/// If one cannot be read.
pub(crate) fn sums() -> Result<String> {
    sums::lines(&folder())
}

/// Where a release is put together.
fn folder() -> PathBuf {
    root().join("release")
}

/// The name of a file to download.
fn name(end: &str) -> String {
    format!("goodput-lab-{VERSION}{end}")
}

/// The name of the one file of the site that begins and ends so.
///
/// # Errors
/// If there is none, or more than one.
fn hashed(site: &Path, start: &str, end: &str) -> Result<String> {
    let mut names = files::below(site)?;
    names.retain(|name| name.starts_with(start) && name.ends_with(end) && !name.contains('/'));
    match names.as_slice() {
        [name] => Ok(name.clone()),
        found => {
            anyhow::bail!("dist/ holds {} files {start}*{end} instead of one: run `cargo xtask build`", found.len())
        }
    }
}
