//! Trunk, wasm-bindgen and wasm-opt at the pinned versions: found, or installed into the cache.
//!
//! In this order: PATH, the cache that all checkouts of this user share, ready-made binaries
//! through cargo-binstall, the registries (a light build from source, or npm). Versions are
//! always asked for: an older wasm-opt exits with success and writes a module that does not start.

use std::ffi::OsString;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::cargo;
use crate::node::Node;
use crate::pins::Pins;
use crate::process::{self, command, say};

/// What one tool is and where it comes from.
#[derive(Clone, Debug)]
struct Tool {
    /// Executables it consists of; the first is asked for its version.
    programs: &'static [&'static str],
    /// Name and version of the package, as the registry has it.
    package: (&'static str, String),
    /// The word in `--version` that must be there.
    version: String,
    source: Source,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Trunk,
    WasmBindgen,
    MdBook,
    Npm,
}

impl Tool {
    fn trunk(pins: &Pins) -> Self {
        Self {
            programs: &["trunk"],
            package: ("trunk", pins.trunk.clone()),
            version: pins.trunk.clone(),
            source: Source::Trunk,
        }
    }

    fn wasm_bindgen(pins: &Pins) -> Self {
        Self {
            programs: &["wasm-bindgen", "wasm-bindgen-test-runner"],
            package: ("wasm-bindgen-cli", pins.wasm_bindgen.clone()),
            version: pins.wasm_bindgen.clone(),
            source: Source::WasmBindgen,
        }
    }

    fn wasm_opt(pins: &Pins) -> Self {
        Self {
            programs: &["wasm-opt"],
            package: ("binaryen", format!("{}.0.0", pins.wasm_opt)),
            version: pins.wasm_opt.clone(),
            source: Source::Npm,
        }
    }

    /// Only an example of a host is built with it, so no other file needs to know its version.
    fn mdbook() -> Self {
        const VERSION: &str = "0.5.4";
        Self {
            programs: &["mdbook"],
            package: ("mdbook", VERSION.into()),
            version: format!("v{VERSION}"),
            source: Source::MdBook,
        }
    }

    /// The folder in the cache that is this version of this tool.
    fn folder_name(&self) -> String {
        format!("{}-{}", self.package.0, self.package.1)
    }

    /// Where the executables are within that folder.
    fn bin_of(&self, folder: &Path) -> PathBuf {
        match self.source {
            Source::Npm => folder.join("node_modules").join(".bin"),
            Source::Trunk | Source::WasmBindgen | Source::MdBook => folder.join("bin"),
        }
    }

    /// Whether all its programs are there, at the pinned version. `None` looks on PATH.
    fn is_ready(&self, bin: Option<&Path>) -> bool {
        let find = |program: &str| match bin {
            None => process::find(program),
            Some(bin) => which::which_in(program, Some(bin), process::root()).ok(),
        };
        self.programs.iter().all(|program| find(program).is_some())
            && find(self.programs[0])
                .and_then(|program| process::output(command(program).arg("--version")))
                .is_some_and(|text| names_version(&text, &self.version))
    }
}

/// Whether `version` is a word of what `--version` printed.
fn names_version(text: &str, version: &str) -> bool {
    text.split_whitespace().any(|word| word == version)
}

/// The three tools, ready to be used by a child process.
#[derive(Clone, Debug)]
pub(crate) struct Toolbox {
    /// PATH with the folders of the cached tools in front.
    path: OsString,
    /// Whether all three are on this machine, so that Trunk has nothing to download.
    is_complete: bool,
}

impl Toolbox {
    /// Finds the tools, or installs what is missing.
    ///
    /// # Errors
    /// One sentence, if a tool is missing and cannot be installed.
    pub(crate) fn ensure() -> Result<Self> {
        let pins = Pins::read()?;
        let mut folders = Vec::new();
        let mut is_complete = true;
        for tool in [Tool::trunk(&pins), Tool::wasm_bindgen(&pins), Tool::wasm_opt(&pins)] {
            match locate(&tool)? {
                Place::OnPath => {}
                Place::In(folder) => folders.push(folder),
                Place::LeftToTrunk => is_complete = false,
            }
        }
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        folders.extend(std::env::split_paths(&inherited));
        let path = std::env::join_paths(folders).context("a folder of PATH has a separator in its name")?;
        Ok(Self { path, is_complete })
    }

