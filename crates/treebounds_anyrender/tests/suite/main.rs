//! The tests of display lists, in one program.
//!
//! `cargo test -p treebounds_anyrender --test suite same_pixels::` runs one module. `renderer` and `stream` require a
//! Vulkan driver, which may be a software one: `apt-get install mesa-vulkan-drivers`.
#![allow(clippy::unwrap_used, clippy::panic)]

mod bad_input;
mod damage;
mod damage_pages;
mod hinting;
mod optimizer;
mod pages;
mod pick;
#[cfg(feature = "renderer")]
mod renderer;
mod same_pixels;
mod scene_files;
mod scenes;
mod stream;
mod support;
