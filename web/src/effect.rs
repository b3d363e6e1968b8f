//! What a lever did: the run before it was moved against the run after, at one rate.

use goodput_charts::format;
use goodput_sim::{Report, Run};

use crate::lever::Lever;
use crate::words;

/// Less than this is no change of a figure, as a share of it.
const ALIKE: f64 = 0.01;

/// The effect of some levers that were moved together.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// These levers.
    pub levers: Vec<Lever>,
    /// The run without the change.
    pub before: Side,
    /// The same traffic with it.
    pub after: Side,
}

/// One of the two runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Its metrics.
    pub report: Report,
    /// How many servers there were on average.
    pub servers: f64,
}

impl Side {
    /// What is told of a run.
    #[must_use]
    pub fn of(run: &mut Run<'_>) -> Self {
        Self { report: run.report(), servers: run.mean_servers() }
    }
}

impl Effect {
    /// What [`Effect::words`] says, in its order: the arrival rate, and then one figure after the other.
    pub const PARTS: [&str; 6] = ["rate", "ttft", "throughput", "tpot", "attainment", "servers"];

    /// The rate, and what has become of p99 TTFT, throughput, p99 TPOT, attainment and the number of servers:
    /// `1.23 s → 135 ms`, `unchanged`.
    #[must_use]
    pub fn words(&self) -> [String; 6] {
        let sides = [&self.before, &self.after];
        let of = |figure: fn(&Report) -> Option<f64>| sides.map(|side| figure(&side.report));
        [
            format::rate(self.after.report.rate_per_s),
            change(of(|run| Some(run.ttft_s?.p99)), ALIKE, format::time),
            change(of(|run| Some(run.throughput_tokens_per_s)), ALIKE, words::tokens_per_s),
            change(of(|run| Some(run.tpot_s?.p99)), ALIKE, format::time),
            // A share is read against its target: there a hundredth counts.
            change(of(|run| run.slo_attainment), 0.0, format::percent),
            change(sides.map(|side| Some(side.servers)), ALIKE, words::servers),
        ]
    }
}

/// What has become of a value. A change that does not show in the digits is none.
fn change([before, after]: [Option<f64>; 2], alike: f64, read: fn(f64) -> String) -> String {
    let [was, is] = [before, after].map(|value| value.map_or_else(words::no_value, read));
    let close = before.zip(after).is_some_and(|(before, after)| (after - before).abs() <= alike * before);
    if close || was == is { words::unchanged() } else { words::changed(&was, &is) }
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Autoscale, Engine, Scenario};

    use super::{Effect, Side};

    fn side(scenario: Scenario) -> Side {
        Side::of(&mut Engine::new().run(&scenario.validate().expect("valid")))
    }

    /// What becomes of the lesson's run at the same rate.
    fn effect_of(scenario: Scenario) -> [String; 6] {
        let before = side(Scenario { rate: scenario.rate, ..Scenario::default() });
        Effect { levers: Vec::new(), before, after: side(scenario) }.words()
    }

    #[test]
    fn a_cache_shows_in_the_latencies() {
        let said = effect_of(Scenario { cached_share: 0.7, cached_prompt: 0.8, ..Scenario::default() });
        assert_eq!(said, ["5", "1.23 s → 135 ms", "unchanged", "54 ms → 37 ms", "89 % → 100 %", "unchanged"]);
    }

    #[test]
    fn what_is_as_before_is_unchanged() {
        assert_eq!(effect_of(Scenario::default())[1..], ["unchanged"; 5]);
        // The limit alone: the run is the same, and only attainment is judged anew.
        let strict = effect_of(Scenario { slo_tpot_ms: 40.0, ..Scenario::default() });
        assert_eq!(strict[1..4], ["unchanged"; 3]);
        assert!(strict[4].starts_with("89 % → "));
    }

    #[test]
    fn where_nothing_finishes_there_is_no_value() {
        let said = effect_of(Scenario { output: 100_000, rate: 0.5, ..Scenario::default() });
        assert_eq!(said[1..5], ["107 ms → –", "92 tokens/s → 0 tokens/s", "13 ms → –", "100 % → –"]);
    }

    #[test]
    fn more_servers_are_told_as_what_they_cost() {
        let lone = Scenario { rate: 4.0, autoscale: Autoscale::Queue, max_replicas: 4, ..Scenario::default() };
        assert_eq!(effect_of(lone.clone())[1..], ["unchanged"; 5], "nobody waits for long, so none is ordered");
        let said = effect_of(Scenario { autoscale: Autoscale::Busy, ..lone });
        assert!(said[5].starts_with("1 → 3."), "{said:?}");
        assert_eq!(effect_of(Scenario { replicas: 2, ..Scenario::default() })[5], "1 → 2");
    }
}
