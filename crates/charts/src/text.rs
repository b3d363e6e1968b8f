//! Sentences about a report: what a chart shows now, what it means, and what a screen reader says.
//!
//! Every number in them is the report's; which sentence is said depends on thresholds that stand here.

use goodput_sim::{Distribution, Report, Scenario, theory};

use crate::chart::{Chart, ChartId, Curve, Line};
use crate::format;
use crate::phrases::{number_word, say};

/// p99 this many times the median has left it. An idle server already gives two, where a request waits for a step.
const APART: f64 = 4.0;

/// One line above a chart: what it shows at the report's rate.
#[must_use]
pub fn headline(id: ChartId, report: &Report, scenario: &Scenario) -> String {
    match id {
        ChartId::Throughput => throughput_headline(report, scenario),
        ChartId::Ttft => match report.ttft_s {
            Some(ttft) => ttft_headline(ttft, scenario.slo_ttft_ms / 1000.0),
            None => say("headline.none", &[]),
        },
        ChartId::Tpot => match report.tpot_s {
            Some(tpot) => tpot_headline(tpot, scenario),
            None => say("headline.none", &[]),
        },
        ChartId::Goodput => goodput_headline(report),
        ChartId::Time => time_headline(report, scenario),
    }
}

fn throughput_headline(report: &Report, scenario: &Scenario) -> String {
    if report.completed == 0 {
        return say("headline.none", &[]);
    }
    let window_s = scenario.horizon - scenario.warmup;
    let offered_tokens_per_s = report.offered as f64 * f64::from(scenario.output) / window_s;
    // Only near capacity: on a short run the server is also behind what was offered just before the end.
    let near_capacity = report.rate_per_s > 0.9 * theory::capacity(scenario);
    let keeps_up = report.server_output_tokens_per_s >= 0.97 * offered_tokens_per_s;
    if keeps_up || !near_capacity {
        say("headline.throughput.grows", &[])
    } else if report.throughput_tokens_per_s >= 0.96 * report.server_output_tokens_per_s {
        say("headline.throughput.ceiling", &[])
    } else {
        say("headline.throughput.falls", &[])
    }
}

fn ttft_headline(ttft: Distribution, slo_s: f64) -> String {
    if ttft.p50 > slo_s {
        say("headline.ttft.gone", &[])
    } else if ttft.p99 > slo_s && ttft.p50 > slo_s / 4.0 {
        say("headline.ttft.follows", &[])
    } else if ttft.p99 > slo_s {
        say("headline.ttft.left", &[])
    } else if ttft.p99 > APART * ttft.p50 {
        say("headline.ttft.leaving", &[])
    } else {
        say("headline.ttft.flat", &[])
    }
}

fn tpot_headline(tpot: Distribution, scenario: &Scenario) -> String {
    let slo_s = scenario.slo_tpot_ms / 1000.0;
    let lone_s = (scenario.step_ms + scenario.per_seq_ms) / 1000.0;
    if tpot.p50 > slo_s {
        say("headline.tpot.gone", &[])
    } else if tpot.p99 > slo_s {
        say("headline.tpot.tail", &[])
    } else if tpot.p50 > 1.5 * lone_s {
        say("headline.tpot.slower", &[])
    } else {
        say("headline.tpot.fast", &[])
    }
}

fn goodput_headline(report: &Report) -> String {
    match report.slo_attainment {
        None => say("headline.none", &[]),
        Some(1.0) => say("headline.goodput.all", &[]),
        Some(0.99..) => say("headline.goodput.nearly", &[]),
        Some(0.5..) => say("headline.goodput.behind", &[]),
        Some(share) if share > 0.0 => say("headline.goodput.collapsed", &[]),
        Some(_) => say("headline.goodput.zero", &[]),
    }
}

fn time_headline(report: &Report, scenario: &Scenario) -> String {
    let span = format::span(scenario.horizon);
    let span = [("span", span.as_str())];
    let slo_s = scenario.slo_ttft_ms / 1000.0;
    let ttft = report.ttft_s.unwrap_or(Distribution { mean: 0.0, p50: 0.0, p90: 0.0, p99: 0.0 });
    if report.rate_per_s > theory::capacity(scenario) {
        say("headline.time.grows", &span)
    } else if ttft.p50 > slo_s / 4.0 {
        say("headline.time.long", &span)
    } else if ttft.p99 > APART * ttft.p50 {
        say("headline.time.bursts", &span)
    } else {
        say("headline.time.short", &span)
    }
}

