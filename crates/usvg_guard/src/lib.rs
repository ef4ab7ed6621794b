#![doc = include_str!("../README.md")]

mod circles;
pub mod contain;
mod error;
mod guard;
mod images;
mod read;
mod stack;
mod text;
mod thread;
mod words;

pub use circles::{LeftOut, circles};
pub use error::{Error, Limits, USVG_ELEMENTS, USVG_NESTING};
pub use guard::Guard;
pub use images::{Images, MORE_NOTES};
pub use read::{Parsed, read};
pub use stack::{is_caught, with_large_stack};
pub use text::{NAMESPACE, document, text};
pub use thread::LARGE_STACK;
pub use usvg;
