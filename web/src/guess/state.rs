//! The state of the guess: the answers, the drawn line, and how far they are from the truth.

use goodput_charts::{Axis, Chart, ChartId, Ghost, Ink, Point, rate_chart};
use goodput_sim::{Report, ValidScenario};

use crate::guess::words;
use crate::rate::Rate;
use crate::told::Predicted;

/// What is remembered of a guess that was passed over.
pub const PASSED: &str = "skipped";

/// Points of the drawn line: every half request/s above the cover.
pub const POINTS: usize = 8;

/// Steps of a point's slider, from the lower end of the chart's axis to the upper.
pub const LEVELS: u8 = 100;

/// The lab's rates that the questions are about [requests/s].
const LATE_AT: f64 = 5.0;
const GOODPUT_AT: f64 = 6.0;

/// The arrival rate of a point of the line [requests/s].
#[must_use]
pub fn rate_of(point: usize) -> f64 {
    Rate::COVER.moved(5 * (point as i32 + 1)).per_s()
}

/// What the lesson's own run gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Truth {
    /// The limit that the first question asks about [s].
    pub slo_s: f64,
    /// p99 of the time to first token at 5 requests/s [s].
    pub late_s: f64,
    /// Goodput at 6 requests/s [requests/s].
    pub goodput: f64,
    /// p99 of the time to first token at the cover, where the drawn line begins [s].
    pub known_s: f64,
    /// The same at each point of the line [s].
    pub line_s: [f64; POINTS],
    /// The chart that is drawn on: the p99 alone.
    pub chart: Chart,
}

impl Truth {
    /// From the curve of the lesson's run. `None` where it lacks a rate that is asked about.
    #[must_use]
    pub fn of(scenario: &ValidScenario, curve: &[Report]) -> Option<Self> {
        let at = |rate: f64| curve.iter().find(|report| Rate::nearest(report.rate_per_s) == Rate::nearest(rate));
        let p99_s = |rate: f64| Some(at(rate)?.ttft_s?.p99);
        let mut line_s = [0.0; POINTS];
        for (point, p99) in line_s.iter_mut().enumerate() {
            *p99 = p99_s(rate_of(point))?;
        }
        let mut chart = rate_chart(ChartId::Ttft, scenario, curve);
        chart.curves.retain(|curve| curve.ink == Ink::P99);
        Some(Self {
            slo_s: scenario.get().slo_ttft_ms / 1000.0,
            late_s: p99_s(LATE_AT)?,
            goodput: at(GOODPUT_AT)?.goodput_requests_per_s,
            known_s: p99_s(Rate::COVER.per_s())?,
            line_s,
            chart,
        })
    }

    fn axis(&self) -> Axis {
        self.chart.y
    }
}

/// What the reader expects. Each part may be left out.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answers {
    /// Whether the p99 at 5 requests/s passes the limit.
    pub late: Option<bool>,
    /// Whether the reader is sure of that.
    pub sure: Option<bool>,
    /// Goodput at 6 requests/s [tenths of a request/s].
    pub goodput: Option<u8>,
    /// The drawn line: for each point a level of its slider.
    pub line: [Option<u8>; POINTS],
}

/// How far it has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stage {
    /// The questions are open.
    #[default]
    Asking,
    /// The reader went on without.
    Skipped,
    /// The guess is made: the truth lies beside it.
    Committed,
}

/// What the reader can do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Act {
    /// Answers the first question.
    Late(bool),
    /// Says how sure.
    Sure(bool),
    /// Answers the second question [tenths of a request/s].
    Goodput(u8),
    /// Sets a point of the line to a level.
    Point(usize, u8),
    /// Draws on to an arrival rate [requests/s] and a level.
    Stroke(f64, u8),
    /// Ends a stroke of the pen; it stays, or counts as never begun.
    Lift(bool),
    /// Wipes the line off.
    Wipe,
    /// Has done, and wants to see.
    Commit,
    /// Wants to see without a guess.
    Skip,
}

/// A stroke of the pen: where it is, and the line as it was before.
#[derive(Clone, Debug)]
struct Pen {
    at: (f64, u8),
    before: [Option<u8>; POINTS],
}

