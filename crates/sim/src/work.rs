//! What each request asks of the server.

use alloc::vec::Vec;

use crate::units::SimTime;

/// What one request asks of the server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Its prefill [ns].
    pub prefill: SimTime,
    /// Its answer [tokens]. It stays for as many decode steps: the last one closes the stream.
    pub output: u32,
}

impl Work {
    /// The tokens after the first one.
    #[must_use]
    #[inline(always)]
    pub const fn later_tokens(self) -> u32 {
        self.output - 1
    }

    /// From the first token to the end [ns]. A one-token answer has no later token: it streams for no time, however long its
    /// closing step takes.
    #[inline(always)]
    pub(crate) fn streaming(self, first_token: SimTime, finish: SimTime) -> SimTime {
        if self.later_tokens() == 0 { SimTime::ZERO } else { finish - first_token }
    }
}

/// The work of every request: one value for all while nothing varies, which costs neither time nor memory.
#[derive(Clone, Debug, Default)]
pub struct Works {
    same: Work,
    each: Vec<Work>,
}

impl Works {
    /// The same work for all requests, until some is given by [`Works::push`]. Keeps its memory.
    pub(crate) fn restart(&mut self, same: Work) {
        self.same = same;
        self.each.clear();
    }

    pub(crate) fn reserve(&mut self, requests: usize) {
        self.each.reserve(requests);
    }

    /// The work of the next request. Give it for all or for none.
    pub(crate) fn push(&mut self, work: Work) {
        self.each.push(work);
    }

    /// Whether all requests are equal.
    pub(crate) fn are_equal(&self) -> bool {
        self.each.is_empty()
    }

    /// The work of a request, by its place in the order of arrival.
    #[must_use]
    #[inline(always)]
    pub fn of(&self, request: usize) -> Work {
        self.each.get(request).copied().unwrap_or(self.same)
    }
}
