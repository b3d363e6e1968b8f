//! From reports to pictures: a pure view model, the sentences about it, and its drawing on any plotters backend.
//!
//! A [`Chart`] says what is to be seen (axes, curves, rules, words), with every number taken from a report. Drawing is
//! in three layers, by how often they change: [`draw_frame`] with axes and limits, [`draw_curves`] when the reports are
//! other ones, [`draw_marks`] in every frame. All words stand in `text/en.txt`.
#![forbid(unsafe_code)]

mod axis;
mod chart;
mod curves;
#[cfg(feature = "svg")]
mod diagram;
mod draw_autopsy;
mod draw_scene;
pub mod format;
mod frame;
mod ghost;
#[cfg(feature = "svg")]
mod heat_map;
mod labels;
#[cfg(feature = "svg")]
mod lanes;
mod layer;
mod marks;
mod numerals;
mod pen;
mod phrases;
mod plot;
mod poster;
mod rates;
mod scene;
pub mod scene_text;
#[cfg(feature = "svg")]
mod sheet;
mod stage;
#[cfg(feature = "svg")]
mod svg;
pub mod text;
mod theme;
mod times;

pub use axis::{Axis, Scale, Unit};
pub use chart::{Chart, ChartId, Curve, Dot, End, Line, Point, Rule, Shade, Side, Stroke, Tag};
pub use curves::draw_curves;
#[cfg(feature = "svg")]
pub use diagram::{Diagram, Spot};
pub use draw_autopsy::draw_autopsy;
pub use draw_scene::draw_scene;
pub use frame::draw_frame;
pub use ghost::Ghost;
#[cfg(feature = "svg")]
pub use heat_map::HeatMap;
#[cfg(feature = "svg")]
pub use lanes::{Lane, Lanes};
pub use marks::{Marks, draw_marks};
pub use numerals::Numerals;
pub use pen::Drawn;
pub use phrases::{Phrases, without_comments};
pub use plot::Plot;
pub use poster::{ATTAINMENT_TARGET, KeyFigure, POSTER_SIZE, Poster, draw_poster};
pub use rates::{main_value, rate_chart};
pub use scene::{LEAVING_S, Leaving, Order, Running, STILL_S, Scene, Waiting};
pub use stage::Stage;
#[cfg(feature = "svg")]
pub use svg::{Paper, poster_svg, scene_svg, svg};
pub use theme::{FONT_FAMILY, Ink, LINE_HEIGHT_PER_EM, Scheme, Theme};
pub use times::time_chart;
