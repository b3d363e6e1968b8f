//! Goals that tick themselves, from what the simulation did: a few things worth finding in the lab.

use std::sync::LazyLock;

use goodput_charts::{Phrases, text_file};
use goodput_sim::{Report, Scenario, Seed};

use crate::model::ATTAINMENT_TARGET;
use crate::rate::Rate;

static ENGLISH: LazyLock<Phrases> = LazyLock::new(|| Phrases::read(text_file!("../text/en/goals.txt")));

/// As good as nothing in time.
const HARDLY_ANY: f64 = 0.05;
/// A wait that nobody sits through [s].
const HOPELESS_S: f64 = 10.0;
/// Shares of busy time this near to each other are alike: a tenth of a point.
const ALIKE: f64 = 0.001;
/// A gain in goodput that can be seen [requests/s].
const GAIN: f64 = 0.05;

/// A thing to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// p50 within the SLO on TTFT, p99 over it.
    Tail,
    /// p99 hopeless, and the GPU no busier than when all was well.
    Busy,
    /// The highest rate at which the planner's target is met.
    Limit,
    /// Most throughput, hardly any goodput.
    Peak,
    /// A draw at 5 requests/s that keeps the p99, and one that breaks it.
    Draws,
    /// Most users are served their first word in time, and the rest too slowly.
    Walls,
    /// More goodput at 6 requests/s by one setting of the server.
    Tune,
    /// A larger batch limit that makes tokens slower.
    Batch,
}

impl Goal {
    /// All of them, in the order of the list.
    pub const ALL: [Self; 8] =
        [Self::Tail, Self::Busy, Self::Limit, Self::Peak, Self::Draws, Self::Walls, Self::Tune, Self::Batch];

    /// A short name, for the page's markup and the memory.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Tail => "tail",
            Self::Busy => "busy",
            Self::Limit => "limit",
            Self::Peak => "peak",
            Self::Draws => "draws",
            Self::Walls => "walls",
            Self::Tune => "tune",
            Self::Batch => "batch",
        }
    }

    /// What is to be found, in words.
    #[must_use]
    pub fn title(self) -> String {
        ENGLISH.say(self.name(), &[])
    }
}

/// The lesson's server on one draw, at one of the rates that other servers are compared at.
#[derive(Clone, Debug)]
struct Baseline {
    seed: Seed,
    rate: Rate,
    goodput: f64,
    tpot_p99_s: f64,
}

/// Which goals are reached, and what has been seen on the way.
#[derive(Clone, Debug)]
pub struct Goals {
    reached: [bool; Goal::ALL.len()],
    /// The busiest that the lesson's server was while every request met the SLO.
    calm_busy: Option<f64>,
    kept_at_5: bool,
    broke_at_5: bool,
    baselines: Vec<Baseline>,
}

impl Goals {
    /// As the device remembers them; `lesson` is the curve of the lesson's run.
    #[must_use]
    pub fn recall(remembered: Option<&str>, lesson: &[Report]) -> Self {
        let known = |goal: Goal| remembered.is_some_and(|text| text.split(' ').any(|name| name == goal.name()));
        let mut goals = Self {
            reached: Goal::ALL.map(known),
            calm_busy: None,
            kept_at_5: false,
            broke_at_5: false,
            baselines: Vec::new(),
        };
        for report in lesson {
            goals.learn(Seed::Lesson, report);
        }
        goals
    }

    /// Takes a run that the reader has made; `curve` is its draw and server at all rates. Gives what it has reached.
    pub fn observe(&mut self, scenario: &Scenario, report: &Report, curve: &[Report]) -> Vec<Goal> {
        let Some(run) = Run::of(scenario, report) else { return Vec::new() };
        if run.changed == 0 {
            self.learn(scenario.seed, report);
            if run.met == 1.0 {
                self.calm_busy = self.calm_busy.into_iter().chain([report.busy_fraction]).reduce(f64::max);
            }
            if run.rate == Rate::START {
                self.kept_at_5 |= run.ttft_p99_s <= run.slo_ttft_s;
                self.broke_at_5 |= run.ttft_p99_s > run.slo_ttft_s;
            }
        }
        let before = self.reached;
        for (reached, goal) in self.reached.into_iter().zip(Goal::ALL) {
            if !reached && self.is_reached(goal, &run, scenario, report, curve) {
                self.reached[goal as usize] = true;
            }
        }
        let new = |goal: &Goal| self.has(*goal) && !before[*goal as usize];
        Goal::ALL.into_iter().filter(new).collect()
    }

