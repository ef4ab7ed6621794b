#![doc = include_str!("../README.md")]

mod cascade;
mod checked;
mod edit;
mod files;
mod images;
mod left_out;
mod limits;
mod measure;
mod pieces;
mod read;
mod refused;
mod stack;
mod tree;

pub use cascade::{Cascade, is_sheet};
pub use checked::{Checked, Parsed, check, check_text, parse, tree};
pub use edit::{Edits, is_editable};
pub use files::Links;
pub use images::{Images, Told};
pub use left_out::LeftOut;
pub use limits::{Limits, USVG_ELEMENTS, USVG_NESTING};
pub use measure::Cost;
pub use pieces::{PiecePart, Pieces, count_elements};
pub use read::{NAMESPACE, text};
pub use refused::Refused;
pub use stack::{LARGE_STACK, with_large_stack};
pub use tree::DeepTree;
pub use usvg;
