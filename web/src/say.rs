//! The learner says it: why, in thirty seconds, to follow-up questions, and as a page to keep.
//!
//! State machines know no browser; each has a view beside it.

pub mod checklist;
pub mod quiz;
pub mod sheet;
pub mod timer;
pub mod words;

#[cfg(target_arch = "wasm32")]
mod attempt_view;
#[cfg(target_arch = "wasm32")]
mod checklist_view;
#[cfg(target_arch = "wasm32")]
mod own_view;
#[cfg(target_arch = "wasm32")]
mod quiz_view;
#[cfg(target_arch = "wasm32")]
mod sheet_view;
#[cfg(target_arch = "wasm32")]
mod timer_view;
#[cfg(target_arch = "wasm32")]
pub(crate) mod view;
