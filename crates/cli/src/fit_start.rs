//! Where a fit starts: what the timings show at a glance.

use crate::fit_costs::Costs;
use crate::fit_timings::Timing;

/// Parts of a step in which its length can be split evenly enough to start from.
const PARTS: u32 = 10;

/// Costs to start from: at each of them a usual step takes the time per output token that was measured at the median,
/// and no two split it alike into its fixed part, its sequences and its prompts.
///
/// A straight line through all requests would give one split. But in a server that fills up, sequences and prompts come
/// and go together, and the line that fits best can have a part below zero. So the replay decides between the splits.
pub(crate) fn starts(timings: &[Timing]) -> Vec<Costs> {
    // While all that were scheduled are among these requests, what ran is known.
    let known_to = timings.iter().map(|timing| timing.scheduled).fold(f64::NEG_INFINITY, f64::max);
    let mut steps = Step::of_all(timings, known_to);
    if steps.is_empty() {
        steps = Step::of_all(timings, f64::INFINITY);
    }
    let usual = |read: fn(&Step) -> f64| median(steps.iter().map(read).collect());
    let usual = Step {
        ms: usual(|step| step.ms),
        running: usual(|step| step.running).max(1.0),
        prompt_tokens: usual(|step| step.prompt_tokens).max(1.0),
    };
    let splits = (1..PARTS).flat_map(|fixed| (1..PARTS - fixed).map(move |sequences| (fixed, sequences)));
    splits.map(|(fixed, sequences)| usual.split(fixed, sequences, PARTS - fixed - sequences)).collect()
}

/// A step of the usual length in the life of one request.
struct Step {
    /// Its length: the time per output token [ms].
    ms: f64,
    /// Sequences that decoded in it.
    running: f64,
    /// Prompt tokens that were prefilled in it.
    prompt_tokens: f64,
}

impl Step {
    /// Of each request whose stream began before `known_to` [s], up to then.
    fn of_all(timings: &[Timing], known_to: f64) -> Vec<Self> {
        timings.iter().filter_map(|timing| Self::of(timing, timings, known_to)).collect()
    }

    fn of(timing: &Timing, all: &[Timing], known_to: f64) -> Option<Self> {
        let ms = 1000.0 * timing.times().tpot?;
        let (from, to) = (timing.first_token, timing.last_token.min(known_to));
        if from >= to {
            return None;
        }
        let shared = |other: &Timing| (other.last_token.min(to) - other.first_token.max(from)).max(0.0);
        let running = all.iter().map(shared).sum::<f64>() / (to - from);
        let prefilled = |other: &&Timing| other.first_token > from && other.first_token <= to;
        let prompts: f64 = all.iter().filter(prefilled).map(Timing::prompt).sum();
        Some(Self { ms, running, prompt_tokens: prompts * ms / (1000.0 * (to - from)) })
    }

    /// The costs at which these parts of its length are fixed, due to its sequences, due to its prompts.
    fn split(&self, fixed: u32, sequences: u32, prompts: u32) -> Costs {
        let [fixed, sequences, prompts] =
            [fixed, sequences, prompts].map(|parts| self.ms * f64::from(parts) / f64::from(PARTS));
        Costs {
            step_ms: fixed,
            per_seq_ms: sequences / self.running,
            prefill_ms_per_1k: 1000.0 * prompts / self.prompt_tokens,
        }
    }
}

/// Zero for nothing.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