/// One sentence under the read-outs: how the typical user fares, and who misses the SLO.
#[must_use]
pub fn verdict(report: &Report) -> String {
    let rate = format::rate(report.rate_per_s);
    let (Some(ttft), Some(met)) = (report.ttft_s, report.slo_attainment) else {
        return say("verdict.none", &[("rate", &rate)]);
    };
    let p50 = format::time(ttft.p50);
    let missed = 1.0 - met;
    let [rate, p50] = [("rate", rate.as_str()), ("p50", p50.as_str())];
    if met == 1.0 {
        say("verdict.all", &[rate, p50])
    } else if met == 0.0 {
        say("verdict.zero", &[rate, p50])
    } else if met >= 0.99 {
        say("verdict.nearly", &[rate, p50, ("share", &format::percent(met))])
    } else if met < 0.5 {
        say("verdict.most", &[rate, p50, ("share", &format::percent(met))])
    } else if let Some(count) = one_in(missed) {
        say("verdict.one_in", &[rate, p50, ("count", count)])
    } else {
        say("verdict.some", &[rate, p50, ("share", &format::percent(missed))])
    }
}

/// The n in words for which a share is one in n, to within a twentieth of itself.
fn one_in(share: f64) -> Option<&'static str> {
    let n = (1.0 / share).round();
    let close = (1.0 / n - share).abs() <= share / 20.0;
    if close && (3.0..100.0).contains(&n) { number_word(n as u32) } else { None }
}

/// What is under the cursor on a chart over the arrival rate. For the time chart see [`readout_time`] and [`readout_run`].
#[must_use]
pub fn readout(id: ChartId, report: &Report, scenario: &Scenario) -> String {
    let rate = format::rate(report.rate_per_s);
    let rate = ("rate", rate.as_str());
    let quantiles = |times: Option<Distribution>| match times {
        Some(Distribution { p50, p99, .. }) => {
            say("readout.quantiles", &[rate, ("p50", &format::time(p50)), ("p99", &format::time(p99))])
        }
        None => say("readout.none", &[rate]),
    };
    match id {
        ChartId::Throughput => {
            let throughput = format::count(report.throughput_tokens_per_s);
            let server = format::count(report.server_output_tokens_per_s);
            say("readout.throughput", &[rate, ("throughput", &throughput), ("server", &server)])
        }
        ChartId::Ttft => quantiles(report.ttft_s),
        ChartId::Tpot => quantiles(report.tpot_s),
        ChartId::Goodput => match report.slo_attainment {
            Some(share) => {
                let goodput = format::per_s(report.goodput_requests_per_s);
                let offered = format::per_s(report.offered as f64 / (scenario.horizon - scenario.warmup));
                let share = format::percent(share);
                say("readout.goodput", &[rate, ("goodput", &goodput), ("offered", &offered), ("share", &share)])
            }
            None => say("readout.none", &[rate]),
        },
        ChartId::Time => String::new(),
    }
}

/// The time chart in a sentence, while nobody reads values off it.
#[must_use]
pub fn readout_run(chart: &Chart, report: &Report) -> String {
    let peak = |curve: &Curve| curve.values().map(|(_, y)| y).fold(0.0, f64::max);
    let [running, waiting] = &chart.curves[..] else {
        return String::new();
    };
    say(
        "readout.run",
        &[
            ("waiting", &format::count(peak(waiting))),
            ("running", &format::count(peak(running))),
            ("unfinished", &format::count(report.unfinished as f64)),
        ],
    )
}

/// What is under the cursor on the time chart, at the column nearest to `seconds`; empty when there is none.
#[must_use]
pub fn readout_time(chart: &Chart, seconds: f64) -> String {
    let peak = |curve: &Curve, x| curve.point_at(x).and_then(|(_, point)| point.y).map(format::count);
    let [running, waiting] = &chart.curves[..] else {
        return String::new();
    };
    let Some((at, waiting, running)) =
        chart.nearest(seconds).and_then(|x| Some((x, peak(waiting, x)?, peak(running, x)?)))
    else {
        return String::new();
    };
    let time = format!("{} {}", chart.x.unit().tick(at), chart.x_unit);
    say("readout.time", &[("time", &time), ("waiting", &waiting), ("running", &running)])
}

/// What a screen reader says once a change has settled.
#[must_use]
pub fn status(report: &Report) -> String {
    let rate = format::rate(report.rate_per_s);
    let rate = ("rate", rate.as_str());
    let (Some(ttft), Some(share)) = (report.ttft_s, report.slo_attainment) else {
        return say("status.none", &[rate]);
    };
    say(
        "status",
        &[
            rate,
            ("throughput", &format::count(report.throughput_tokens_per_s)),
            ("p50", &format::time(ttft.p50)),
            ("p99", &format::time(ttft.p99)),
            ("share", &format::percent(share)),
            ("goodput", &format::per_s(report.goodput_requests_per_s)),
        ],
    )
}

