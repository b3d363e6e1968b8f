//! The page: turns input into messages, and the model's state into pixels and words.
//!
//! The way is `input` event -> [`model::Msg`] -> [`model::Model::update`] -> one animation frame -> simulate -> view
//! model -> canvas and `<output>`s, and there is no way back. No formula of the model is here.
#![forbid(unsafe_code)]

pub mod accent;
pub mod address;
pub mod curve;
pub mod draws;
pub mod effect;
pub mod goals;
pub mod guess;
pub mod journal;
pub mod lever;
pub mod locks;
pub mod model;
pub mod pins;
pub mod player;
pub mod rate;
pub mod refusal;
pub mod say;
pub mod sentences;
pub mod setup;
pub mod share;
pub mod told;
pub mod wire;
pub mod words;

#[cfg(target_arch = "wasm32")]
pub mod api;
#[cfg(target_arch = "wasm32")]
mod app;
#[cfg(target_arch = "wasm32")]
mod autopsy;
#[cfg(target_arch = "wasm32")]
mod beside;
#[cfg(target_arch = "wasm32")]
mod canvas;
#[cfg(target_arch = "wasm32")]
mod clipboard;
#[cfg(target_arch = "wasm32")]
mod controls;
#[cfg(target_arch = "wasm32")]
mod goals_view;
#[cfg(target_arch = "wasm32")]
mod host;
#[cfg(target_arch = "wasm32")]
pub mod lab;
#[cfg(target_arch = "wasm32")]
mod layer;
#[cfg(target_arch = "wasm32")]
mod levers_view;
#[cfg(target_arch = "wasm32")]
mod little;
#[cfg(target_arch = "wasm32")]
mod medium;
#[cfg(target_arch = "wasm32")]
mod memory;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(target_arch = "wasm32")]
mod panel;
#[cfg(target_arch = "wasm32")]
mod picture;
#[cfg(target_arch = "wasm32")]
mod prose;
#[cfg(target_arch = "wasm32")]
mod readouts;
#[cfg(target_arch = "wasm32")]
mod resize;
#[cfg(target_arch = "wasm32")]
mod scheme;
#[cfg(target_arch = "wasm32")]
mod table;

#[cfg(target_arch = "wasm32")]
use goodput_browser::{callbacks, dom, failure, numerals, panic, sight};
