//! How waits are spread: the cumulative distribution of TTFT and TPOT, with the SLO and the percentiles on it.

use goodput_charts::{
    Axis, Chart, Curve, Diagram, Dot, Ghost, Ink, Line, Marks, Point, Rule, Spot, Stroke, Tag, Unit, format,
};
use goodput_sim::{Distribution as Quantiles, Engine, Report, Scenario, ValidScenario};

use crate::exhibit::{Drawing, Exhibit, Picture, Slider, Table};
use crate::study::Study;
use crate::words::say;

/// Most points of a curve between which ranks are passed over.
const POINTS: usize = 240;
/// Of the slowest requests so many are drawn one by one, because the tail is what the picture is for.
const TAIL: usize = 60;
/// Places at which a curve can be read.
const PLACES: usize = 101;

/// The study.
#[derive(Debug)]
pub struct Distribution {
    scenario: ValidScenario,
}

/// The times of a run, rising [s].
struct Times {
    ttft: Vec<f64>,
    tpot: Vec<f64>,
}

impl Times {
    fn of(engine: &mut Engine, scenario: &ValidScenario) -> (Self, Report) {
        let mut run = engine.run(scenario);
        let latencies = run.latencies();
        let mut times = Self {
            ttft: latencies.iter().map(|latency| latency.ttft.as_secs()).collect(),
            tpot: latencies.iter().map(|latency| latency.tpot_s).collect(),
        };
        times.ttft.sort_unstable_by(f64::total_cmp);
        times.tpot.sort_unstable_by(f64::total_cmp);
        (times, run.report())
    }
}

impl Distribution {
    /// Of this scenario.
    #[must_use]
    pub fn new(scenario: ValidScenario) -> Self {
        Self { scenario }
    }
}

impl Study for Distribution {
    fn advance(&mut self, engine: &mut Engine) -> Option<Exhibit> {
        let lesson = ValidScenario::default();
        let (times, report) = Times::of(engine, &self.scenario);
        let compared = (self.scenario != lesson).then(|| Times::of(engine, &lesson).0);
        let scenario = self.scenario.get();
        let [ttft_limit, tpot_limit] = [scenario.slo_ttft_ms, scenario.slo_tpot_ms].map(|millis| millis / 1000.0);
        let compared = compared.as_ref();
        let ttft = Spread {
            caption: caption(say("distribution.ttft", &[]), compared.is_some()),
            name: say("distribution.name.ttft", &[]),
            sorted: &times.ttft,
            lesson: compared.map(|times| &times.ttft[..]),
            quantiles: report.ttft_s,
            limit: ttft_limit,
            is_log: true,
        };
        let tpot = Spread {
            caption: caption(say("distribution.tpot", &[]), compared.is_some()),
            name: say("distribution.name.tpot", &[]),
            sorted: &times.tpot,
            lesson: compared.map(|times| &times.tpot[..]),
            quantiles: report.tpot_s,
            limit: tpot_limit,
            is_log: false,
        };
        Some(Exhibit {
            headline: headline(&report, scenario, ttft.kept(), tpot.kept()),
            tables: vec![ttft.table(), tpot.table()],
            pictures: vec![ttft.picture(), tpot.picture()],
        })
    }
}

/// What a picture shows, and which of its curves is the lesson's.
fn caption(caption: String, is_compared: bool) -> String {
    let compared = || say("distribution.compared", &[("rate", &format::rate(Scenario::default().rate))]);
    if is_compared { caption + "; " + &compared() } else { caption }
}

fn headline(report: &Report, scenario: &Scenario, ttft: Option<f64>, tpot: Option<f64>) -> String {
    let (Some(ttft), Some(tpot)) = (ttft, tpot) else { return say("none", &[("rate", &format::rate(scenario.rate))]) };
    let limit = |millis: f64| format::latency_tick(millis / 1000.0);
    let both = report.good as f64 / report.completed.max(1) as f64;
    let mut words = say(
        "distribution.headline",
        &[
            ("count", &format::count(report.completed as f64)),
            ("ttft", &format::percent(ttft)),
            ("ttft_limit", &limit(scenario.slo_ttft_ms)),
            ("tpot", &format::percent(tpot)),
            ("tpot_limit", &limit(scenario.slo_tpot_ms)),
            ("both", &format::percent(both)),
        ],
    );
    let unseen = report.unfinished + report.rejected;
    if unseen > 0 {
        words = words + " " + &say("distribution.unseen", &[("count", &format::count(unseen as f64))]);
    }
    words
}

/// The share (0..=1) of rising values that are at most `limit`; `None` without values.
fn share_within(sorted: &[f64], limit: f64) -> Option<f64> {
    let within = sorted.partition_point(|&value| value <= limit);
    (!sorted.is_empty()).then(|| within as f64 / sorted.len() as f64)
}

