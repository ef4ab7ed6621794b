//! The inspector live in a browser.
//!
//! `cargo run --example browser` builds the site with [`build`], and serves it. In the site, a worker holds a
//! `wasm::Drawing`, which reads SVG files and computes their boxes: by the sequential reference, and on WebGPU.

#[cfg(not(target_family = "wasm"))]
mod server;
#[cfg(not(target_family = "wasm"))]
mod site;
#[cfg(target_family = "wasm")]
pub mod wasm;

#[cfg(not(target_family = "wasm"))]
pub use server::Server;
#[cfg(not(target_family = "wasm"))]
pub use site::{Site, build};
