//! A player who follows the lesson's advice and sees nothing but the dashboard: first what comes in, then what is left to
//! serve it, and symptoms last.

use goodput_incidents::{BUCKET_S, Dashboard, Diagnosis, Signal};

/// The first half is calm: it is the rule of the game, and anybody is told.
const CALM_S: (f64, f64) = (60.0, 300.0);
/// Long enough to be sure of a level.
const LOOK_S: f64 = 90.0;
/// The SLO on the time to first token [s].
const SLO_TTFT_S: f64 = 1.0;

/// The cause that the evidence names; `None` if users do not suffer or nothing explains it.
pub(crate) fn diagnose(dashboard: &Dashboard) -> Option<Diagnosis> {
    let look = Look { dashboard, from_s: suffering_from_s(dashboard)? + 2.0 * BUCKET_S };
    // Clients that send again make everything else look worse.
    if look.at_end(Signal::Repeated) > 0.25 {
        return Some(Diagnosis::RetryStorm);
    }
    // The load: how many, how long, how much of it known already.
    if look.factor(Signal::NewRequests) > 1.3 {
        return Some(Diagnosis::Burst);
    }
    if look.factor(Signal::PromptTokens) > 1.3 {
        return Some(Diagnosis::LongPrompts);
    }
    if look.factor(Signal::CacheHits) < 0.5 {
        return Some(Diagnosis::ClearedCache);
    }
    // The servers: all there, as quick as before, with as much memory.
    if look.factor(Signal::TokensOfFirst).min(look.factor(Signal::TokensOfSecond)) < 0.2 {
        return Some(Diagnosis::LostReplica);
    }
    if look.after(Signal::StepTime) > 1.3 * look.step_that_the_batch_explains() {
        return Some(Diagnosis::SlowerGpu);
    }
    (look.factor(Signal::KvPerRequest) > 1.5).then_some(Diagnosis::KvPressure)
}

/// When the p99 TTFT has left its SLO for good, or for half a minute at least [s].
fn suffering_from_s(dashboard: &Dashboard) -> Option<f64> {
    let ttft = dashboard.series(Signal::TtftP99);
    let is_bad = |values: &[Option<f64>]| values.iter().all(|value| value.is_none_or(|seconds| seconds > SLO_TTFT_S));
    let second_half = ttft.len() / 2;
    let first = ttft[second_half..].windows(3).position(is_bad)?;
    Some((second_half + first) as f64 * BUCKET_S)
}

/// A dashboard, and from when on users suffer [s].
struct Look<'a> {
    dashboard: &'a Dashboard,
    from_s: f64,
}

impl Look<'_> {
    fn before(&self, signal: Signal) -> f64 {
        self.dashboard.level(signal, CALM_S.0, CALM_S.1).expect("a calm half with load")
    }

    fn after(&self, signal: Signal) -> f64 {
        self.dashboard.level(signal, self.from_s, self.from_s + LOOK_S).expect("a second half with load")
    }

    fn at_end(&self, signal: Signal) -> f64 {
        let end_s = self.dashboard.series(signal).len() as f64 * BUCKET_S;
        self.dashboard.level(signal, end_s - LOOK_S / 2.0, end_s).expect("a last minute with load")
    }

    fn factor(&self, signal: Signal) -> f64 {
        self.after(signal) / self.before(signal)
    }

    /// The step time of the batch of now, on the line through the step times and batches of the calm half [s].
    fn step_that_the_batch_explains(&self) -> f64 {
        let calm = |signal| {
            let [from, to] = [CALM_S.0, CALM_S.1].map(|at_s| (at_s / BUCKET_S) as usize);
            self.dashboard.series(signal)[from..to].iter().map(|value| value.expect("steps in the calm half"))
        };
        let (batch, step) = (self.before(Signal::Batch), self.before(Signal::StepTime));
        let pairs = || calm(Signal::Batch).zip(calm(Signal::StepTime));
        let together: f64 = pairs().map(|(x, y)| (x - batch) * (y - step)).sum();
        let spread: f64 = pairs().map(|(x, _)| (x - batch) * (x - batch)).sum();
        step + together / spread * (self.after(Signal::Batch) - batch)
    }
}
