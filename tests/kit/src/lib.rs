//! Test code shared by several crates.

pub mod boxes;
#[cfg(all(feature = "chromium", not(target_family = "wasm")))]
pub mod chromium;
#[cfg(feature = "font")]
mod font;
#[cfg(feature = "lists")]
pub mod lists;
mod oracle;
#[cfg(feature = "lists")]
pub mod pages;
#[cfg(feature = "lists")]
pub mod recorded;
mod rng;
#[cfg(all(feature = "chromium", not(target_family = "wasm")))]
pub mod rows;
mod scene_text;
pub mod streams;

#[cfg(feature = "font")]
pub use font::font;
pub use oracle::Oracle;
pub use rng::Rng;
pub use scene_text::{failing, scene_text};