/// The guess of one reader.
#[derive(Clone, Debug)]
pub struct Guess {
    stage: Stage,
    answers: Answers,
    truth: Truth,
    pen: Option<Pen>,
    /// An answer was touched in this visit.
    begun: bool,
}

impl Guess {
    /// A guess as the device remembers it, or one still to be made. What cannot be read was never said.
    #[must_use]
    pub fn recall(remembered: Option<&str>, truth: Truth) -> Self {
        let (stage, answers) = remembered.and_then(|text| read(text, truth.axis())).unwrap_or_default();
        Self { stage, answers, truth, pen: None, begun: false }
    }

    /// Takes what the reader does. True when with it the guess is over and the lab opens.
    pub fn act(&mut self, act: Act) -> bool {
        if self.stage != Stage::Asking {
            return false;
        }
        self.begun |= !matches!(act, Act::Skip);
        match act {
            Act::Late(late) => self.answers.late = Some(late),
            Act::Sure(sure) => self.answers.sure = Some(sure),
            Act::Goodput(tenths) => self.answers.goodput = Some(tenths),
            Act::Point(point, level) => self.set(point, level),
            Act::Stroke(rate, level) => self.stroke(rate, level),
            Act::Lift(stays) => {
                if let (Some(pen), false) = (self.pen.take(), stays) {
                    self.answers.line = pen.before;
                }
            }
            Act::Wipe => self.answers.line = [None; POINTS],
            Act::Commit if self.is_empty() => self.stage = Stage::Skipped,
            Act::Commit => self.stage = Stage::Committed,
            Act::Skip => {
                self.answers = Answers::default();
                self.stage = Stage::Skipped;
            }
        }
        self.stage != Stage::Asking
    }

    fn set(&mut self, point: usize, level: u8) {
        if let Some(place) = self.answers.line.get_mut(point) {
            *place = Some(level.min(LEVELS));
        }
    }

    /// Sets the point nearest to the pen, and those it has passed over since it was last seen.
    fn stroke(&mut self, rate: f64, level: u8) {
        let from = self.pen.as_ref().map_or((rate, level), |pen| pen.at);
        let before = self.pen.take().map_or(self.answers.line, |pen| pen.before);
        self.pen = Some(Pen { at: (rate, level), before });
        for point in 0..POINTS {
            let here = rate_of(point);
            let (first, last) = (from.0.min(rate), from.0.max(rate));
            if (here - rate).abs() <= 0.25 {
                self.set(point, level);
            } else if (first..=last).contains(&here) {
                let share = (here - from.0) / (rate - from.0);
                let passed = f64::from(from.1) + share * (f64::from(level) - f64::from(from.1));
                self.set(point, passed.round() as u8);
            }
        }
    }

    fn is_empty(&self) -> bool {
        let Answers { late, goodput, .. } = self.answers;
        late.is_none() && goodput.is_none() && !self.has_line()
    }

    /// How far it has come.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// What the reader expects.
    #[must_use]
    pub fn answers(&self) -> &Answers {
        &self.answers
    }

    /// What the lesson's run gives.
    #[must_use]
    pub fn truth(&self) -> &Truth {
        &self.truth
    }

