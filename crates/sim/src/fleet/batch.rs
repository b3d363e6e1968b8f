//! The sequences that decode on one server: who leaves next, and who came last.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::life::Life;

/// A seat in the batch: the step after which it is free, the order of admission, who has it.
type Seat = Reverse<(u64, u64, u32)>;

/// The running sequences of one server. Whoever is taken out early leaves a stale seat behind, known by its order.
#[derive(Clone, Debug, Default)]
pub(super) struct Batch {
    seats: BinaryHeap<Seat>,
    /// Whether [`Batch::pop_last`] will be asked.
    may_take_out: bool,
    /// By order of admission; kept only where somebody may be taken out early.
    admitted: Vec<(u64, u32)>,
    count: u32,
    orders: u64,
    /// Decode steps taken so far.
    steps: u64,
}

impl Batch {
    /// Nobody yet. `may_take_out` says whether [`Batch::pop_last`] will be asked.
    pub(super) fn new(may_take_out: bool) -> Self {
        Self { may_take_out, ..Self::default() }
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    pub(super) fn steps(&self) -> u64 {
        self.steps
    }

    pub(super) fn advance(&mut self, steps: u64) {
        self.steps += steps;
    }

    /// One more.
    pub(super) fn join(&mut self, request: u32, life: &mut Life) {
        self.orders += 1;
        self.count += 1;
        life.progress.order = self.orders;
        life.progress.since = self.steps;
        self.seats.push(Reverse((self.steps + u64::from(life.steps_left()), self.orders, request)));
        if self.may_take_out {
            self.admitted.push((self.orders, request));
        }
    }

    /// One leaves: those steps are done that it took since it joined. How many they were.
    fn leave(&mut self, life: &mut Life) -> u32 {
        self.count -= 1;
        let taken = (self.steps - life.progress.since) as u32;
        life.progress.done += taken;
        life.progress.order = 0;
        taken
    }

    /// Decode steps until somebody leaves.
    pub(super) fn steps_until_leaving(&mut self, lives: &[Life]) -> u64 {
        self.drop_stale(lives);
        self.seats.peek().map_or(u64::MAX, |&Reverse((leaves_after, ..))| leaves_after - self.steps)
    }

    /// One whose last step is over, with the steps it took in this stay; call until there is none.
    pub(super) fn pop_leaving(&mut self, lives: &mut [Life]) -> Option<(u32, u32)> {
        self.drop_stale(lives);
        let &Reverse((leaves_after, _, request)) = self.seats.peek()?;
        if leaves_after > self.steps {
            return None;
        }
        self.seats.pop();
        let taken = self.leave(&mut lives[request as usize]);
        Some((request, taken))
    }

    /// Takes out the one that was admitted last, with the steps it took in this stay.
    pub(super) fn pop_last(&mut self, lives: &mut [Life]) -> Option<(u32, u32)> {
        while let Some((order, request)) = self.admitted.pop() {
            let life = &mut lives[request as usize];
            if life.progress.order == order {
                return Some((request, self.leave(life)));
            }
        }
        None
    }

    /// Takes out everybody, in no order that matters, with the steps each took in this stay.
    pub(super) fn drain(&mut self, lives: &mut [Life]) -> Vec<(u32, u32)> {
        let seats = core::mem::take(&mut self.seats).into_vec();
        self.admitted.clear();
        let is_current = |&Reverse((_, order, request)): &Seat| lives[request as usize].progress.order == order;
        let requests: Vec<u32> =
            seats.iter().filter(|seat| is_current(seat)).map(|&Reverse((.., request))| request).collect();
        requests.into_iter().map(|request| (request, self.leave(&mut lives[request as usize]))).collect()
    }

    fn drop_stale(&mut self, lives: &[Life]) {
        while self.may_take_out
            && let Some(&Reverse((_, order, request))) = self.seats.peek()
            && lives[request as usize].progress.order != order
        {
            self.seats.pop();
        }
    }
}
