//! The state of a lab and the only place where it changes. It knows no browser, so it is tested natively.

use goodput_charts::{Chart, ChartId, Ghost, rate_chart, time_chart};
use goodput_sim::{Engine, Field, Preset, Report, Run, Scenario, ScenarioError, Seed, ValidScenario};
use goodput_summary::Summary;

use crate::curve::Curve;
use crate::draws::{Draws, SEEDS};
use crate::effect::{Effect, Side};
use crate::lever::{Lever, Setting};
use crate::locks::Locks;
use crate::pins::Pins;
use crate::rate::{Rate, Span};
use crate::setup::{Setup, check};

pub use goodput_charts::ATTAINMENT_TARGET;

/// Where the reader reads values off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cursor {
    /// An arrival rate, on all charts over the rate [requests/s].
    Rate(f64),
    /// A simulated time [s].
    Time(f64),
}

/// What can happen to a lab.
#[derive(Clone, Debug, PartialEq)]
pub enum Msg {
    /// The slider stands here.
    Slide(Rate),
    /// The slider was let go.
    Release,
    /// Minus or plus was pressed.
    Nudge {
        /// It was plus.
        up: bool,
    },
    /// A rate was typed, and the browser read it as this number, or as none.
    TypeRate(String, Option<f64>),
    /// A seed was typed.
    TypeSeed(String),
    /// A lever was moved by hand.
    Set(Setting),
    /// The lesson's run at 5 requests/s is wanted with these levers moved, the rate among them, and no others.
    Try(Vec<Setting>),
    /// The levers whose effect is told are wanted back where they are by default.
    LeversBack,
    /// The server, traffic and rate of the preset of this name are wanted.
    Preset(String),
    /// The lesson's server is wanted back.
    LessonsServer,
    /// The current run is to be kept beside the next ones.
    Pin,
    /// A pinned run is to go.
    Unpin(char),
    /// What theory says is to be shown, or no longer.
    Theory(bool),
    /// Other draws are to be shown, or no longer.
    Draws(bool),
    /// Another draw of the same traffic is wanted.
    AnotherDraw,
    /// The lesson's draw is wanted back.
    LessonsDraw,
    /// The rate of the highest throughput is wanted.
    Push,
    /// Everything back to the start.
    Reset,
    /// The page around, or what the page's author wrote, wants the lab to stand so.
    Stand(Box<Setup>),
    /// The page around freezes these controls.
    Lock(Locks),
    /// Rates above [`Rate::COVER`] are not to be seen before the reader has guessed or passed.
    Cover,
    /// Everything is to be seen. A rate that was asked for under the cover stays, else the lab goes to its start.
    Uncover,
    /// The reader points at a value of x on a chart, or no longer.
    Point(ChartId, Option<f64>),
}

/// What an update asks of the shell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Something visible changed: draw a frame.
    pub draw: bool,
    /// The scenario changed: tell those who listen, and settle later.
    pub changed: bool,
}

impl Effects {
    const NONE: Self = Self { draw: false, changed: false };
    const DRAW: Self = Self { draw: true, changed: false };
    const CHANGED: Self = Self { draw: true, changed: true };
}

/// Rates of a curve that are simulated in one go while a lab opens: the browser has not made fast code of the engine yet.
const RATES_AT_ONCE: usize = 8;

/// A lab that is being opened: its curve, simulated a few rates at a time, so that the page answers in between.
#[derive(Debug)]
pub struct Opening {
    engine: Engine,
    setup: Setup,
    home: Setup,
    locks: Locks,
    scenario: ValidScenario,
    curve: Curve,
}

impl Opening {
    /// A lab that will stand so, and which a reset leads home.
    ///
    /// # Errors
    /// When the setup's scenario is refused; none that [`Setup::check`] has passed.
    pub fn new(setup: Setup, home: Setup, locks: Locks) -> Result<Self, ScenarioError> {
        let scenario = setup.scenario.clone().validate()?;
        let curve = Curve::over(Span::of(scenario.get()));
        Ok(Self { engine: Engine::default(), setup, home, locks, scenario, curve })
    }

    /// Whether the lab needs its whole curve to open: the lesson is told from it.
    #[must_use]
    pub fn is_the_lessons(&self) -> bool {
        is_the_lessons(&self.scenario, self.curve.span())
    }

    /// Simulates some more rates. True while some are left.
    ///
    /// # Errors
    /// None for a setup that was checked; the type is the engine's.
    pub fn advance(&mut self) -> Result<bool, ScenarioError> {
        let mut done = 0;
        let mut has_time = || {
            done += 1;
            done < RATES_AT_ONCE
        };
        self.curve.advance(&mut self.engine, &self.scenario, &mut has_time)?;
        Ok(!self.curve.is_whole())
    }

    /// The lab on this curve, whole or not.
    ///
    /// # Errors
    /// None for a setup that was checked; the type is the engine's.
    pub fn open(self) -> Result<Model, ScenarioError> {
        Model::on(self)
    }
}

