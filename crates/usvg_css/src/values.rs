//! Typed values: colours, lengths, transforms and effects of CSS, and the properties that have them.
//!
//! The text of a value goes in, with an [`Environment`] that says what relative units refer to. A number, a matrix or the words
//! of usvg come out, or `None` if a browser would ignore the value.
//!
//! | file | what it holds |
//! |---|---|
//! | `syntax` | words, parentheses, addresses and paths |
//! | `environment` | the font, the viewport, the page and the current colour |
//! | `lengths`, `colours`, `transforms`, `effects`, `text` | values of one kind each |
//! | `properties` | the table of properties: syntax, initial value, and what is known but not applied |
//! | `usvg_values` | the value of any property that refers to nothing, in usvg's words |
//!
//! Nothing here knows a document.

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
    drawn, has_em, has_unit, has_word, is_wide, needs_font, path, plain, split, split_words, url,
    whole_numbers,
};
pub(crate) use text::{font, font_size, is_size_word};
pub(crate) use transforms::{attribute_transform, origin, transform};
pub(crate) use usvg_values::{supports, usvg_value};
