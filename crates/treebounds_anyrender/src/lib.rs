//! Bounding boxes and optimization of AnyRender display lists.
//!
//! | item | does |
//! |---|---|
//! | [`optimize`](fn@optimize), [`Workspace`] | produce a list that paints the same picture with fewer commands |
//! | [`Optimizer`] | does the same as a [`PaintScene`](anyrender::PaintScene) around another one |
//! | [`rules`] | explain what is removed, and why that is correct, with pictures |
//! | [`ListDamage`] | finds the pixels that differ from the last frame |
//! | [`Picker`] | finds the commands at a point, by their exact shapes |
//! | [`layer_plan`](fn@layer_plan) | computes how much memory the layers of a list need |
//! | [`stream`](fn@stream) | converts a list into an element stream, for the boxes of all commands |
#![cfg_attr(
    feature = "renderer",
    doc = "| [`TreeboundsImageRenderer`], [`TreeboundsWindowRenderer`] | AnyRender backends over treebounds' pipeline |"
)]

mod bounds;
mod damage;
mod error;
mod optimizer;
mod pick;
#[cfg(all(feature = "renderer", not(target_arch = "wasm32")))]
pub mod renderer;

pub use bounds::commands::Size;
pub use bounds::layer_plan::layer_plan;
pub use bounds::stream::{ListStream, stream};
pub use damage::{ListDamage, Repaint, Scroll};
pub use error::Error;
pub use optimizer::options::{Exactness, Options, Report};
pub use optimizer::painter::{Optimizer, replay};
pub use optimizer::rules;
pub use optimizer::workspace::{Workspace, optimize};
pub use pick::{Hit, Picker};
#[cfg(all(feature = "renderer", not(target_arch = "wasm32")))]
pub use renderer::{RendererError, TreeboundsImageRenderer, TreeboundsWindowRenderer};

/// Compiles the README's examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
