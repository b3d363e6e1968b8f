//! `--trace FILE`: a run on given requests instead of drawn ones.

use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, ensure};
use goodput_sim::{CHOICES, FIELDS, Scenario, Trace};

use crate::scenario_args::ScenarioArgs;
use crate::trace_formats;

/// What a scenario says of arrivals and of lengths: a trace has its own.
const DRAWS: &[&str] = &[
    "prompt",
    "output",
    "arrival-cv",
    "spike-factor",
    "spike-from",
    "spike-to",
    "prompt-cv",
    "output-cv",
    "output-law",
    "cached-share",
    "cached-prompt",
];

/// The trace of a file and a scenario that says nothing against it: the mean rate and the mean lengths are those of the
/// trace. A rate that was asked for stretches the trace. Standard error says what was read.
pub(crate) fn scenario(file: &Path, args: &ScenarioArgs) -> anyhow::Result<(Scenario, Trace)> {
    if let Some(name) = DRAWS.iter().find(|name| args.gives(name)) {
        anyhow::bail!("--{name} and --trace do not go together: a trace has its own arrivals and lengths");
    }
    let mut scenario = without_draws(args.scenario()?);
    let text = trace_formats::read(file)?;
    let mut trace = trace_formats::trace(&text).with_context(|| file.display().to_string())?;
    if args.gives("rate") {
        trace = trace.at_rate(scenario.rate);
    } else {
        // A name of the run, no part of it: so it is a short one.
        scenario.set_number("rate", (1000.0 * trace.rate()).round() / 1000.0)?;
    }
    let count = trace.requests().len() as f64;
    let mean = |sum: u64| (sum as f64 / count).round();
    scenario.set_number("prompt", mean(trace.requests().map(|(_, lengths)| u64::from(lengths.prompt)).sum()))?;
    scenario.set_number("output", mean(trace.requests().map(|(_, lengths)| u64::from(lengths.output)).sum()))?;
    ensure!(scenario.users == 0, "--users and --trace do not go together: a trace says when its requests come");
    Ok((scenario, trace))
}

fn without_draws(mut scenario: Scenario) -> Scenario {
    let plain = Scenario::default();
    for field in FIELDS.iter().filter(|field| DRAWS.contains(&field.name)) {
        field.copy(&plain, &mut scenario);
    }
    for choice in CHOICES.iter().filter(|choice| DRAWS.contains(&choice.name)) {
        choice.copy(&plain, &mut scenario);
    }
    scenario
}

/// Says on standard error what a trace holds and how much of it a scenario simulates.
pub(crate) fn describe(trace: &Trace, scenario: &Scenario) -> io::Result<()> {
    let &Scenario { rate, horizon, prompt, output, .. } = scenario;
    let count = trace.requests().len();
    let span = trace.span().as_secs();
    let mut err = io::stderr().lock();
    writeln!(
        err,
        "trace: {count} requests in {span:.1} s, {rate:.3} requests/s, gaps with CV {:.2}, {prompt} prompt and {output} answer tokens on average",
        gaps_cv(trace)
    )?;
    let sent = trace.requests().filter(|(at, _)| at.as_secs() < horizon).count();
    if sent < count {
        writeln!(err, "trace: {sent} of them come before the horizon of {horizon} s, the others are not simulated")?;
    } else if span < 0.9 * horizon {
        writeln!(err, "trace: the horizon of {horizon} s leaves the server idle after it, and rates count that time")?;
    }
    Ok(())
}

/// The spread of the gaps between requests, in times their mean.
fn gaps_cv(trace: &Trace) -> f64 {
    let times: Vec<f64> = trace.requests().map(|(at, _)| at.as_secs()).collect();
    let gaps: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let count = gaps.len() as f64;
    let mean = gaps.iter().sum::<f64>() / count;
    let variance = gaps.iter().map(|gap| (gap - mean) * (gap - mean)).sum::<f64>() / count;
    variance.sqrt() / mean
}

#[cfg(test)]
mod tests {
    use goodput_sim::{SimTime, Trace, TraceRequest};

    use super::gaps_cv;

    #[test]
    fn even_gaps_do_not_spread_and_others_do() {
        let trace = |times: &[f64]| {
            let request = |&at: &f64| TraceRequest::new(SimTime::from_secs(at), 1, 1).expect("a request");
            Trace::new(times.iter().map(request).collect()).expect("a trace")
        };
        assert_eq!(gaps_cv(&trace(&[0.0, 1.0, 2.0, 3.0])), 0.0);
        assert_eq!(gaps_cv(&trace(&[0.0, 0.0, 2.0])), 1.0);
    }
}
