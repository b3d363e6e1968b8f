//! What may have gone wrong.

use crate::signal::Signal;

/// A cause, as somebody on call would name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagnosis {
    /// More requests come.
    Burst,
    /// Prompts are longer.
    LongPrompts,
    /// The prefix cache was cleared, and nothing fills it.
    ClearedCache,
    /// One of the replicas is gone.
    LostReplica,
    /// There is less KV memory.
    KvPressure,
    /// Every step takes longer.
    SlowerGpu,
    /// A short overload made clients send again, and their repeats keep the servers overloaded.
    RetryStorm,
}

impl Diagnosis {
    /// Each of them, in the order in which they are offered.
    pub const ALL: [Self; 7] = [
        Self::Burst,
        Self::LongPrompts,
        Self::ClearedCache,
        Self::LostReplica,
        Self::KvPressure,
        Self::SlowerGpu,
        Self::RetryStorm,
    ];

    /// The one signal that this cause moves and no symptom does. Memory that fills and steps that take longer are symptoms
    /// too, so they are read together with the batch: [`Signal::KvPerRequest`], and the step time at its batch.
    #[must_use]
    pub const fn signature(self) -> Signal {
        match self {
            Self::Burst => Signal::NewRequests,
            Self::LongPrompts => Signal::PromptTokens,
            Self::ClearedCache => Signal::CacheHits,
            Self::LostReplica => Signal::TokensOfFirst,
            Self::KvPressure => Signal::KvPerRequest,
            Self::SlowerGpu => Signal::StepTime,
            Self::RetryStorm => Signal::Repeated,
        }
    }
}
