//! The view model: what is to be seen on one chart, in values, not in pixels.

use crate::axis::Axis;
use crate::ghost::Ghost;
use crate::theme::Ink;

/// Which chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChartId {
    /// Tokens per second over the arrival rate.
    Throughput,
    /// Time to first token over the arrival rate.
    Ttft,
    /// Time per output token over the arrival rate.
    Tpot,
    /// Goodput and SLO attainment over the arrival rate.
    Goodput,
    /// Waiting and running over simulated time.
    Time,
}

impl ChartId {
    /// The charts over the arrival rate, in the order in which they are shown.
    pub const RATES: [Self; 4] = [Self::Throughput, Self::Ttft, Self::Tpot, Self::Goodput];
    /// All charts, in the order in which they are shown.
    pub const ALL: [Self; 5] = [Self::Throughput, Self::Ttft, Self::Tpot, Self::Goodput, Self::Time];

    /// A short name, for file names, element ids and flags.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Throughput => "throughput",
            Self::Ttft => "ttft",
            Self::Tpot => "tpot",
            Self::Goodput => "goodput",
            Self::Time => "time",
        }
    }
}

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Chart {
    /// Which of the lab's charts; `None` if it is of a study.
    pub id: Option<ChartId>,
    /// What the y axis shows, in words. Not drawn: the page sets it above the chart.
    pub caption: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The unit of the horizontal axis, in words, drawn after its last tick.
    pub x_unit: String,
    /// The unit's sign, drawn where the chart is narrow.
    pub x_unit_short: String,
    /// The vertical axis.
    pub y: Axis,
    /// The curves, the most important last (it is drawn on top).
    pub curves: Vec<Curve>,
    /// Lines to compare with, drawn under the curves.
    pub ghosts: Vec<Ghost>,
    /// Straight reference lines.
    pub rules: Vec<Rule>,
    /// A part of the x axis that does not count.
    pub shade: Option<Shade>,
}

/// One point of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// On the x axis.
    pub x: f64,
    /// On the y axis; `None` is a gap.
    pub y: Option<f64>,
}

/// A curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What its colour stands for.
    pub ink: Ink,
    /// Its line.
    pub stroke: Stroke,
    /// Whether the area below it is tinted.
    pub filled: bool,
    /// Its dot at the current rate and at the cursor.
    pub dot: Dot,
    /// Its name, drawn at its right end.
    pub label: String,
    /// A shorter name, drawn where the chart is narrow.
    pub short: String,
    /// Its points in order of x.
    pub points: Vec<Point>,
    /// What is written at its dot at the current rate.
    pub tag: Tag,
}

/// The look of a line: curves that share a chart differ in it, and not in colour alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stroke {
    /// A thin line.
    Thin,
    /// A line.
    Solid,
    /// A thick line.
    Thick,
    /// Dashes.
    Dashed,
}

/// The look of a curve's dot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dot {
    /// A full disc.
    Disc,
    /// A ring.
    Ring,
    /// None: the curve is a reference.
    None,
}

/// What is written at a curve's dot at the current rate. Only what was simulated is written, nothing interpolated.
#[derive(Clone, Debug, PartialEq)]
pub enum Tag {
    /// Nothing.
    None,
    /// The value of the point.
    Value(Side),
    /// For each point the share of the requests that meets the SLO, written clear of the curve of this index.
    Attainment(Vec<Option<f64>>, usize),
}

/// On which side a text stands of its dot or line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Above, of a dot also to the left: clear of a curve that rises.
    Above,
    /// Below, of a dot also to the right: clear of a curve that rises.
    Below,
}

/// A straight line across the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    /// Where.
    pub line: Line,
    /// What it says, written on it.
    pub label: String,
}

/// An end of a horizontal rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At the left.
    Left,
    /// At the right.
    Right,
}

/// Where a rule runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Line {
    /// Horizontal, at a value of y.
    Across {
        /// The value.
        y: f64,
        /// Its label stands on this side of it.
        side: Side,
        /// And at this end.
        end: End,
    },
    /// Vertical, at a value of x.
    Up {
        /// The value.
        x: f64,
    },
}

/// A shaded part of the x axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Shade {
    /// Its beginning.
    pub from: f64,
    /// Its end.
    pub to: f64,
    /// Why it is shaded.
    pub label: String,
}

impl Chart {
    /// Whether both need the same frame (axes, grid, rules, shade), so that it need not be drawn again.
    #[must_use]
    pub fn same_frame(&self, other: &Self) -> bool {
        let frame = |chart: &Self| (chart.id, chart.x, chart.y);
        frame(self) == frame(other)
            && self.x_unit == other.x_unit
            && self.rules == other.rules
            && self.shade == other.shade
    }

    /// The same chart with its lines up to an x only: what lies beyond is not to be seen yet. Axes and rules
    /// stay, so nothing moves when the rest comes.
    #[must_use]
    pub fn until(&self, x: f64) -> Self {
        let mut chart = self.clone();
        let lines = chart.curves.iter_mut().map(|curve| &mut curve.points);
        for points in lines.chain(chart.ghosts.iter_mut().map(|ghost| &mut ghost.points)) {
            // Rates that were typed and rates that were counted up in tenths differ in their last bit.
            points.retain(|point| point.x <= x + 1e-9);
        }
        chart
    }

    /// The x value of the curves' point nearest to `x`; `None` without points.
    #[must_use]
    pub fn nearest(&self, x: f64) -> Option<f64> {
        let points = &self.curves.first()?.points;
        let after = points.partition_point(|point| point.x < x);
        let around = &points[after.saturating_sub(1)..points.len().min(after + 1)];
        around.iter().map(|point| point.x).min_by(|a, b| (a - x).abs().total_cmp(&(b - x).abs()))
    }
}

impl Curve {
    /// Its point at exactly this x, with its index.
    pub(crate) fn point_at(&self, x: f64) -> Option<(usize, Point)> {
        Self::point_in(&self.points, x)
    }

    /// The one of these points at exactly this x, with its index.
    pub(crate) fn point_in(points: &[Point], x: f64) -> Option<(usize, Point)> {
        // Rates that were typed and rates that were counted up in tenths differ in their last bit.
        let close = 1e-9 * x.abs().max(1.0);
        let first = points.partition_point(|point| point.x < x - close);
        let point = *points.get(first)?;
        (point.x <= x + close).then_some((first, point))
    }

    /// The points that are there, as pairs.
    pub(crate) fn values(&self) -> impl DoubleEndedIterator<Item = (f64, f64)> + '_ {
        self.points.iter().filter_map(|point| Some((point.x, point.y?)))
    }
}
