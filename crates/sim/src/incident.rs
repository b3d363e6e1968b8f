//! What goes wrong in a run, from one instant on.

/// A cause and when it sets in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Incident {
    /// What goes wrong.
    pub cause: Cause,
    /// From when on [s].
    pub from: f64,
    /// How much of it there is; see [`Cause`].
    pub strength: f64,
}

/// What goes wrong. Bursts are no cause of their own: a spike is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Prompts are longer by this factor.
    LongPrompts,
    /// Nothing is found in the prefix cache.
    ColdCache,
    /// The first replica fails at its next step boundary, and what it held goes to the others. Needs two.
    LostReplica,
    /// This share of the KV memory remains. Needs a limit on it.
    LessMemory,
    /// Every step takes longer by this factor.
    SlowGpu,
}
