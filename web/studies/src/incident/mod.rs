//! "What went wrong?": a dashboard in small charts, a question, a verdict. The game itself is the crate `goodput-incidents`.
//!
//! `play` is its state, `board` what the dashboard shows, in words and values, `small_chart` draws one of its panels, and
//! `findings` words the verdict. `room` is the place of it all in the page.

pub mod board;
pub mod findings;
pub mod play;
#[cfg(any(target_arch = "wasm32", test))]
mod small_chart;

#[cfg(target_arch = "wasm32")]
pub(crate) mod room;
