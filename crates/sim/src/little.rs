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
    /// Counts over `[0, end]` from the rising arrivals, the rising ends, and what [`total_stay_ns`] says of them all; `None`
    /// when nothing arrived.
    pub(crate) fn observe(
        arrivals: &[SimTime],
        finishes: &[SimTime],
        total_stay_ns: u128,
        end: SimTime,
    ) -> Option<Self> {
        let n = arrivals.len();
        if n == 0 {
            return None;
        }
        Some(Self {
            mean_in_system: area_ns(arrivals, finishes, end) / end.as_nanos() as f64,
            arrival_rate_per_s: n as f64 / end.as_secs(),
            mean_time_in_system_s: total_stay_ns as f64 / (n as f64 * 1e9),
        })
    }
}

/// The times that requests spent in the system by `end`, added up [ns], from the arrival of each and its end
/// ([`SimTime::MAX`] for none; the last may be missing: they have none).
pub(crate) fn total_stay_ns(arrivals: &[SimTime], ends: &[SimTime], end: SimTime) -> u128 {
    let stay = |arrival: SimTime, until: SimTime| u128::from((until.min(end) - arrival).as_nanos());
    let ended: u128 = iter::zip(arrivals, ends).map(|(&arrival, &until)| stay(arrival, until)).sum();
    let others = arrivals.iter().skip(ends.len());
    ended + others.map(|&arrival| stay(arrival, end)).sum::<u128>()
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