    fn is_reached(&self, goal: Goal, run: &Run, scenario: &Scenario, report: &Report, curve: &[Report]) -> bool {
        let lessons_server = run.changed == 0;
        let same_run = |baseline: &&Baseline| baseline.seed == scenario.seed && baseline.rate == run.rate;
        let baseline = self.baselines.iter().find(same_run);
        match goal {
            Goal::Tail => run.ttft_p50_s <= run.slo_ttft_s && run.ttft_p99_s > run.slo_ttft_s,
            Goal::Busy => {
                let no_busier = self.calm_busy.is_some_and(|calm| report.busy_fraction <= calm + ALIKE);
                lessons_server && run.ttft_p99_s > HOPELESS_S && no_busier
            }
            Goal::Limit => {
                let meets = |report: &&Report| report.slo_attainment.is_some_and(|met| met >= ATTAINMENT_TARGET);
                let limit = curve.iter().rev().find(meets).map(|report| Rate::nearest(report.rate_per_s));
                let near = |limit: Rate| (limit.moved(-1)..=limit.moved(1)).contains(&run.rate);
                lessons_server && scenario.seed == Seed::Lesson && limit.is_some_and(near)
            }
            Goal::Peak => {
                let highest =
                    |a: &&Report, b: &&Report| a.throughput_tokens_per_s.total_cmp(&b.throughput_tokens_per_s);
                let peak = curve.iter().max_by(highest).map(|report| Rate::nearest(report.rate_per_s));
                let near = |peak: Rate| (peak.moved(-2)..=peak.moved(2)).contains(&run.rate);
                run.met < HARDLY_ANY && peak.is_some_and(near)
            }
            Goal::Draws => self.kept_at_5 && self.broke_at_5,
            Goal::Walls => run.ttft_p50_s <= run.slo_ttft_s && run.tpot_p50_s > run.slo_tpot_s,
            Goal::Tune => {
                let gains = |baseline: &Baseline| report.goodput_requests_per_s > baseline.goodput + GAIN;
                run.changed == 1 && run.rate == Rate::nearest(6.0) && baseline.is_some_and(gains)
            }
            Goal::Batch => {
                let larger = run.changed == 1 && scenario.max_batch > Scenario::default().max_batch;
                larger && baseline.is_some_and(|baseline| run.tpot_p99_s > baseline.tpot_p99_s)
            }
        }
    }

    /// Keeps a run of the lesson's server at 5 or 6 requests/s, for others to be compared with.
    fn learn(&mut self, seed: Seed, report: &Report) {
        let rate = Rate::nearest(report.rate_per_s);
        let known = self.baselines.iter().any(|baseline| baseline.seed == seed && baseline.rate == rate);
        let compared = [5.0, 6.0].map(Rate::nearest).contains(&rate);
        if let (Some(tpot), true, false) = (report.tpot_s, compared, known) {
            self.baselines.push(Baseline { seed, rate, goodput: report.goodput_requests_per_s, tpot_p99_s: tpot.p99 });
        }
    }

    /// Whether a goal is reached.
    #[must_use]
    pub fn has(&self, goal: Goal) -> bool {
        self.reached[goal as usize]
    }

    /// How many are reached.
    #[must_use]
    pub fn done(&self) -> usize {
        self.reached.iter().filter(|reached| **reached).count()
    }

    /// How many are reached, in words.
    #[must_use]
    pub fn count(&self) -> String {
        ENGLISH.say("count", &[("done", &self.done().to_string()), ("all", &Goal::ALL.len().to_string())])
    }

    /// What is heard when goals are reached; empty without any.
    #[must_use]
    pub fn announcement(&self, new: &[Goal]) -> String {
        let titles: Vec<String> = new.iter().map(|goal| goal.title()).collect();
        match titles.is_empty() {
            true => String::new(),
            false => ENGLISH.say("reached", &[("goals", &titles.join(" ")), ("count", &self.count())]),
        }
    }

