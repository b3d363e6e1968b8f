//! One picture of a whole state: title, verdict, four key figures, and the charts over the rate with the state marked.
//!
//! For places where nothing runs: pages that allow pictures only, previews of links, slides, print.

use goodput_sim::{Report, ValidScenario};
use plotters::coord::Shift;
use plotters::drawing::DrawingArea;
use plotters::prelude::DrawingBackend;
use plotters::style::Color;

use crate::axis::{Axis, Scale};
use crate::chart::{Chart, ChartId};
use crate::curves::draw_curves;
use crate::frame::draw_frame;
use crate::marks::{Marks, draw_marks};
use crate::pen::{Drawn, Hold, Letters, Pen};
use crate::phrases::say;
use crate::rates::rate_chart;
use crate::theme::{Ink, Theme};
use crate::{format, text};

/// The size of the picture, that of a preview of a link [CSS px].
pub const POSTER_SIZE: (u32, u32) = (1200, 630);

/// The planner's target: the share of requests that should meet the SLO.
pub const ATTAINMENT_TARGET: f64 = 0.99;

/// Left and right of everything, and between the columns of charts [CSS px].
const MARGIN: f64 = 40.0;
const GAP: f64 = 24.0;
/// The width of a column of charts; two key figures stand above each [CSS px].
const COLUMN: f64 = (POSTER_SIZE.0 as f64 - 2.0 * MARGIN - GAP) / 2.0;
/// Heights on which the lines of text are centred [CSS px].
const TITLE: f64 = 44.0;
const VERDICT: f64 = 84.0;
const NAMES: f64 = 124.0;
const VALUES: f64 = 156.0;
const NOTES: f64 = 188.0;
/// The room of a tick or a cross before a note [CSS px].
const SIGN: f64 = 20.0;
/// Where the charts begin, each with its caption, and the end of the last [CSS px].
const CHARTS: f64 = 212.0;
const END: f64 = 622.0;
const CAPTION: f64 = 22.0;
/// A preview is shown small, so the charts' letters are larger than in the page: as large as a tag may be that stands
/// left of the mark at 4 requests/s, in a wide font.
const MAGNIFIED: f64 = 1.1;
/// And so they need more room above the highest curve, as a factor.
const HEADROOM: f64 = 1.15;

/// What the picture shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Poster {
    /// What it is about.
    pub title: String,
    /// What to make of it, in a sentence.
    pub verdict: String,
    /// Throughput, median and 99th percentile of the time to first token, goodput.
    pub figures: [KeyFigure; 4],
    /// The charts over the arrival rate.
    pub charts: [Chart; 4],
    /// The arrival rate that is marked on them [requests/s].
    pub rate: f64,
}

/// One large number.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyFigure {
    /// What its colour stands for.
    pub ink: Ink,
    /// What it is, with its unit unless the value carries it.
    pub name: String,
    /// The value.
    pub value: String,
    /// Whether it keeps its limit; `None` where it has none.
    pub passes: Option<bool>,
    /// How it stands to its limit, in words.
    pub note: String,
}

impl Poster {
    /// The state `scenario`, whose run gave `report`, among the reports of a sweep at rising rates.
    #[must_use]
    pub fn new(scenario: &ValidScenario, report: &Report, curve: &[Report]) -> Self {
        let rate = scenario.get().rate;
        Self {
            title: say("poster.title", &[("rate", &format::rate(rate))]),
            verdict: text::verdict(report),
            figures: figures(scenario, report),
            charts: ChartId::RATES.map(|id| with_headroom(rate_chart(id, scenario, curve))),
            rate,
        }
    }

    /// The picture in words, for those who do not see it: verdict, figures, charts.
    #[must_use]
    pub fn description(&self) -> String {
        let figure = |figure: &KeyFigure| {
            let KeyFigure { name, value, note, .. } = figure;
            match note.is_empty() {
                true => say("poster.figure.none", &[("name", name), ("value", value)]),
                false => say("poster.figure", &[("name", name), ("value", value), ("note", note)]),
            }
        };
        let sentences = self.figures.iter().map(figure).chain(self.charts.iter().map(text::description));
        [self.verdict.clone()].into_iter().chain(sentences).collect::<Vec<_>>().join(" ")
    }
}

