//! Encodings that cannot be read.

use treebounds_core::BuildError;

/// What is wrong with an encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VelloError {
    /// A path tag that means nothing here.
    #[error("path tag {tag} is {bits:#04x}, which has no meaning there")]
    BadPathTag {
        /// Its index in the path tags.
        tag: usize,
        /// The tag.
        bits: u8,
    },
    /// A segment has no points.
    #[error("the path data ends before the points of path tag {tag}")]
    PathDataEnds {
        /// The tag of the segment.
        tag: usize,
    },
    /// A transform tag has no transform.
    #[error("the transforms end before path tag {tag}, which sets the next one")]
    TransformsEnd {
        /// The tag.
        tag: usize,
    },
    /// A style tag has no style.
    #[error("the styles end before path tag {tag}, which sets the next one")]
    StylesEnd {
        /// The tag.
        tag: usize,
    },
    /// A segment before any transform.
    #[error("path tag {tag} is a segment, but no transform is set")]
    NoTransform {
        /// The tag of the segment.
        tag: usize,
    },
    /// A segment before any style.
    #[error("path tag {tag} is a segment, but no style is set")]
    NoStyle {
        /// The tag of the segment.
        tag: usize,
    },
    /// A style with a join or cap that does not exist.
    #[error("the style set by path tag {tag} is {bits:#010x}, which has an unknown join or cap")]
    BadStyle {
        /// The tag.
        tag: usize,
        /// The style's flags.
        bits: u32,
    },
    /// A coordinate, a transform or a style has a NaN in it.
    #[error("path {path} has a coordinate that is not a number (NaN)")]
    NotANumber {
        /// The path, counted from 0.
        path: usize,
    },
    /// Segments at the end that no path tag makes a path.
    #[error("the path tags end inside path {path}")]
    PathOpen {
        /// The path, counted from 0.
        path: usize,
    },
    /// Every draw object has one path.
    #[error("{objects} draw objects need as many paths, but there are {paths}")]
    PathsDiffer {
        /// How many draw objects there are.
        objects: usize,
        /// How many paths there are.
        paths: usize,
    },
    /// A draw tag that is not known.
    #[error("draw object {object} has the tag {bits:#x}, which is not known")]
    UnknownDrawTag {
        /// The draw object.
        object: usize,
        /// Its tag.
        bits: u32,
    },
    /// A draw object has no data.
    #[error("the draw data ends before that of draw object {object}")]
    DrawDataEnds {
        /// The draw object.
        object: usize,
    },
    /// An end without a begin.
    #[error("draw object {object} ends a layer, but none is open")]
    NothingOpen {
        /// The draw object.
        object: usize,
    },
    /// A glyph run that points outside the encoding.
    #[error("glyph run {run}: {problem}")]
    BadGlyphRun {
        /// The run.
        run: usize,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The elements do not make a stream.
    #[error(transparent)]
    Build(#[from] BuildError),
}
