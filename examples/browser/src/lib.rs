//! The live inspector in a browser.
//!
//! `cargo run -p treebounds_browser --features site --example browser` builds the site and serves it. In the site, a worker
//! uses a `wasm::Desk`, which reads SVG files and computes their boxes with the sequential reference and on WebGPU.

#[cfg(all(feature = "site", not(target_family = "wasm")))]
mod server;
#[cfg(all(feature = "site", not(target_family = "wasm")))]
mod site;
#[cfg(target_family = "wasm")]
pub mod wasm;

#[cfg(all(feature = "site", not(target_family = "wasm")))]
pub use server::Server;
#[cfg(all(feature = "site", not(target_family = "wasm")))]
pub use site::{Site, build};
