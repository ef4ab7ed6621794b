//! Typed values: colours, lengths, transforms and effects of CSS, and the properties that use them.
//!
//! The input is the text of a value, with an [`Environment`] for relative units. The output is a number, a matrix or a
//! value in usvg's syntax, or `None` if a browser would ignore the value.
//!
//! | file | contains |
//! |---|---|
//! | `syntax` | words, parentheses, URLs and paths |
//! | `environment` | the font, the viewport, the page and the current colour |
//! | `lengths`, `colours`, `transforms`, `effects`, `text` | values of one kind each |
//! | `properties` | the table of properties: syntax, initial value, and known but unsupported properties |
//! | `usvg_values` | the value of any property without references, in usvg's syntax |
//!
//! This layer does not depend on a document.

mod colours;
mod effects;
mod environment;
mod lengths;
pub(crate) mod properties;
mod syntax;
mod text;
mod transforms;
mod usvg_values;

pub(crate) use colours::{colour, read_colour};
pub(crate) use effects::{Effect, effects};
pub(crate) use environment::{Environment, FONT_SIZE, MONO_SIZE, Metrics};
pub(crate) use lengths::{Whole, length, length_in, pixels, strict_length};
pub(crate) use syntax::{
    has_em, has_unit, has_word, is_css_wide, needs_font, path, plain, split, split_words, url,
    whole_numbers, without_trailing_move,
};
pub(crate) use text::{font, font_size, is_size_word};
pub(crate) use transforms::{attribute_transform, origin, transform};
pub(crate) use usvg_values::{supports, usvg_value};
