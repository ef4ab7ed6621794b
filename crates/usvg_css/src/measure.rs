//! Measuring: fonts for the units that depend on them, outlines of shapes, and boxes of elements for the values that depend
//! on those. All boxes are [`kurbo::Rect`].

pub(crate) mod boxes;
pub(crate) mod fonts;
pub(crate) mod outline;
