//! From bytes to a parsed drawing.

use super::error::one_line;
use super::fonts::Fonts;
use super::guard::{self, Cost, ELEMENTS_MAX};
use super::images::Images;
use super::{Options, SvgError, source};
use usvg::roxmltree::{Document, Error as XmlError, ParsingOptions};
use usvg::{Error, Tree};

/// The most nodes of XML that are read, text and comments and all.
const NODES_MAX: u32 = 4_000_000;

/// A parsed drawing, how deep it is, and what was left out of it.
pub(super) struct Parsed {
    pub(super) tree: Tree,
    pub(super) depth: u64,
    pub(super) notes: Vec<String>,
}

/// Parses the file. Must run on a large stack.
pub(super) fn parse(data: &[u8], options: &Options) -> Result<Parsed, SvgError> {
    with_document(data, |document| {
        let cost = guard::measure(document)?;
        let (fonts, images) = (Fonts::new(options), Images::new(cost)?);
        let options = usvg::Options {
            resources_dir: options.resources_dir.clone(),
            font_family: fonts.default_family(),
            fontdb: fonts.database(),
            font_resolver: fonts.resolver(),
            image_href_resolver: images.resolver(options),
            ..usvg::Options::default()
        };
        let tree =
            Tree::from_xmltree(document, &options).map_err(|error| unreadable(error, document))?;
        let mut notes = fonts.notes(document);
        let depth = images.finish(&mut notes)?;
        Ok(Parsed { tree, depth, notes })
    })
}

/// What the file would cost to parse.
pub(super) fn measure(data: &[u8]) -> Result<Cost, SvgError> {
    with_document(data, guard::measure)
}

/// Reads the file as XML.
fn with_document<T>(
    data: &[u8],
    work: impl FnOnce(&Document) -> Result<T, SvgError>,
) -> Result<T, SvgError> {
    if data.is_empty() {
        return Err(SvgError::Empty);
    }
    let text = source::text(data)?;
    guard::check_entities(&text)?;
    let options = ParsingOptions { allow_dtd: true, nodes_limit: NODES_MAX, ..Default::default() };
    let document = Document::parse_with_options(&text, options).map_err(bad_xml)?;
    let root = document.root_element().tag_name();
    if root.name() != "svg" || !matches!(root.namespace(), None | Some(guard::NAMESPACE)) {
        let of = root.namespace().map_or(String::new(), |namespace| format!(" of {namespace}"));
        return Err(SvgError::NotSvg { found: one_line(&format!("{}{of}", root.name())) });
    }
    work(&document)
}

fn bad_xml(error: XmlError) -> SvgError {
    match error {
        XmlError::NodesLimitReached => SvgError::TooMuch { max: NODES_MAX.into() },
        other => SvgError::BadXml { reason: one_line(&other.to_string()) },
    }
}

fn unreadable(error: Error, document: &Document) -> SvgError {
    match error {
        Error::InvalidSize => SvgError::NoSize,
        Error::ElementsLimitReached => SvgError::TooMuch { max: ELEMENTS_MAX },
        Error::ParsingFailed(XmlError::NodesLimitReached) => {
            guard::circle_of_uses(document).unwrap_or_else(|| SvgError::Unreadable {
                reason: "with every use followed it has more than 1000000 elements, or nests them more than 1024 deep".into(),
            })
        }
        other => SvgError::Unreadable { reason: other.to_string() },
    }
}
