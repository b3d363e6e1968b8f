//! The same server and rate on other draws of the traffic: chance, made visible.

use goodput_sim::{Engine, Report, Scenario, ScenarioError, Seed, ValidScenario};

use crate::rate::Rate;

/// Runs on so many draws are made if nobody says how many: the lesson's own and fifty others.
pub const SEEDS: usize = 51;
/// Most draws: with more, dots cover dots.
pub const MOST_SEEDS: usize = 200;

/// Runs in one go: about a millisecond or two, so that the slider never waits.
const RUNS_AT_ONCE: usize = 5;

/// The rates whose counts the sentence tells besides the current one [requests/s].
const LESSON_RATES: [f64; 3] = [4.0, 5.0, 6.0];

/// Runs on other draws, for the rates that were looked at.
#[derive(Debug)]
pub struct Draws {
    scenario: ValidScenario,
    seeds: usize,
    known: Vec<(Rate, Vec<Report>)>,
}

/// How many draws broke the TTFT goal at their 99th percentile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// At this rate.
    pub rate: Rate,
    /// So many broke it.
    pub broken: usize,
    /// Of so many, the lesson's own draw among them.
    pub of: usize,
}

impl Draws {
    /// None yet of so many, of this server; its rate and seed do not matter.
    #[must_use]
    pub fn of(scenario: &ValidScenario, seeds: usize) -> Self {
        Self { scenario: scenario.clone(), seeds, known: Vec::new() }
    }

    /// On how many draws, the lesson's own among them.
    #[must_use]
    pub fn seeds(&self) -> usize {
        self.seeds
    }

    /// Forgets the runs if the server is another.
    pub fn follow(&mut self, scenario: &ValidScenario) {
        let known = self.scenario.get();
        let server = Scenario { rate: known.rate, seed: known.seed, ..scenario.get().clone() };
        if server != *known {
            *self = Self::of(scenario, self.seeds);
        }
    }

    /// Makes a few of the runs that are missing, the current rate's first. True while some are missing.
    ///
    /// # Errors
    /// When a rate is refused, which none on the slider is.
    pub fn advance(&mut self, engine: &mut Engine, rate: Rate) -> Result<bool, ScenarioError> {
        let wanted = || std::iter::once(rate).chain(LESSON_RATES.map(Rate::nearest));
        for rate in wanted() {
            if self.at(rate).is_empty() {
                self.known.push((rate, Vec::with_capacity(self.seeds)));
            }
            let Some((_, runs)) = self.known.iter_mut().find(|(known, runs)| *known == rate && runs.len() < self.seeds)
            else {
                continue;
            };
            let at_rate = self.scenario.at_rate(rate.per_s())?;
            let seeds = Seed::Lesson.replications(self.seeds).skip(runs.len()).take(RUNS_AT_ONCE);
            runs.extend(seeds.map(|seed| engine.run(&at_rate.with_seed(seed)).report()));
            break;
        }
        Ok(wanted().any(|rate| self.at(rate).len() < self.seeds))
    }

    /// The runs at a rate that are there: the lesson's draw first, then the others in order of their seeds.
    #[must_use]
    pub fn at(&self, rate: Rate) -> &[Report] {
        self.known.iter().find(|(known, _)| *known == rate).map_or(&[], |(_, runs)| runs)
    }

    /// How many draws at this rate broke the TTFT goal at p99; `None` until all of them are there.
    #[must_use]
    pub fn broken(&self, rate: Rate) -> Option<Broken> {
        let runs = self.at(rate);
        let goal_s = self.scenario.get().slo_ttft_ms / 1000.0;
        let broken = runs.iter().filter(|run| run.ttft_s.is_some_and(|ttft| ttft.p99 > goal_s)).count();
        (runs.len() >= self.seeds).then_some(Broken { rate, broken, of: runs.len() })
    }

    /// The counts that the sentence tells: the current rate's, then those of the lesson's rates.
    pub fn counts(&self, rate: Rate) -> impl Iterator<Item = Broken> {
        let others = LESSON_RATES.map(Rate::nearest).into_iter().filter(move |&other| other != rate);
        std::iter::once(rate).chain(others).filter_map(|rate| self.broken(rate))
    }
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, Scenario, ValidScenario, run};

    use super::{Draws, SEEDS};
    use crate::rate::Rate;

    fn filled(rate: Rate) -> Draws {
        let (mut draws, mut engine) = (Draws::of(&ValidScenario::default(), SEEDS), Engine::new());
        while draws.advance(&mut engine, rate).expect("valid rates") {}
        draws
    }

    #[test]
    fn at_4_none_breaks_the_goal_and_at_6_all_do() {
        let draws = filled(Rate::nearest(5.0));
        let counts: Vec<_> = draws.counts(Rate::nearest(5.0)).map(|count| (count.rate.per_s(), count.broken)).collect();
        assert_eq!(counts.len(), 3);
        assert!(counts[0].0 == 5.0 && (15..=30).contains(&counts[0].1), "{counts:?}");
        assert_eq!(counts[1..], [(4.0, 0), (6.0, SEEDS)]);
    }

    #[test]
    fn the_lessons_own_draw_comes_first_and_all_differ() {
        let rate = Rate::nearest(5.3);
        let draws = filled(rate);
        let runs = draws.at(rate);
        assert_eq!(runs[0], run(&ValidScenario::default().at_rate(5.3).expect("valid")));
        for (i, run) in runs.iter().enumerate() {
            assert!(!runs[..i].contains(run), "draw {i}");
        }
    }

    #[test]
    fn another_server_starts_anew_and_another_rate_does_not() {
        let rate = Rate::nearest(5.0);
        let mut draws = filled(rate);
        draws.follow(&ValidScenario::default().at_rate(7.0).expect("valid"));
        assert_eq!(draws.at(rate).len(), SEEDS);
        draws.follow(&Scenario { max_batch: 32, ..Scenario::default() }.validate().expect("valid"));
        assert!(draws.at(rate).is_empty() && draws.broken(rate).is_none());
    }
}
