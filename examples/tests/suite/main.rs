//! Tests the examples from a shell.
#![allow(clippy::unwrap_used, clippy::panic)]

mod json_tree;
mod program;
mod renderer;
mod skeleton;
