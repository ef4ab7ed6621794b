//! The bounding boxes of a tree-structured 2D scene, in parallel on the GPU.
//!
//! A scene is a flat stream of draws, clips and blends
//! ([`Stream`](treebounds_core::Stream)). This crate tells where each of them can
//! change a pixel: clips intersect on the way down the tree, blends unite on the
//! way up. It records its dispatches into the caller's encoder, on the caller's
//! buffers, for any number of elements that the buffers hold and any depth.
//!
//! # Theory
//! Begins and ends are parentheses. A run of parentheses does one thing to a
//! stack: it pops some nodes and pushes some, `(closes, opens)`, an element of
//! the *bicyclic semigroup*. Such runs combine associatively, so a tree of them
//! over the stream can be built in parallel, and a binary search in that tree
//! finds what is on the stack at any place (Levien, "Fast GPU bounding boxes on
//! tree-structured scenes", 2022, section 3 and Figure 2).
//!
//! That gives each element the top of the stack before it, its parent. The rest is
//! products: clips *flow down* each path from the root, contents *grow up* each subtree.
//!
//! ```text
//! elements  ( . ( . . ) . ) ( ( ...            . draw, ( begin, ) end
//! reduce    [       (     ][ ) ( ] ...         what a tile leaves open, and its products
//! spine                                        of many tiles: the stack before each tile
//! resolve   0   0 2     2 0   . 8 ...          the top of the stack before each element;
//!           pointer jumping, a walk: clips; a tree over lanes: contents
//! span      contents of nodes that begin in one tile and end in another
//! ```
//!
//! Of many elements and few nodes, the nodes are compacted first, and the kernels work on these.
//! [`STAGE.md`](https://github.com/treebounds/treebounds/blob/main/shaders/STAGE.md)
//! explains it by an example, with what it costs.
//!
//! # Practice
//! ```
//! use treebounds::{Capacity, Inputs, Options, Outputs, Stage};
//!
//! /// Once: pipelines. Whenever the scene outgrows it: buffers and bindings.
//! fn prepare(device: &wgpu::Device) -> Result<(treebounds::Job, Inputs, Outputs), treebounds::Error> {
//!     let stage = Stage::new(device, &Options::default())?;
//!     let capacity = Capacity { elements: 10_000, markers: 2_000 };
//!     let inputs = Inputs::new(device, capacity)?;
//!     let outputs = Outputs::new(device, capacity)?;
//!     let scratch = stage.scratch(capacity)?;
//!     let job = stage.bind(&inputs, &outputs, &scratch)?;
//!     Ok((job, inputs, outputs))
//! }
//!
//! /// Every frame: nothing is allocated, submitted or waited for.
//! fn frame(encoder: &mut wgpu::CommandEncoder, job: &treebounds::Job) {
//!     job.record(encoder); // outputs.boxes holds a box an element
//! }
//! # use treebounds::wgpu;
//! ```
//!
//! [`NodeStage`] is the stage for a stream of nodes alone, without what only draws want. [`Matcher`] is
//! matching alone, for parsers and tree code. [`RootFix`] and [`LeafFix`] are
//! the two passes for any other monoid. [`Compactor`] is stream compaction alone.
//!
//! [`Binner`] makes lists of the elements that touch each bin of the viewport, in paint
//! order; [`PieceBinner`] leaves each in pieces, which is faster where
//! bins are few.
//!
//! [`compute_async`] does all of it for one stream, with upload and readback, for tools, tests
//! and pages; [`compute`] is the same for a thread that may block. Without a GPU, [`treebounds_core::reference::bounds`] gives the same
//! bits.

mod bin_plan;
mod binning;
mod bins;
mod buffers;
mod capacity;
mod compact;
mod compiled;
mod compiler;
mod compute;
pub mod device;
mod error;
mod fix;
mod gpu;
mod host;
mod job;
mod kernels;
mod matching;
mod node_stage;
mod options;
mod pieces;
mod pipelines;
mod plan;
mod read;
mod ready;
mod scratch;
mod side_by_side;
mod sparse;
mod stage;
mod tree;
mod tree_layout;

pub use binning::{BinScratch, Binner};
pub use bins::{BinCapacity, Bins};
pub use buffers::{Inputs, Outputs};
pub use capacity::Capacity;
pub use compact::Compactor;
pub use compute::{Times, compute, compute_async, compute_timed};
pub use error::Error;
pub use fix::{LeafFix, RootFix, WgslMonoid};
pub use gpu::Gpu;
pub use host::{Host, HostClips};
pub use job::{Dispatch, Job};
pub use matching::{MatchInput, MatchScratch, Matcher};
pub use node_stage::{NodeOutputs, NodeStage};
pub use options::{Options, Passes, optional_features, required_features, required_limits};
pub use pieces::PieceBinner;
pub use scratch::Scratch;
pub use stage::Stage;

pub use treebounds_core;
pub use treebounds_shaders::{BinStatus, Counts, Params, Variant, VariantError};
pub use wgpu;

/// The README's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
