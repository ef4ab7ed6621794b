#![doc = include_str!("../README.md")]

mod check;
pub mod contain;
mod error;
mod guard;
mod images;
mod text;

pub use check::{LARGE_STACK, LeftOut, Parsed, read, with_large_stack};
pub use error::{Error, Limits, USVG_ELEMENTS, USVG_NESTING};
pub use guard::Guard;
pub use images::Images;
pub use text::{NAMESPACE, document, text};
pub use usvg;
