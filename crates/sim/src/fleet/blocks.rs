//! KV memory in blocks: what is free, and when the growing sequences use it up.

/// Tokens in a block.
pub(super) const BLOCK_TOKENS: u64 = 16;

/// The blocks that so many tokens need.
pub(super) const fn blocks(tokens: u64) -> i64 {
    tokens.div_ceil(BLOCK_TOKENS) as i64
}

/// The KV memory of one server. Without a limit nothing is counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    total: Option<i64>,
    /// May be negative: a lone request goes on whatever there is, and memory may have been lost.
    free: i64,
    /// How many sequences of the batch need a new block in each decode step whose number leaves this remainder.
    growing: [u32; BLOCK_TOKENS as usize],
}

impl Blocks {
    /// Memory for so many tokens; 0 for no limit.
    pub(super) fn of_tokens(kv_tokens: u32) -> Self {
        let total = (kv_tokens > 0).then(|| i64::from(kv_tokens) / BLOCK_TOKENS as i64);
        Self { total, free: total.unwrap_or(0), growing: [0; BLOCK_TOKENS as usize] }
    }

    pub(super) fn are_limited(&self) -> bool {
        self.total.is_some()
    }

    /// Blocks in use, and how many there are; zeros without a limit. Far below 2^31: 10^9 tokens of memory are the most.
    pub(super) fn used_and_total(&self) -> (i32, i32) {
        let total = self.total.unwrap_or(0);
        ((total - self.free) as i32, total as i32)
    }

    pub(super) fn free(&self) -> i64 {
        self.free
    }

    /// Only this share of the memory is left.
    pub(super) fn shrink(&mut self, share: f64) {
        if let Some(total) = &mut self.total {
            let left = (*total as f64 * share) as i64;
            self.free -= *total - left;
            *total = left;
        }
    }

    pub(super) fn take(&mut self, blocks: i64) {
        self.free -= blocks;
    }

    pub(super) fn give_back(&mut self, blocks: i64) {
        self.free += blocks;
    }

    /// A sequence that holds so many tokens joins the batch before the decode step of this number.
    pub(super) fn join(&mut self, tokens: u64, step: u64) {
        self.growing[remainder(tokens, step)] += 1;
    }

    /// A sequence that holds so many tokens leaves the batch before the decode step of this number.
    pub(super) fn leave(&mut self, tokens: u64, step: u64) {
        self.growing[remainder(tokens, step)] -= 1;
    }

    /// New blocks that the batch needs in so many decode steps from this number on, with so many in it.
    pub(super) fn growth(&self, from: u64, steps: u64, running: u32) -> i64 {
        // In each round of steps each sequence needs a block.
        let rounds = steps / BLOCK_TOKENS;
        let rest: i64 = (from..from + steps % BLOCK_TOKENS).map(|step| self.growing_in(step)).sum();
        i64::from(running) * rounds as i64 + rest
    }

    /// How many decode steps from this number on the free blocks last for, at most so many, with so many in the batch.
    pub(super) fn steps_until_full(&self, from: u64, most: u64, running: u32) -> u64 {
        let all = i64::from(running);
        // Mostly there is room for all the rounds.
        let rounds = most.div_ceil(BLOCK_TOKENS);
        if all == 0 || self.free >= all.saturating_mul(rounds as i64) {
            return most;
        }
        let rounds = self.free.max(0) / all;
        let mut left = self.free.max(0) - rounds * all;
        let mut steps = rounds as u64 * BLOCK_TOKENS;
        // Ends within a round: a whole one needs more than is left.
        while left >= self.growing_in(from + steps) {
            left -= self.growing_in(from + steps);
            steps += 1;
        }
        steps.min(most)
    }

    /// New blocks that the batch needs in the decode step of this number.
    pub(super) fn growing_in(&self, step: u64) -> i64 {
        i64::from(self.growing[(step % BLOCK_TOKENS) as usize])
    }
}

/// In decode steps of which remainder a sequence needs a new block, if it holds so many tokens before this one.
fn remainder(tokens: u64, step: u64) -> usize {
    (step.wrapping_sub(tokens) % BLOCK_TOKENS) as usize
}

#[cfg(test)]
mod tests {
    use super::{Blocks, blocks};

    #[test]
    fn growth_is_a_block_for_every_sixteenth_token() {
        let mut memory = Blocks::of_tokens(1600);
        assert_eq!(memory.used_and_total(), (0, 100));
        for (tokens, step) in [(1000, 7), (16, 7), (33, 7)] {
            memory.take(blocks(tokens));
            memory.join(tokens, step);
        }
        for steps in 0..100 {
            let by_hand: i64 = [1000, 16, 33].iter().map(|&held| blocks(held + steps) - blocks(held)).sum();
            assert_eq!(memory.growth(7, steps, 3), by_hand, "{steps}");
        }
        let lasting = memory.steps_until_full(7, u64::MAX, 3);
        assert_eq!(memory.steps_until_full(7, 5, 3), 5);
        assert!(memory.growth(7, lasting, 3) <= memory.free());
        assert!(memory.growth(7, lasting + 1, 3) > memory.free());
        memory.leave(1000 + 3, 10);
        assert_eq!(memory.growth(10, 16, 2), 2);
    }

    #[test]
    fn no_limit_counts_nothing() {
        let memory = Blocks::of_tokens(0);
        assert!(!memory.are_limited());
        assert_eq!(memory.used_and_total(), (0, 0));
    }
}