    /// Whether the reader has begun to answer and not ended yet.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        self.stage == Stage::Asking && self.begun
    }

    /// Whether anything of the line is drawn.
    #[must_use]
    pub fn has_line(&self) -> bool {
        self.answers.line.iter().any(Option::is_some)
    }

    /// The drawn line, from where the p99 is known: rates [requests/s] and times [s].
    #[must_use]
    pub fn line(&self) -> Vec<(f64, f64)> {
        let drawn = (0..POINTS).filter_map(|point| Some((rate_of(point), self.seconds(self.answers.line[point]?))));
        let known = (Rate::COVER.per_s(), self.truth.known_s);
        if self.has_line() { std::iter::once(known).chain(drawn).collect() } else { Vec::new() }
    }

    /// The drawn line to lie under the truth, once the guess is made.
    #[must_use]
    pub fn ghost(&self) -> Option<Ghost> {
        let line = self.line();
        let points = line.into_iter().map(|(x, y)| Point { x, y: Some(y) }).collect();
        // The short name: a ghost has one only, and it must fit beside a narrow chart.
        let (_, label) = words::line_name();
        let ghost = Ghost { ink: Ink::Ink, label, points, mark: None };
        (self.stage == Stage::Committed && self.has_line()).then_some(ghost)
    }

    /// The time that a level stands for [s].
    #[must_use]
    pub fn seconds(&self, level: u8) -> f64 {
        seconds(level, self.truth.axis())
    }

    /// Where a point's slider stands: at its level, or, not set yet, at that of the point before it.
    #[must_use]
    pub fn level(&self, point: usize) -> u8 {
        let set = self.answers.line[..=point.min(POINTS - 1)].iter().rev().find_map(|level| *level);
        set.unwrap_or_else(|| level(self.truth.known_s, self.truth.axis()))
    }

    /// What to remember; nothing while the questions are open.
    #[must_use]
    pub fn remembered(&self) -> Option<String> {
        match self.stage {
            Stage::Asking => None,
            Stage::Skipped => Some(PASSED.into()),
            Stage::Committed => Some(write(&self.answers, self.truth.axis())),
        }
    }

    /// What the reader expects, for others to hear, once the guess is made.
    #[must_use]
    pub fn predicted(&self) -> Option<Predicted> {
        let Answers { late, sure, goodput, .. } = self.answers;
        (self.stage == Stage::Committed).then(|| Predicted {
            late,
            sure,
            goodput_requests_per_s: goodput.map(|tenths| f64::from(tenths) / 10.0),
            ttft_p99_s: self.line(),
        })
    }

    /// How many of the three questions were answered near enough: late or not, goodput to within half a request/s, the
    /// line within a factor of two everywhere.
    #[must_use]
    pub fn score(&self) -> (usize, usize) {
        let Answers { late, goodput, line, .. } = &self.answers;
        let near = |off: f64| (0.5..=2.0).contains(&off);
        let points = || line.iter().enumerate().filter_map(|(point, level)| Some((point, (*level)?)));
        let right = [
            *late == Some(self.truth.late_s > self.truth.slo_s),
            goodput.is_some_and(|tenths| (f64::from(tenths) / 10.0 - self.truth.goodput).abs() <= 0.5),
            self.has_line() && points().all(|(point, level)| near(self.seconds(level) / self.truth.line_s[point])),
        ];
        (right.into_iter().filter(|right| *right).count(), right.len())
    }

    /// On the first question: a sentence on the gap between guess and truth.
    #[must_use]
    pub fn late_gap(&self) -> Option<String> {
        let Answers { late, sure, .. } = self.answers;
        Some(words::late(late?, sure, self.truth.late_s > self.truth.slo_s, self.truth.late_s))
    }

    /// On the second question.
    #[must_use]
    pub fn goodput_gap(&self) -> Option<String> {
        Some(words::goodput(f64::from(self.answers.goodput?) / 10.0, self.truth.goodput))
    }

    /// On the line: where it is farthest off, as a factor.
    #[must_use]
    pub fn line_gap(&self) -> Option<String> {
        let off =
            |point: usize| Some((rate_of(point), self.seconds(self.answers.line[point]?) / self.truth.line_s[point]));
        let size = |ratio: f64| ratio.max(1.0 / ratio);
        let farthest = (0..POINTS).filter_map(off).max_by(|a, b| size(a.1).total_cmp(&size(b.1)));
        farthest.map(|(rate, ratio)| words::line(rate, ratio))
    }

    /// The guess and what came of it, a line for each answer: for the printed summary.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        if self.stage != Stage::Committed {
            return Vec::new();
        }
        [self.late_gap(), self.goodput_gap(), self.line_gap()].into_iter().flatten().collect()
    }
}

fn seconds(level: u8, axis: Axis) -> f64 {
    axis.at(f64::from(level.min(LEVELS)) / f64::from(LEVELS))
}

fn level(seconds: f64, axis: Axis) -> u8 {
    (axis.position(seconds) * f64::from(LEVELS)).round() as u8
}

