//! What a lever did: the run before it was moved against the run after, at one rate.

use goodput_charts::format;
use goodput_sim::Report;

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
    pub before: Report,
    /// The same traffic with it.
    pub after: Report,
}

impl Effect {
    /// What [`Effect::words`] says, in its order: the arrival rate, and then one figure after the other.
    pub const PARTS: [&str; 5] = ["rate", "ttft", "throughput", "tpot", "attainment"];

    /// The rate, and what has become of p99 TTFT, throughput, p99 TPOT and attainment: `1.23 s → 210 ms`, `unchanged`.
    #[must_use]
    pub fn words(&self) -> [String; 5] {
        let runs = [&self.before, &self.after];
        let of = |figure: fn(&Report) -> Option<f64>| runs.map(figure);
        [
            format::rate(self.after.rate_per_s),
            change(of(|run| Some(run.ttft_s?.p99)), ALIKE, format::time),
            change(of(|run| Some(run.throughput_tokens_per_s)), ALIKE, words::tokens_per_s),
            change(of(|run| Some(run.tpot_s?.p99)), ALIKE, format::time),
            // A share is read against its target: there a hundredth counts.
            change(of(|run| run.slo_attainment), 0.0, format::percent),
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
    use goodput_sim::{Report, Scenario, run};

    use super::Effect;

    fn at_5(scenario: Scenario) -> Report {
        run(&scenario.validate().expect("valid"))
    }

    fn effect_of(scenario: Scenario) -> [String; 5] {
        let before = at_5(Scenario { rate: scenario.rate, ..Scenario::default() });
        Effect { levers: Vec::new(), before, after: at_5(scenario) }.words()
    }

    #[test]
    fn a_cache_shows_in_the_latencies() {
        let cache = Scenario { cached_share: 0.7, cached_prompt: 0.8, ..Scenario::default() };
        let said = effect_of(cache);
        assert_eq!(said[..2], ["5", "1.23 s → 135 ms"].map(String::from));
        assert_eq!(said[2..], ["unchanged", "54 ms → 30 ms", "89 % → 100 %"].map(String::from));
    }

    #[test]
    fn what_is_as_before_is_unchanged() {
        assert_eq!(effect_of(Scenario::default())[1..], ["unchanged"; 4].map(String::from));
        // The limit alone: the run is the same, and only attainment is judged anew.
        let strict = effect_of(Scenario { slo_tpot_ms: 40.0, ..Scenario::default() });
        assert_eq!(strict[1..4], ["unchanged"; 3].map(String::from));
        assert!(strict[4].starts_with("89 % → "));
    }

    #[test]
    fn where_nothing_finishes_there_is_no_value() {
        let said = effect_of(Scenario { output: 100_000, rate: 0.5, ..Scenario::default() });
        assert_eq!(said[1..], ["107 ms → –", "92 tokens/s → 0 tokens/s", "13 ms → –", "100 % → –"].map(String::from));
    }

    #[test]
    fn every_part_has_its_words() {
        let said = effect_of(Scenario { max_batch: 32, ..Scenario::default() });
        assert!(Effect::PARTS.len() == said.len() && said.iter().all(|words| !words.is_empty()));
    }
}
