//! The studies: pictures that follow the lab, in a module of their own that is fetched when the reader opens one.
//!
//! A [`study::Study`] simulates what it needs and says what it found, as an [`exhibit::Exhibit`]: words, pictures, tables,
//! and no browser in any of them. Each study has a folder; `room` is the place of one in the page, `view` shows an exhibit
//! there. The game, in `incident`, is no study: it follows nobody and has a room of its own.
#![forbid(unsafe_code)]

pub mod attainment;
pub mod autoscaler;
pub mod closed_loop;
pub mod distribution;
pub mod exhibit;
pub mod incident;
pub mod rates;
pub mod replicas;
pub mod study;
pub mod words;

#[cfg(target_arch = "wasm32")]
pub mod door;
#[cfg(target_arch = "wasm32")]
mod room;
#[cfg(target_arch = "wasm32")]
mod scheme;
#[cfg(target_arch = "wasm32")]
mod view;