    /// Lets a command find the tools.
    pub(crate) fn lend_to<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        command.env("PATH", &self.path)
    }

    /// A command of one of the tools; `None` if it is left to Trunk to download.
    pub(crate) fn command(&self, program: &str) -> Option<Command> {
        let mut command = command(which::which_in(program, Some(&self.path), process::root()).ok()?);
        self.lend_to(&mut command);
        Some(command)
    }

    /// A Trunk command for the release site. If all tools are here, nothing is downloaded.
    ///
    /// # Errors
    /// If Trunk cannot be found, or a crate cannot be downloaded.
    pub(crate) fn trunk(&self, subcommand: &str) -> Result<Command> {
        let mut command = self.command("trunk").context("Trunk is not on PATH")?;
        command.args([subcommand, "--release"]).env("TRUNK_SKIP_VERSION_CHECK", "true");
        if let Some(flags) = cargo::without_our_folders() {
            command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags);
        }
        if self.is_complete {
            cargo::fetch()?;
            command.arg("--offline=true").env("CARGO_NET_OFFLINE", "true");
        }
        // Trunk reads this variable as a flag and stops at any value but true and false.
        if std::env::var_os("NO_COLOR").is_some() {
            command.env("NO_COLOR", "true");
        }
        Ok(command)
    }
}

enum Place {
    OnPath,
    In(PathBuf),
    LeftToTrunk,
}

fn locate(tool: &Tool) -> Result<Place> {
    if tool.is_ready(None) {
        return Ok(Place::OnPath);
    }
    let cache = cache()?;
    let bin = tool.bin_of(&cache.join(tool.folder_name()));
    if tool.is_ready(Some(&bin)) {
        return Ok(Place::In(bin));
    }
    if tool.source == Source::Npm {
        match Node::ensure() {
            Ok(node) => install(tool, &cache, |folder| npm(tool, &node, folder))?,
            Err(reason) => {
                say(format!("Trunk downloads wasm-opt {} itself, because {reason:#}", tool.version));
                return Ok(Place::LeftToTrunk);
            }
        }
    } else {
        install(tool, &cache, |folder| from_registry(tool, folder))?;
    }
    Ok(Place::In(bin))
}

/// Where mdBook is; installed as the others are.
///
/// # Errors
/// If it is missing and cannot be installed.
pub(crate) fn mdbook() -> Result<PathBuf> {
    match locate(&Tool::mdbook())? {
        Place::In(bin) => Ok(bin.join("mdbook")),
        Place::OnPath | Place::LeftToTrunk => process::find("mdbook").context("mdBook is not on PATH"),
    }
}

/// Where tools are kept for every checkout of this user.
pub(crate) fn cache() -> Result<PathBuf> {
    let user = dirs::cache_dir().context("there is no cache directory: set HOME or XDG_CACHE_HOME")?;
    let cache = user.join("goodput-lab").join("tools");
    fs::create_dir_all(&cache).with_context(|| format!("cannot create {}", cache.display()))?;
    Ok(cache)
}

/// Installs into a folder aside and renames it when it works, so that an entry is whole or absent.
fn install(tool: &Tool, cache: &Path, fill: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
    let name = tool.folder_name();
    let (folder, partial) = (cache.join(&name), cache.join(format!("{name}.partial")));

    let lock = File::create(cache.join(format!("{name}.lock"))).context("cannot write to the cache directory")?;
    lock.lock().context("cannot lock the cache directory")?;
    if tool.is_ready(Some(&tool.bin_of(&folder))) {
        return Ok(()); // somebody else installed it while we waited
    }
    remove(&partial)?;
    fs::create_dir_all(&partial).with_context(|| format!("cannot create {}", partial.display()))?;
    fill(&partial)?;
    if !tool.is_ready(Some(&tool.bin_of(&partial))) {
        bail!("{} {} was installed but does not run", tool.package.0, tool.package.1);
    }
    remove(&folder)?;
    fs::rename(&partial, &folder).with_context(|| format!("cannot move {} into place", folder.display()))
}

