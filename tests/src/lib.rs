//! What the tests share.

pub mod gpu;
pub mod streams;
