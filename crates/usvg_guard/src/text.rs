//! Decodes bytes to XML: gzip, encodings, and early limits.

use crate::words::one_line;
use crate::{Error, Limits};
use encoding_rs::{Encoding, UTF_8};
use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::io::Read;
use usvg::roxmltree::{self, Document, Node, ParsingOptions};

/// The namespace of SVG.
pub const NAMESPACE: &str = "http://www.w3.org/2000/svg";

/// Decodes an `.svg` or `.svgz` file in UTF-8, UTF-16 or the encoding in its XML declaration.
///
/// # Errors
/// Fails if the file is empty, too long, or not text.
pub fn text(data: &[u8], limits: &Limits) -> Result<String, Error> {
    let mut data = Cow::Borrowed(data);
    if data.starts_with(&[0x1f, 0x8b]) {
        let mut text = Vec::new();
        let mut read = MultiGzDecoder::new(&*data).take(limits.bytes.saturating_add(1));
        let read = read.read_to_end(&mut text);
        read.map_err(|error| Error::BadGzip(one_line(&error.to_string())))?;
        data = Cow::Owned(text);
    }
    if data.is_empty() {
        return Err(Error::Empty);
    }
    if data.len() as u64 > limits.bytes {
        return Err(too_many("the bytes of the file", limits.bytes));
    }
    let (encoding, mark) = Encoding::for_bom(&data).unwrap_or((declared(&data), 0));
    let text = encoding.decode_without_bom_handling_and_without_replacement(&data[mark..]);
    text.map(Cow::into_owned).ok_or_else(|| Error::NotText(encoding.name().into()))
}

pub(crate) fn too_many(what: &'static str, max: u64) -> Error {
    Error::TooMany(what.into(), max)
}

/// Returns the encoding in the XML declaration, or UTF-8. The declaration must be readable as ASCII.
fn declared(data: &[u8]) -> &'static Encoding {
    let named = || {
        let head = data[..data.len().min(256)].strip_prefix(b"<?xml")?;
        let head = String::from_utf8_lossy(head.split(|byte| *byte == b'>').next()?);
        let value = head.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
        Encoding::for_label(value.split(['"', '\'']).nth(1)?.as_bytes())
    };
    // A declaration in single bytes proves that the text is not UTF-16, whatever it declares.
    named().filter(|encoding| encoding.is_ascii_compatible()).unwrap_or(UTF_8)
}

/// Parses a text as XML with an `svg` as its root element.
///
/// # Errors
/// Fails if the text is damaged or exceeds a limit.
pub fn document<'a>(text: &'a str, limits: &Limits) -> Result<Document<'a>, Error> {
    // An attribute has at least one letter, so most tags are too short to count their attributes.
    let mut long = text.split('<').filter(|tag| tag.len() as u64 > limits.attributes);
    if long.any(|tag| attributes(tag) as u64 > limits.attributes) {
        return Err(too_many("the attributes of one element", limits.attributes));
    }
    if expanded(text) > limits.expanded_bytes.max(2 * text.len() as u64) {
        let max = limits.expanded_bytes;
        return Err(too_many("the bytes of the text with its entities", max));
    }
    // Text, whitespace and comments between elements are nodes too.
    let nodes = u32::try_from(limits.elements.saturating_mul(4)).unwrap_or(u32::MAX);
    let options = ParsingOptions { allow_dtd: true, nodes_limit: nodes, ..Default::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| match error {
        roxmltree::Error::NodesLimitReached => {
            too_many("the elements, texts and comments", nodes.into())
        }
        other => Error::BadXml(one_line(&other.to_string())),
    })?;
    let root = document.root_element().tag_name();
    if root.name() != "svg" || !matches!(root.namespace(), None | Some(NAMESPACE)) {
        let of = root.namespace().map_or(String::new(), |namespace| format!(" of {namespace}"));
        return Err(Error::NotSvg(one_line(&format!("{:.100}{of}", root.name()))));
    }
    let all = document.descendants();
    if all.clone().filter(|node| is_svg(*node)).count() as u64 > limits.elements {
        return Err(too_many("the elements", limits.elements));
    }
    let mut levels: Vec<u64> = Vec::with_capacity(all.len());
    for node in all {
        let level = node.parent().map_or(0, |outer| levels[outer.id().get_usize()] + 1);
        levels.push(level);
        // The document and the root element do not count as nesting.
        if level.saturating_sub(1) > limits.nesting && is_svg(node) {
            return Err(Error::TooNested(limits.nesting));
        }
    }
    Ok(document)
}

/// Whether usvg reads the node as an element.
pub(crate) fn is_svg(node: Node) -> bool {
    node.is_element() && matches!(node.tag_name().namespace(), None | Some(NAMESPACE))
}

/// Estimates the number of attributes after a `<`: the number of `=` outside quotes before the next `>`.
fn attributes(tag: &str) -> usize {
    if tag.starts_with(['!', '?', '/']) {
        return 0;
    }
    let outside = tag.split(['"', '\'']).step_by(2);
    let end = outside.clone().position(|part| part.contains('>')).unwrap_or(usize::MAX - 1);
    let in_tag = outside.take(end + 1).filter_map(|part| part.split('>').next());
    in_tag.map(|part| part.matches('=').count()).sum()
}

/// Returns an upper bound on the length of the text with expanded entities: every reference counts as the longest
/// entity. If any entity contains references, that length is multiplied by the maximum number of references that the
/// XML parser follows inside an entity.
fn expanded(text: &str) -> u64 {
    if !text.contains('&') {
        return text.len() as u64;
    }
    let values = text.split("<!ENTITY").skip(1).filter_map(|rest| {
        let quote = rest.find(['"', '\''])?;
        rest[quote + 1..].split(&rest[quote..=quote]).next()
    });
    let references = |text: &str| (text.matches('&').count() - text.matches("&#").count()) as u64;
    let longest = values.clone().map(str::len).max().unwrap_or_default() as u64;
    let inside = if values.map(references).any(|count| count > 0) { 256 } else { 1 };
    references(text).saturating_mul(longest * inside).saturating_add(text.len() as u64)
}
