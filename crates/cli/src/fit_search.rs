//! The search for the costs at which a replay has the timings that were measured.

use anyhow::{Context, ensure};
use goodput_sim::{Scenario, Trace};

use crate::fit_costs::{Costs, Replay};
use crate::fit_start::starts;
use crate::fit_timings::{Times, Timing};
use crate::nelder_mead::minimum;

/// First sizes of the simplex, one search after another from where the last one ended [ln of a factor]. Whole steps make
/// the loss rugged, and a fresh simplex leaves a hollow in which the old one has shrunk.
const SIZES: &[f64] = &[0.3, 0.15, 0.08, 0.04, 0.02, 0.005];

/// How many of the starts are searched from: the best ones.
const SEARCHES: usize = 6;

/// Logarithms of costs, and the loss there.
type Found = ([f64; 3], f64);

/// The costs that fit, and how well.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fit {
    pub(crate) costs: Costs,
    /// Mean relative error of a request's TTFT, plus that of its TPOT.
    pub(crate) loss: f64,
}

/// Fits costs to the timings of the first requests of a trace, of which all are served in each replay: those that come
/// later are load, and nothing that was measured of them is known here.
///
/// # Errors
/// Servers of this shape that do not serve every request.
pub(crate) fn fit(trace: &Trace, first: &[Timing], shape: &Scenario) -> anyhow::Result<Fit> {
    let measured: Vec<Times> = first.iter().map(Timing::times).collect();
    let streams = measured.iter().any(|times| times.tpot.is_some());
    ensure!(streams, "all answers have one token: a fit needs some that have more");
    let mut replay = Replay::new(trace, shape);
    let mut loss_at = |logs: [f64; 3]| match replay.times(Costs::from_array(logs.map(libm::exp))) {
        Some(simulated) => loss(&measured, &simulated),
        None => f64::INFINITY,
    };
    let logs = |costs: Costs| costs.to_array().map(libm::log);
    let mut starts: Vec<Found> = starts(first).into_iter().map(|costs| (logs(costs), loss_at(logs(costs)))).collect();
    starts.sort_by(|(_, one), (_, other)| one.total_cmp(other));
    let search = |&start: &Found| SIZES.iter().fold(start, |best, &size| minimum(&mut loss_at, best.0, size));
    let (logs, loss) = starts
        .iter()
        .take(SEARCHES)
        .map(search)
        .min_by(|(_, one), (_, other)| one.total_cmp(other))
        .filter(|(_, loss)| loss.is_finite())
        .context("such a server does not serve every request, so no cost fits: is its memory too small?")?;
    Ok(Fit { costs: Costs::from_array(logs.map(libm::exp)), loss })
}

/// Mean absolute relative error of the TTFT, plus that of the TPOT, over the requests that were measured.
fn loss(measured: &[Times], simulated: &[Times]) -> f64 {
    let pairs = || measured.iter().zip(simulated);
    let ttft = mean(pairs().map(|(measured, simulated)| relative_error(measured.ttft, simulated.ttft)));
    let tpot = pairs().filter_map(|(measured, simulated)| Some(relative_error(measured.tpot?, simulated.tpot?)));
    ttft + mean(tpot)
}

fn relative_error(measured: f64, simulated: f64) -> f64 {
    (simulated / measured - 1.0).abs()
}

/// Zero for nothing.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (count, sum) = values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
    if count > 0.0 { sum / count } else { 0.0 }
}