/// The distribution of one kind of time.
struct Spread<'a> {
    caption: String,
    name: String,
    /// Rising [s].
    sorted: &'a [f64],
    /// Those of the lesson, unless this is the lesson [s].
    lesson: Option<&'a [f64]>,
    quantiles: Option<Quantiles>,
    /// [s]
    limit: f64,
    is_log: bool,
}

impl Spread<'_> {
    fn kept(&self) -> Option<f64> {
        share_within(self.sorted, self.limit)
    }

    /// Holds both curves and the limit.
    fn axis(&self) -> Axis {
        let all = [Some(self.sorted), self.lesson].into_iter().flatten();
        let (first, last) = all.fold((self.limit, self.limit), |(first, last), sorted| {
            let ends = (sorted.first().copied().unwrap_or(first), sorted.last().copied().unwrap_or(last));
            (first.min(ends.0), last.max(ends.1))
        });
        match self.is_log {
            true => Axis::decades(first, last, Unit::Latency),
            false => Axis::from_zero(last, Unit::Latency),
        }
    }

    fn picture(&self) -> Picture {
        let x = self.axis();
        let places: Vec<f64> = (0..PLACES).map(|i| x.at(i as f64 / (PLACES - 1) as f64)).collect();
        let reading = |&place: &f64| match share_within(self.sorted, place) {
            Some(share) => say(
                "distribution.reading",
                &[("time", &format::time(place)), ("name", &self.name), ("share", &format::percent(share))],
            ),
            None => say("distribution.reading.none", &[]),
        };
        let readings = places.iter().map(reading).collect();
        let start = places.iter().position(|&place| place >= self.limit).unwrap_or(PLACES - 1);
        let slider = Slider {
            label: say("distribution.slider", &[("name", &self.name)]),
            places: places.iter().map(|&place| format::time(place)).collect(),
            start,
        };
        Picture { drawing: Drawing::Diagram(Box::new(self.diagram(x)), places), sliders: vec![slider], readings }
    }

    fn diagram(&self, x: Axis) -> Diagram {
        let curve = Curve {
            ink: Ink::Throughput,
            stroke: Stroke::Solid,
            filled: false,
            dot: Dot::Disc,
            // The caption tells the two curves apart: their ends lie where the last percentiles have their words.
            short: String::new(),
            label: String::new(),
            points: points(self.sorted),
            tag: Tag::None,
        };
        let ghost = self.lesson.map(|sorted| Ghost {
            ink: Ink::Muted,
            label: String::new(),
            points: points(sorted),
            mark: None,
        });
        let limit = format::latency_tick(self.limit);
        let rule = Rule { line: Line::Up { x: self.limit }, label: say("slo", &[("time", &limit)]) };
        let chart = Chart {
            id: None,
            caption: self.caption.clone(),
            x,
            x_unit: String::new(),
            x_unit_short: String::new(),
            y: Axis::linear(0.0, 1.0, Unit::Share),
            curves: vec![curve],
            ghosts: ghost.into_iter().collect(),
            rules: vec![rule],
            shade: None,
        };
        Diagram { chart, marks: Marks::default(), spots: self.spots(), description: self.description() }
    }

    /// The percentiles, and the share within the SLO.
    fn spots(&self) -> Vec<Spot> {
        let (Some(quantiles), Some(kept)) = (self.quantiles, self.kept()) else { return Vec::new() };
        let percentile = |ink, y, value: f64, name: &str| {
            let label = say("distribution.percentile", &[("name", name), ("time", &format::time(value))]);
            Spot { x: value, y, ink, label }
        };
        let label = say("distribution.kept", &[("share", &format::percent(kept))]);
        vec![
            percentile(Ink::P50, 0.5, quantiles.p50, "p50"),
            percentile(Ink::Muted, 0.9, quantiles.p90, "p90"),
            percentile(Ink::P99, 0.99, quantiles.p99, "p99"),
            Spot { x: self.limit, y: kept, ink: Ink::Goodput, label },
        ]
    }

    fn description(&self) -> String {
        let (Some(quantiles), Some(kept)) = (self.quantiles, self.kept()) else {
            return say("distribution.reading.none", &[]);
        };
        say(
            "distribution.description",
            &[
                ("caption", &self.caption),
                ("p50", &format::time(quantiles.p50)),
                ("p90", &format::time(quantiles.p90)),
                ("p99", &format::time(quantiles.p99)),
                ("share", &format::percent(kept)),
                ("limit", &format::latency_tick(self.limit)),
            ],
        )
    }

    /// The shares within round times, and within the limit.
    fn table(&self) -> Table {
        let axis = self.axis();
        let mut goals = axis.ticks(8);
        if self.is_log {
            goals = goals.iter().flat_map(|tick| [1.0, 2.0, 5.0].map(|factor| factor * tick)).collect();
        }
        goals.push(self.limit);
        goals.retain(|&goal| axis.contains(goal) && goal > 0.0);
        goals.sort_unstable_by(f64::total_cmp);
        goals.dedup_by(|a, b| (*a - *b).abs() < 1e-9 * *b);
        let share = |sorted: &[f64], goal| share_within(sorted, goal).map_or_else(|| "–".to_owned(), format::percent);
        let rows = goals.into_iter().map(|goal| {
            let mut row = vec![format::latency_tick(goal), share(self.sorted, goal)];
            row.extend(self.lesson.map(|sorted| share(sorted, goal)));
            row
        });
        let mut head = vec![say("distribution.within", &[]), say("distribution.run", &[])];
        head.extend(self.lesson.map(|_| say("distribution.lesson", &[])));
        Table { caption: self.caption.clone(), head, rows: rows.collect() }
    }
}

