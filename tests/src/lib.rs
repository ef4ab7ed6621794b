//! What the tests share.

pub mod cpu;
pub mod gpu;
pub mod streams;
pub mod svg;
pub mod svg_alone;

/// The README's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
pub mod vello;
