//! `goodput`: the lesson's simulated LLM server on the command line, on the same engine as the page.
//!
//! Results go to standard output, everything else to standard error.
//! Exit codes: 0 done, 1 failed, 2 the command line asks for something that is not allowed.
#![forbid(unsafe_code)]

mod capacity;
mod chart;
mod fit;
mod fit_costs;
mod fit_outcome;
mod fit_search;
mod fit_start;
mod fit_timings;
mod nelder_mead;
mod oembed;
mod output;
mod png;
mod rates;
mod run;
mod scenario_args;
mod stills;
mod sweep;
mod table;
mod trace;
mod trace_formats;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use goodput_sim::ScenarioError;

/// Simulates an LLM server with continuous batching: what it delivers, how long its users wait, and how many of them
/// get what they were promised.
#[derive(Debug, Parser)]
#[command(version, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  goodput run --rate 5                         the lesson's server at 5 requests/s
  goodput run --rate 5 --format json           the same for a program
  goodput sweep --rates 4:6:0.1 > curve.csv    21 rates, one row each
  goodput capacity --attainment 0.99           the highest rate at which 99 % stay within the SLO
  goodput chart --chart ttft --out ttft.svg    the waiting time over the arrival rate
  goodput fit requests.jsonl                   the costs of a real server, from its timings";

#[derive(Debug, Subcommand)]
enum Command {
    Run(run::RunArgs),
    Sweep(sweep::SweepArgs),
    Capacity(capacity::CapacityArgs),
    Chart(chart::ChartArgs),
    Fit(fit::FitArgs),
    #[command(hide = true)]
    Stills(stills::StillsArgs),
}

impl Command {
    fn execute(&self) -> anyhow::Result<()> {
        match self {
            Self::Run(args) => args.execute(),
            Self::Sweep(args) => args.execute(),
            Self::Capacity(args) => args.execute(),
            Self::Chart(args) => args.execute(),
            Self::Fit(args) => args.execute(),
            Self::Stills(args) => args.execute(),
        }
    }
}

fn main() -> ExitCode {
    match Cli::parse().command.execute() {
        Err(error) if !output::is_broken_pipe(&error) => {
            // Nobody is left to tell when standard error is closed too.
            let _ = writeln!(io::stderr(), "error: {error:#}");
            ExitCode::from(if error.is::<ScenarioError>() { 2 } else { 1 })
        }
        _ => ExitCode::SUCCESS,
    }
}
