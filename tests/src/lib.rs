//! Test code shared between the suite and other tests that need a GPU or paint. In a browser, only
//! the test kit is available.

#![cfg(not(target_family = "wasm"))]

pub mod bound;
#[cfg(feature = "browser")]
pub mod chromium;
pub mod cpu;
pub mod cut;
pub mod gpu;
pub mod scenes;
pub mod svg;
pub mod vello;

pub use treebounds_testkit::{boxes, streams};

/// Compiles the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
