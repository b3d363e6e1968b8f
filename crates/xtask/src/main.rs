//! Chores in Rust: `cargo xtask setup | build | serve | test | matrix | hosts | bench | dist`.
//!
//! Every command gets what it needs by itself: targets from rustup, the pinned tools into the
//! user's cache directory, the browser from the system or from Playwright.

mod bench;
mod browser;
mod browsers;
mod build;
mod cargo;
mod check;
mod debian;
mod digest;
mod dist;
mod files;
mod hosts;
mod licences;
mod node;
mod offline;
mod page_files;
mod pages;
mod pins;
mod process;
mod serve;
mod setup;
mod size;
mod studies;
mod styles;
mod targets;
mod tools;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Chores of Goodput Lab. Each command first installs what it misses, and says so.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    command: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Installs everything the other commands need: targets, tools, browser.
    Setup,
    /// Builds the static site into dist/.
    Build,
    /// Builds the site and serves it on this machine.
    Serve {
        /// Port to listen on; if it is busy, the next free one is taken.
        #[arg(long, default_value_t = 8080)]
        port: u16,
        /// Also opens the page in the default browser.
        #[arg(long)]
        open: bool,
    },
    /// Joins the page's style sheets; the build calls it.
    #[command(hide = true)]
    Styles,
    /// Makes the other pages out of the built one; the build calls it.
    #[command(hide = true)]
    Pages,
    /// Runs every check, from formatting to the browser tests; stops at the first failure.
    Test,
    /// Drives the built lab in the frames of all kinds of hosts, in Chromium, Firefox and WebKitGTK.
    Matrix,
    /// Builds the examples of other people's pages, and drives the built lab in them.
    Hosts,
    /// Makes a release in release/: the site in its folders, one file, the packages, their digests.
    Dist {
        /// Where the site will be: previews of links want whole addresses.
        #[arg(long, value_name = "URL", value_parser = dist::addressed::folder)]
        site_url: Option<String>,
    },
    /// Measures the page in a headless browser.
    Bench {
        /// Also measures the engine natively (criterion).
        #[arg(long)]
        engine: bool,
    },
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Chore::Setup => setup::run(),
        Chore::Build => build::run(),
        Chore::Serve { port, open } => serve::run(port, open),
        Chore::Styles => styles::write(),
        Chore::Pages => pages::write(),
        Chore::Test => check::run(),
        Chore::Dist { site_url } => dist::run(site_url.as_deref()),
        Chore::Matrix => browsers::matrix(),
        Chore::Hosts => hosts::run(),
        Chore::Bench { engine } => bench::run(engine),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
