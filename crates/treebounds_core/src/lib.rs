//! Element streams of tree-structured 2D scenes, their bounding boxes, and the algebra behind them.
//!
//! A 2D scene is a flat sequence of draws, clips and blends in paint order, called an element [`Stream`]. This crate defines
//! streams and the bounding boxes of their elements, and computes the boxes sequentially ([`mod@reference`]). All faster
//! implementations must match the reference bit for bit.
//!
//! | module | contents |
//! |---|---|
//! | [`rect`] | [`Rect`], its intersection and union |
//! | [`stream`], [`builder`], [`tag`] | [`Stream`] and its [`Bounds`], [`StreamBuilder`], [`Tag`] |
//! | [`footprint`] | [`Footprint`]: how far a filter moves and spreads pixels |
//! | [`flow`] | [`Effect`](flow::Effect): how each filter effect moves pixels, and whether it fills |
//! | [`bins`] | [`BinGrid`], the bins of a viewport |
//! | [`brackets`] | [`Bracket`]: brackets of several kinds in segments, for parsers, and their errors |
//! | [`damage`] | [`DamageFinder`](damage::DamageFinder): the pixels that differ between two frames |
//! | [`layer_plan`] | the memory that the layers of a frame need |
//! | [`mod@pick`] | the elements at a point |
//! | [`mod@reference`] | sequential bounds, matching and binning; products along paths and over subtrees |
//! | [`monoid`] | [`Monoid`] and its laws; intersection and union of rects |
//! | [`bicyclic`] | [`Bicyclic`]: pops, then pushes |
//! | [`bicyclic_tree`] | [`BicyclicTree`]: matching by search instead of a stack |
//!
//! The crate needs `alloc` but not `std`.

#![no_std]

extern crate alloc;

pub mod bicyclic;
pub mod bicyclic_tree;
pub mod bins;
pub mod brackets;
pub mod builder;
pub mod damage;
pub mod flow;
pub mod footprint;
pub mod layer_plan;
pub mod monoid;
pub mod pick;
pub mod rect;
pub mod reference;
pub mod stream;
pub mod tag;

pub use bicyclic::Bicyclic;
pub use bicyclic_tree::{BicyclicTree, OpenPlace};
pub use bins::{BinGrid, BinGridError, BinHeader};
pub use brackets::{Bracket, BracketError, BracketErrorKind, BracketRole, Segment};
pub use builder::{BuildError, StreamBuilder};
pub use footprint::{Footprint, FootprintError};
pub use monoid::{Intersection, Monoid, Union};
pub use rect::{NotANumber, Rect};
pub use stream::{Bounds, NONE, Stream, StreamError};
pub use tag::{NodeKind, Role, Tag};

/// Compiles the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