/// The chart in words, for those who do not see it: its axes, where each curve begins, peaks and ends, where it passes
/// the SLO, and the capacity.
#[must_use]
pub fn description(chart: &Chart) -> String {
    let unit = chart.x.unit();
    let x = match chart.id {
        Some(ChartId::Time) => say("description.time", &[("span", &format::span(chart.x.hi()))]),
        _ => say("description.rates", &[("from", &unit.tick(chart.x.lo())), ("to", &unit.tick(chart.x.hi()))]),
    };
    let curves: Vec<String> = chart.curves.iter().rev().filter_map(|curve| course(chart, curve)).collect();
    let curves = match curves.is_empty() {
        true => say("description.empty", &[]),
        false => curves.join("; "),
    };
    let mut sentences = vec![say("description.chart", &[("caption", &chart.caption), ("x", &x), ("curves", &curves)])];
    for rule in &chart.rules {
        match rule.line {
            Line::Across { y, .. } if chart.id != Some(ChartId::Time) => {
                sentences.extend(chart.curves.iter().filter_map(|curve| passes(curve, y)));
            }
            Line::Up { x } => sentences.push(say("description.capacity", &[("rate", &format::per_s(x))])),
            Line::Across { .. } => {}
        }
    }
    sentences.join(" ")
}

/// How one curve runs.
fn course(chart: &Chart, curve: &Curve) -> Option<String> {
    let value = |y| chart.y.unit().value(y);
    let (_, first) = curve.values().next()?;
    let (_, last) = curve.values().next_back()?;
    let (at, peak) = curve.values().max_by(|a, b| a.1.total_cmp(&b.1))?;
    let [name, first_words, last_words] = [curve.label.clone(), value(first), value(last)];
    let ends = [("name", name.as_str()), ("first", first_words.as_str()), ("last", last_words.as_str())];
    // A hump worth a mention stands out from both ends.
    if peak > 1.1 * first.max(last) {
        let at = format!("{} {}", chart.x.unit().tick(at), chart.x_unit);
        let [name, first, last] = ends;
        return Some(say("description.curve_peak", &[name, first, last, ("peak", &value(peak)), ("at", &at)]));
    }
    Some(say("description.curve", &ends))
}

