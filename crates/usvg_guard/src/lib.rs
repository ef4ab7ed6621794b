#![doc = include_str!("../README.md")]

mod cascade;
mod check;
mod circles;
pub mod contain;
mod edit;
mod error;
mod files;
mod guard;
mod images;
mod limits;
mod text;

pub use cascade::is_sheet;
pub use check::{Checked, LARGE_STACK, check_text, tree, with_large_stack};
pub use edit::LeftOut;
pub use error::Error;
pub use files::FilePolicy;
pub use guard::{Guard, Options, Parsed};
pub use images::{Images, Told};
pub use limits::{Limits, USVG_ELEMENTS, USVG_NESTING};
pub use text::{NAMESPACE, document, text};
pub use usvg;
