//! Who left when. With answers of one length requests leave in the order in which they came; with others they do not.

use alloc::vec::Vec;

use crate::units::SimTime;

/// The requests that left, in the order in which they did; of those that left together the one that came first is first.
#[derive(Clone, Debug, Default)]
pub struct Departures {
    times: Vec<SimTime>,
    /// Who left and what else is known of them; none while they leave in order of arrival.
    mixed: Mixed,
}

/// What is kept only where requests do not leave in order of arrival.
#[derive(Clone, Debug, Default)]
struct Mixed {
    /// Who left, in the order in which they did.
    who: Vec<u32>,
    /// By admission, which is by arrival: when it left, [`SimTime::MAX`] when it has not.
    at: Vec<SimTime>,
    /// By admission: the slot that it holds or held.
    slots: Vec<u32>,
}

impl Departures {
    /// Forgets everything but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.times.clear();
        self.mixed.who.clear();
        self.mixed.at.clear();
        self.mixed.slots.clear();
    }

    /// Makes room for all that can come.
    pub(crate) fn reserve(&mut self, requests: usize, in_order: bool) {
        self.times.reserve(requests);
        if !in_order {
            self.mixed.who.reserve(requests);
            self.mixed.at.reserve(requests);
            self.mixed.slots.reserve(requests);
        }
    }

    /// The next one in order of arrival leaves.
    #[inline(always)]
    pub(crate) fn push_next(&mut self, at: SimTime) {
        self.times.push(at);
    }

    /// A request takes a slot and may leave before or after others.
    pub(crate) fn push_slot(&mut self, slot: u32) {
        self.mixed.at.push(SimTime::MAX);
        self.mixed.slots.push(slot);
    }

    /// A request leaves, whenever it came. Gives the slot that is free now.
    pub(crate) fn push(&mut self, request: u32, at: SimTime) -> u32 {
        self.times.push(at);
        self.mixed.who.push(request);
        self.mixed.at[request as usize] = at;
        self.mixed.slots[request as usize]
    }

    /// How many have left.
    #[must_use]
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.times.len()
    }

    /// When they left, in order [ns].
    #[must_use]
    pub fn times(&self) -> &[SimTime] {
        &self.times
    }

    /// Whether they left in the order in which they came.
    #[inline(always)]
    pub(crate) fn in_order(&self) -> bool {
        self.mixed.at.is_empty()
    }

    /// Who left at this place of the order.
    #[must_use]
    pub fn who(&self, place: usize) -> usize {
        self.mixed.who.get(place).map_or(place, |&request| request as usize)
    }

    /// When a request left [ns]; `None` when it did not.
    #[must_use]
    #[inline(always)]
    pub fn of(&self, request: usize) -> Option<SimTime> {
        self.by_request().get(request).copied().filter(|&at| at != SimTime::MAX)
    }

    /// When each request left [ns], [`SimTime::MAX`] for those that did not. The last ones may be missing: they did not.
    pub(crate) fn by_request(&self) -> &[SimTime] {
        if self.in_order() { &self.times } else { &self.mixed.at }
    }

    /// The slot of an admitted request among `slots` of them. No two that run together have the same one.
    #[must_use]
    pub fn slot(&self, request: usize, slots: usize) -> usize {
        self.mixed.slots.get(request).map_or(request % slots, |&slot| slot as usize)
    }
}
