//! Little's law, L = lambda W, from three counters that do not know of each other.
//!
//! Little, "A Proof for the Queuing Formula: L = lambda W", Operations Research 9(3), 1961.

use core::iter;

use crate::math::product;
use crate::server::Records;
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

/// The three counters, before they are divided. Those of servers add up.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Counters {
    /// Arrivals [requests].
    arrivals: usize,
    /// The number in the system integrated over time [requests x ns].
    area_ns: u128,
    /// The times that requests spent in the system [ns].
    stay_ns: u128,
}

impl Counters {
    /// Counts of one server over `[0, end]`.
    pub(crate) fn of(records: &Records, end: SimTime) -> Self {
        let Records { arrivals, departures, .. } = records;
        Self::count(arrivals, departures.by_request(), departures.times(), end)
    }

    /// Counts over `[0, end]` from the rising arrivals, the end of each ([`SimTime::MAX`] for none; the last may be missing:
    /// they have none), and the same ends as they came, rising.
    pub(crate) fn count(arrivals: &[SimTime], ends: &[SimTime], finishes: &[SimTime], end: SimTime) -> Self {
        Self {
            arrivals: arrivals.len(),
            area_ns: area_ns(arrivals, finishes, end),
            stay_ns: total_stay_ns(arrivals, ends, end),
        }
    }

    /// Those of both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            arrivals: self.arrivals + other.arrivals,
            area_ns: self.area_ns + other.area_ns,
            stay_ns: self.stay_ns + other.stay_ns,
        }
    }

    /// The law over `[0, end]`; `None` when nothing arrived.
    pub(crate) fn law(self, end: SimTime) -> Option<LittlesLaw> {
        let n = self.arrivals as f64;
        (self.arrivals > 0).then(|| LittlesLaw {
            mean_in_system: self.area_ns as f64 / end.as_nanos() as f64,
            arrival_rate_per_s: n / end.as_secs(),
            mean_time_in_system_s: self.stay_ns as f64 / (n * 1e9),
        })
    }
}

/// The times that requests spent in the system by `end`, added up [ns], from the arrival and the end of each.
fn total_stay_ns(arrivals: &[SimTime], ends: &[SimTime], end: SimTime) -> u128 {
    let stay = |arrival: SimTime, until: SimTime| u128::from((until.min(end) - arrival).as_nanos());
    let ended: u128 = iter::zip(arrivals, ends).map(|(&arrival, &until)| stay(arrival, until)).sum();
    let others = arrivals.iter().skip(ends.len());
    ended + others.map(|&arrival| stay(arrival, end)).sum::<u128>()
}

/// The number in the system integrated over time [requests x ns], event by event.
fn area_ns(arrivals: &[SimTime], mut finishes: &[SimTime], end: SimTime) -> u128 {
    let mut area = 0;
    let mut since = SimTime::ZERO;
    let mut in_system = 0_u32;
    let mut pass_until = |at: SimTime, change: i32| {
        area += product(u64::from(in_system), (at - since).as_nanos());
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
