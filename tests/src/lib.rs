//! What the suite shares with other tests that need a GPU or paint. In a browser, only the test kit.

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

/// The README's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