/// The state of a lab.
#[derive(Debug)]
pub struct Model {
    engine: Engine,
    rate: Rate,
    /// What the slider offers.
    span: Span,
    seed: Seed,
    /// The server and its SLO as wanted; its rate and seed do not matter.
    server: Scenario,
    /// Where a reset leads.
    home: Setup,
    locks: Locks,
    next_draw: u64,
    theory: bool,
    draws: Option<Draws>,
    pins: Pins,
    cursor: Option<Cursor>,
    refusal: Option<ScenarioError>,
    /// Rates above [`Rate::COVER`] are hidden.
    covered: bool,
    /// What the reader expected of the p99, under its chart.
    guess: Option<Ghost>,
    /// The runs over all rates of the slider, for one seed.
    curve: Curve,
    /// The same of the lesson.
    lesson: Curve,
    /// Levers that were moved, and what the lab stood at before: their effect is not known yet.
    moved: Option<(Vec<Lever>, Scenario)>,
    /// What the levers that were moved last have done.
    effect: Option<Effect>,
    /// The charts over the rate as they are to be seen.
    rate_charts: Vec<Chart>,
    /// So many points of the curve are on them.
    drawn_points: usize,
    /// The run at the current rate.
    scenario: ValidScenario,
    report: Report,
    time_chart: Chart,
    /// The time chart is of an earlier run.
    time_is_stale: bool,
}

impl Model {
    /// A lab at its start: the lesson's server at 5 requests/s on the lesson's draw.
    ///
    /// # Errors
    /// None for the lesson's scenario; the type is the engine's.
    pub fn new() -> Result<Self, ScenarioError> {
        Self::at(Setup::default())
    }

    /// A lab that stands so.
    ///
    /// # Errors
    /// When the setup's scenario is refused; none that [`Setup::check`] has passed.
    pub fn at(setup: Setup) -> Result<Self, ScenarioError> {
        let mut opening = Opening::new(setup.clone(), setup, Locks::default())?;
        while opening.advance()? {}
        opening.open()
    }

    fn on(opening: Opening) -> Result<Self, ScenarioError> {
        let lesson = if opening.is_the_lessons() { opening.curve.clone() } else { Curve::over(Span::LESSON) };
        let Opening { mut engine, setup, home, locks, scenario, mut curve } = opening;
        let mut run = engine.run(&scenario);
        let (report, time_chart) = (run.report(), time_chart(&run, &scenario));
        curve.hold(&report);
        let mut model = Self {
            engine,
            rate: Rate::nearest(setup.scenario.rate),
            span: curve.span(),
            seed: setup.scenario.seed,
            server: setup.scenario.clone(),
            home,
            locks,
            next_draw: 1,
            theory: setup.theory,
            draws: draws(&scenario, setup.seeds),
            pins: Pins::default(),
            cursor: None,
            refusal: None,
            covered: false,
            guess: None,
            curve,
            lesson,
            moved: None,
            effect: None,
            rate_charts: Vec::new(),
            drawn_points: 0,
            scenario,
            report,
            time_chart,
            time_is_stale: false,
        };
        model.pins = model.pinned(&setup.pins)?;
        model.draw_rate_charts();
        Ok(model)
    }

    /// Changes the state. An equal value is no change. A refused value leaves the last good picture and says why.
    pub fn update(&mut self, msg: Msg) -> Effects {
        if let Msg::Point(chart, x) = msg {
            return self.point(chart, x);
        }
        let (before, beside) = ((self.wanted(), self.span, self.covered), self.beside());
        let had_refusal = self.refusal.take().is_some();
        // A field ends up saying what was understood, also where that is the value in view.
        let was_typed = matches!(msg, Msg::TypeRate(..) | Msg::TypeSeed(_) | Msg::Set(_) | Msg::Try(_));
        // In mid-drag the slider must not get another scale.
        let is_dragged = matches!(msg, Msg::Slide(_));
        let by_the_reader = !matches!(msg, Msg::Stand(_) | Msg::Cover | Msg::Uncover);
        let moves_levers = matches!(msg, Msg::Set(_) | Msg::Try(_) | Msg::LeversBack);
        let mut applied = self.apply(msg);
        if by_the_reader {
            let kept = self.locks.keep(&before.0, self.wanted());
            let together = check(&kept);
            self.stand_at(if together.is_ok() { &kept } else { &before.0 });
            applied = applied.and(together);
        }
        if !is_dragged {
            self.span = Span::of(&self.wanted());
            self.rate = self.span.round(self.rate);
        }
        if self.moved.as_ref().is_some_and(|(_, before)| *before == self.wanted()) {
            self.moved = None;
        }
        let same_server = self.wanted() == Scenario { rate: self.rate.per_s(), ..before.0.clone() };
        if !moves_levers && !same_server {
            (self.moved, self.effect) = (None, None);
        }
        match applied {
            Ok(()) if (self.wanted(), self.span, self.covered) != before => Effects::CHANGED,
            Ok(()) if had_refusal || was_typed || self.beside() != beside => Effects::DRAW,
            Ok(()) => Effects::NONE,
            Err(refusal) => {
                self.refusal = Some(refusal);
                Effects::DRAW
            }
        }
    }

