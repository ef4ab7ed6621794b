//! A document that is checked before usvg reads it, on a stack that holds it.
//!
//! Reading and painting a drawing recurse for every level of nesting, and for every reference: a pattern may be painted
//! with a pattern that is painted with a pattern. A main thread has 8 MiB of stack, other threads 2 MiB; neither is enough.

use crate::edit::{Edits, LeftOut};
use crate::{Error, Limits, circles, contain::one_line, text};
use std::{any::Any, borrow::Cow, thread};
use usvg::roxmltree::{Document, Error as XmlError};
use usvg::{Options, Tree};

/// A document without references that lead round in a circle.
#[derive(Debug)]
pub struct Checked<'d, 'i> {
    /// The document, without what had to be left out.
    pub document: &'d Document<'i>,
    /// How deep its elements are nested, where a reference counts as 16 levels: no less than it is.
    pub depth: u32,
    /// How many elements it has.
    pub elements: u64,
    /// What was left out.
    pub left_out: Vec<LeftOut>,
}

/// How often a document is read anew after something was left out.
const ROUNDS: usize = 4;

/// Counts what is in a text, leaves out circles, and hands the work a document that usvg can read. Must run on a large
/// stack: see [`with_large_stack`].
///
/// Time and memory are not limited: see [`Guard::parse_here`](crate::Guard::parse_here).
///
/// # Errors
/// An [`Error`] about the file, or the error of the work.
pub fn check_text<T, E: From<Error>>(
    text: &str,
    limits: &Limits,
    work: impl FnOnce(&Checked) -> Result<T, E>,
) -> Result<T, E> {
    let mut text = Cow::Borrowed(text);
    let mut left_out: Vec<LeftOut> = Vec::new();
    let mut path = String::new();
    for _ in 0..ROUNDS {
        let document = text::document(&text, limits)?;
        let found = circles::find(&document, limits)?;
        path = found.path;
        let mut edits = Edits::default();
        for cut in &found.cuts {
            let Some(told) = cut.make(&document, &mut edits) else {
                return Err(Error::Circle(path).into());
            };
            if !left_out.contains(&told) {
                left_out.push(told);
            }
        }
        if edits.is_empty() {
            let (depth, elements) = (found.depth, found.elements);
            return work(&Checked { document: &document, depth, elements, left_out });
        }
        let edited = edits.apply(document.input_text());
        drop(document);
        text = Cow::Owned(edited);
    }
    Err(Error::Circle(path).into())
}

/// Lets usvg read a checked document.
///
/// # Errors
/// What usvg says.
pub fn tree(document: &Document, options: &Options) -> Result<Tree, Error> {
    Tree::from_xmltree(document, options).map_err(|error| match error {
        usvg::Error::InvalidSize => Error::NoSize,
        usvg::Error::ElementsLimitReached
        | usvg::Error::ParsingFailed(XmlError::NodesLimitReached) => Error::TooManyUsed,
        other => Error::Unreadable(one_line(&other.to_string())),
    })
}

/// How many levels a drawing may have, where a reference counts as 16. A level takes at most 16 KiB of stack when it is
/// read or painted, and so little when it is freed that any thread can do that.
pub(crate) const LEVELS_MAX: u32 = 4096;

/// The stack that [`with_large_stack`] gives, in bytes: address space, not memory; pages are taken as they are reached.
pub const LARGE_STACK: usize = (LEVELS_MAX as usize) << 14;

/// Runs the work on a thread with a stack of [`LARGE_STACK`], and waits for it.
///
/// Whatever recurses over a drawing, such as painting it with resvg, belongs in here. In WebAssembly, which has no such
/// threads, the work is done at once: link with a stack of [`LARGE_STACK`] (`-C link-arg=-zstack-size=67108864`), and
/// expect a panic to end the instance.
///
/// # Errors
/// [`Error::NoStack`] where there is no such thread to be had, and [`Error::Panicked`] where the work panics.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    if cfg!(target_family = "wasm") {
        return Ok(work());
    }
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("usvg guard".into()).stack_size(LARGE_STACK);
        let thread =
            builder.spawn_scoped(scope, work).map_err(|error| Error::NoStack(error.to_string()))?;
        thread.join().map_err(|panic| Error::Panicked(message(&*panic)))
    })
}

/// What was said at the panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    one_line(text.unwrap_or("no message"))
}
