//! `goodput capacity`: how much load a server can take.

use std::io::{self, Write};

use anyhow::ensure;
use clap::Args;
use goodput_sim::{Engine, FIELDS, Scenario};
use goodput_summary::CapacitySummary;

use crate::output::{Format, print_json};
use crate::scenario_args::ServerArgs;
use crate::table;

/// Find the highest arrival rate that still keeps the SLO
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CapacityArgs {
    /// Least share of the requests that must meet the SLO, above 0, at most 1
    #[arg(long, value_name = "SHARE", default_value = "0.99", value_parser = parse_share, allow_negative_numbers = true)]
    attainment: f64,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    server: ServerArgs,
}

const EXAMPLES: &str = "\
The rate is searched on the draws of one seed, in steps of 0.01 requests/s. Beside it stands the closed form, the rate
at which every slot is in use for ever: it knows no SLO.

Examples:
  goodput capacity --attainment 0.99
  goodput capacity --attainment 0.9 --slo-tpot-ms 40
  goodput capacity --max-batch 128 --format json";

fn parse_share(text: &str) -> anyhow::Result<f64> {
    let share = text.trim().replace(',', ".").parse().unwrap_or(f64::NAN);
    ensure!(share > 0.0 && share <= 1.0, "allowed are shares above 0, at most 1 (0.99 is 99 %)");
    Ok(share)
}

impl CapacityArgs {
    pub(crate) fn execute(&self) -> anyhow::Result<()> {
        // The search sets the rate. The least one cannot make a scenario invalid that is valid at any other.
        let least = FIELDS.iter().find(|field| field.name == "rate").map_or(0.0, |field| field.min);
        let scenario = Scenario { rate: least, ..self.server.scenario()? }.validate()?;
        let capacity = Engine::new().capacity(&scenario, self.attainment);
        let summary = CapacitySummary::from(capacity);
        match self.format {
            Format::Table => writeln!(io::stdout(), "{}", table::of_capacity(&summary, self.attainment))?,
            Format::Json => print_json(&summary)?,
        }
        Ok(())
    }
}
