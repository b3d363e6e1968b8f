//! `goodput sweep`: one scenario over many arrival rates and draws.

use std::io::{self, BufWriter, IsTerminal, Write};

use clap::{Args, ValueEnum};
use goodput_sim::Engine;
use goodput_summary::{METRICS, Summary};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serializer;

use crate::rates::{PAGE_RATES, Rates};
use crate::scenario_args::ServerArgs;
use crate::table;

/// Simulate one scenario over many arrival rates, and over many draws
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct SweepArgs {
    /// Arrival rates [requests/s]: FROM:TO:STEP with both ends, or a list as 4,5,6
    #[arg(long, default_value = PAGE_RATES, allow_hyphen_values = true)]
    rates: Rates,
    /// How many draws of each rate: the scenario's own seed, then others
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    seeds: u32,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = SweepFormat::Csv)]
    format: SweepFormat,
    #[command(flatten)]
    server: ServerArgs,
}

const EXAMPLES: &str = "\
All rates of one seed are served the same arrivals, stretched. More seeds only add rows at the end.

Examples:
  goodput sweep --rates 4:6:0.1 --format table
  goodput sweep --rates 4,5,6 --seeds 100 > draws.csv     how much is luck?
  goodput sweep --max-batch 128 --format json > wide.json";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SweepFormat {
    /// One row for each rate and seed, a column for every number of the JSON, named by its path (`ttft_s.p99`).
    Csv,
    /// An array of the objects that `goodput run` prints.
    Json,
    /// The most important columns, for reading.
    Table,
}

impl SweepArgs {
    pub(crate) fn execute(&self) -> anyhow::Result<()> {
        let scenario = self.server.scenario()?;
        let at_rates = self.rates.scenarios(&scenario)?;
        let progress = match self.format {
            // The rows that pass by are progress enough, and a bar would be in their way.
            SweepFormat::Csv | SweepFormat::Json if io::stdout().is_terminal() => ProgressBar::hidden(),
            _ => progress_bar(at_rates.len() as u64 * u64::from(self.seeds)),
        };

        let seeds = scenario.seed.replications(self.seeds as usize);
        let scenarios = seeds.flat_map(|seed| at_rates.iter().map(move |scenario| scenario.with_seed(seed)));
        let mut engine = Engine::new();
        let summaries = scenarios.map(|scenario| {
            let report = engine.run(&scenario).report();
            Summary::new(&scenario, &report)
        });

        let summaries = progress.wrap_iter(summaries);
        match self.format {
            SweepFormat::Csv => print_csv(summaries).map_err(io_error)?,
            SweepFormat::Json => print_json_array(summaries)?,
            SweepFormat::Table => writeln!(io::stdout(), "{}", table::of_sweep(summaries))?,
        }
        Ok(())
    }
}

/// A bar on standard error, if that is a terminal; gone when the sweep is over.
fn progress_bar(runs: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{bar:40} {pos} of {len} runs, {eta} left");
    ProgressBar::new(runs).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
}

/// Prints the rows while the runs go on.
fn print_csv(summaries: impl Iterator<Item = Summary>) -> csv::Result<()> {
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    out.write_record(["seed"].into_iter().chain(METRICS.iter().map(|metric| metric.path)))?;
    for summary in summaries {
        out.write_field(summary.scenario.0.seed.to_string())?;
        for (_, value) in summary.metrics() {
            out.write_field(value.map_or_else(String::new, |value| value.to_string()))?;
        }
        out.write_record(None::<&[u8]>)?;
    }
    Ok(out.flush()?)
}

/// The error of the pipe, if that is what broke.
fn io_error(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        kind => io::Error::other(format!("{kind:?}")),
    }
}

/// Prints the elements while the runs go on.
fn print_json_array(summaries: impl Iterator<Item = Summary>) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    serde_json::Serializer::pretty(&mut out).collect_seq(summaries)?;
    writeln!(out)?;
    out.flush()
}