    /// What to remember: the names of those that are reached.
    #[must_use]
    pub fn remembered(&self) -> String {
        let names: Vec<&str> = Goal::ALL.into_iter().filter(|goal| self.has(*goal)).map(Goal::name).collect();
        names.join(" ")
    }

    /// Every goal in a line, with its tick: for the printed summary.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        let line = |goal: Goal| {
            ENGLISH.say(if self.has(goal) { "line.done" } else { "line.open" }, &[("goal", &goal.title())])
        };
        Goal::ALL.map(line).into()
    }
}

/// How a goal stands, for those who do not see its mark.
#[must_use]
pub fn state(reached: bool) -> String {
    ENGLISH.say(if reached { "state.done" } else { "state.open" }, &[])
}

/// A run in the figures that goals are about.
struct Run {
    rate: Rate,
    /// How many settings of the server differ from the lesson's.
    changed: usize,
    met: f64,
    slo_ttft_s: f64,
    slo_tpot_s: f64,
    ttft_p50_s: f64,
    ttft_p99_s: f64,
    tpot_p50_s: f64,
    tpot_p99_s: f64,
}

impl Run {
    /// `None` when nothing finished, or when more than rate, draw and server differ from the lesson: there goals would
    /// mean something else.
    fn of(scenario: &Scenario, report: &Report) -> Option<Self> {
        let lesson = Scenario::default();
        let server = Scenario {
            max_batch: lesson.max_batch,
            prefill_ms_per_1k: lesson.prefill_ms_per_1k,
            step_ms: lesson.step_ms,
            per_seq_ms: lesson.per_seq_ms,
            ..scenario.clone()
        };
        if server != (Scenario { rate: scenario.rate, seed: scenario.seed, ..lesson.clone() }) {
            return None;
        }
        let changed = [
            scenario.max_batch != lesson.max_batch,
            scenario.prefill_ms_per_1k != lesson.prefill_ms_per_1k,
            scenario.step_ms != lesson.step_ms,
            scenario.per_seq_ms != lesson.per_seq_ms,
        ];
        let (ttft, tpot) = (report.ttft_s?, report.tpot_s?);
        Some(Self {
            rate: Rate::nearest(scenario.rate),
            changed: changed.into_iter().filter(|changed| *changed).count(),
            met: report.slo_attainment?,
            slo_ttft_s: scenario.slo_ttft_ms / 1000.0,
            slo_tpot_s: scenario.slo_tpot_ms / 1000.0,
            ttft_p50_s: ttft.p50,
            ttft_p99_s: ttft.p99,
            tpot_p50_s: tpot.p50,
            tpot_p99_s: tpot.p99,
        })
    }
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, ValidScenario};

    use super::*;
    use crate::lever::{Lever, Setting};
    use crate::model::{Model, Msg};
    use crate::rate::Span;

    fn lever(name: &'static str, value: f64) -> Msg {
        Msg::Set(Setting { lever: Lever::named(name).expect(name), text: value.to_string(), number: Some(value) })
    }

    /// Plays through a lab by hand; gives what each run has reached.
    struct Player {
        model: Model,
        goals: Goals,
    }

    impl Player {
        fn new() -> Self {
            let model = Model::new().expect("the lesson's scenario is valid");
            let goals = Goals::recall(None, model.curve());
            Self { model, goals }
        }

        fn play(&mut self, msg: Msg) -> Vec<Goal> {
            self.model.update(msg);
            self.model.simulate().expect("valid");
            self.goals.observe(self.model.scenario(), self.model.report(), self.model.curve())
        }

        fn rate(&mut self, rate: f64) -> Vec<Goal> {
            self.play(Msg::Slide(Rate::nearest(rate)))
        }

        /// A server of one's own.
        fn server(&mut self, scenario: Scenario) -> Vec<Goal> {
            let scenario = scenario.validate().expect("valid");
            let rates: Vec<f64> = Span::LESSON.rates().map(Rate::per_s).collect();
            let mut engine = Engine::new();
            let curve = engine.sweep(&scenario, &rates).expect("valid");
            self.goals.observe(scenario.get(), &engine.run(&scenario).report(), &curve)
        }
    }

    fn at(rate: f64) -> Scenario {
        Scenario { rate, ..Scenario::default() }
    }

    #[test]
    fn every_goal_is_reached_in_the_lab() {
        let mut player = Player::new();
        assert_eq!(player.rate(4.0), []);
        assert_eq!(player.rate(5.0), [Goal::Tail]);
        assert_eq!(player.rate(4.3), [Goal::Limit]);
        assert_eq!(player.play(Msg::Push), [Goal::Busy, Goal::Peak]);
        assert_eq!(player.rate(5.5), [Goal::Walls]);
        assert_eq!(player.rate(5.0), []);
        assert_eq!(player.play(Msg::AnotherDraw), [Goal::Draws], "draw 1 keeps the p99 at 5");
        player.play(Msg::LessonsDraw);
        assert_eq!(player.play(lever("max_batch", 128.0)), [Goal::Batch]);
        player.play(Msg::LessonsServer);
        player.rate(6.0);
        assert_eq!(player.play(lever("prefill_ms_per_1k", 30.0)), [Goal::Tune]);
        assert_eq!(player.goals.count(), "8 of 8 done");
        assert_eq!(player.play(lever("prefill_ms_per_1k", 20.0)), [], "told once");
    }

    #[test]
    fn the_tail_needs_a_fine_median() {
        let reached = |rate: f64| Player::new().rate(rate).contains(&Goal::Tail);
        assert_eq!([4.9, 5.0, 5.6, 5.7].map(reached), [false, true, true, false]);
    }

    #[test]
    fn no_busier_than_a_run_that_the_reader_has_seen() {
        let mut player = Player::new();
        assert!(!player.rate(6.0).contains(&Goal::Busy), "nothing to compare with yet");
        player.rate(0.5);
        assert!(!player.rate(6.0).contains(&Goal::Busy), "at 0.5 the GPU does rest");
        player.rate(4.0);
        assert!(!player.rate(5.7).contains(&Goal::Busy), "below ten seconds");
        assert!(player.rate(6.0).contains(&Goal::Busy));
    }

    #[test]
    fn the_limit_is_met_within_a_tenth() {
        let reached = |rate: f64| Player::new().rate(rate).contains(&Goal::Limit);
        assert_eq!([4.1, 4.2, 4.3, 4.4, 4.5].map(reached), [false, true, true, true, false]);
        let mut player = Player::new();
        player.play(Msg::AnotherDraw);
        for rate in Span::LESSON.rates().map(Rate::per_s) {
            assert!(!player.rate(rate).contains(&Goal::Limit), "it is the lesson's draw that is asked about");
        }
    }

    #[test]
    fn the_peak_of_throughput_is_where_goodput_is_gone() {
        let reached = |rate: f64| Player::new().rate(rate).contains(&Goal::Peak);
        assert_eq!([5.7, 5.8, 5.9, 6.1, 6.2].map(reached), [false, true, true, true, false]);
    }

    #[test]
    fn two_walls_stand_apart() {
        let reached = |rate: f64| Player::new().rate(rate).contains(&Goal::Walls);
        assert_eq!([5.4, 5.5, 5.6, 5.7].map(reached), [false, true, true, false]);
    }

    #[test]
    fn draws_count_at_five_only() {
        let mut player = Player::new();
        player.rate(4.0);
        assert_eq!(player.rate(5.0), [Goal::Tail]);
        player.rate(4.5);
        assert!(!player.play(Msg::AnotherDraw).contains(&Goal::Draws));
        assert!(player.rate(5.0).contains(&Goal::Draws));
    }

    #[test]
    fn tuning_is_one_setting_that_gains() {
        let tunes = |scenario: Scenario| Player::new().server(scenario).contains(&Goal::Tune);
        assert!(tunes(Scenario { max_batch: 128, ..at(6.0) }));
        assert!(tunes(Scenario { step_ms: 5.0, ..at(6.0) }));
        assert!(tunes(Scenario { per_seq_ms: 0.3, ..at(6.0) }));
        assert!(!tunes(at(6.0)), "nothing changed");
        assert!(!tunes(Scenario { max_batch: 48, ..at(6.0) }), "no gain");
        assert!(!tunes(Scenario { max_batch: 128, prefill_ms_per_1k: 30.0, ..at(6.0) }), "two settings");
        assert!(!tunes(Scenario { prefill_ms_per_1k: 30.0, ..at(5.9) }), "another rate");
        assert!(!tunes(Scenario { slo_ttft_ms: 60_000.0, slo_tpot_ms: 100.0, ..at(6.0) }), "not the server");
        assert!(!tunes(Scenario { prefill_ms_per_1k: 30.0, output: 100, ..at(6.0) }), "other requests");
    }

    #[test]
    fn on_another_draw_a_server_is_compared_with_the_lessons_on_that_draw() {
        let drawn = |scenario: Scenario| Scenario { seed: Seed::Number(1), ..scenario };
        let mut player = Player::new();
        let tuned = || drawn(Scenario { per_seq_ms: 0.3, ..at(6.0) });
        assert!(!player.server(tuned()).contains(&Goal::Tune), "nothing to compare with yet");
        player.server(drawn(at(6.0)));
        assert!(player.server(tuned()).contains(&Goal::Tune));
    }

    #[test]
    fn a_larger_batch_limit_slows_tokens() {
        let slows = |scenario: Scenario| Player::new().server(scenario).contains(&Goal::Batch);
        assert!(slows(Scenario { max_batch: 96, ..at(6.0) }));
        assert!(!slows(Scenario { max_batch: 48, ..at(6.0) }));
        assert!(!slows(Scenario { max_batch: 96, ..at(4.0) }), "only at 5 and 6 there is something to compare with");
    }

    #[test]
    fn what_is_remembered_reads_back_and_garbage_is_nothing() {
        let mut player = Player::new();
        player.rate(5.0);
        player.rate(5.5);
        let text = player.goals.remembered();
        assert_eq!(text, "tail walls");
        let again = Goals::recall(Some(&text), player.model.curve());
        assert_eq!((again.remembered(), again.count()), (text, "2 of 8 done".into()));
        for text in ["", "tails", "\u{0}", "tail,walls"] {
            assert_eq!(Goals::recall(Some(text), &[]).remembered(), "", "{text:?}");
        }
    }

    #[test]
    fn what_nothing_finished_in_reaches_nothing() {
        let scenario = Scenario { rate: 0.5, ..Scenario::default() }.validate().expect("valid");
        let report = Report { ttft_s: None, ..goodput_sim::run(&scenario) };
        assert_eq!(Player::new().goals.observe(scenario.get(), &report, &[]), []);
        let lesson = ValidScenario::default();
        assert_eq!(Goals::recall(None, &[]).observe(lesson.get(), &goodput_sim::run(&lesson), &[]), [Goal::Tail]);
    }

    #[test]
    fn the_page_lists_the_goals_in_the_same_words() {
        let page = include_str!("../page/goals.html");
        let mut rest = page;
        for goal in Goal::ALL {
            let marked = format!("data-goal=\"{}\"", goal.name());
            let (_, after) = rest.split_once(&marked).unwrap_or_else(|| panic!("{marked} is missing or out of order"));
            let (item, _) = after.split_once("</li>").expect("an item");
            assert!(item.contains(&goal.title()), "{}: {item}", goal.title());
            rest = after;
        }
        assert!(page.contains("0 of 8 done") && page.contains(&state(false)));
    }

    #[test]
    fn reached_goals_are_told_and_listed() {
        let mut player = Player::new();
        assert_eq!(player.goals.announcement(&[]), "");
        let new = player.rate(5.0);
        assert_eq!(
            player.goals.announcement(&new),
            "Goal reached: Find a rate where p50 looks fine and p99 does not. 1 of 8 done."
        );
        assert_eq!(player.goals.lines()[0], "✓ Find a rate where p50 looks fine and p99 does not.");
        assert!(player.goals.lines()[1].starts_with("○ "));
        assert_eq!((state(true), state(false)), ("done".into(), "open".into()));
    }
}
