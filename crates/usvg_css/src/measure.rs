//! Measurements that some values depend on.
//!
//! | file | measures |
//! |---|---|
//! | `fonts` | the font of an element, for `ex`, `ch`, `cap` and `lh`, and for line heights; also selects fonts for usvg |
//! | `outline` | the outline of a shape, and its length as computed by Chromium, for `pathLength` |
//! | `boxes` | the box of an element with its content, for `transform-box`, basic shapes and filter functions |
//!
//! All boxes are [`kurbo::Rect`]. The box of an element may depend on boxes inside it: a group has the size of its
//! content, which may be rotated about its own centre. Therefore, a [`Boxes`](boxes::Boxes) stores the tree of
//! elements, and measures on demand. Only usvg can measure text. A box that contains text is unknown in the first pass,
//! and known in the second.

pub(crate) mod boxes;
pub(crate) mod fonts;
pub(crate) mod outline;