/// Where a curve first lies beyond an SLO [s].
fn passes(curve: &Curve, slo_s: f64) -> Option<String> {
    let (rate, _) = curve.values().find(|&(_, y)| y > slo_s)?;
    let values =
        [("name", curve.label.as_str()), ("time", &format::latency_tick(slo_s)), ("rate", &format::rate(rate))];
    Some(say("description.passes", &values))
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, Report, Scenario, ValidScenario};

    use super::*;
    use crate::{rate_chart, time_chart};

    fn at(rate: f64) -> (Report, Scenario) {
        let scenario = ValidScenario::default().at_rate(rate).expect("a valid rate");
        (goodput_sim::run(&scenario), scenario.get().clone())
    }

    fn headlines(rate: f64) -> [String; 5] {
        let (report, scenario) = at(rate);
        ChartId::ALL.map(|id| headline(id, &report, &scenario))
    }

    /// So short and so quiet that no request finishes.
    fn nothing() -> (Report, ValidScenario) {
        let scenario = Scenario { rate: 0.01, horizon: 1.0, warmup: 0.5, ..Scenario::default() };
        let scenario = scenario.validate().expect("valid");
        (goodput_sim::run(&scenario), scenario)
    }

    #[test]
    fn headlines_tell_the_lesson() {
        assert_eq!(
            headlines(4.0),
            [
                "Throughput still grows with load",
                "p99 stays close to the median",
                "Tokens come slower as the batch fills",
                "Every request counts as goodput",
                "10 min at this rate: the queue stays short",
            ]
        );
        assert_eq!(
            headlines(5.0),
            [
                "Throughput still grows with load",
                "p99 has left, the median has not noticed",
                "Tokens come slower: the slowest break the SLO",
                "Goodput has begun to fall behind the offered load",
                "10 min at this rate: the queue comes in bursts",
            ]
        );
        assert_eq!(
            headlines(6.0),
            [
                "Throughput is at its ceiling: more load only waits",
                "The median has left too: most users wait too long",
                "Tokens come too slowly: most answers break the SLO",
                "No goodput at all: busy, and nothing in time",
                "10 min at this rate: the queue only grows",
            ]
        );
    }

    #[test]
    fn the_verdict_names_who_misses() {
        let cases = [
            (4.0, "At 4 requests/s the typical user waits 72 ms, and every request meets the SLO."),
            (5.0, "At 5 requests/s the typical user waits 81 ms, but one in nine misses the SLO."),
            (5.8, "At 5.8 requests/s the typical user waits 4.18 s, and only 0.3 % meet the SLO."),
            (6.0, "At 6 requests/s the typical user waits 12.4 s, and no request meets the SLO."),
        ];
        for (rate, sentence) in cases {
            assert_eq!(verdict(&at(rate).0), sentence);
        }
    }

    #[test]
    fn one_in_n_only_where_it_is_true() {
        assert_eq!(
            [0.11, 0.25, 0.245, 0.29, 0.5, 0.01].map(one_in),
            [Some("nine"), Some("four"), Some("four"), None, None, None]
        );
    }

    #[test]
    fn a_settled_change_is_heard_in_one_sentence() {
        assert_eq!(
            status(&at(5.0).0),
            "5 requests/s: throughput 1,004 tokens/s, TTFT p50 81 ms, p99 1.23 s, 89 % meet the SLO, goodput 4.46 requests/s."
        );
    }

    #[test]
    fn the_cursor_reads_what_was_simulated() {
        let (report, scenario) = at(5.0);
        let read = |id| readout(id, &report, &scenario);
        assert_eq!(read(ChartId::Throughput), "At 5 requests/s: load test 1,004, server 1,018 tokens/s");
        assert_eq!(read(ChartId::Ttft), "At 5 requests/s: p50 81 ms, p99 1.23 s");
        assert_eq!(read(ChartId::Tpot), "At 5 requests/s: p50 38 ms, p99 54 ms");
        assert_eq!(read(ChartId::Goodput), "At 5 requests/s: 4.46 of 5.10 offered, 89 % meet the SLO");
        let scenario = scenario.validate().expect("valid");
        let chart = time_chart(&Engine::new().run(&scenario), &scenario);
        assert_eq!(readout_time(&chart, 171.3), "At 171 seconds: up to 15 waiting, 64 running");
    }

    #[test]
    fn where_nothing_finished_every_sentence_says_so() {
        let (report, scenario) = nothing();
        assert_eq!(report.completed, 0);
        for id in ChartId::RATES {
            assert_eq!(headline(id, &report, scenario.get()), "Nothing finished in the measured time");
        }
        assert_eq!(verdict(&report), "At 0.01 requests/s no request finished in the measured time.");
        assert_eq!(status(&report), "0.01 requests/s: nothing finished in the measured time.");
        assert_eq!(
            readout(ChartId::Ttft, &report, scenario.get()),
            "At 0.01 requests/s: nothing finished in the measured time"
        );
        let chart = rate_chart(ChartId::Tpot, &scenario, &[report]);
        assert_eq!(
            description(&chart),
            "Time per output token, over arrival rates from 0.01 to 1.01 requests/s: no values."
        );
    }

    /// In a debug build `say` also panics where a sentence asks for a value that it is not given.
    #[test]
    fn at_no_load_does_a_sentence_lack_a_value() {
        let mut engine = Engine::new();
        for tenths in 5..=80 {
            let scenario = ValidScenario::default().at_rate(f64::from(tenths) / 10.0).expect("a valid rate");
            let mut run = engine.run(&scenario);
            let report = run.report();
            let over_time = time_chart(&run, &scenario);
            let mut sentences = vec![verdict(&report), status(&report), readout_run(&over_time, &report)];
            sentences.extend(ChartId::ALL.map(|id| headline(id, &report, scenario.get())));
            sentences.extend(ChartId::RATES.map(|id| readout(id, &report, scenario.get())));
            for sentence in sentences {
                assert!(!sentence.is_empty() && !sentence.contains(['{', '}']), "{sentence}");
            }
        }
    }

    #[test]
    fn the_chart_in_words_says_where_the_slo_breaks() {
        let scenario = ValidScenario::default();
        let rates: Vec<f64> = (5..=80).map(|tenths| f64::from(tenths) / 10.0).collect();
        let curve = Engine::new().sweep(&scenario, &rates).expect("valid rates");
        assert_eq!(
            description(&rate_chart(ChartId::Ttft, &scenario, &curve)),
            "Time to first token, log scale, over arrival rates from 0.5 to 8 requests/s: p99 goes from 107 ms to 166 s; \
             p50 goes from 62 ms to 89.1 s. p50 passes the SLO of 1 s at about 5.7 requests/s. p99 passes the SLO of 1 s \
             at about 5 requests/s. Capacity is 5.84 requests/s."
        );
    }
}
