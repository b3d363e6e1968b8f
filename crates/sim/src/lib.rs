//! A step-level simulation of an LLM server: continuous batching, its metrics, and the theory beside them.
//!
//! A pure function from a [`Scenario`] to a [`Report`]. No clock, thread, file, browser, log or global; the same
//! scenario and seed give the same bits on every target. What is simulated stands in MODEL.md.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

/// Changes when a figure of any scenario does: with the same number the same scenario and seed give the same bits.
pub const ENGINE_VERSION: u32 = 1;

mod admission;
mod arrivals;
mod autopsy;
mod capacity;
mod choice;
mod cost;
mod departures;
mod distribution;
mod engine;
mod error;
mod field;
mod fleet;
mod gamma;
mod gaps;
mod geometric;
mod incident;
mod itl;
mod latencies;
mod leaving;
mod lengths;
mod levers;
mod limits;
mod little;
mod lognormal;
mod math;
mod metrics;
mod normal;
mod prefix_cache;
mod preset;
mod quantile;
mod rate_profile;
mod report;
pub mod rng;
mod scenario;
mod server;
mod snapshot;
mod sweep;
pub mod theory;
mod timeline;
mod trace;
mod units;
mod work;

pub use autopsy::{Autopsy, Fate, Gap, TtftParts};
pub use capacity::Capacity;
pub use choice::{Autoscale, CHOICES, Choice, OutputLaw, Routing};
pub use departures::Departures;
pub use distribution::Distribution;
pub use engine::{Engine, Run, run};
pub use error::ScenarioError;
pub use field::{FIELDS, Field};
pub use fleet::{FleetRecords, FleetReport, FleetStretch, Life, ReplicaRecords, ScalingMoment};
pub use incident::{Cause, Incident};
pub use latencies::Latency;
pub use lengths::Lengths;
pub use little::LittlesLaw;
pub use preset::{PRESETS, Preset};
pub use report::Report;
pub use scenario::{MAX_EXPECTED_ARRIVALS, MAX_EXPECTED_WORK_S, Scenario, Seed, ValidScenario};
pub use server::{Records, Stop, Stretch};
pub use snapshot::{Sequence, Snapshot, Stage};
pub use timeline::Moment;
pub use trace::{Trace, TraceError, TraceRequest};
pub use units::SimTime;
pub use work::{Work, Works};
