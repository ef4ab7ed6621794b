//! From bytes to a document, every step measured before it is made.

mod attributes;
mod entities;
mod source;

pub(crate) use attributes::check as check_attributes;
pub use source::text;

use crate::refused::one_line;
use crate::{Limits, Refused};
use usvg::roxmltree::{Document, Error, ParsingOptions};

/// The namespace of SVG.
pub const NAMESPACE: &str = "http://www.w3.org/2000/svg";

/// Reads a text as XML whose outermost element is an `svg`.
///
/// # Errors
/// What is wrong with it, or too much of it.
pub(crate) fn document<'a>(text: &'a str, limits: &Limits) -> Result<Document<'a>, Refused> {
    check_attributes(text, limits)?;
    entities::check_entities(text, limits)?;
    let options =
        ParsingOptions { allow_dtd: true, nodes_limit: limits.nodes, ..Default::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| match error {
        Error::NodesLimitReached => Refused::TooManyNodes { max: limits.nodes.into() },
        other => Refused::BadXml { reason: one_line(&other.to_string()) },
    })?;
    let root = document.root_element().tag_name();
    if root.name() != "svg" || !matches!(root.namespace(), None | Some(NAMESPACE)) {
        let of = root.namespace().map_or(String::new(), |namespace| format!(" of {namespace}"));
        return Err(Refused::NotSvg { found: one_line(&format!("{}{of}", root.name())) });
    }
    Ok(document)
}
