//! What the tests share.

pub mod boxes;
pub mod cpu;
pub mod formats;
pub mod gpu;
pub mod streams;
pub mod svg;
pub mod svg_alone;
pub mod vello;

/// The README's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;
