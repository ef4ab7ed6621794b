//! The examples as a shell sees them.
#![allow(clippy::unwrap_used, clippy::panic)]

mod json_tree;
mod program;
mod renderer;
mod skeleton;
