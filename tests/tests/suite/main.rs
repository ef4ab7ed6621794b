//! One suite over every backend and variant of treebounds, in one program: linking wgpu and Vello once is most of what
//! building it takes. Each test has a GPU device to itself, and tests run side by side.
//!
//! `cargo test --workspace --test suite bins::` runs one subject.
#![allow(clippy::unwrap_used, clippy::panic)]

mod arena;
mod bins;
mod bounds;
#[cfg(feature = "browser")]
mod browser;
mod faults;
mod few_markers;
mod gpu;
mod host;
mod many;
mod matching;
mod properties;
mod scenes;
mod stage;
mod tasks;

/// Drawings, painted by resvg and held against their boxes.
mod svg {
    mod corpus;
    mod soundness;
}

/// Vello's pipeline with our clip stage.
mod vello {
    mod bad_input;
    pub(crate) mod clips;
    mod limits;
    mod pixels;
}
