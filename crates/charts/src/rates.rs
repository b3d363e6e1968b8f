//! The charts over the arrival rate.

use goodput_sim::{Distribution, Report, Scenario, ValidScenario, theory};

use crate::axis::{Axis, Unit};
use crate::chart::{Chart, ChartId, Curve, Dot, End, Line, Point, Rule, Side, Stroke, Tag};
use crate::format;
use crate::phrases::say;
use crate::theme::Ink;

/// Room above the highest curve, for the value written at it, as a factor.
const HEADROOM: f64 = 1.05;

/// The same on a log axis.
const LOG_HEADROOM: f64 = 2.0;

/// An SLO this many times beyond the highest point of a linear chart is left off: it would press the curves flat.
const SLO_IN_SIGHT: f64 = 4.0;

/// The chart `id` over the arrival rates of `curve`, the reports of a sweep of `scenario` at rising rates (whose own rate does not
/// matter). For [`ChartId::Time`], which is about one run, see [`time_chart`](crate::time_chart); here it has no curves.
#[must_use]
pub fn rate_chart(id: ChartId, scenario: &ValidScenario, curve: &[Report]) -> Chart {
    let scenario = scenario.get();
    let rate = |report: Option<&Report>| report.map_or(f64::NAN, |report| report.rate_per_s);
    let x = Axis::linear(rate(curve.first()), rate(curve.last()), Unit::Rate);
    let (y, curves, slo) = match id {
        ChartId::Throughput => throughput(curve),
        ChartId::Ttft => ttft(curve, scenario),
        ChartId::Tpot => tpot(curve, scenario),
        ChartId::Goodput => goodput(curve, scenario),
        ChartId::Time => (Axis::from_zero(1.0, Unit::Count), Vec::new(), None),
    };
    let caption = match id {
        ChartId::Throughput => say("caption.throughput", &[]),
        ChartId::Ttft => say("caption.ttft", &[]),
        ChartId::Tpot => say("caption.tpot", &[]),
        ChartId::Goodput => say("caption.goodput", &[]),
        ChartId::Time => say("caption.time", &[]),
    };
    let capacity = theory::capacity(scenario);
    let capacity = x.contains(capacity).then(|| Rule {
        line: Line::Up { x: capacity },
        label: say("rule.capacity", &[("rate", &format::per_s(capacity))]),
    });
    Chart {
        id: Some(id),
        caption,
        x,
        x_unit: say("unit.rate", &[]),
        x_unit_short: say("short.rate", &[]),
        y,
        curves,
        ghosts: Vec::new(),
        rules: slo.into_iter().chain(capacity).collect(),
        shade: None,
    }
}

/// The value of a run on the main curve of the chart `id`: the one drawn last, and the thickest.
#[must_use]
pub fn main_value(id: ChartId, run: &Report) -> Option<f64> {
    match id {
        ChartId::Throughput => Some(run.throughput_tokens_per_s),
        ChartId::Ttft => run.ttft_s.map(|times| times.p99),
        ChartId::Tpot => run.tpot_s.map(|times| times.p99),
        ChartId::Goodput => Some(run.goodput_requests_per_s),
        ChartId::Time => None,
    }
}

type Parts = (Axis, Vec<Curve>, Option<Rule>);

fn points(reports: &[Report], y: impl Fn(&Report) -> Option<f64>) -> Vec<Point> {
    let finite = |report: &Report| y(report).filter(|y| y.is_finite());
    reports.iter().map(|report| Point { x: report.rate_per_s, y: finite(report) }).collect()
}

/// The highest value of any curve; zero without values.
fn highest(curves: &[Curve]) -> f64 {
    curves.iter().flat_map(Curve::values).map(|(_, y)| y).fold(0.0, f64::max)
}

fn throughput(reports: &[Report]) -> Parts {
    let server = Curve {
        ink: Ink::Throughput,
        stroke: Stroke::Dashed,
        filled: false,
        dot: Dot::None,
        label: say("curve.server_output", &[]),
        short: say("short.server_output", &[]),
        points: points(reports, |report| Some(report.server_output_tokens_per_s)),
        tag: Tag::None,
    };
    let load_test = Curve {
        ink: Ink::Throughput,
        stroke: Stroke::Solid,
        filled: false,
        dot: Dot::Disc,
        label: say("curve.load_test", &[]),
        short: say("short.load_test", &[]),
        points: points(reports, |report| Some(report.throughput_tokens_per_s)),
        tag: Tag::Value(Side::Above),
    };
    let curves = vec![server, load_test];
    (Axis::from_zero(highest(&curves) * HEADROOM, Unit::Count), curves, None)
}