/// `no sure 42 - - 300 …`: the first answer, how sure, the tenths of the second, and the line in whole milliseconds, so
/// that another axis does not bend it. What was left out is `-`.
fn write(answers: &Answers, axis: Axis) -> String {
    let dash = || "-".to_owned();
    let word =
        |said: Option<bool>, yes: &str, no: &str| said.map_or_else(dash, |said| if said { yes } else { no }.into());
    let mut words = vec![word(answers.late, "yes", "no"), word(answers.sure, "sure", "unsure")];
    words.push(answers.goodput.map_or_else(dash, |tenths| tenths.to_string()));
    let millis = |level: u8| ((seconds(level, axis) * 1000.0).round() as u64).to_string();
    words.extend(answers.line.iter().map(|level| level.map_or_else(dash, millis)));
    words.join(" ")
}

fn read(text: &str, axis: Axis) -> Option<(Stage, Answers)> {
    if text == "skipped" {
        return Some((Stage::Skipped, Answers::default()));
    }
    let mut words = text.split(' ');
    let said = |word: &str, yes: &str, no: &str| match word {
        "-" => Some(None),
        word if word == yes => Some(Some(true)),
        word if word == no => Some(Some(false)),
        _ => None,
    };
    let number = |word: &str| if word == "-" { Some(None) } else { word.parse::<u32>().ok().map(Some) };
    let late = said(words.next()?, "yes", "no")?;
    let sure = said(words.next()?, "sure", "unsure")?;
    let goodput = number(words.next()?)?.map(|tenths| tenths.min(60) as u8);
    let mut line = [None; POINTS];
    for place in &mut line {
        *place = number(words.next()?)?.map(|millis| level(f64::from(millis) / 1000.0, axis));
    }
    words.next().is_none().then_some((Stage::Committed, Answers { late, sure, goodput, line }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;

    fn truth() -> Truth {
        let model = Model::new().expect("the lesson's scenario is valid");
        Truth::of(model.valid_scenario(), model.curve()).expect("the slider has every rate that is asked about")
    }

    fn after(acts: &[Act]) -> Guess {
        let mut guess = Guess::recall(None, truth());
        for act in acts {
            guess.act(*act);
        }
        guess
    }

    #[test]
    fn the_truth_is_the_lessons() {
        let truth = truth();
        assert_eq!((truth.slo_s, truth.goodput), (1.0, 0.0));
        assert!((truth.late_s - 1.232).abs() < 1e-3 && (truth.known_s - 0.188).abs() < 1e-3);
        assert_eq!([rate_of(0), rate_of(POINTS - 1)], [4.5, 8.0]);
        assert_eq!(truth.chart.curves.len(), 1, "the p99 alone");
        assert!(truth.line_s.is_sorted() && truth.chart.y.contains(truth.line_s[POINTS - 1]));
    }

    #[test]
    fn a_guess_opens_the_lab_once() {
        let mut guess = after(&[Act::Late(false), Act::Sure(true), Act::Goodput(42)]);
        assert!(guess.is_under_way() && guess.remembered().is_none() && guess.lines().is_empty());
        assert!(guess.act(Act::Commit));
        assert_eq!(guess.stage(), Stage::Committed);
        for act in [Act::Commit, Act::Skip, Act::Late(true), Act::Point(0, 3)] {
            assert!(!guess.act(act), "it is over");
        }
        assert_eq!(
            guess.lines(),
            ["You said no, and were sure; the p99 was 1.23 s.", "You expected 4.2; it was 0.00."]
        );
    }

    #[test]
    fn going_on_without_is_no_guess() {
        for acts in [&[Act::Skip][..], &[Act::Late(true), Act::Skip], &[Act::Commit], &[Act::Sure(true), Act::Commit]] {
            let guess = after(acts);
            assert_eq!((guess.stage(), guess.remembered().as_deref()), (Stage::Skipped, Some("skipped")), "{acts:?}");
            assert!(guess.lines().is_empty() && guess.line().is_empty());
        }
        assert!(!after(&[]).is_under_way());
    }

    #[test]
    fn a_stroke_sets_every_point_that_it_passes() {
        let guess = after(&[Act::Stroke(4.5, 30), Act::Stroke(7.1, 56), Act::Lift(true)]);
        let levels = guess.answers().line;
        assert_eq!(levels[..6], [Some(30), Some(35), Some(40), Some(45), Some(50), Some(56)]);
        assert_eq!(levels[6..], [None, None], "not where it has not been");
        let back = after(&[Act::Stroke(6.0, 50), Act::Stroke(5.0, 30)]);
        assert_eq!(back.answers().line[1..4], [Some(30), Some(40), Some(50)]);
        assert_eq!(after(&[Act::Stroke(2.0, 50)]).answers().line, [None; POINTS], "what is known is not drawn over");
    }

    #[test]
    fn a_stroke_that_turns_out_to_be_a_scroll_leaves_no_trace() {
        let guess = after(&[Act::Point(0, 20), Act::Stroke(5.0, 50), Act::Stroke(6.0, 60), Act::Lift(false)]);
        assert_eq!(guess.answers().line, after(&[Act::Point(0, 20)]).answers().line);
        assert_eq!(after(&[Act::Stroke(5.0, 9), Act::Wipe]).line(), []);
    }

    #[test]
    fn a_point_that_is_not_set_starts_where_the_one_before_it_stands() {
        let guess = after(&[Act::Point(2, 77)]);
        assert_eq!([guess.level(1), guess.level(2), guess.level(3)], [27, 77, 77]);
        assert!((guess.seconds(guess.level(0)) / guess.truth().known_s - 1.0).abs() < 0.06);
        assert_eq!(guess.line().len(), 2, "from what is known to what is drawn");
        assert!(guess.ghost().is_none(), "not made yet");
        let made = after(&[Act::Point(2, 77), Act::Commit]).ghost().expect("made");
        assert_eq!(made.points.iter().map(|point| point.x).collect::<Vec<_>>(), [4.0, rate_of(2)]);
        assert_eq!(after(&[Act::Point(99, 5)]).line(), [], "there is no such point");
    }

    #[test]
    fn the_gap_of_the_line_is_told_where_it_is_widest() {
        let flat: Vec<Act> = (0..POINTS).map(|point| Act::Point(point, 27)).chain([Act::Commit]).collect();
        assert_eq!(after(&flat).lines(), ["Your line was 890 times too low at 8."]);
        let high = after(&[Act::Point(1, LEVELS), Act::Commit]);
        assert_eq!(high.lines(), ["Your line was 410 times too high at 5."]);
        let mut exact = after(&[]);
        for point in 0..POINTS {
            let level = level(exact.truth.line_s[point], exact.truth.axis());
            exact.act(Act::Point(point, level));
        }
        assert_eq!(exact.line_gap().as_deref(), Some("Your line was close to the p99 all the way."));
    }

    #[test]
    fn what_is_remembered_reads_back() {
        let some = [Act::Late(true), Act::Goodput(60), Act::Point(0, 0), Act::Point(7, LEVELS), Act::Commit];
        let all: Vec<Act> = (0..POINTS)
            .map(|point| Act::Point(point, 10 * point as u8))
            .chain([Act::Late(false), Act::Sure(false), Act::Goodput(0), Act::Commit])
            .collect();
        for acts in [&some[..], &all, &[Act::Skip]] {
            let guess = after(acts);
            let text = guess.remembered().expect("it is over");
            let again = Guess::recall(Some(&text), truth());
            assert_eq!((again.stage(), again.answers()), (guess.stage(), guess.answers()), "{text}");
        }
    }

    #[test]
    fn garbage_was_never_said() {
        let good = after(&[Act::Late(true), Act::Commit]).remembered().expect("it is over");
        assert_eq!(good, "yes - - - - - - - - - -");
        for text in
            ["", "yes", "maybe - - - - - - - - - -", "yes - x - - - - - - - -", "yes - - - - - - - - - - -", "\u{0}"]
        {
            assert_eq!(Guess::recall(Some(text), truth()).stage(), Stage::Asking, "{text:?}");
        }
        let far = Guess::recall(Some("- - 999 0 4000000000 - - - - - -"), truth());
        assert_eq!((far.answers().goodput, far.answers().line[..2].to_vec()), (Some(60), vec![Some(0), Some(LEVELS)]));
    }
}
