//! What both modules of the page ask of a browser: the lab (`web`), and the studies (`web/studies`).
#![forbid(unsafe_code)]

pub mod callbacks;
pub mod colours;
pub mod dom;
pub mod numerals;
pub mod panic;
pub mod sight;
