//! One request's way through a fleet.

use crate::lengths::Lengths;
use crate::metrics::Window;
use crate::units::SimTime;

/// One request that was sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Life {
    /// When it was sent [ns].
    pub sent: SimTime,
    /// When its client wanted to send it [ns]: earlier, if the client had to wait for an answer first.
    pub intended: SimTime,
    /// Its lengths, as they were when it was sent.
    pub lengths: Lengths,
    /// How often the client had sent the same before.
    pub attempt: u32,
    /// Whether it has the high priority.
    pub high: bool,
    /// Whether it was turned away.
    pub rejected: bool,
    /// The server of its first token, or, where other servers prefill, the last one that decodes it; `None` until it is known.
    pub replica: Option<u32>,
    /// When it was first admitted to a server [ns]: the end of its wait.
    pub admitted: Option<SimTime>,
    /// Its first token [ns].
    pub first_token: Option<SimTime>,
    /// Its end [ns].
    pub finish: Option<SimTime>,
    /// How often it lost its KV memory and had to start over.
    pub preemptions: u32,
    pub(super) progress: Progress,
}

/// How far a request is.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Progress {
    /// A uniform draw for the way.
    pub(super) route: f64,
    /// Its last token before it joined the batch [ns].
    pub(super) last_token: SimTime,
    /// Which one of those that were drawn.
    pub(super) drawn: u32,
    /// Decode steps taken, up to the current stay in a batch.
    pub(super) done: u32,
    /// Whether a prefill is due again for all it has, because its KV memory was lost.
    pub(super) lost: bool,
    /// Whether other servers did its prefill.
    pub(super) delivered: bool,
    /// The stretch of its server in which it joined the batch.
    pub(super) joined: u32,
}

impl Life {
    /// Whether it counts in a distribution: sent in the window, finished by the horizon.
    pub(super) fn is_measured(&self, window: Window) -> bool {
        self.sent >= window.from && self.finish.is_some_and(|finish| finish <= window.to)
    }

    /// Tokens that its KV memory holds while it is in no batch or just joining one.
    pub(super) fn held_tokens(&self) -> u64 {
        u64::from(self.lengths.prompt) + u64::from(self.progress.done)
    }

    /// Tokens to prefill when it is admitted.
    pub(super) fn to_prefill(&self) -> u32 {
        if self.progress.lost {
            self.lengths.prompt + self.progress.done
        } else if self.progress.delivered {
            0
        } else {
            self.lengths.prompt - self.lengths.cached
        }
    }

    /// Decode steps it still needs.
    pub(super) fn steps_left(&self) -> u32 {
        self.lengths.output - self.progress.done
    }

    /// Whether it has its first token at an instant.
    pub(super) fn has_token_at(&self, at: SimTime) -> bool {
        self.first_token.is_some_and(|first| first <= at)
    }

    /// The prefill of all it needs ends: a first token, unless it had one.
    pub(super) fn prefilled(&mut self, at: SimTime) {
        if self.first_token.is_none() {
            self.first_token = Some(at);
            self.progress.last_token = at;
        }
    }
}

/// One stay of a request in a batch.
#[derive(Clone, Debug)]
pub(super) struct Stint {
    pub(super) request: u32,
    pub(super) replica: u32,
    /// First and last stretch of the stay.
    pub(super) stretches: (u32, u32),
    /// Decode steps in it.
    pub(super) steps: u32,
    /// The token before it [ns].
    pub(super) last_token: SimTime,
    /// Whether the request finished with it: then its last step gave no token.
    pub(super) is_last: bool,
}
