//! From bytes to a parsed drawing.

use crate::edit::Edits;
use crate::left_out::{CIRCLE, LeftOut, notes};
use crate::measure::{Cost, measure};
use crate::{DeepTree, Images, Limits, Links, Refused, read, with_large_stack};
use std::borrow::Cow;
use usvg::roxmltree::{Document, Error as XmlError};
use usvg::{Error, Options, Tree};

/// A parsed drawing.
#[derive(Debug)]
pub struct Parsed {
    /// The drawing.
    pub tree: DeepTree,
    /// What was left out of it, a line each.
    pub notes: Vec<String>,
}

/// A document that usvg can read within the limits.
#[derive(Debug)]
pub struct Checked<'d, 'i> {
    /// The document, without what had to be left out.
    pub document: &'d Document<'i>,
    /// What it costs to read.
    pub cost: Cost,
    /// What was left out.
    pub left_out: Vec<LeftOut>,
}

/// Parses an `.svg` or `.svgz` file, on a thread with a large stack.
///
/// Images are read within the same limits. Linked files are read where the options have a `resources_dir`, and from
/// inside that folder alone; the `image_href_resolver` of the options is not asked.
///
/// # Errors
/// What is wrong with the file, or too much of it: see [`Refused`].
pub fn parse(data: &[u8], limits: &Limits, options: Options) -> Result<Parsed, Refused> {
    with_large_stack(|| {
        check(data, limits, |checked| {
            let links = Links { folder: options.resources_dir.clone(), allowed: vec![] };
            let images = Images::new(checked.cost, limits, &links)?;
            let options = Options { image_href_resolver: images.resolver(), ..options };
            let tree = tree(checked.document, &options)?;
            let mut notes = notes(&checked.left_out, checked.document);
            let depth = images.finish(&mut notes)?;
            Ok(Parsed { tree: DeepTree::new(tree, depth), notes })
        })
    })?
}

/// Reads a file, and hands the work a document that is safe to be given to usvg. Must run on a large stack: see
/// [`with_large_stack`].
///
/// # Errors
/// What is wrong with the file, or too much of it; and what the work says.
pub fn check<T, E: From<Refused>>(
    data: &[u8],
    limits: &Limits,
    work: impl FnOnce(&Checked) -> Result<T, E>,
) -> Result<T, E> {
    check_text(&read::text(data, limits)?, limits, work)
}

/// How often a document is measured anew after something was left out.
const ROUNDS: usize = 4;

/// The same for a text.
///
/// # Errors
/// As of [`check`].
pub fn check_text<T, E: From<Refused>>(
    text: &str,
    limits: &Limits,
    work: impl FnOnce(&Checked) -> Result<T, E>,
) -> Result<T, E> {
    let mut text = Cow::Borrowed(text);
    let mut left_out: Vec<LeftOut> = Vec::new();
    let mut circle = None;
    for round in 0..ROUNDS {
        let document = read::document(&text, limits)?;
        let measured = measure(&document, limits)?;
        circle = measured.circle;
        let mut edits = Edits::default();
        // Numbers are left out once: they may still be there, where a property hides them.
        let cuts = measured.cuts.iter().filter(|cut| round == 0 || cut.why == CIRCLE);
        for cut in cuts {
            let is_made = cut.make(&document, &mut edits);
            if !is_made && cut.why == CIRCLE {
                return Err(refuse(circle).into());
            }
            let told = cut.tell(&document).filter(|_| is_made);
            left_out.extend(told.filter(|told| !left_out.contains(told)));
        }
        if edits.is_empty() {
            return work(&Checked { document: &document, cost: measured.cost, left_out });
        }
        let edited = edits.apply(document.input_text());
        drop(document);
        text = Cow::Owned(edited);
    }
    Err(refuse(circle).into())
}

fn refuse(circle: Option<String>) -> Refused {
    Refused::Circle { path: circle.unwrap_or_else(|| "?".to_owned()) }
}

/// Lets usvg read a checked document.
///
/// # Errors
/// What usvg says.
pub fn tree(document: &Document, options: &Options) -> Result<Tree, Refused> {
    Tree::from_xmltree(document, options).map_err(|error| match error {
        Error::InvalidSize => Refused::NoSize,
        Error::ElementsLimitReached | Error::ParsingFailed(XmlError::NodesLimitReached) => {
            Refused::TooManyUsed { max: crate::USVG_ELEMENTS }
        }
        other => Refused::Unreadable { reason: other.to_string() },
    })
}
