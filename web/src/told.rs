//! What a lab tells those who listen: the details of its events, and the payloads of its messages.

use serde::Serialize;

/// The engine runs.
#[derive(Clone, Debug, Serialize)]
pub struct Ready {
    /// The version of the page.
    pub version: &'static str,
    /// The height of the content [CSS px].
    pub height: u32,
}

/// The content has another height.
#[derive(Clone, Debug, Serialize)]
pub struct Height {
    /// The height of the content [CSS px].
    pub height: u32,
}

/// Something was refused.
#[derive(Clone, Debug, Serialize)]
pub struct Failed {
    /// One sentence: the value, and what is allowed.
    pub message: String,
}

/// What the learner expects; null where nothing was said.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Predicted {
    /// Whether the p99 of the TTFT passes its limit at 5 requests/s.
    pub late: Option<bool>,
    /// Whether the learner is sure of that.
    pub sure: Option<bool>,
    /// Goodput at 6 requests/s [requests/s].
    pub goodput_requests_per_s: Option<f64>,
    /// The p99 of the TTFT as drawn: arrival rates [requests/s] and times [s].
    pub ttft_p99_s: Vec<(f64, f64)>,
}

/// A goal is reached.
#[derive(Clone, Debug, Serialize)]
pub struct Reached {
    /// Its short name.
    pub goal: &'static str,
    /// How many are reached.
    pub done: usize,
    /// How many there are.
    pub of: usize,
}

/// A question was answered.
#[derive(Clone, Debug, Serialize)]
pub struct Answered {
    /// Its short name.
    pub question: &'static str,
    /// Whether the answer is right.
    pub correct: bool,
}

/// The learner has done all there is to do.
#[derive(Clone, Debug, Serialize)]
pub struct Score {
    /// Points.
    pub score: usize,
    /// Most points.
    pub max: usize,
}
