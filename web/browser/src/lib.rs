//! What both modules of the page ask of a browser: the lab (`web`), and the studies (`web/studies`).
#![forbid(unsafe_code)]

pub mod callbacks;
pub mod colours;
pub mod dom;
pub mod failure;
pub mod numerals;
pub mod panic;
pub mod scenario;
pub mod sight;

/// The memory of either module: this allocator is smaller than the standard library's, and as fast.
#[cfg(target_arch = "wasm32")]
#[global_allocator]
static MEMORY: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
