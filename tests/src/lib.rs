//! What the tests share.

pub mod gpu;
pub mod streams;
pub mod svg;
pub mod svg_alone;
