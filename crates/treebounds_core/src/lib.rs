//! The vocabulary and the truth of treebounds.
//!
//! A 2D scene is a flat sequence of draws, clips and blends in paint order: an
//! element [`Stream`]. This crate says what a stream is, what the bounding boxes
//! of its elements are, and computes them one element at a time
//! ([`mod@reference`]). Every faster way to compute them, on a GPU
//! or on many cores, must give the same bits.
//!
//! | module | what it holds |
//! |---|---|
//! | [`rect`] | [`Rect`], its intersection and union |
//! | [`stream`], [`builder`] | [`Stream`], [`StreamBuilder`] |
//! | [`bounds`] | [`Bounds`], the answer |
//! | [`bins`] | [`BinGrid`], the bins of a viewport |
//! | [`mod@reference`] | the answer, computed the plain way; products along paths and over subtrees |
//! | [`monoid`] | [`Monoid`] and its laws; rects that intersect, rects that unite |
//! | [`bicyclic`], [`stack_monoid`] | [`Bicyclic`], [`StackMonoid`]: pops, then pushes |
//! | [`scan`] | reductions and scans over any monoid, one of them a tree |
//! | [`bicyclic_tree`] | [`BicyclicTree`]: matching by search instead of by a stack |
//!
//! It needs `alloc` but not `std`.

#![no_std]

extern crate alloc;

pub mod bicyclic;
pub mod bicyclic_tree;
pub mod bins;
pub mod bounds;
pub mod builder;
pub mod monoid;
pub mod rect;
pub mod reference;
pub mod scan;
pub mod stack_monoid;
pub mod stream;
pub mod tag;

pub use bicyclic::Bicyclic;
pub use bicyclic_tree::{BicyclicTree, OpenPlace};
pub use bins::{BinGrid, BinGridError, BinHeader};
pub use bounds::{Bounds, NONE};
pub use builder::{BuildError, StreamBuilder};
pub use monoid::{Intersection, Monoid, Union};
pub use rect::{NotANumber, Rect};
pub use stack_monoid::StackMonoid;
pub use stream::{Stream, StreamError};
pub use tag::{NodeKind, Role, Tag};

/// The README's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
