//! Shared pieces of the tests.

pub mod digest;
pub mod fleet_twin;
pub mod readability;
pub mod twin;