    fn apply(&mut self, msg: Msg) -> Result<(), ScenarioError> {
        match msg {
            Msg::Slide(rate) => self.rate = self.span.clamp(rate),
            Msg::Release => {}
            Msg::Nudge { up } => self.rate = self.span.beside(self.rate, up),
            Msg::TypeRate(text, number) => {
                let rate = Rate::nearest(Field::named("rate")?.read(&text, number)?);
                check(&Scenario { rate: rate.per_s(), ..self.wanted() })?;
                self.rate = rate;
            }
            Msg::TypeSeed(text) => self.seed = text.parse()?,
            Msg::AnotherDraw => {
                // The draw in view may have been typed: skip it, or the button would seem to do nothing.
                if self.seed == Seed::Number(self.next_draw) {
                    self.next_draw += 1;
                }
                self.seed = Seed::Number(self.next_draw);
                self.next_draw += 1;
            }
            Msg::LessonsDraw => self.seed = Seed::Lesson,
            Msg::Set(setting) => {
                let wanted = with(&self.wanted(), std::slice::from_ref(&setting))?;
                self.move_levers(vec![setting.lever], self.wanted(), &wanted);
            }
            Msg::Try(settings) => {
                let lesson = Scenario::default();
                let wanted = with(&lesson, &settings)?;
                let levers =
                    settings.iter().map(|setting| setting.lever).filter(|lever| lever.name() != "rate").collect();
                self.move_levers(levers, Scenario { rate: wanted.rate, ..lesson }, &wanted);
            }
            Msg::LeversBack => {
                let Some(Effect { levers, .. }) = self.effect.clone() else { return Ok(()) };
                let mut wanted = self.wanted();
                for lever in &levers {
                    lever.copy(&Scenario::default(), &mut wanted);
                }
                self.move_levers(levers, self.wanted(), &wanted);
            }
            Msg::Preset(name) => self.stand_at(&Preset::named(&name)?.scenario()),
            Msg::LessonsServer => self.server = Scenario::default(),
            Msg::Lock(locks) => self.locks = locks,
            // What stands beside the run would tell what is covered.
            Msg::Pin | Msg::Theory(_) | Msg::Draws(_) if self.covered => {}
            Msg::Pin | Msg::Unpin(_) if self.locks.has("pin") => {}
            Msg::Theory(_) if self.locks.has("theory") => {}
            Msg::Draws(_) if self.locks.has("seeds") => {}
            Msg::Pin => {
                self.finish_curve()?;
                self.pins.pin(&self.scenario, &self.report, self.curve.reports());
                self.draw_rate_charts();
            }
            Msg::Unpin(letter) => {
                self.pins.unpin(letter);
                self.draw_rate_charts();
            }
            Msg::Theory(on) => {
                self.theory = on;
                self.draw_rate_charts();
            }
            Msg::Draws(on) => self.draws = on.then(|| Draws::of(&self.scenario, SEEDS)),
            Msg::Push => {
                let highest =
                    |a: &&Report, b: &&Report| a.throughput_tokens_per_s.total_cmp(&b.throughput_tokens_per_s);
                self.finish_curve()?;
                if let Some(best) = self.curve.reports().iter().max_by(highest) {
                    self.rate = Rate::nearest(best.rate_per_s);
                }
            }
            Msg::Reset => self.go_to(&self.home.clone())?,
            Msg::Stand(setup) => self.go_to(&setup)?,
            Msg::Cover => self.cover(true),
            Msg::Uncover => self.cover(false),
            Msg::Point(..) => {}
        }
        Ok(())
    }

    /// Stands as `setup` says. Under the cover nothing beside the run is shown, and no rate above it.
    fn go_to(&mut self, setup: &Setup) -> Result<(), ScenarioError> {
        self.stand_at(&setup.scenario);
        self.next_draw = 1;
        self.cursor = None;
        if self.covered {
            self.rate = self.rate.min(Rate::COVER);
            return Ok(());
        }
        if !self.locks.has("theory") {
            self.theory = setup.theory;
        }
        if !self.locks.has("seeds") && self.draws.as_ref().map_or(1, Draws::seeds) != setup.seeds {
            self.draws = draws(&self.scenario, setup.seeds);
        }
        let same = self.pins.iter().map(|pin| pin.scenario.get()).eq(&setup.pins);
        if !self.locks.has("pin") && !same {
            self.pins = self.pinned(&setup.pins)?;
        }
        self.draw_rate_charts();
        Ok(())
    }

    /// Wants this scenario.
    fn stand_at(&mut self, scenario: &Scenario) {
        self.rate = Rate::nearest(scenario.rate);
        self.seed = scenario.seed;
        self.server = scenario.clone();
    }

    /// These runs, pinned.
    fn pinned(&mut self, scenarios: &[Scenario]) -> Result<Pins, ScenarioError> {
        let mut pins = Pins::default();
        for scenario in scenarios {
            let mut curve = Curve::over(Span::of(scenario));
            let scenario = scenario.clone().validate()?;
            curve.advance(&mut self.engine, &scenario, &mut || true)?;
            let report = self.engine.run(&scenario).report();
            curve.hold(&report);
            pins.pin(&scenario, &report, curve.reports());
        }
        Ok(pins)
    }

