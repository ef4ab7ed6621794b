#![doc = include_str!("../README.md")]

mod check;
pub mod contain;
mod error;
mod guard;
mod images;
mod text;

pub use check::{Checked, LARGE_STACK, LeftOut, check_text, tree, with_large_stack};
pub use error::{Error, Limits, USVG_ELEMENTS, USVG_NESTING};
pub use guard::{Guard, Options, Parsed};
pub use images::{FilePolicy, Images};
pub use text::{NAMESPACE, document, text};
pub use usvg;
