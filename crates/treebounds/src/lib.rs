//! Computes the bounding boxes of a tree-structured 2D scene, in parallel on the GPU.
//!
//! A scene is a flat stream of draws, clips and blends ([`Stream`](treebounds_core::Stream)). For each
//! element, this crate computes the box in which it can change a pixel: clips intersect on the way down
//! the tree, blends unite on the way up. It records dispatches into the caller's encoder, on the
//! caller's buffers, for any nesting depth and as many elements as fit the buffers.
//!
//! # Theory
//! Begins and ends are parentheses. A sequence of parentheses pops some nodes from a stack and then
//! pushes some: `(closes, opens)`, an element of the *bicyclic semigroup*. Combining sequences is
//! associative, so a tree of them over the stream can be built in parallel, and a binary search in
//! that tree finds the stack at any position (Levien, "Fast GPU bounding boxes on tree-structured
//! scenes", 2022, section 3 and Figure 2).
//!
//! The top of the stack before an element is its parent. Boxes are products: clips *flow down* each
//! path from the root, contents *grow up* each subtree.
//!
//! ```text
//! elements  ( . ( . . ) . ) ( ( ...            . draw, ( begin, ) end
//! reduce    [       (     ][ ) ( ] ...         the opens and closes left in each tile, and its products
//! spine                                        for many tiles: the stack before each tile
//! resolve   0   0 2     2 0   . 8 ...          the parent of each element;
//!           pointer jumping, a walk: clips; a tree over lanes: contents
//! span      contents of nodes that begin in one tile and end in another
//! ```
//!
//! In large scenes with few markers (begins and ends), the markers are compacted first.
//! [`STAGE.md`](https://github.com/treebounds/treebounds/blob/main/shaders/STAGE.md) explains the
//! stage and its costs with an example.
//!
//! # Practice
//! ```
//! use treebounds::{Capacity, Inputs, Outputs, Stage, StageDescriptor, wgpu};
//!
//! /// Creates the pipelines once, and buffers and bindings again when the scene outgrows them.
//! fn prepare(device: &wgpu::Device) -> Result<(treebounds::Job, Inputs, Outputs), treebounds::Error> {
//!     let stage = Stage::new(device, &StageDescriptor::default())?;
//!     let capacity = Capacity::all_markers(10_000);
//!     let inputs = Inputs::new(device, capacity)?;
//!     let outputs = Outputs::new(device, capacity)?;
//!     let scratch = stage.scratch(capacity)?;
//!     let job = stage.bind(&inputs, &outputs, &scratch)?;
//!     Ok((job, inputs, outputs))
//! }
//!
//! /// Records every frame without allocating, submitting or waiting.
//! fn frame(encoder: &mut wgpu::CommandEncoder, job: &treebounds::Job) {
//!     job.record(encoder); // outputs.boxes then contains one box per element
//! }
//! ```
//!
//! A renderer with its own arena passes ranges of its buffers instead, as [`InputBindings`] and
//! [`OutputBindings`], and [`Stage::scratch_in`] for the scratch. `EMBEDDING.md` in this crate's folder
//! explains growing, scenes written by the GPU, frames in flight and lost devices.
//!
//! | object | purpose |
//! |---|---|
//! | [`Stage`] | bounds of every element of a scene |
//! | [`NodeStage`] | bounds for streams of markers only |
//! | [`HostClips`] | clips only, in a renderer's own buffers |
//! | [`Compactor`] | stream compaction of the markers |
//! | [`Matcher`] | parentheses matching only, for tree code |
//! | [`BracketMatcher`] | matching for parsers: bracket kinds, segments, depths and errors |
//! | [`RootFix`], [`LeafFix`] | the two passes for any other monoid |
//! | [`Binner`] | for each bin of the viewport, the elements that overlap it, in paint order |
//! | [`PieceBinner`] | binning with each list in pieces, which is faster for few bins |
//! | [`Damage`] | the bins in which two frames differ, and the bounding box of the differing pixels in each |
//! | [`Overlay`] | the boxes as lines in the host's own picture |
//!
//! [`capture`] reads the stream of a frame back, for a scene file.
//!
//! [`compute_async`] computes the bounds of one stream, including upload and readback; [`compute`] blocks
//! the thread. Without a GPU, [`treebounds_core::reference::bounds`] returns identical results.

mod binning;
mod capture;
mod damage;
mod gpu;
mod host_clips;
mod matching;
mod monoid;
mod overlay;
mod stage;

/// Internals shared with other crates of this workspace. They may change in any release.
#[doc(hidden)]
pub mod device {
    pub use crate::gpu::buffers::{Need, Range, check as check_buffers, create as create_buffer};
    pub use crate::gpu::{in_parallel, read, read_async, read_with, scoped};
}

pub use binning::{
    BinBindings, BinCapacity, BinScratch, Binner, BinnerDescriptor, Bins, PieceBinner,
    PieceBinnerDescriptor,
};
pub use capture::{capture, capture_async};
pub use damage::{Damage, DamageBindings, DamageBuffers, DamageDescriptor, FrameBindings};
pub use gpu::Gpu;
pub use gpu::capabilities::{Tuning, optional_features, required_features, required_limits};
pub use gpu::error::Error;
pub use gpu::job::{Dispatch, Job};
pub use host_clips::{HostAdapter, HostClips, HostClipsDescriptor};
pub use matching::{
    BracketBindings, BracketMatcher, BracketMatcherDescriptor, MatchBindings, MatchInput,
    MatchScratch, Matcher, MatcherDescriptor,
};
pub use monoid::{FixBindings, FixDescriptor, LeafFix, RootFix, WgslMonoid};
pub use overlay::{
    Overlay, OverlayBindings, OverlayDescriptor, OverlayJob, OverlayKind, OverlayView,
};
pub use stage::{
    Capacity, CompactBindings, Compactor, CompactorDescriptor, InputBindings, Inputs,
    NodeOutputBindings, NodeOutputs, NodeStage, OutputBindings, Outputs, Passes, Scratch, Stage,
    StageDescriptor, Times, compute, compute_async, compute_timed,
};

pub use treebounds_core;
pub use treebounds_shaders::{
    BinStatus, BracketCounts, Counts, LinkError, Params, Variant, VariantError,
};
pub use wgpu;

/// Compiles the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// Compiles the examples in EMBEDDING.md.
#[cfg(doctest)]
#[doc = include_str!("../EMBEDDING.md")]
pub struct Embedding;
