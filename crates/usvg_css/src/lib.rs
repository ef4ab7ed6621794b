#![doc = include_str!("../README.md")]

mod cascade;
mod elements;
mod images;
mod measure;
mod notes;
mod reader;
mod rewrite;
mod values;
mod xml;

pub use cascade::Media;
pub use elements::{Element, Elements, Letters, MARK, Part, is_generated};
pub use notes::Note;
pub use reader::{Page, Reader};
pub use usvg_guard::{Error, usvg};
