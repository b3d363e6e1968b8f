//! One request's life, and the state that goes with it from place to place.

use goodput_sim::{Lengths, SimTime};

use super::clients::Letter;

/// One request that was sent.
#[derive(Clone, Debug)]
pub struct Request {
    /// Its place among those that were drawn.
    pub drawn: usize,
    /// How many times the same was sent before.
    pub attempt: u32,
    /// When its client wanted it.
    pub intended: SimTime,
    /// When it was sent.
    pub sent: SimTime,
    /// Its lengths at that instant.
    pub lengths: Lengths,
    /// Whether it has the high priority.
    pub high: bool,
    /// What random routing reads.
    pub unit_route: f64,
    /// Whether it was turned away.
    pub rejected: bool,
    /// The replica of its first token; with prefill servers the last one it went to.
    pub replica: Option<usize>,
    /// When it was first taken from a line.
    pub admitted: Option<SimTime>,
    /// Its tokens, in order.
    pub tokens: Vec<SimTime>,
    /// When it left.
    pub finish: Option<SimTime>,
    /// How many times memory ran out under it.
    pub preemptions: u32,
    /// Decode steps that it has taken, over all its stays.
    pub done: u32,
    /// Whether what was computed of it is lost.
    pub lost_its_blocks: bool,
    /// Whether a prefill server computed its prompt, and sent it to a replica.
    pub delivered: bool,
}

impl Request {
    pub(super) fn new(letter: &Letter, high: bool, lengths: Lengths, now: SimTime) -> Self {
        Self {
            drawn: letter.drawn,
            attempt: letter.attempt,
            intended: letter.intended.unwrap_or(now),
            sent: now,
            lengths,
            high,
            unit_route: letter.unit_route,
            rejected: false,
            replica: None,
            admitted: None,
            tokens: Vec::new(),
            finish: None,
            preemptions: 0,
            done: 0,
            lost_its_blocks: false,
            delivered: false,
        }
    }

    /// Tokens of context, so far.
    pub(super) fn context(&self) -> u32 {
        self.lengths.prompt + self.done
    }

    /// Tokens to prefill when a replica admits it.
    pub(super) fn to_prefill(&self) -> u32 {
        if self.lost_its_blocks {
            self.context()
        } else if self.delivered {
            0
        } else {
            self.lengths.prompt - self.lengths.cached
        }
    }

    /// Its prompt is computed: there is its first token, unless it was there before.
    pub(super) fn emit_first_token(&mut self, replica: usize, at: SimTime) {
        if self.tokens.is_empty() {
            self.tokens.push(at);
            self.replica = Some(replica);
        }
    }
}

/// The unit draw of the next route: the golden ratio spreads successive ones evenly.
pub(super) fn next_unit(unit: f64) -> f64 {
    (unit + 0.618_033_988_749_894_9).fract()
}
