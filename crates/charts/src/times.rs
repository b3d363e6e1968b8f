//! The chart over simulated time.

use goodput_sim::{Autoscale, Moment, Run, ValidScenario};

use crate::axis::{Axis, Unit};
use crate::chart::{Chart, ChartId, Curve, Dot, End, Line, Point, Rule, Shade, Side, Stroke, Tag};
use crate::format;
use crate::phrases::say;
use crate::theme::Ink;

/// Columns over the whole time: about one for two pixels.
const COLUMNS: usize = 300;

/// Waiting and running over the simulated time of `run`, a run of `scenario`.
///
/// Each column of time shows its peak: a burst of a second is not averaged away.
#[must_use]
pub fn time_chart(run: &Run<'_>, scenario: &ValidScenario) -> Chart {
    let scenario = scenario.get();
    let [waiting, running] = peaks(run.timeline(), scenario.horizon);
    let unit = Unit::of_span(scenario.horizon);
    let x = Axis::linear(0.0, scenario.horizon, unit);
    let slots = f64::from(scenario.max_batch) * f64::from(scenario.replicas);
    let highest = waiting.iter().chain(&running).fold(1, |a, &b| a.max(b));
    // The slots belong in sight unless the server never comes near them.
    let highest = f64::from(highest);
    let y = Axis::coarse(if slots <= 4.0 * highest { highest.max(slots) } else { highest }, Unit::Count);
    let width_s = scenario.horizon / COLUMNS as f64;
    let points = |peaks: &[u32]| {
        let middle = |i: usize| (i as f64 + 0.5) * width_s;
        peaks.iter().enumerate().map(|(i, &peak)| Point { x: middle(i), y: Some(f64::from(peak)) }).collect()
    };
    // Where replicas come and go, so do their slots.
    let slots = (scenario.autoscale == Autoscale::Off && y.contains(slots)).then(|| Rule {
        // Where the queue is long enough to cross it, that is over by then.
        line: Line::Across { y: slots, side: Side::Above, end: End::Right },
        label: say("rule.slots", &[("count", &format::count(slots))]),
    });
    let [x_unit, x_unit_short] = match unit {
        Unit::Minutes => [say("unit.minutes", &[]), say("short.minutes", &[])],
        Unit::Hours => [say("unit.hours", &[]), say("short.hours", &[])],
        _ => [say("unit.seconds", &[]), say("short.seconds", &[])],
    };
    Chart {
        id: Some(ChartId::Time),
        caption: say("caption.time", &[]),
        x,
        x_unit,
        x_unit_short,
        y,
        curves: vec![
            Curve {
                ink: Ink::Throughput,
                stroke: Stroke::Thin,
                filled: false,
                dot: Dot::Ring,
                label: say("curve.running", &[]),
                short: say("short.running", &[]),
                points: points(&running),
                tag: Tag::None,
            },
            Curve {
                ink: Ink::Ink,
                stroke: Stroke::Solid,
                filled: true,
                dot: Dot::Disc,
                label: say("curve.waiting", &[]),
                short: say("short.waiting", &[]),
                points: points(&waiting),
                tag: Tag::None,
            },
        ],
        ghosts: Vec::new(),
        rules: slots.into_iter().collect(),
        shade: (scenario.warmup > 0.0).then(|| Shade {
            from: 0.0,
            to: scenario.warmup,
            label: say("shade.warmup", &[]),
        }),
    }
}

/// The most waiting and the most running in each of [`COLUMNS`] equal parts of the time up to the horizon [s].
fn peaks(moments: impl Iterator<Item = Moment>, horizon_s: f64) -> [Vec<u32>; 2] {
    let mut waiting = vec![0; COLUMNS];
    let mut running = vec![0; COLUMNS];
    let mut column = 0;
    let mut last = (0, 0);
    for moment in moments {
        let share = moment.at.as_secs() / horizon_s;
        if share >= 1.0 {
            break;
        }
        let here = (share * COLUMNS as f64) as usize;
        // A column without a boundary of its own is as the last boundary left it.
        if here > column {
            waiting[column + 1..=here].fill(last.0);
            running[column + 1..=here].fill(last.1);
            column = here;
        }
        last = (moment.waiting, moment.running);
        waiting[here] = last.0.max(waiting[here]);
        running[here] = last.1.max(running[here]);
    }
    waiting[column + 1..].fill(last.0);
    running[column + 1..].fill(last.1);
    [waiting, running]
}

#[cfg(test)]
mod tests {
    use goodput_sim::{Engine, Moment, Scenario, SimTime, ValidScenario};

    use super::{COLUMNS, peaks, time_chart};

    #[test]
    fn a_short_burst_is_kept_and_quiet_times_hold_their_value() {
        let moment = |at: f64, waiting, running| Moment { at: SimTime::from_secs(at), waiting, running };
        let moments = [moment(1.0, 0, 3), moment(1.1, 9, 4), moment(1.2, 0, 2), moment(700.0, 99, 99)];
        let [waiting, running] = peaks(moments.into_iter(), 600.0);
        assert_eq!((waiting.len(), running.len()), (COLUMNS, COLUMNS));
        assert_eq!((waiting[0], running[0]), (9, 4));
        assert!(waiting[1..].iter().all(|&peak| peak == 0));
        assert!(running[1..].iter().all(|&peak| peak == 2));
    }

    #[test]
    fn the_range_stays_while_the_load_is_moderate() {
        let mut engine = Engine::new();
        for rate in [0.5, 2.0, 4.0, 5.0, 5.4] {
            let scenario = ValidScenario::default().at_rate(rate).expect("a valid rate");
            let chart = time_chart(&engine.run(&scenario), &scenario);
            assert!(chart.y.hi() <= 100.0, "{rate}: {}", chart.y.hi());
        }
    }

    #[test]
    fn a_run_without_arrivals_is_a_flat_chart() {
        let scenario = Scenario { rate: 0.01, horizon: 1.0, warmup: 0.0, ..Scenario::default() };
        let scenario = scenario.validate().expect("valid");
        let chart = time_chart(&Engine::new().run(&scenario), &scenario);
        assert!(chart.curves.iter().all(|curve| curve.points.iter().all(|point| point.y == Some(0.0))));
        assert_eq!(chart.shade, None);
    }
}
