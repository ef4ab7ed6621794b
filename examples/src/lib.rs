//! What the examples beside this folder share.

mod backend;
mod gpu;

pub use backend::{Backend, Choice, WgslMonoid};
