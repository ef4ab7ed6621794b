//! AnyRender display lists: where everything in them is, and the same picture from fewer commands.
//!
//! | item | does |
//! |---|---|
//! | [`optimize`](fn@optimize), [`Workspace`] | a list that paints the same picture with fewer commands |
//! | [`Optimizer`] | the same as a [`PaintScene`](anyrender::PaintScene) around any other |
//! | [`rules`] | what is taken out, and why that is right, in pictures |
//! | [`ListDamage`] | which pixels differ from the last frame |
//! | [`Picker`] | the commands at a point, by their exact shapes |
//! | [`layer_plan`](fn@layer_plan) | how much memory the layers of a list need |
//! | [`stream`](fn@stream) | a list as an element stream, for the boxes of all of its commands |
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

/// The README's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
