//! One suite over every backend and variant of treebounds. It is a single program because most of the build time is spent
//! linking wgpu and Vello. Each test has its own GPU device, and tests run in parallel.
//!
//! `cargo test --workspace --test suite bins::` runs a single module.
#![allow(clippy::unwrap_used, clippy::panic)]

mod arena;
mod bins;
mod bounds;
mod brackets;
#[cfg(feature = "browser")]
mod browser;
mod damage;
mod faults;
mod few_markers;
mod filters;
mod gpu;
mod host;
mod many;
mod matching;
mod overlay;
mod properties;
mod scene_files;
mod scenes;
mod sizes;
mod stage;
mod tasks;

/// Drawings painted by resvg, compared with their boxes.
mod svg {
    mod corpus;
    mod filters;
    mod soundness;
}

/// Vello's pipeline with this project's clip stage.
mod vello {
    mod bad_input;
    pub(crate) mod clips;
    mod limits;
    mod pixels;
}