/// Logarithmic axes have room as they are.
fn with_headroom(chart: Chart) -> Chart {
    match chart.y.scale() {
        Scale::Linear => Chart { y: Axis::linear(chart.y.lo(), HEADROOM * chart.y.hi(), chart.y.unit()), ..chart },
        Scale::Log => chart,
    }
}

fn figures(scenario: &ValidScenario, report: &Report) -> [KeyFigure; 4] {
    let slo_s = scenario.get().slo_ttft_ms / 1000.0;
    let ttft = |ink, name: String, seconds: Option<f64>| {
        let passes = seconds.map(|seconds| seconds <= slo_s);
        let limit = format::latency_tick(slo_s);
        let note = match passes {
            None => String::new(),
            Some(true) => say("poster.within", &[("limit", &limit)]),
            Some(false) => say("poster.over", &[("limit", &limit)]),
        };
        KeyFigure { ink, name, value: seconds.map_or_else(|| "–".to_owned(), format::time), passes, note }
    };
    let passes = report.slo_attainment.map(|share| share >= ATTAINMENT_TARGET);
    let note = report.slo_attainment.map_or_else(String::new, |share| {
        let (share, target) = (format::percent(share), format!("{} %", format::rate(100.0 * ATTAINMENT_TARGET)));
        let values = [("share", share.as_str()), ("target", target.as_str())];
        match passes {
            Some(true) => say("poster.attains", &values),
            _ => say("poster.falls_short", &values),
        }
    });
    [
        KeyFigure {
            ink: Ink::Throughput,
            name: say("poster.throughput", &[]),
            value: format::count(report.throughput_tokens_per_s),
            passes: None,
            note: say("poster.no_limit", &[]),
        },
        ttft(Ink::P50, say("poster.ttft_p50", &[]), report.ttft_s.map(|times| times.p50)),
        ttft(Ink::P99, say("poster.ttft_p99", &[]), report.ttft_s.map(|times| times.p99)),
        KeyFigure {
            ink: Ink::Goodput,
            name: say("poster.goodput", &[]),
            value: format::per_s(report.goodput_requests_per_s),
            passes,
            note,
        },
    ]
}

/// Draws the picture at the upper left of an area of [`POSTER_SIZE`]. The background stays as it is.
///
/// # Errors
/// Those of the backend.
pub fn draw_poster<DB: DrawingBackend>(area: &DrawingArea<DB, Shift>, poster: &Poster, theme: &Theme) -> Drawn<DB> {
    let pen = Pen { area, theme };
    let right = f64::from(POSTER_SIZE.0) - MARGIN;
    let at = |x: f64, y: f64| (theme.px(x), theme.px(y));
    let letters = |em, bold, ink| Letters { em, bold, colour: theme.colour(ink) };
    pen.text(&poster.title, at(MARGIN, TITLE), Hold::Left, letters(30.0, true, Ink::Ink))?;
    pen.text(&say("poster.credit", &[]), at(right, TITLE), Hold::Right, letters(16.0, true, Ink::Muted))?;
    pen.text(&poster.verdict, at(MARGIN, VERDICT), Hold::Left, letters(20.0, false, Ink::Ink))?;
    for (index, figure) in poster.figures.iter().enumerate() {
        let left = MARGIN + (index / 2) as f64 * (COLUMN + GAP) + (index % 2) as f64 * COLUMN / 2.0;
        pen.text(&figure.name, at(left, NAMES), Hold::Left, letters(16.0, false, Ink::Muted))?;
        pen.text(&figure.value, at(left, VALUES), Hold::Left, letters(36.0, true, figure.ink))?;
        let indent = if figure.passes.is_some() { SIGN } else { 0.0 };
        pen.text(&figure.note, at(left + indent, NOTES), Hold::Left, letters(14.0, false, Ink::Ink))?;
        if let Some(passes) = figure.passes {
            sign(&pen, passes, at(left, NOTES))?;
        }
    }
    charts(&pen, poster)
}

