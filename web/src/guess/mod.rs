//! Predict, then see: what the reader expects of 5 and 6 requests/s before the lab shows them.
//!
//! The guess stays on the device and beside the truth. It can be passed over at once and is never asked for twice.

pub mod state;
pub mod words;

#[cfg(target_arch = "wasm32")]
mod sketch;
#[cfg(target_arch = "wasm32")]
pub(crate) mod view;
