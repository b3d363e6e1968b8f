//! From reports to pictures: a pure view model, the sentences about it, and its drawing on any plotters backend.
//!
//! A [`Chart`] says what is to be seen (axes, curves, rules, words), with every number taken from a report. Drawing is
//! in two layers: [`draw_frame`] for what stays while the reader moves the rate, [`draw_curves`] for what changes in
//! every frame. All words stand in `text/en.txt`.
#![forbid(unsafe_code)]

mod axis;
mod chart;
mod curves;
pub mod format;
mod frame;
mod labels;
mod pen;
mod phrases;
mod plot;
mod rates;
#[cfg(feature = "svg")]
mod svg;
pub mod text;
mod theme;
mod times;

pub use axis::{Axis, Scale, Unit};
pub use chart::{Chart, ChartId, Curve, Dot, End, Line, Point, Rule, Shade, Side, Stroke, Tag};
pub use curves::{Marks, draw_curves};
pub use frame::draw_frame;
pub use pen::Drawn;
pub use phrases::Phrases;
pub use plot::Plot;
pub use rates::rate_chart;
#[cfg(feature = "svg")]
pub use svg::svg;
pub use theme::{FONT_FAMILY, Ink, LINE_HEIGHT_PER_EM, Scheme, Theme};
pub use times::time_chart;
