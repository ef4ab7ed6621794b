//! Random display lists, and what paints them.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::panic)]

pub mod lists;
pub mod pages;
pub mod paint;
pub mod smaller;
pub mod spy;