    /// Where the lab stands, for others to come back to.
    #[must_use]
    pub fn setup(&self) -> Setup {
        Setup {
            scenario: self.wanted(),
            seeds: self.draws.as_ref().map_or(1, Draws::seeds),
            theory: self.theory,
            pins: self.pins.iter().map(|pin| pin.scenario.get().clone()).collect(),
        }
    }

    /// What the reader may not change.
    #[must_use]
    pub fn locks(&self) -> &Locks {
        &self.locks
    }

    /// What the slider offers.
    #[must_use]
    pub fn span(&self) -> Span {
        self.span
    }

    /// Whether the curve is the lesson's: its server on its draw, over the lesson's rates.
    #[must_use]
    pub fn is_on_the_lessons_curve(&self) -> bool {
        is_the_lessons(&self.scenario, self.curve.span())
    }

    /// What is shown beside the run: theory, other draws, the letters of the pins.
    fn beside(&self) -> (bool, bool, String) {
        (self.theory, self.draws.is_some(), self.pins.iter().map(|pin| pin.letter).collect())
    }

    /// The scenario wanted.
    fn wanted(&self) -> Scenario {
        Scenario { rate: self.rate.per_s(), seed: self.seed, ..self.server.clone() }
    }

    /// Wants a scenario that differs from another in these levers, and their effect.
    fn move_levers(&mut self, levers: Vec<Lever>, before: Scenario, wanted: &Scenario) {
        if before != *wanted {
            self.moved = Some((levers, before));
        }
        self.stand_at(wanted);
    }

    fn cover(&mut self, covered: bool) {
        if covered == self.covered {
            return;
        }
        self.covered = covered;
        self.rate = match covered {
            true => Rate::COVER,
            false if self.rate > Rate::COVER => self.rate,
            false => Rate::nearest(self.home.scenario.rate),
        };
        self.cursor = None;
        self.draw_rate_charts();
        self.time_is_stale = true;
    }

    fn point(&mut self, chart: ChartId, x: Option<f64>) -> Effects {
        let cursor = x.and_then(|x| match chart {
            ChartId::Time => self.time_chart.nearest(x).map(Cursor::Time),
            _ => self.rate_charts.first()?.nearest(x).map(Cursor::Rate),
        });
        if cursor == self.cursor {
            return Effects::NONE;
        }
        self.cursor = cursor;
        Effects::DRAW
    }

    /// Keeps what the reader expected of the p99 under its chart.
    pub fn keep_guess(&mut self, guess: Ghost) {
        self.guess = Some(guess);
        self.draw_rate_charts();
    }

    /// Simulates all that the state asks for and has not been simulated yet. True when the run in view is another.
    ///
    /// # Errors
    /// When the scenario is refused; the last good results stay.
    pub fn simulate(&mut self) -> Result<bool, ScenarioError> {
        self.simulate_while(&mut || true)
    }

    /// The same, but of the curves only what there is time for: the run in view and at least a coarse curve.
    /// [`Model::is_growing`] says whether there is more to do.
    ///
    /// # Errors
    /// When the scenario is refused; the last good results stay.
    pub fn simulate_while(&mut self, has_time: &mut dyn FnMut() -> bool) -> Result<bool, ScenarioError> {
        let wanted = self.wanted();
        let moved = self.moved.take();
        let (other_run, other_span) = (wanted != *self.scenario.get(), self.curve.span() != self.span);
        if !other_run && !other_span && !self.is_growing() && moved.is_none() {
            return Ok(false);
        }
        // On the same draw and server the curve is the same whatever the rate.
        let same_curve = Scenario { rate: wanted.rate, ..self.scenario.get().clone() } == wanted;
        self.scenario = wanted.validate()?;
        if !same_curve || other_span {
            self.curve = Curve::over(self.span);
        }
        let grows = self.is_growing();
        self.curve.advance(&mut self.engine, &self.scenario, has_time)?;
        if self.curve.is_whole() && self.shows_the_lesson() {
            self.lesson.advance(&mut self.engine, &ValidScenario::default(), has_time)?;
        }
        if let Some((levers, before)) = moved {
            let before = Scenario { rate: self.rate.per_s(), ..before }.validate()?;
            let [before, after] = [&before, &self.scenario].map(|scenario| Side::of(&mut self.engine.run(scenario)));
            self.effect = Some(Effect { levers, before, after });
        }
        if other_run {
            if let Some(draws) = &mut self.draws {
                draws.follow(&self.scenario);
            }
            // Last, so that what is asked of the run in view is in the engine's memory.
            self.report = self.engine.again(&self.scenario).report();
            self.time_is_stale = true;
        }
        // Lines are dear to draw: while they grow, only where it shows.
        let points = self.curve.reports().len();
        let shows = !self.is_growing() || points >= self.drawn_points + self.drawn_points / 2;
        if self.curve.hold(&self.report) || grows && shows || !same_curve || other_span {
            self.drawn_points = points;
            self.draw_rate_charts();
        }
        Ok(other_run)
    }

    /// Simulates what is missing of the curve.
    fn finish_curve(&mut self) -> Result<(), ScenarioError> {
        self.curve.advance(&mut self.engine, &self.scenario, &mut || true)
    }

    /// Whether some of the curves is still to be simulated.
    #[must_use]
    pub fn is_growing(&self) -> bool {
        !self.curve.is_whole() || self.shows_the_lesson() && !self.lesson.is_whole()
    }