fn remove(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    Ok(())
}

fn npm(tool: &Tool, node: &Node, folder: &Path) -> Result<()> {
    let (package, version) = &tool.package;
    say(format!("installing wasm-opt ({package} {version}) from npm: about 15 seconds"));
    process::run(node.npm().args(["install", "--prefix"]).arg(folder).arg(format!("{package}@{version}"))).with_context(
        || {
            format!(
                "wasm-opt {} cannot be installed: put it on PATH (https://github.com/WebAssembly/binaryen)",
                tool.version
            )
        },
    )
}

fn from_registry(tool: &Tool, folder: &Path) -> Result<()> {
    let (package, version) = &tool.package;
    if let Some(binstall) = process::find("cargo-binstall") {
        say(format!("installing {package} {version} with cargo-binstall: some seconds"));
        let mut command = command(binstall);
        command
            .args(["--no-confirm", "--disable-strategies", "compile", "--root"])
            .arg(folder)
            .arg(format!("{package}@{version}"))
            .env("BINSTALL_DISABLE_TELEMETRY", "true");
        if process::run(&mut command).is_ok() && tool.is_ready(Some(&tool.bin_of(folder))) {
            return Ok(());
        }
        say("cargo-binstall found no binary that runs here, so it is built from source");
    }
    from_source(tool, folder).with_context(|| {
        format!("{package} {version} cannot be installed: run `cargo install {package}@{version}` or put it on PATH")
    })
}

/// A build that is quick rather than optimised: these tools wait for the compiler anyway.
fn from_source(tool: &Tool, folder: &Path) -> Result<()> {
    let (package, version) = &tool.package;
    let mut build = cargo::cargo(["install", "--debug", "--no-default-features", "--version", version, package]);
    build.arg("--root").arg(folder).env("CARGO_PROFILE_DEV_DEBUG", "0").env_remove("CARGO_BUILD_TARGET");
    let minutes = match tool.source {
        Source::Trunk => {
            // It does not compile without TLS, and this kind asks for no system library.
            build.args(["--locked", "--features", "rustls"]);
            "about 5 minutes, once for all checkouts"
        }
        Source::MdBook => {
            build.arg("--locked");
            "about 2 minutes, once for all checkouts"
        }
        // Not `--locked`: its lock file names a crate version that not every mirror has.
        Source::WasmBindgen | Source::Npm => "about 2 minutes, once for all checkouts",
    };
    say(format!("building {package} {version} from source into {}: {minutes}", folder.display()));
    process::run(&mut build)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_whole_words() {
        assert!(names_version("trunk 0.21.14\n", "0.21.14"));
        assert!(names_version("wasm-opt version 132 (version_132)\n", "132"));
        assert!(!names_version("wasm-opt version 108\n", "132"), "Debian's old wasm-opt");
        assert!(!names_version("wasm-bindgen 0.2.13\n", "0.2.130"));
        assert!(!names_version("wasm-bindgen 0.2.130-dev\n", "0.2.130"));
    }

    #[test]
    fn a_half_installed_tool_is_neither_ready_nor_kept() {
        let pins = Pins { trunk: "1.2.3".into(), wasm_bindgen: "1.2.3".into(), wasm_opt: "1".into() };
        let tool = Tool::trunk(&pins);
        let cache = std::env::temp_dir().join(format!("goodput-xtask-test-{}", std::process::id()));
        fs::create_dir_all(&cache).expect("a temporary folder");

        let error = install(&tool, &cache, |_| Ok(())).expect_err("nothing was put into the folder");
        assert_eq!(error.to_string(), "trunk 1.2.3 was installed but does not run");
        assert!(!cache.join("trunk-1.2.3").exists());

        fs::remove_dir_all(&cache).expect("our own folder");
    }
}
