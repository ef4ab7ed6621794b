#![doc = include_str!("../README.md")]

mod check;
pub mod contain;
mod error;
mod guard;
mod images;
mod stack;
mod text;

pub use check::{LeftOut, Parsed, read};
pub use error::{Error, Limits, USVG_ELEMENTS, USVG_NESTING};
pub use guard::Guard;
pub use images::Images;
pub use stack::{LARGE_STACK, is_caught, with_large_stack};
pub use text::{NAMESPACE, document, text};
pub use usvg;
