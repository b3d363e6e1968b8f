//! "What went wrong?": one hidden cause in the second half of a run, what a dashboard shows of it, and what tells it apart.
//!
//! A [`Game`] is a scenario and its cause, from a number alone. A [`Dashboard`] is what operations would see of its run. A
//! [`Verdict`] holds a diagnosis against the truth, with the figures before and after. No words for readers stand here.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod buckets;
mod dashboard;
mod diagnosis;
mod draws;
mod game;
mod signal;
mod verdict;
mod workload;

pub use dashboard::{BUCKET_S, Dashboard};
pub use diagnosis::Diagnosis;
pub use game::Game;
pub use signal::Signal;
pub use verdict::{Change, Verdict};
