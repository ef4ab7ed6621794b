//! A text is checked, and then read by usvg, on a stack that is large enough.
//!
//! Reading and painting recurse for every level of nesting, and for every reference: a pattern may be painted with a pattern
//! that is painted with a pattern. A main thread has 8 MiB of stack, other threads 2 MiB; neither is enough.

use crate::circles::{LeftOut, check};
use crate::images::{Images, Reader};
use crate::words::one_line;
use crate::{Error, Limits};
use std::sync::Mutex;
use usvg::roxmltree::Error as XmlError;
use usvg::{Options, Tree};

/// A drawing that was read.
#[derive(Debug)]
pub struct Parsed {
    /// The drawing.
    pub tree: Tree,
    /// The circular references, which were left out of it.
    pub left_out: Vec<LeftOut>,
    /// What else was left out, one line for each of the first 100, and one with the number of others.
    pub notes: Vec<String>,
}

/// Reads a text in this process, after checking it: see [`Guard::parse_here`](crate::Guard::parse_here). Call it on a large
/// stack: see [`with_large_stack`](crate::with_large_stack).
///
/// The image resolver of `options` is not used, but `images`, which may be `&()`.
///
/// # Errors
/// If the text is damaged or exceeds a limit.
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
