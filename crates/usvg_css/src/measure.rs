//! Measuring: what some values depend on.
//!
//! | file | what it measures |
//! |---|---|
//! | `fonts` | the font of an element, for `ex`, `ch`, `cap` and `lh`, and for the heights of lines; it also selects fonts for usvg |
//! | `outline` | the outline of a shape, and its length as Chromium computes it, for `pathLength` |
//! | `boxes` | the box of an element with everything in it, for `transform-box`, basic shapes and filter functions |
//!
//! All boxes are [`kurbo::Rect`]. The box of an element may depend on boxes inside of it: a group is as large as its contents, which
//! may be turned about their own middle. So a [`Boxes`](boxes::Boxes) knows how elements are nested, and measures when it is asked.
//! Only usvg can measure text. A box with a text in it is unknown in the first pass, and known in a second.

pub(crate) mod boxes;
pub(crate) mod fonts;
pub(crate) mod outline;
