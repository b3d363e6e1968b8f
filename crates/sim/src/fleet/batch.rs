//! The sequences that decode on one server: who leaves next, and who came last.

use alloc::vec::Vec;

use super::life::Life;

/// A seat in the batch.
#[derive(Clone, Copy, Debug)]
struct Seat {
    /// The decode step after which it is free, counted from the start of the run.
    leaves_after: u64,
    /// Its place in the order of admissions to this batch.
    order: u32,
    request: u32,
}

/// The running sequences of one server.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    /// In the order in which they leave; of those that leave together, the one that came first is first. Who comes leaves
    /// late, so few seats have to move for a new one.
    seats: Vec<Seat>,
    /// So many of the seats are free again: they are taken out many at a time.
    free: usize,
    /// Admissions so far.
    orders: u32,
    /// Decode steps taken so far.
    steps: u64,
}

/// Most seats that are free and still kept.
const MOST_FREE: usize = 256;

impl Batch {
    pub(super) fn count(&self) -> u32 {
        (self.seats.len() - self.free) as u32
    }

    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    pub(super) fn advance(&mut self, steps: u32) {
        self.steps += u64::from(steps);
    }

    /// One more.
    pub(super) fn join(&mut self, request: u32, life: &Life) {
        let leaves_after = self.steps + u64::from(life.steps_left());
        if self.free >= MOST_FREE {
            self.seats.drain(..self.free);
            self.free = 0;
        }
        let seat = Seat { leaves_after, order: self.orders, request };
        self.orders += 1;
        // From the end: with answers of one length, whoever comes last leaves last. One by one, because few have to move.
        self.seats.push(seat);
        let seats = &mut self.seats[self.free..];
        let mut place = seats.len() - 1;
        while place > 0 && seats[place - 1].leaves_after > leaves_after {
            seats[place] = seats[place - 1];
            place -= 1;
        }
        seats[place] = seat;
    }

    /// Decode steps until somebody leaves.
    pub(super) fn steps_until_leaving(&self) -> u64 {
        self.seats.get(self.free).map_or(u64::MAX, |seat| seat.leaves_after - self.steps)
    }

    /// One whose last step is over, with the steps it took in this stay; call until there is none.
    pub(super) fn pop_leaving(&mut self, lives: &mut [Life]) -> Option<(u32, u32)> {
        let seat = *self.seats.get(self.free).filter(|seat| seat.leaves_after == self.steps)?;
        self.free += 1;
        Some(self.leave(seat, lives))
    }

    /// Takes out the one that was admitted last, with the steps it took in this stay.
    pub(super) fn pop_last(&mut self, lives: &mut [Life]) -> Option<(u32, u32)> {
        let (place, _) = self.seats.iter().enumerate().skip(self.free).max_by_key(|(_, seat)| seat.order)?;
        let seat = self.seats.remove(place);
        Some(self.leave(seat, lives))
    }

    /// A request is out of the batch: those steps are done that it took since it joined.
    fn leave(&self, seat: Seat, lives: &mut [Life]) -> (u32, u32) {
        let life = &mut lives[seat.request as usize];
        let taken = life.steps_left() - (seat.leaves_after - self.steps) as u32;
        life.progress.done += taken;
        (seat.request, taken)
    }
}
