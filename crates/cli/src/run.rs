//! `goodput run`: one scenario, all metrics.

use std::io::{self, Write};
use std::path::PathBuf;

use clap::Args;
use goodput_sim::Engine;
use goodput_summary::Summary;

use crate::output::{Format, print_json};
use crate::scenario_args::ScenarioArgs;
use crate::{table, trace};

/// Simulate one scenario and show all its metrics
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    scenario: ScenarioArgs,
    /// Requests to serve instead of drawn ones: a file of the Azure or Mooncake traces, or of request timings; --rate
    /// then stretches it to another mean rate
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

const EXAMPLES: &str = "\
Without flags it is the lesson's server: ten minutes, the first of them discarded.

Examples:
  goodput run --rate 5
  goodput run --rate 5 --seed 7 --format json             other draws, for a program
  goodput run --rate 6 --max-batch 128                    would a larger batch help?
  goodput run --rate 10 --replicas 2 --routing least-outstanding
  goodput run --rate 0.3 --max-batch 1 --horizon 86400    one slot is an M/D/1 queue
  goodput run --trace requests.csv --horizon 3600         requests of a real service";

impl RunArgs {
    pub(crate) fn execute(&self) -> anyhow::Result<()> {
        let summary = self.summary()?;
        match self.format {
            Format::Table => write!(io::stdout(), "{}", table::of_run(&summary))?,
            Format::Json => print_json(&summary)?,
        }
        Ok(())
    }

    fn summary(&self) -> anyhow::Result<Summary> {
        let mut engine = Engine::new();
        let Some(file) = &self.trace else {
            let scenario = self.scenario.scenario()?.validate()?;
            return Ok(Summary::of_run(&scenario, &mut engine.run(&scenario)));
        };
        let (scenario, trace) = trace::scenario(file, &self.scenario)?;
        let scenario = scenario.validate()?;
        trace::describe(&trace, scenario.get())?;
        Ok(Summary::of_run(&scenario, &mut engine.replay(&scenario, &trace)))
    }
}
