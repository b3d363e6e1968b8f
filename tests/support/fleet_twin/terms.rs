//! What things cost and how long they are, with the incident's say.

use goodput_sim::{Cause, Lengths, Scenario, SimTime};

/// Tokens that one block of KV memory holds.
const BLOCK_TOKENS: u32 = 16;

/// Blocks that hold so many tokens.
pub(super) fn blocks(tokens: u32) -> i64 {
    i64::from(tokens.div_ceil(BLOCK_TOKENS))
}

#[derive(Clone, Copy)]
pub(super) struct Terms<'s> {
    pub(super) scenario: &'s Scenario,
}

impl Terms<'_> {
    pub(super) fn horizon(&self) -> SimTime {
        SimTime::from_secs(self.scenario.horizon)
    }

    /// The strength of an incident, if it is of this cause and has set in by `at`.
    pub(super) fn strength(&self, cause: Cause, at: SimTime) -> Option<f64> {
        let incident = self.scenario.incident.filter(|incident| incident.cause == cause)?;
        (at >= SimTime::from_secs(incident.from)).then_some(incident.strength)
    }

    /// The lengths of a request that is sent at `at`.
    pub(super) fn sent(&self, drawn: Lengths, at: SimTime) -> Lengths {
        let mut lengths = drawn;
        if let Some(strength) = self.strength(Cause::LongPrompts, at) {
            let longer = |tokens: u32| (f64::from(tokens) * strength + 0.5) as u32;
            lengths.prompt = longer(drawn.prompt).clamp(1, 1_000_000);
            lengths.cached = longer(drawn.cached).min(lengths.prompt);
        }
        if self.strength(Cause::ColdCache, at).is_some() {
            lengths.cached = 0;
        }
        lengths
    }

    /// A time that starts at `at`, on GPUs that may be slow by then.
    fn on_gpu(&self, time: SimTime, at: SimTime) -> SimTime {
        match self.strength(Cause::SlowGpu, at) {
            Some(strength) => SimTime::from_nanos((time.as_nanos() as f64 * strength + 0.5) as u64),
            None => time,
        }
    }

    fn prefill_before_incident(&self, tokens: u32) -> SimTime {
        SimTime::from_millis(self.scenario.prefill_ms_per_1k * f64::from(tokens) / 1000.0)
    }

    /// A whole prompt, or the part of it that is in no cache.
    pub(super) fn prefill(&self, tokens: u32, at: SimTime) -> SimTime {
        self.on_gpu(self.prefill_before_incident(tokens), at)
    }

    /// A decode step of so many sequences, with so many tokens of prompts in it.
    pub(super) fn step(&self, running: usize, chunks: u32, at: SimTime) -> SimTime {
        let (step, per_seq) = (self.scenario.step_ms, self.scenario.per_seq_ms);
        let decode = SimTime::from_millis(step) + SimTime::from_millis(per_seq) * running as u64;
        self.on_gpu(decode + self.prefill_before_incident(chunks), at)
    }

    /// From a prefill server to a replica.
    pub(super) fn transfer(&self, prompt: u32) -> SimTime {
        SimTime::from_millis(self.scenario.transfer_ms_per_1k * f64::from(prompt) / 1000.0)
    }

    /// Blocks of a replica, at a boundary; `None` for no limit.
    pub(super) fn blocks_in_all(&self, at: SimTime) -> Option<i64> {
        let whole = self.scenario.kv_tokens / BLOCK_TOKENS;
        let left = match self.strength(Cause::LessMemory, at) {
            Some(strength) => (f64::from(whole) * strength) as i64,
            None => i64::from(whole),
        };
        (self.scenario.kv_tokens > 0).then_some(left)
    }

    /// Whether prompt and answer are more than the memory of a replica held in the beginning.
    pub(super) fn can_never_fit(&self, lengths: Lengths) -> bool {
        let whole = i64::from(self.scenario.kv_tokens / BLOCK_TOKENS);
        self.scenario.kv_tokens > 0 && blocks(lengths.prompt + lengths.output) > whole
    }
}
