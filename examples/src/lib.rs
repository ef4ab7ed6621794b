//! What the examples beside this folder share.

mod backend;
mod gpu;

pub use backend::{Backend, WgslMonoid};
pub use treebounds_cli::Choice;
