//! Converts SVG files, canvas calls and Vello encodings into element streams.
//!
//! Every module produces a [`Scene`]: a flat [`Stream`](treebounds_core::Stream) of draws, clips and blends in paint
//! order, and the origin of each element. SVG files also produce a [`SourceDocument`], which lists their objects and
//! the object of each element.
//!
//! | module | feature | reads |
//! |---|---|---|
#![cfg_attr(feature = "svg", doc = "| [`svg`] | `svg` | SVG files, plain or gzipped |")]
#![cfg_attr(feature = "canvas", doc = "| [`canvas`] | `canvas` | drawing calls |")]
#![cfg_attr(
    feature = "vello",
    doc = "| [`vello`] | `vello` | a finished `vello_encoding::Encoding` |"
)]

#[cfg(feature = "canvas")]
pub mod canvas;
#[cfg(any(feature = "svg", feature = "canvas", feature = "vello"))]
mod geometry;
mod scene;
#[cfg(feature = "svg")]
pub mod svg;
#[cfg(feature = "vello")]
pub mod vello;

pub use scene::{Cut, Ignored, Object, Origin, Part, Scene, SourceDocument};

/// Compiles the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
