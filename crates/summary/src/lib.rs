//! The wire format: what the command line prints and the browser's API takes and gives.
//!
//! Twins of the engine's types, so that the engine knows no format and the format is written once. Names carry their
//! units. What is not there (the quantiles of no requests) is null.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod capacity;
mod fleet;
mod metric;
mod scenario;
mod summary;

pub use capacity::CapacitySummary;
pub use fleet::FleetSummary;
pub use metric::{METRICS, Metric};
pub use scenario::{Value, WireScenario, put};
pub use summary::{Distribution, LittlesLaw, Summary};