/// The median thin with a ring, the 99th percentile thick with a disc.
fn quantiles(reports: &[Report], of: impl Fn(&Report) -> Option<Distribution>) -> Vec<Curve> {
    let p50 = Curve {
        ink: Ink::P50,
        stroke: Stroke::Thin,
        filled: false,
        dot: Dot::Ring,
        label: say("curve.p50", &[]),
        short: say("short.p50", &[]),
        points: points(reports, |report| of(report).map(|times| times.p50)),
        tag: Tag::Value(Side::Below),
    };
    let p99 = Curve {
        ink: Ink::P99,
        stroke: Stroke::Thick,
        filled: false,
        dot: Dot::Disc,
        label: say("curve.p99", &[]),
        short: say("short.p99", &[]),
        points: points(reports, |report| of(report).map(|times| times.p99)),
        tag: Tag::Value(Side::Above),
    };
    vec![p50, p99]
}

/// The line of an SLO; its label stands on the side on which the curves do not begin.
fn slo_rule(slo_s: f64, y: &Axis, curves: &[Curve]) -> Option<Rule> {
    let begin = curves.iter().filter_map(|curve| curve.values().next()).map(|(_, y)| y).fold(0.0, f64::max);
    let side = if begin > slo_s { Side::Below } else { Side::Above };
    y.contains(slo_s).then(|| Rule {
        line: Line::Across { y: slo_s, side, end: End::Left },
        label: say("rule.slo", &[("time", &format::latency_tick(slo_s))]),
    })
}

fn ttft(reports: &[Report], scenario: &Scenario) -> Parts {
    let slo_s = scenario.slo_ttft_ms / 1000.0;
    let curves = quantiles(reports, |report| report.ttft_s);
    // A server without prefill cost answers at once when idle: zero has no place on a log axis and lies on its lower end.
    let values = curves.iter().flat_map(Curve::values).map(|(_, y)| y).filter(|&y| y > 0.0);
    let lowest = values.fold(slo_s, f64::min);
    let y = Axis::decades(lowest, highest(&curves).max(slo_s) * LOG_HEADROOM, Unit::Latency);
    let slo = slo_rule(slo_s, &y, &curves);
    (y, curves, slo)
}

fn tpot(reports: &[Report], scenario: &Scenario) -> Parts {
    let slo_s = scenario.slo_tpot_ms / 1000.0;
    let curves = quantiles(reports, |report| report.tpot_s);
    let top = highest(&curves) * HEADROOM;
    let top = if top == 0.0 || slo_s < top * SLO_IN_SIGHT { top.max(slo_s * HEADROOM) } else { top };
    let y = Axis::from_zero(top, Unit::Latency);
    let slo = slo_rule(slo_s, &y, &curves);
    (y, curves, slo)
}

