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
    /// The next to leave is the last; of those that leave together, the one that came first. A batch is small, so moving its
    /// seats costs less than keeping a heap.
    seats: Vec<Seat>,
    /// Admissions so far.
    orders: u32,
    /// Decode steps taken so far.
    steps: u64,
}

impl Batch {
    pub(super) fn count(&self) -> u32 {
        self.seats.len() as u32
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
        // With answers of one length, whoever comes last leaves last.
        let place = match self.seats.first() {
            Some(last) if last.leaves_after > leaves_after => {
                self.seats.partition_point(|seat| seat.leaves_after > leaves_after)
            }
            _ => 0,
        };
        self.seats.insert(place, Seat { leaves_after, order: self.orders, request });
        self.orders += 1;
    }

    /// Decode steps until somebody leaves.
    pub(super) fn steps_until_leaving(&self) -> u64 {
        self.seats.last().map_or(u64::MAX, |seat| seat.leaves_after - self.steps)
    }

    /// One whose last step is over, with the steps it took in this stay; call until there is none.
    pub(super) fn pop_leaving(&mut self, lives: &mut [Life]) -> Option<(u32, u32)> {
        let seat = self.seats.pop_if(|seat| seat.leaves_after == self.steps)?;
        Some(self.leave(seat, lives))
    }

    /// Takes out the one that was admitted last, with the steps it took in this stay.
    pub(super) fn pop_last(&mut self, lives: &mut [Life]) -> Option<(u32, u32)> {
        let (place, _) = self.seats.iter().enumerate().max_by_key(|(_, seat)| seat.order)?;
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
