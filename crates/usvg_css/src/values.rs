//! Typed values: colours, lengths, transforms and effects of CSS, and the properties that have them.
//!
//! A value is read in an [`Environment`], which says what relative units refer to. Nothing here knows a document.

mod colours;
mod effects;
mod environment;
mod lengths;
mod maths;
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
    has_em, has_unit, has_word, is_wide, needs_font, path, plain, split, split_words, url,
    whole_numbers,
};
pub(crate) use text::{families, font, font_size, is_size_word};
pub(crate) use transforms::{attribute_transform, origin, transform};
pub(crate) use usvg_values::{supports, usvg_value};
