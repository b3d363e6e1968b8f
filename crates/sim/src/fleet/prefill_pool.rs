//! Servers that only prefill, one prompt at a time, before one line.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::life::Life;
use super::line::Line;
use super::rules::Rules;
use crate::units::SimTime;

/// A prompt at work: when it is done, who does it.
#[derive(Clone, Copy, Debug)]
struct AtWork {
    from: SimTime,
    until: SimTime,
    request: u32,
}

/// The prefill servers and their line.
#[derive(Clone, Debug)]
pub(super) struct PrefillPool {
    waiting: Line,
    servers: Vec<Option<AtWork>>,
    /// Requests whose KV memory travels, by arrival, then by number.
    travelling: BinaryHeap<Reverse<(SimTime, u32)>>,
    /// Time at work before the horizon [ns].
    busy: SimTime,
}

impl PrefillPool {
    pub(super) fn of(servers: u32) -> Self {
        Self {
            waiting: Line::default(),
            servers: vec![None; servers as usize],
            travelling: BinaryHeap::new(),
            busy: SimTime::ZERO,
        }
    }

    pub(super) fn size(&self) -> u32 {
        self.servers.len() as u32
    }

    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }

    pub(super) fn busy(&self) -> SimTime {
        self.busy
    }

    pub(super) fn receive(&mut self, request: u32, lives: &[Life]) {
        self.waiting.push(request, &lives[request as usize]);
    }

    /// The next instant at which a prefill is over.
    pub(super) fn next_end(&self) -> Option<SimTime> {
        self.servers.iter().flatten().map(|at_work| at_work.until).min()
    }

    /// The next instant at which a prefill is over, or a request is delivered before `stop_at`; [`SimTime::MAX`] for none.
    pub(super) fn next(&self, stop_at: SimTime) -> SimTime {
        let delivery = self.next_delivery().filter(|&at| at < stop_at);
        self.next_end().into_iter().chain(delivery).min().unwrap_or(SimTime::MAX)
    }

    /// The next instant at which a request is delivered.
    fn next_delivery(&self) -> Option<SimTime> {
        self.travelling.peek().map(|&Reverse((at, _))| at)
    }

    /// Ends the prefills that are over at `now`: each is a first token, and its KV memory sets out.
    pub(super) fn complete(&mut self, now: SimTime, lives: &mut [Life], rules: &Rules) {
        for server in &mut self.servers {
            let Some(AtWork { from, request, .. }) = server.filter(|at_work| at_work.until == now) else { continue };
            *server = None;
            self.busy += now.min(rules.horizon) - from.min(rules.horizon);
            let life = &mut lives[request as usize];
            life.prefilled(now);
            life.progress.delivered = true;
            self.travelling.push(Reverse((now + rules.transfer(life.lengths.prompt), request)));
        }
    }

    /// A request that is delivered at `now`; call until there is none.
    pub(super) fn pop_delivered(&mut self, now: SimTime) -> Option<u32> {
        self.next_delivery().filter(|&at| at <= now)?;
        self.travelling.pop().map(|Reverse((_, request))| request)
    }

    /// Free servers take the next prompts.
    pub(super) fn begin(&mut self, now: SimTime, lives: &mut [Life], rules: &Rules) {
        for server in &mut self.servers {
            if server.is_none()
                && let Some(request) = self.waiting.pop()
            {
                let life = &mut lives[request as usize];
                life.admitted = Some(now);
                let until = now + rules.prefill(now, life.to_prefill());
                *server = Some(AtWork { from: now, until, request });
            }
        }
    }
}
