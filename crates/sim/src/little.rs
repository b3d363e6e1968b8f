//! Little's law, L = lambda W, from three counters that do not know of each other.
//!
//! Little, "A Proof for the Queuing Formula: L = lambda W", Operations Research 9(3), 1961.

use core::iter;

use crate::units::SimTime;

/// The three counters over the observed span, from time zero to `end`.
///
/// A request that is turned away is never in the system, so it does not count as an arrival here.
/// Requests still in the system at the end count with the time they have spent in it so far, so that the law holds for
/// every span; on a drained run nobody is left and W is the mean time in the system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LittlesLaw {
    /// L: time average of the number of requests in the system, waiting or running [requests].
    pub mean_in_system: f64,
    /// Lambda: arrivals per time [requests/s].
    pub arrival_rate_per_s: f64,
    /// W: mean time a request spends in the system within the span [s].
    pub mean_time_in_system_s: f64,
}

impl LittlesLaw {
    /// Counts over `[0, end]` from the rising arrivals, the end of each of them ([`SimTime::MAX`] for none; the last may be
    /// missing: they have none), and the rising ends; `None` when nothing arrived.
    pub(crate) fn observe(arrivals: &[SimTime], ends: &[SimTime], finishes: &[SimTime], end: SimTime) -> Option<Self> {
        let n = arrivals.len();
        if n == 0 {
            return None;
        }
        let ends = ends.iter().copied().chain(iter::repeat(end));
        let stays = iter::zip(arrivals, ends).map(|(&arrival, until)| until.min(end) - arrival);
        let total_stay: u128 = stays.map(|stay| u128::from(stay.as_nanos())).sum();
        Some(Self {
            mean_in_system: area_ns(arrivals, finishes, end) / end.as_nanos() as f64,
            arrival_rate_per_s: n as f64 / end.as_secs(),
            mean_time_in_system_s: total_stay as f64 / (n as f64 * 1e9),
        })
    }
}

/// The number in the system integrated over time [requests x ns], event by event.
fn area_ns(arrivals: &[SimTime], mut finishes: &[SimTime], end: SimTime) -> f64 {
    let mut area = 0.0;
    let mut since = SimTime::ZERO;
    let mut in_system = 0_u32;
    let mut pass_until = |at: SimTime, change: i32| {
        area += f64::from(in_system) * (at - since).as_nanos() as f64;
        since = at;
        in_system = in_system.wrapping_add_signed(change);
    };
    for &arrival in arrivals {
        while let [finish, later @ ..] = finishes
            && *finish <= arrival
        {
            pass_until(*finish, -1);
            finishes = later;
        }
        pass_until(arrival, 1);
    }
    for &finish in finishes.iter().take_while(|&&at| at <= end) {
        pass_until(finish, -1);
    }
    pass_until(end, 0);
    area
}
