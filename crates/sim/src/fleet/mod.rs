//! Many servers, or one with levers that change the step rule: an event-driven simulation of the whole.
//!
//! The step rule of one server stands in [`replica`], written once for one or many. What happens at one instant happens
//! in this order: steps end; incidents, ticks and new replicas; requests come; steps begin. MODEL.md says why.

mod autoscaler;
mod batch;
mod blocks;
mod clients;
mod fleet_report;
mod inter_token;
mod life;
mod line;
mod plain_replicas;
mod prefill_pool;
mod replica;
mod router;
mod rules;
mod simulation;
mod timeline;

pub use autoscaler::ScalingMoment;
pub use fleet_report::FleetReport;
pub use life::Life;
pub use replica::FleetStretch;

use alloc::vec::Vec;

pub(crate) use clients::DrawnMarks;
pub(crate) use fleet_report::{ReportMemory, report};
pub(crate) use plain_replicas::PlainReplicas;
pub(crate) use simulation::simulate;

use crate::units::SimTime;
use life::Stint;

/// What happened in a fleet.
#[derive(Clone, Debug, Default)]
pub struct FleetRecords {
    /// Every request that was sent, in order of sending, the rejected ones included.
    pub lives: Vec<Life>,
    /// What each server did that decodes, in order of time.
    pub replicas: Vec<ReplicaRecords>,
    /// What the autoscaler saw, at each of its ticks; none without one.
    pub scaling: Vec<ScalingMoment>,
    /// Time that the servers which only prefill spent on it before the horizon [ns].
    prefill_busy: SimTime,
    /// Time that all servers together existed before the horizon [ns].
    existed: SimTime,
    /// The stays in a batch of all requests that ended, in order of their ends.
    stints: Vec<Stint>,
    /// When requests ended, in order [ns].
    finishes: Vec<SimTime>,
}

/// What one server did that decodes.
#[derive(Clone, Debug, Default)]
pub struct ReplicaRecords {
    /// Its stretches of equal steps, back to back but for idle gaps.
    pub stretches: Vec<FleetStretch>,
    /// Time that it existed before the horizon [ns].
    pub existed: SimTime,
}
