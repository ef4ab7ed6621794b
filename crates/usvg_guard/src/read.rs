//! Checks a text and reads it with usvg.
//!
//! Reading and painting recurse for every level of nesting, and for every reference: a pattern may be painted with a
//! pattern that is painted with a pattern. A main thread has 8 MiB of stack and other threads have 2 MiB, which is not
//! enough.

use crate::circles::{LeftOut, check};
use crate::images::{Images, Reader};
use crate::words::one_line;
use crate::{Error, Limits};
use std::sync::Mutex;
use usvg::roxmltree::Error as XmlError;
use usvg::{Options, Tree};

/// A parsed drawing.
#[derive(Debug)]
pub struct Parsed {
    /// The drawing.
    pub tree: Tree,
    /// The circular references that were left out.
    pub left_out: Vec<LeftOut>,
    /// Other notes, one line for each of the first 100, and one with the number of the others.
    pub notes: Vec<String>,
}

/// Checks and reads a text in this process, as [`Guard::parse_here`](crate::Guard::parse_here) does. Requires a large
/// stack: see [`with_large_stack`](crate::with_large_stack).
///
/// `images`, which may be `&()`, replaces the image resolver of `options`.
///
/// # Errors
/// Fails if the text is damaged or exceeds a limit.
pub fn read(
    text: &str,
    limits: &Limits,
    options: Options,
    images: &dyn Images,
) -> Result<Parsed, Error> {
    check(text, limits, |document, depth, left_out| {
        let images = Reader { limits, images, level: depth.into(), notes: Mutex::default() };
        let options = Options { image_href_resolver: images.resolver(), ..options };
        let tree = Tree::from_xmltree(document, &options).map_err(|error| match error {
            usvg::Error::InvalidSize => Error::NoSize,
            usvg::Error::ElementsLimitReached
            | usvg::Error::ParsingFailed(XmlError::NodesLimitReached) => Error::TooManyUsed,
            other => Error::Unreadable(one_line(&other.to_string())),
        })?;
        drop(options);
        Ok(Parsed { tree, left_out, notes: images.into_notes() })
    })
}