/// A tick or a cross, drawn as lines because not every font has them.
fn sign<DB: DrawingBackend>(pen: &Pen<'_, DB>, passes: bool, (x, y): (i32, i32)) -> Drawn<DB> {
    let px = |css: f64| pen.theme.px(css);
    let point = |dx: f64, dy: f64| (x + px(dx), y + px(dy));
    if passes {
        let colour = pen.theme.colour(Ink::Goodput);
        return pen.path(vec![point(1.0, 0.0), point(4.5, 4.5), point(12.0, -5.0)], 2.5, false, colour);
    }
    let colour = pen.theme.colour(Ink::P99);
    for slope in [-5.0, 5.0] {
        pen.path(vec![point(1.0, -slope), point(11.0, slope)], 2.5, false, colour)?;
    }
    Ok(())
}

/// The charts, two by two, each below its caption.
fn charts<DB: DrawingBackend>(pen: &Pen<'_, DB>, poster: &Poster) -> Drawn<DB> {
    let theme = pen.theme.magnified(MAGNIFIED);
    let px = |css: f64| pen.theme.px(css);
    let height = (END - CHARTS) / 2.0;
    let marks = Marks { current: Some(poster.rate), ..Marks::default() };
    for (index, chart) in poster.charts.iter().enumerate() {
        let left = MARGIN + (index % 2) as f64 * (COLUMN + GAP);
        let top = CHARTS + (index / 2) as f64 * height;
        let letters = Letters { em: 15.0, bold: true, colour: pen.theme.colour(Ink::Ink) };
        pen.across(px(top), (px(left), px(left + COLUMN)), 1.0, false, pen.theme.grid().to_rgba())?;
        pen.text(&chart.caption, (px(left), px(top + CAPTION * 0.7)), Hold::Left, letters)?;
        let area = pen.area.clone().shrink((px(left), px(top + CAPTION)), (px(COLUMN), px(height - CAPTION)));
        draw_frame(&area, chart, &theme)?;
        draw_curves(&area, chart, &theme)?;
        draw_marks(&area, chart, &theme, &marks)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, PRESETS, Scenario};

    use super::Poster;

    fn poster(scenario: Scenario) -> Poster {
        let scenario = scenario.validate().expect("valid");
        let mut engine = Engine::new();
        let report = engine.run(&scenario).report();
        let curve = engine.sweep(&scenario, &[0.5, scenario.get().rate, 8.0]).expect("valid rates");
        Poster::new(&scenario, &report, &curve)
    }

    #[test]
    fn the_presets_pass_and_fail_as_the_lesson_says() {
        let checks = |poster: Poster| poster.figures.map(|figure| figure.passes);
        let [assistant, calm, overload] = [0, 1, 2].map(|index| checks(poster(PRESETS[index].scenario())));
        assert_eq!(assistant, [None, Some(true), Some(false), Some(false)]);
        assert_eq!(calm, [None, Some(true), Some(true), Some(true)]);
        assert_eq!(overload, [None, Some(false), Some(false), Some(false)]);
    }

    #[test]
    fn the_words_tell_the_whole_picture() {
        let poster = poster(Scenario::default());
        assert_eq!(poster.title, "An LLM server at 5 requests/s");
        let words = poster.description();
        for part in [
            "At 5 requests/s the typical user waits 81 ms, but one in nine misses the SLO.",
            "Throughput, tokens/s: 1,004, no limit of its own.",
            "TTFT p50: 81 ms, within 1 s.",
            "TTFT p99: 1.23 s, over 1 s.",
            "Goodput, requests/s: 4.46, 89 % meet the SLO, below 99 %.",
            "Time per output token, over arrival rates from 0.5 to 8 requests/s",
        ] {
            assert!(words.contains(part), "{part} is missing: {words}");
        }
    }

    #[test]
    fn where_nothing_finished_there_is_neither_a_time_nor_a_check() {
        let poster = poster(Scenario { rate: 0.6, horizon: 1.0, warmup: 0.5, ..Scenario::default() });
        assert_eq!(poster.figures.each_ref().map(|figure| figure.passes), [None; 4]);
        assert_eq!((poster.figures[1].value.as_str(), poster.figures[1].note.as_str()), ("–", ""));
        assert!(!poster.description().contains("–, ."), "{}", poster.description());
    }
}
