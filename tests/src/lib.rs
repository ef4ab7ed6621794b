//! What the tests share. In a browser, boxes and streams.

#[cfg(not(target_family = "wasm"))]
pub mod bound;
pub mod boxes;
#[cfg(all(feature = "browser", not(target_family = "wasm")))]
pub mod chromium;
#[cfg(not(target_family = "wasm"))]
pub mod cpu;
#[cfg(not(target_family = "wasm"))]
pub mod cut;
#[cfg(not(target_family = "wasm"))]
pub mod gpu;
#[cfg(not(target_family = "wasm"))]
pub mod scenes;
pub mod streams;
#[cfg(not(target_family = "wasm"))]
pub mod svg;
#[cfg(not(target_family = "wasm"))]
pub mod vello;

/// The README's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
