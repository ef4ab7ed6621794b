//! What the tests share.

pub mod streams;