fn goodput(reports: &[Report], scenario: &Scenario) -> Parts {
    // What arrived in the window, not the nominal rate: then goodput never lies above what was offered.
    let window_s = scenario.horizon - scenario.warmup;
    let offered = Curve {
        ink: Ink::Slo,
        stroke: Stroke::Dashed,
        filled: false,
        dot: Dot::None,
        label: say("curve.offered", &[]),
        short: say("short.offered", &[]),
        points: points(reports, |report| Some(report.offered as f64 / window_s)),
        tag: Tag::None,
    };
    let goodput = Curve {
        ink: Ink::Goodput,
        stroke: Stroke::Solid,
        filled: true,
        dot: Dot::Disc,
        label: say("curve.goodput", &[]),
        short: say("short.goodput", &[]),
        points: points(reports, |report| Some(report.goodput_requests_per_s)),
        tag: Tag::Attainment(reports.iter().map(|report| report.slo_attainment).collect(), 0),
    };
    let curves = vec![offered, goodput];
    // Headroom for the percentage, which stands above "all offered".
    (Axis::from_zero(highest(&curves) * 1.1, Unit::Rate), curves, None)
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, Report, Scenario, Seed, ValidScenario};

    use super::rate_chart;
    use crate::chart::{Chart, ChartId, Tag};

    fn sweep(scenario: &ValidScenario) -> Vec<Report> {
        let rates: Vec<f64> = (5..=80).map(|tenths| f64::from(tenths) / 10.0).collect();
        Engine::new().sweep(scenario, &rates).expect("valid rates")
    }

    fn charts(scenario: &ValidScenario, curve: &[Report]) -> [Chart; 4] {
        ChartId::RATES.map(|id| rate_chart(id, scenario, curve))
    }

    #[test]
    fn the_charts_share_the_x_axis() {
        let scenario = ValidScenario::default();
        let charts = charts(&scenario, &sweep(&scenario));
        assert_eq!((charts[0].x.lo(), charts[0].x.hi()), (0.5, 8.0));
        assert!(charts.iter().all(|chart| chart.x == charts[0].x));
    }

    #[test]
    fn every_value_lies_on_its_axis_in_any_scenario() {
        let lesson = Scenario::default;
        let odd = [
            lesson(),
            Scenario { horizon: 1.0, warmup: 0.9, ..lesson() },
            Scenario { prefill_ms_per_1k: 0.0, ..lesson() },
            Scenario { output: 1, ..lesson() },
            Scenario { slo_ttft_ms: 0.001, slo_tpot_ms: 0.001, ..lesson() },
            Scenario { slo_ttft_ms: 3.6e6, slo_tpot_ms: 3.6e6, ..lesson() },
            Scenario { step_ms: 0.001, per_seq_ms: 0.0, prompt: 1, output: 2, ..lesson() },
            Scenario { step_ms: 1e4, max_batch: 1, ..lesson() },
            Scenario { max_batch: 4096, ..lesson() },
        ];
        for scenario in odd {
            let scenario = scenario.validate().expect("valid");
            let curve = sweep(&scenario);
            for curve in [&curve[..], &curve[..1], &[]] {
                for chart in charts(&scenario, curve) {
                    for axis in [chart.x, chart.y] {
                        assert!(axis.lo().is_finite() && axis.hi().is_finite() && axis.lo() < axis.hi(), "{chart:?}");
                    }
                    // Zero has no place on a log axis.
                    let off = |y: f64| !chart.y.contains(y) && y != 0.0;
                    for curve in &chart.curves {
                        assert_eq!(curve.values().find(|&(x, y)| !chart.x.contains(x) || off(y)), None, "{scenario:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn where_nothing_completed_a_curve_has_a_gap() {
        let scenario = Scenario { horizon: 3.0, warmup: 2.0, ..Scenario::default() }.validate().expect("valid");
        let curve = sweep(&scenario);
        let chart = rate_chart(ChartId::Ttft, &scenario, &curve);
        for (report, point) in curve.iter().zip(&chart.curves[0].points) {
            assert_eq!(report.completed == 0, point.y.is_none());
        }
        assert!(curve.iter().any(|report| report.completed == 0));
    }

    #[test]
    fn goodput_never_lies_above_what_was_offered() {
        let scenario = ValidScenario::default().with_seed(Seed::Number(7));
        let chart = rate_chart(ChartId::Goodput, &scenario, &sweep(&scenario));
        let [offered, goodput] = &chart.curves[..] else { panic!("two curves") };
        assert!(offered.values().zip(goodput.values()).all(|((_, offered), (_, good))| good <= offered));
        assert!(matches!(&goodput.tag, Tag::Attainment(shares, 0) if shares.len() == goodput.points.len()));
    }

    #[test]
    fn the_frame_stays_while_only_the_curves_move() {
        let scenario = ValidScenario::default();
        let chart = rate_chart(ChartId::Ttft, &scenario, &sweep(&scenario));
        let other_draw = scenario.with_seed(Seed::Number(2));
        let other = rate_chart(ChartId::Ttft, &other_draw, &sweep(&other_draw));
        assert!(chart != other && chart.same_frame(&chart.clone()));
        assert_eq!(chart.same_frame(&other), chart.y == other.y);
        let stricter = Scenario { slo_ttft_ms: 500.0, ..Scenario::default() }.validate().expect("valid");
        assert!(!chart.same_frame(&rate_chart(ChartId::Ttft, &stricter, &sweep(&stricter))));
    }

    #[test]
    fn the_main_value_is_the_last_curves() {
        let scenario = ValidScenario::default();
        let curve = sweep(&scenario);
        for id in ChartId::RATES {
            let chart = rate_chart(id, &scenario, &curve);
            let main = &chart.curves.last().expect("every rate chart has one").points;
            assert!(curve.iter().zip(main).all(|(run, point)| super::main_value(id, run) == point.y));
        }
    }

    #[test]
    fn a_chart_ends_where_it_is_cut_and_its_frame_stays() {
        let scenario = ValidScenario::default();
        for chart in charts(&scenario, &sweep(&scenario)) {
            let cut = chart.until(4.0);
            assert!(chart.same_frame(&cut), "{:?}", chart.id);
            for (whole, cut) in chart.curves.iter().zip(&cut.curves) {
                assert_eq!(cut.points, whole.points[..36], "0.5 to 4.0");
            }
            assert_eq!(cut.nearest(6.0), Some(4.0));
            let empty = chart.until(f64::NEG_INFINITY);
            assert!(empty.curves.iter().all(|curve| curve.points.is_empty()) && empty.nearest(6.0).is_none());
        }
    }

    #[test]
    fn the_nearest_point_is_found() {
        let scenario = ValidScenario::default();
        let chart = rate_chart(ChartId::Ttft, &scenario, &sweep(&scenario));
        assert_eq!([-1.0, 5.04, 5.06, 99.0].map(|x| chart.nearest(x)), [Some(0.5), Some(5.0), Some(5.1), Some(8.0)]);
        assert_eq!(rate_chart(ChartId::Ttft, &scenario, &[]).nearest(5.0), None);
    }
}
