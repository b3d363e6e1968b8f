//! What a dashboard shows.

/// A quantity over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// Requests received, repeats included [requests/s].
    Requests,
    /// Requests received that no client had sent before [requests/s].
    NewRequests,
    /// Share of the requests received that their clients had sent before (0..=1).
    Repeated,
    /// Mean prompt of the requests received [tokens].
    PromptTokens,
    /// Share of the prompt tokens received that the prefix cache holds (0..=1).
    CacheHits,
    /// Median time to first token of the first tokens that came [s].
    TtftP50,
    /// Its 99th percentile [s].
    TtftP99,
    /// Mean time per output token of the requests that finished [s].
    Tpot,
    /// Requests that wait, all replicas together.
    Waiting,
    /// Sequences in a decode step, on average over the time inside one.
    Batch,
    /// Tokens that the first replica puts out [tokens/s].
    TokensOfFirst,
    /// Tokens that the second replica puts out [tokens/s].
    TokensOfSecond,
    /// Share of the KV memory in use, on average over the time that a replica works (0..=1).
    KvUsed,
    /// Share of a replica's KV memory that one sequence of its batch takes (0..=1).
    KvPerRequest,
    /// Sequences that lost their KV memory and start over [sequences/s].
    Preemptions,
    /// A decode step, on average over the time inside one [s].
    StepTime,
    /// Share of the time that the replicas work (0..=1). One that is gone does not.
    GpuBusy,
    /// Requests turned away [requests/s].
    Rejections,
}

impl Signal {
    /// Each of them.
    pub const ALL: [Self; 18] = [
        Self::Requests,
        Self::NewRequests,
        Self::Repeated,
        Self::PromptTokens,
        Self::CacheHits,
        Self::TtftP50,
        Self::TtftP99,
        Self::Tpot,
        Self::Waiting,
        Self::Batch,
        Self::TokensOfFirst,
        Self::TokensOfSecond,
        Self::KvUsed,
        Self::KvPerRequest,
        Self::Preemptions,
        Self::StepTime,
        Self::GpuBusy,
        Self::Rejections,
    ];
}
