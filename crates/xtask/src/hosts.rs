//! `cargo xtask hosts`: the examples of tests/hosts, built as their authors would, and driven in a browser.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::browser::Browser;
use crate::debian;
use crate::files;
use crate::process::{self, command, root, say};
use crate::tools;

/// An example: its folder, how it is built from there into another, and what it takes where that fails.
type Example = (&'static str, fn(&Path, &Path) -> Result<()>, &'static str);

const EXAMPLES: [Example; 4] = [
    ("plain", files::copy_all, ""),
    ("reveal", reveal, ""),
    ("mdbook", mdbook, "install mdBook (`cargo install mdbook`)"),
    ("jupyter", jupyter, "install Python 3 with its module venv, and let pip reach PyPI once"),
];

/// Builds what can be built here, says in one sentence what cannot, and tests it. The site must have been built.
///
/// # Errors
/// If a file cannot be written, or a test fails.
pub(crate) fn run() -> Result<()> {
    let browser = Browser::ensure()?;
    let site = root().join("target").join("hosts");
    remove(&site)?;
    files::copy_all(&root().join("dist"), &site.join("lab"))
        .context("there is no site: run `cargo xtask build` first")?;
    for (name, build, advice) in EXAMPLES {
        let folder = site.join(name);
        if let Err(error) = build(&root().join("tests").join("hosts").join(name), &folder) {
            remove(&folder)?;
            say(format!("the example {name} is neither built nor tested: {advice} ({error:#})"));
        }
    }
    let mut tests = browser.playwright();
    tests.args(["test", "--config", "hosts/hosts.config.js"]).env("GOODPUT_HOSTS", &site);
    process::run(&mut tests)
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

/// A deck is files, with Reveal.js itself beside them.
fn reveal(from: &Path, to: &Path) -> Result<()> {
    files::copy_all(from, to)?;
    let package = root().join("tests/browser/node_modules/reveal.js/dist");
    for part in ["reveal.js", "reveal.css", "theme/white.css"] {
        files::write(&to.join("reveal.js").join(part), files::bytes(&package.join(part))?)?;
    }
    Ok(())
}

fn mdbook(from: &Path, to: &Path) -> Result<()> {
    process::run(command(tools::mdbook()?).arg("build").arg(from).arg("--dest-dir").arg(to))
}

fn jupyter(from: &Path, to: &Path) -> Result<()> {
    let mut export = command(nbconvert(&from.join("requirements.txt"))?);
    export.args(["nbconvert", "--to", "html", "--output", "index.html", "--output-dir"]).arg(to);
    process::run(export.arg(from.join("lab.ipynb")))
}

/// Where `jupyter` is, in an environment of its own in the cache, named by what is in it.
fn nbconvert(requirements: &Path) -> Result<PathBuf> {
    let pin = files::text(requirements)?;
    let environment = tools::cache()?.join(pin.trim().replace("==", "-"));
    let bin = environment.join(if cfg!(windows) { "Scripts" } else { "bin" });
    let jupyter = bin.join("jupyter");
    if process::output(command(&jupyter).args(["nbconvert", "--version"])).is_some() {
        return Ok(jupyter);
    }
    say(format!("installing {} from PyPI: about 15 seconds", pin.trim()));
    let python = process::find("python3").or_else(|| process::find("python"));
    let create = |python: PathBuf| process::run(command(python).args(["-m", "venv", "--clear"]).arg(&environment));
    let is_created = python.is_some_and(|python| create(python).is_ok());
    if !is_created {
        anyhow::ensure!(debian::may_install(), "Python 3 with venv is missing");
        debian::install(&["python3-venv"], "about a minute")?;
        create(process::find("python3").context("Python 3 is missing")?)?;
    }
    process::run(
        command(bin.join("python")).args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(requirements),
    )?;
    Ok(jupyter)
}