    /// Whether the lesson's curve is to be seen beside the one in view, because that is another server or draw.
    #[must_use]
    pub fn shows_the_lesson(&self) -> bool {
        !is_the_lessons_traffic(&self.scenario)
    }
    /// Makes a few of the runs on other draws that are missing. True while some are.
    ///
    /// # Errors
    /// When a rate is refused, which none on the slider is.
    pub fn advance_draws(&mut self) -> Result<bool, ScenarioError> {
        match &mut self.draws {
            Some(draws) => draws.advance(&mut self.engine, self.rate),
            None => Ok(false),
        }
    }

    /// Brings the charts over the rate up to the curve, the pins and theory.
    fn draw_rate_charts(&mut self) {
        self.rate_charts = ChartId::RATES.map(|id| self.drawn_rate_chart(id)).into();
    }

    fn drawn_rate_chart(&self, id: ChartId) -> Chart {
        let mut chart = rate_chart(id, &self.scenario, self.curve.reports());
        if self.theory {
            chart = chart.with_theory(&self.scenario);
        }
        for pin in self.pins.iter() {
            let pinned = rate_chart(id, &pin.scenario, &pin.curve);
            chart = chart.with_pinned(&pinned, pin.letter.encode_utf8(&mut [0; 4]), pin.scenario.get().rate);
        }
        if self.shows_the_lesson() && self.lesson.is_whole() {
            chart = chart.with_lesson(&rate_chart(id, &ValidScenario::default(), self.lesson.reports()));
        }
        if let (ChartId::Ttft, Some(guess)) = (id, &self.guess) {
            chart = chart.with_ghost(guess.clone());
        }
        if self.covered { chart.until(Rate::COVER.per_s()) } else { chart }
    }

    /// Brings the time chart up to the run last simulated. Apart, because it takes as long as the run and is often out
    /// of sight.
    pub fn follow_time(&mut self) {
        if self.time_is_stale {
            let chart = time_chart(&self.engine.again(&self.scenario), &self.scenario);
            self.time_chart = if self.hides_run() { chart.until(f64::NEG_INFINITY) } else { chart };
            self.time_is_stale = false;
        }
    }

    /// The run last simulated, with all that happened in it.
    pub fn run(&mut self) -> Run<'_> {
        self.engine.again(&self.scenario)
    }

    /// The rate wanted.
    #[must_use]
    pub fn rate(&self) -> Rate {
        self.rate
    }

    /// The draw wanted.
    #[must_use]
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// The server and its SLO as wanted; its rate and seed do not matter.
    #[must_use]
    pub fn server(&self) -> &Scenario {
        &self.server
    }

    /// Whether theory is shown.
    #[must_use]
    pub fn theory(&self) -> bool {
        self.theory
    }

    /// Other draws, while they are shown.
    #[must_use]
    pub fn draws(&self) -> Option<&Draws> {
        self.draws.as_ref()
    }

    /// The pinned runs.
    #[must_use]
    pub fn pins(&self) -> &Pins {
        &self.pins
    }

    /// Where the reader points.
    #[must_use]
    pub fn cursor(&self) -> Option<Cursor> {
        self.cursor
    }

    /// Why the last input was refused.
    #[must_use]
    pub fn refusal(&self) -> Option<&ScenarioError> {
        self.refusal.as_ref()
    }

    /// The scenario last simulated.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        self.scenario.get()
    }

    /// The scenario last simulated, as the engine takes it.
    #[must_use]
    pub fn valid_scenario(&self) -> &ValidScenario {
        &self.scenario
    }

    /// The run last simulated.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The run last simulated, as the command line prints it.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary::new(&self.scenario, &self.report)
    }

    /// Whether rates above [`Rate::COVER`] are hidden.
    #[must_use]
    pub fn is_covered(&self) -> bool {
        self.covered
    }

    /// Whether the run last simulated is under the cover: it is there, and not to be shown.
    #[must_use]
    pub fn hides_run(&self) -> bool {
        self.covered && self.scenario.get().rate > Rate::COVER.per_s()
    }

    /// The part of the curve that is to be seen.
    #[must_use]
    pub fn shown_curve(&self) -> &[Report] {
        let hidden = |report: &Report| self.covered && report.rate_per_s > Rate::COVER.per_s();
        let curve = self.curve.reports();
        &curve[..curve.iter().position(hidden).unwrap_or(curve.len())]
    }

    /// The curve over the slider's rates, as far as it is there.
    #[must_use]
    pub fn curve(&self) -> &[Report] {
        self.curve.reports()
    }

    /// What the levers that were moved last have done.
    #[must_use]
    pub fn effect(&self) -> Option<&Effect> {
        self.effect.as_ref()
    }

    /// The curve's report at this rate [requests/s].
    #[must_use]
    pub fn report_at(&self, rate: f64) -> Option<&Report> {
        self.curve().iter().find(|report| Rate::nearest(report.rate_per_s) == Rate::nearest(rate))
    }

    /// The five charts, in the order of [`ChartId::ALL`]; the last as [`Model::follow_time`] left it.
    pub fn charts(&self) -> impl Iterator<Item = &Chart> {
        self.rate_charts.iter().chain([&self.time_chart])
    }
}

