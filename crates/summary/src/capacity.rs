//! What a server can take, as it is printed.

use goodput_sim::Capacity;
use serde::Serialize;

/// The highest arrival rate that keeps the SLO, found by search, and the closed form beside it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CapacitySummary {
    /// The highest rate up to which every rate looked at attains the target [requests/s]; `None`, on the wire null,
    /// when not even the lowest does.
    pub highest_rate: Option<f64>,
    /// Attainment at that rate (0..=1).
    pub attainment: Option<f64>,
    /// The highest rate looked at [requests/s]. When it is the same as `highest_rate`, the target never failed.
    pub searched_to: f64,
    /// The rate at which the slots are all in use for ever [requests/s]. It knows no SLO.
    pub closed_form: f64,
}

impl From<Capacity> for CapacitySummary {
    fn from(Capacity { highest_rate, attainment, searched_to, closed_form }: Capacity) -> Self {
        Self { highest_rate, attainment, searched_to, closed_form }
    }
}
