//! Taking a state of the lab away: its link, the code that brings it into another page, how to cite it, its data.
//!
//! What is written is plain text and made here without a browser; `view.rs` alone knows the page.

pub mod citation;
pub mod data;
pub mod embed;
pub mod state;
pub mod words;

#[cfg(target_arch = "wasm32")]
mod save;
#[cfg(target_arch = "wasm32")]
pub(crate) mod view;
