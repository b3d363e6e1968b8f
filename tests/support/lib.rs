//! Shared pieces of the tests.

pub mod digest;
pub mod readability;
pub mod twin;
