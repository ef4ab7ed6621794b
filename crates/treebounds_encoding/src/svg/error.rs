//! What can be wrong with an SVG.

use treebounds_core::BuildError;
use usvg_guard::Error as GuardError;

/// Why an SVG could not be encoded. Each message is one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SvgError {
    /// The file is broken, is no SVG, or would cost too much to read.
    #[error(transparent)]
    Guard(#[from] GuardError),
    /// Masks and clip paths are nested, or refer to each other, too deeply.
    #[error("elements are nested {depth} deep, counting references; at most {max} can be read")]
    TooDeep {
        /// How deep, as far as was counted.
        depth: u64,
        /// How deep is possible.
        max: u64,
    },
    /// Following every reference makes too many elements.
    #[error(
        "following every use, pattern, mask, marker and clip path makes more than {max} elements; repeat less"
    )]
    TooMuch {
        /// How many are possible.
        max: u64,
    },
    /// The elements do not make a stream.
    #[error(transparent)]
    Stream(#[from] BuildError),
}
