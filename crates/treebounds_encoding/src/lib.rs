//! Scenes in: SVG files, canvas calls and Vello encodings as element streams.
//!
//! Each way in ends in the same [`Scene`](treebounds_report::Scene): a flat
//! [`Stream`](treebounds_core::Stream) of draws, clips and blends in paint
//! order, and a note of where each element came from.
//!
//! | module | feature | reads |
//! |---|---|---|
#![cfg_attr(feature = "svg", doc = "| [`svg`] | `svg` | SVG files, plain or gzipped |")]
#![cfg_attr(feature = "canvas", doc = "| [`canvas`] | `canvas` | drawing calls, one at a time |")]
#![cfg_attr(
    feature = "vello",
    doc = "| [`vello`] | `vello` | a finished `vello_encoding::Encoding` |"
)]

#[cfg(feature = "canvas")]
pub mod canvas;
#[cfg(any(feature = "canvas", feature = "vello"))]
mod geometry;
#[cfg(feature = "svg")]
pub mod svg;
#[cfg(feature = "vello")]
pub mod vello;

/// The README's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
