//! From text to a parsed drawing.

use super::{Options, SvgError, source};
use usvg::roxmltree::{Document, ParsingOptions};
use usvg::{Error, Tree};

/// A parsed drawing, how deep it is, and what was left out of it.
pub(super) struct Parsed {
    pub(super) tree: Tree,
    pub(super) depth: u64,
    pub(super) notes: Vec<String>,
}

/// Parses the file. Must run on a large stack.
pub(super) fn parse(data: &[u8], options: &Options) -> Result<Parsed, SvgError> {
    if data.is_empty() {
        return Err(SvgError::Empty);
    }
    let text = source::text(data)?;
    let options = usvg::Options {
        resources_dir: options.resources_dir.clone(),
        fontdb: options.fontdb(),
        ..usvg::Options::default()
    };
    let xml = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&text, xml)
        .map_err(|error| SvgError::BadXml { reason: error.to_string() })?;
    let root = document.root_element();
    if root.tag_name().name() != "svg" {
        return Err(SvgError::NotSvg { found: root.tag_name().name().to_owned() });
    }
    let tree = Tree::from_xmltree(&document, &options).map_err(unreadable)?;
    Ok(Parsed { tree, depth: 1024, notes: vec![] })
}

fn unreadable(error: Error) -> SvgError {
    match error {
        Error::InvalidSize => SvgError::NoSize,
        other => SvgError::Unreadable { reason: other.to_string() },
    }
}
