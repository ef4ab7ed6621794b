//! The inspector live in a browser.
//!
//! `cargo run -p treebounds_browser --features site --example browser` builds the site and serves it. In the site, a worker holds a
//! `wasm::Drawing`, which reads SVG files and computes their boxes: by the sequential reference, and on WebGPU.

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
