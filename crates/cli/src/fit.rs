//! `goodput fit`: the costs of a real server from the timings of its requests.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use goodput_sim::Scenario;
use serde::Deserialize;

use crate::fit_costs::Replay;
use crate::fit_outcome::Outcome;
use crate::fit_search::fit;
use crate::fit_timings::timings;
use crate::output::{Format, print_json};
use crate::scenario_args::ShapeArgs;
use crate::trace_formats::read;

/// Find the costs of a real server from the timings of its requests
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FitArgs {
    /// Timings, one JSON object a line: input_toks, output_toks, and queued_ts, scheduled_ts, first_token_ts,
    /// last_token_ts [s], as LLMServingSim's benchmark of vLLM writes them
    file: PathBuf,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    #[command(flatten)]
    shape: ShapeArgs,
}

const EXAMPLES: &str = "\
All requests are replayed: they come when they came, with the lengths they had. The costs are those at which the first \
half of them has the TTFT and the TPOT that were measured, with the least mean relative error of a request. What was \
measured of the other half is compared only afterwards: that is the error to trust.

Where max_num_seqs and max_num_batched_tokens stand in a meta.json beside the file, they are --max-batch and \
--token-budget, unless a flag says otherwise.

Examples:
  goodput fit requests.jsonl --max-batch 128 --token-budget 2048
  goodput fit requests.jsonl --max-batch 256 --format json";

impl FitArgs {
    pub(crate) fn execute(&self) -> anyhow::Result<()> {
        let (timings, trace) = timings(&read(&self.file)?).with_context(|| self.file.display().to_string())?;
        let shape = self.shape()?;
        let (first, held_out) = timings.split_at(timings.len() / 2);
        let found = fit(&trace, first, &shape)?;
        let simulated = Replay::new(&trace, &shape).times(found.costs).context("the costs that fit do not serve")?;
        let outcome = Outcome::new(&trace, &shape, found, (first, held_out), &simulated);
        match self.format {
            Format::Table => write!(io::stdout(), "{outcome}")?,
            Format::Json => print_json(&outcome)?,
        }
        Ok(())
    }

    /// The server without its costs: what flags say, then what the file beside the timings says.
    fn shape(&self) -> anyhow::Result<Scenario> {
        // The requests are the file's, so nothing is asked of usual ones.
        let mut shape = Scenario { prompt: 1, output: 1, ..Scenario::default() };
        for (name, value) in beside(&self.file)? {
            if !self.shape.gives(name) {
                shape.set_number(name, value)?;
                writeln!(io::stderr(), "meta.json beside the file: --{name} {value}")?;
            }
        }
        self.shape.apply(&mut shape)?;
        Ok(shape.validate()?.get().clone())
    }
}

/// What the benchmark says of the engine it started.
#[derive(Deserialize)]
struct Meta {
    engine_kwargs: EngineArguments,
}

#[derive(Deserialize)]
struct EngineArguments {
    max_num_seqs: Option<f64>,
    max_num_batched_tokens: Option<f64>,
}

/// The fields that a meta.json beside a file sets; none without one.
fn beside(file: &Path) -> anyhow::Result<Vec<(&'static str, f64)>> {
    let meta = file.with_file_name("meta.json");
    if !meta.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&meta).with_context(|| meta.display().to_string())?;
    let Meta { engine_kwargs } = serde_json::from_str(&text).with_context(|| meta.display().to_string())?;
    let fields = [("max-batch", engine_kwargs.max_num_seqs), ("token-budget", engine_kwargs.max_num_batched_tokens)];
    Ok(fields.into_iter().filter_map(|(name, value)| Some((name, value?))).collect())
}