/// Whether these are the lesson's server, limits and draw, at whatever rate.
fn is_the_lessons_traffic(scenario: &ValidScenario) -> bool {
    *scenario.get() == Scenario { rate: scenario.get().rate, ..Scenario::default() }
}

/// Whether a curve of this scenario over this span is the lesson's.
fn is_the_lessons(scenario: &ValidScenario, span: Span) -> bool {
    is_the_lessons_traffic(scenario) && span == Span::LESSON
}

/// A scenario with levers moved.
fn with(scenario: &Scenario, settings: &[Setting]) -> Result<Scenario, ScenarioError> {
    let mut scenario = scenario.clone();
    settings.iter().try_for_each(|setting| setting.put(&mut scenario))?;
    check(&scenario)?;
    Ok(scenario)
}

/// Runs on so many draws; with the lesson's alone there are no others.
fn draws(scenario: &ValidScenario, seeds: usize) -> Option<Draws> {
    (seeds > 1).then(|| Draws::of(scenario, seeds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> Model {
        Model::new().expect("the lesson's scenario is valid")
    }

    fn typed(text: &str) -> Msg {
        Msg::TypeRate(text.into(), text.replace(',', ".").parse().ok())
    }

    fn setting(name: &'static str, text: &str) -> Setting {
        Setting { lever: Lever::named(name).expect(name), text: text.into(), number: text.parse().ok() }
    }

    fn lever(name: &'static str, text: &str) -> Msg {
        Msg::Set(setting(name, text))
    }

    fn after(msgs: impl IntoIterator<Item = Msg>) -> Model {
        let mut model = model();
        for msg in msgs {
            model.update(msg);
            model.simulate().expect("every rate on the slider is valid");
        }
        model
    }

    #[test]
    fn four_to_six_is_exactly_twenty_steps() {
        let mut model = after([typed("4")]);
        for _ in 0..20 {
            assert!(model.rate() < Rate::nearest(6.0));
            assert_eq!(model.update(Msg::Nudge { up: true }), Effects::CHANGED);
        }
        assert_eq!(model.rate().per_s(), 6.0);
    }

    #[test]
    fn an_equal_value_is_no_change() {
        let mut model = model();
        assert_eq!(model.update(Msg::Slide(Rate::START)), Effects::NONE);
        assert_eq!(model.update(Msg::Reset), Effects::NONE);
        assert_eq!(model.update(Msg::Slide(Span::LESSON.to)), Effects::CHANGED);
        assert_eq!(model.update(Msg::Nudge { up: true }), Effects::NONE, "the slider's end");
        assert_eq!(model.update(typed("8,0")), Effects::DRAW, "the field shows 8.0");
    }

    #[test]
    fn every_rate_on_the_slider_is_what_the_engine_says() {
        let mut model = model();
        for position in Span::LESSON.rates() {
            model.update(Msg::Slide(position));
            model.simulate().expect("valid");
            let rate = position.per_s();
            let scenario = Scenario { rate, ..Scenario::default() }.validate().expect("valid");
            assert_eq!(*model.report(), goodput_sim::run(&scenario));
            assert_eq!(model.report_at(rate), Some(model.report()), "the curve passes through the run");
        }
    }

    #[test]
    fn a_refused_value_keeps_the_last_good_picture() {
        let mut model = after([typed("5,5")]);
        assert_eq!(model.rate().per_s(), 5.5);
        let good = model.report().clone();
        for (text, message) in [
            ("1001", "rate = 1001 requests/s: allowed are 0.01 to 1000 requests/s"),
            ("0", "rate = 0 requests/s: allowed are 0.01 to 1000 requests/s"),
            ("1e9", "rate = 1000000000 requests/s: allowed are 0.01 to 1000 requests/s"),
            ("NaN", "rate = NaN requests/s: allowed are 0.01 to 1000 requests/s"),
            ("fast", "rate = \"fast\": allowed are numbers, 0.01 to 1000 requests/s"),
        ] {
            assert_eq!(model.update(typed(text)), Effects::DRAW);
            model.simulate().expect("nothing new to simulate");
            assert_eq!(model.refusal().map(ToString::to_string).as_deref(), Some(message));
            assert_eq!(*model.report(), good);
        }
        assert_eq!(model.update(typed("5.5")), Effects::DRAW, "the sentence goes");
        assert!(model.refusal().is_none());
    }

    #[test]
    fn draws_differ_and_the_way_back_is_exact() {
        let mut model = model();
        let lesson = model.report().clone();
        let mut seen = vec![lesson.clone()];
        for msg in [Msg::TypeSeed("1".into()), Msg::AnotherDraw, Msg::AnotherDraw] {
            assert_eq!(model.update(msg), Effects::CHANGED);
            model.simulate().expect("valid");
            assert!(!seen.contains(model.report()), "{:?}", model.seed());
            seen.push(model.report().clone());
        }
        model.update(Msg::LessonsDraw);
        model.simulate().expect("valid");
        assert_eq!(*model.report(), lesson);
    }

    #[test]
    fn a_setting_of_the_server_changes_run_and_curve_and_a_refused_one_neither() {
        let field = lever;
        let mut model = model();
        assert_eq!(model.update(field("max-batch", "32")), Effects::CHANGED);
        model.simulate().expect("valid");
        let scenario = Scenario { max_batch: 32, ..Scenario::default() }.validate().expect("valid");
        assert_eq!(*model.report(), goodput_sim::run(&scenario));
        assert_eq!(model.report_at(5.0), Some(model.report()), "the curve is of the same server");
        for (name, text) in [("max-batch", "0"), ("max-batch", "1.5"), ("step-ms", "x"), ("slo-ttft-ms", "-1")] {
            assert_eq!(model.update(field(name, text)), Effects::DRAW);
            assert!(model.refusal().is_some());
        }
        assert_eq!(model.update(Msg::Reset), Effects::CHANGED);
        assert_eq!(*model.server(), Scenario::default());
    }

    #[test]
    fn what_stands_beside_the_run_changes_no_scenario_and_goes_with_a_reset() {
        let mut model = model();
        let chart = |model: &Model| model.charts().next().cloned().expect("a chart");
        let plain = chart(&model);
        assert_eq!(model.update(Msg::Pin), Effects::DRAW);
        assert_eq!(model.update(Msg::Pin), Effects::NONE, "it is pinned already");
        assert_eq!(model.update(Msg::Theory(true)), Effects::DRAW);
        assert_eq!(chart(&model).ghosts.len(), 2);
        assert_eq!(model.update(Msg::Draws(true)), Effects::DRAW);
        while model.advance_draws().expect("valid rates") {}
        assert_eq!(model.draws().map(|draws| draws.at(model.rate()).len()), Some(51));
        assert_eq!(model.update(Msg::Reset), Effects::DRAW);
        assert_eq!((chart(&model), model.draws().is_none()), (plain, true));
    }

    #[test]
    fn the_effect_of_a_lever_is_told_until_the_next_one() {
        let mut model = after([lever("cached-share", "0.7")]);
        let told = model.effect().cloned().expect("a lever was moved");
        assert_eq!(told.levers.iter().map(|lever| lever.name()).collect::<Vec<_>>(), ["cached-share"]);
        assert_eq!((&told.before.report, &told.after.report), (after([]).report(), model.report()));
        let mut play = |msg| {
            model.update(msg);
            model.simulate().expect("valid");
            model.effect().cloned()
        };
        for msg in [
            Msg::Slide(Rate::nearest(6.0)),
            Msg::Theory(true),
            lever("cached-share", "7"),
            lever("cached-share", "0.7"),
        ] {
            assert_eq!(play(msg), Some(told.clone()));
        }
        let next = play(lever("max-batch", "32")).expect("another lever was moved");
        assert_eq!((next.before.report.rate_per_s, next.after.report.rate_per_s), (6.0, 6.0));
        let back = play(Msg::LeversBack).expect("it was moved back");
        assert_eq!((back.before, back.after), (next.after, next.before));
        assert_eq!(play(Msg::AnotherDraw), None, "another draw is another traffic");
        assert!(play(lever("max-batch", "32")).is_some());
        assert_eq!(play(Msg::Reset), None);
    }

    #[test]
    fn a_link_starts_from_the_lessons_server_and_is_compared_with_it_at_its_rate() {
        let settings = vec![setting("max-queue", "5"), setting("rate", "6")];
        let mut model = after([lever("prefill-replicas", "1"), Msg::Try(settings.clone())]);
        let wanted = Scenario { rate: 6.0, max_queue: 5, ..Scenario::default() };
        assert_eq!(*model.scenario(), wanted);
        let effect = model.effect().cloned().expect("told");
        let lesson = ValidScenario::default().at_rate(6.0).expect("valid");
        assert_eq!(effect.before.report, goodput_sim::run(&lesson));
        assert_eq!(effect.levers.len(), 1, "the rate is no lever");
        assert_eq!(model.update(Msg::Try(settings)), Effects::DRAW, "again it only leads there");
        model.simulate().expect("valid");
        assert_eq!(model.effect(), Some(&effect));
    }

    #[test]
    fn a_preset_keeps_what_is_locked() {
        let mut model = after([lever("replicas", "2"), Msg::Lock(Locks::read("replicas").expect("a name"))]);
        model.update(Msg::Preset("agent".into()));
        model.simulate().expect("valid");
        assert_eq!((model.scenario().prompt, model.scenario().replicas), (3000, 2));
        model.update(Msg::Preset("rush-hour".into()));
        assert!(model.refusal().is_some());
    }

    #[test]
    fn a_fleets_curve_grows_frame_by_frame_and_stale_work_is_dropped() {
        let mut model = model();
        model.update(lever("replicas", "3"));
        model.simulate_while(&mut || false).expect("valid");
        assert!(model.is_growing());
        let expected = |replicas| Scenario { replicas, ..Scenario::default() }.validate().expect("valid");
        assert_eq!(*model.report(), goodput_sim::run(&expected(3)), "the run in view comes at once");
        assert_eq!(model.report_at(5.0), Some(model.report()), "and stands on the curve");
        model.update(lever("replicas", "2"));
        while model.simulate_while(&mut || false).is_ok() && model.is_growing() {}
        let rates: Vec<f64> = model.span().rates().map(Rate::per_s).collect();
        assert_eq!(model.curve(), Engine::new().sweep(&expected(2), &rates).expect("valid"));
        let lesson = model.charts().next().and_then(|chart| chart.ghosts.first().cloned()).expect("the lesson's curve");
        assert!(!lesson.points.is_empty());
        model.update(Msg::LessonsServer);
        model.simulate().expect("valid");
        assert!(model.charts().all(|chart| chart.ghosts.is_empty()), "beside itself it does not stand");
    }

    #[test]
    fn push_finds_the_highest_throughput_of_the_draw() {
        let model = after([Msg::Push]);
        let best = model.report().throughput_tokens_per_s;
        assert!(model.curve().iter().all(|report| report.throughput_tokens_per_s <= best));
        assert_eq!(model.rate().per_s(), 5.9);
    }

    #[test]
    fn the_time_chart_follows_when_asked() {
        let mut model = after([Msg::Slide(Span::LESSON.to)]);
        let before = model.charts().last().cloned();
        model.follow_time();
        assert_ne!(model.charts().last().cloned(), before);
        let scenario = ValidScenario::default().at_rate(8.0).expect("valid");
        assert_eq!(model.charts().last(), Some(&time_chart(&Engine::new().run(&scenario), &scenario)));
    }

    #[test]
    fn a_covered_lab_shows_nothing_above_four() {
        let mut model = after([Msg::Cover]);
        assert_eq!((model.rate(), model.hides_run()), (Rate::COVER, false));
        assert_eq!(model.shown_curve().last().map(|report| report.rate_per_s), Some(4.0));
        for msg in [Msg::Slide(Rate::nearest(4.1)), Msg::Push, Msg::AnotherDraw] {
            model.update(msg);
            model.simulate().expect("valid");
            model.follow_time();
            assert!(model.hides_run());
            let beyond = |chart: &Chart| chart.curves.iter().flat_map(|curve| &curve.points).any(|point| point.x > 4.0);
            assert_eq!(model.charts().find(|chart| beyond(chart)), None);
            model.update(Msg::Point(ChartId::Ttft, Some(6.0)));
            assert_eq!(model.cursor(), Some(Cursor::Rate(4.0)), "no way round by the cursor");
            for beside in [Msg::Pin, Msg::Draws(true), Msg::Theory(true)] {
                assert_eq!(model.update(beside), Effects::NONE, "nor by what stands beside the run");
            }
        }
        model.update(Msg::Reset);
        assert_eq!(model.rate(), Rate::COVER);
        assert!(model.report().rate_per_s > 4.0 && model.summary().rate_per_s > 4.0, "the run itself is not covered");
    }

    #[test]
    fn what_was_asked_for_under_the_cover_is_shown_when_it_lifts() {
        for (asked, then) in [(3.0, 5.0), (4.0, 5.0), (4.1, 4.1), (6.0, 6.0)] {
            let mut model = after([Msg::Cover, Msg::Slide(Rate::nearest(asked))]);
            assert_eq!(model.update(Msg::Uncover), Effects::CHANGED, "to be settled anew, also at the same rate");
            model.simulate().expect("valid");
            model.follow_time();
            assert_eq!((model.rate().per_s(), model.is_covered(), model.hides_run()), (then, false, false));
            let open = after([Msg::Slide(Span::LESSON.to), Msg::Slide(Rate::nearest(then))]);
            assert!(model.charts().take(4).eq(open.charts().take(4)) && model.report() == open.report());
            assert!(model.charts().last().is_some_and(|chart| !chart.curves[0].points.is_empty()));
            assert_eq!(model.update(Msg::Uncover), Effects::NONE);
        }
    }

    #[test]
    fn the_guess_stays_under_the_p99_and_out_of_sight_while_covered() {
        let points = vec![goodput_charts::Point { x: 6.0, y: Some(0.3) }];
        let guess = Ghost { ink: goodput_charts::Ink::Ink, label: "guess".into(), points, mark: None };
        let mut model = after([Msg::Cover]);
        model.keep_guess(guess.clone());
        assert!(model.charts().flat_map(|chart| &chart.ghosts).all(|ghost| ghost.points.is_empty()));
        for msg in [Msg::Uncover, Msg::AnotherDraw] {
            model.update(msg);
            model.simulate().expect("valid");
            let with_ghost: Vec<_> = model.charts().filter(|chart| chart.ghosts.contains(&guess)).collect();
            assert!(matches!(with_ghost[..], [Chart { id: Some(ChartId::Ttft), .. }]));
        }
    }

    #[test]
    fn the_cursor_falls_on_what_was_simulated() {
        let mut model = model();
        assert_eq!(model.update(Msg::Point(ChartId::Ttft, Some(5.1234))), Effects::DRAW);
        assert_eq!(model.cursor(), Some(Cursor::Rate(5.1)));
        assert_eq!(model.update(Msg::Point(ChartId::Goodput, Some(5.09))), Effects::NONE, "all rate charts share it");
        assert_eq!(model.update(Msg::Point(ChartId::Time, None)), Effects::DRAW);
        assert_eq!(model.cursor(), None);
    }
}