/// The curve through rising values: at each the share of all that is at most as long.
fn points(sorted: &[f64]) -> Vec<Point> {
    let count = sorted.len();
    let stride = count.div_ceil(POINTS).max(1);
    let is_drawn = |rank: usize| rank.is_multiple_of(stride) || rank + TAIL >= count;
    let point = |rank: usize| Point { x: sorted[rank], y: Some((rank + 1) as f64 / count as f64) };
    (0..count).filter(|&rank| is_drawn(rank)).map(point).collect()
}

#[cfg(test)]
mod tests {
    use goodput_charts::format;
    use goodput_sim::{Engine, Scenario, ValidScenario};

    use super::{Times, share_within};
    use crate::exhibit::Drawing;
    use crate::study::{exhibit, study};

    #[test]
    fn the_curves_are_of_the_requests_that_the_report_counts() {
        let mut engine = Engine::new();
        for rate in [0.5, 4.0, 5.0, 6.0] {
            let replicas = if rate > 4.5 { 2 } else { 1 };
            let scenario =
                Scenario { rate, replicas, output_cv: 0.7, ..Scenario::default() }.validate().expect("valid");
            let (times, report) = Times::of(&mut engine, &scenario);
            assert_eq!((times.ttft.len() as u64, times.tpot.len() as u64), (report.completed, report.completed));
            // Interpolated between two ranks, a percentile has its share of the requests below it, to one request.
            let (ttft, tpot) = (report.ttft_s.expect("some"), report.tpot_s.expect("some"));
            for (sorted, value, p) in
                [(&times.ttft, ttft.p50, 0.5), (&times.ttft, ttft.p99, 0.99), (&times.tpot, tpot.p90, 0.9)]
            {
                let share = share_within(sorted, value * (1.0 + 1e-12)).expect("some");
                assert!((share - p).abs() <= 1.5 / sorted.len() as f64, "{share} at {p}, {rate} requests/s");
            }
        }
    }

    #[test]
    fn the_lesson_at_5_says_what_the_lesson_says() {
        let found = exhibit(study("distribution", ValidScenario::default()).expect("a study"));
        assert!(found.headline.contains("98.3 %") && found.headline.contains("89 %"), "{}", found.headline);
        let [ttft, tpot] = &found.pictures[..] else { panic!("two pictures") };
        for (picture, p99) in [(ttft, "p99 1.23 s"), (tpot, "p99 54 ms")] {
            let Drawing::Diagram(diagram, _) = &picture.drawing else { panic!("a diagram") };
            assert!(diagram.spots.iter().any(|spot| spot.label == p99), "{:?}", diagram.spots);
            assert!(diagram.chart.ghosts.is_empty(), "the lesson is not compared with itself");
        }
        let Drawing::Diagram(diagram, places) = &ttft.drawing else { panic!("a diagram") };
        assert_eq!(places.len(), ttft.readings.len());
        assert!(places.iter().all(|&place| diagram.chart.x.contains(place)));
        let at_limit = found.tables[0].rows.iter().find(|row| row[0] == format::latency_tick(1.0));
        assert_eq!(at_limit.map(|row| &row[1][..]), Some("98.3 %"));
    }

    #[test]
    fn a_curve_never_falls_and_ends_at_all() {
        let busy = Scenario { rate: 6.0, ..Scenario::default() }.validate().expect("valid");
        let found = exhibit(study("distribution", busy).expect("a study"));
        for picture in &found.pictures {
            let Drawing::Diagram(diagram, _) = &picture.drawing else { panic!("a diagram") };
            assert_eq!(diagram.chart.ghosts.len(), 1, "the lesson is compared with");
            let points = &diagram.chart.curves[0].points;
            assert!(points.is_sorted_by(|a, b| a.x <= b.x && a.y < b.y));
            assert_eq!(points.last().and_then(|point| point.y), Some(1.0));
        }
    }

    #[test]
    fn a_run_that_measured_nothing_is_said_to_be_one() {
        let silent =
            Scenario { rate: 0.01, horizon: 1.0, warmup: 0.0, ..Scenario::default() }.validate().expect("valid");
        let found = exhibit(study("distribution", silent).expect("a study"));
        assert!(found.headline.contains("no request finished"), "{}", found.headline);
    }
}
