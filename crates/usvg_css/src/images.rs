//! Images inside a drawing, reduced to the data that their elements need, and views of SVG images.

use crate::xml::{ASPECT, Attributes, attribute, set, write_attribute};
use std::sync::Arc;
use usvg::roxmltree::{Document, Node};

/// Reads a linked image for an element of this size, if the size is known.
pub(crate) type ReadPicture<'a> = dyn Fn(&str, Option<(f64, f64)>) -> Option<Picture> + 'a;

/// An image, reduced to the data that its element needs.
pub(crate) enum Picture {
    /// An SVG image, and a link to a rewritten text if needed.
    Svg(SvgImage, Option<String>),
    /// A rotated photograph, with its EXIF orientation from 2 to 8.
    Photo(usize),
}

/// The size and aspect ratio of an SVG image.
#[derive(Clone, Debug, Default)]
pub(crate) struct SvgImage {
    pub(crate) size: (f64, f64),
    /// The size of the content.
    pub(crate) page: (f64, f64),
    /// The aspect ratio setting, unless the image has neither a view box nor a size.
    pub(crate) aspect: Option<String>,
    /// Notes about the elements: the subject and the effect.
    pub(crate) notes: Arc<[(String, String)]>,
}

impl SvgImage {
    /// Sets the attributes of the `image` element. Returns whether the content has the same size as in browsers.
    pub(crate) fn fit(&self, attributes: &mut Attributes) -> bool {
        let Some(own) = &self.aspect else { return false };
        if ["width", "height"].iter().all(|side| attribute(attributes, side).is_none()) {
            attributes.push(("width".into(), self.size.0.to_string()));
            attributes.push(("height".into(), self.size.1.to_string()));
        }
        if attribute(attributes, ASPECT).is_some_and(|around| around.trim().starts_with("none")) {
            let across = self.size.0 * self.page.1 - self.size.1 * self.page.0;
            return across.abs() <= 1e-3 * self.size.0 * self.page.1;
        }
        set(attributes, ASPECT, own.clone());
        true
    }
}

/// Returns the orientation of a photograph, if its EXIF data specify a rotation.
pub(crate) fn orientation(data: &[u8]) -> Option<usize> {
    let (mark, skip): (&[u8], usize) = match data {
        [0xff, 0xd8, ..] => (b"Exif\0\0", 6),
        [0x89, b'P', ..] => (b"eXIf", 4),
        [b'R', b'I', b'F', b'F', ..] => (b"EXIF", 8),
        _ => return None,
    };
    let at = data.windows(mark.len()).position(|part| part == mark)?;
    let tiff = data.get(at + skip..)?;
    let is_little = tiff.starts_with(b"II");
    let word = |at: usize| {
        let pair: [u8; 2] = tiff.get(at..at + 2)?.try_into().ok()?;
        let read = if is_little { u16::from_le_bytes } else { u16::from_be_bytes };
        Some(usize::from(read(pair)))
    };
    // The offset of the first directory, whose entries have 12 bytes each.
    let start = word(if is_little { 4 } else { 6 })?;
    let mut entries = (0..word(start)?).map(|index| start + 2 + 12 * index);
    let entry = entries.find(|entry| word(*entry) == Some(0x0112))?;
    word(entry + 8).filter(|found| (2..=8).contains(found))
}

/// Returns the text of an image that this link shows in an element of this size; `None` if it is unchanged.
///
/// A fragment names a `view`, or has the attributes of one. An image without an aspect ratio has the size of its
/// element.
pub(crate) fn view(image: &Document, link: &str, size: Option<(f64, f64)>) -> Option<String> {
    let root = image.root_element();
    let mut set: Vec<(&str, String)> = Vec::new();
    let fragment = link.rsplit_once('#').map_or("", |(_, fragment)| fragment);
    let is_view =
        |node: &Node| node.tag_name().name() == "view" && node.attribute("id") == Some(fragment);
    let view = image.descendants().find(is_view);
    let attributes = fragment.strip_prefix("svgView(").and_then(|list| list.strip_suffix(')'));
    for name in ["viewBox", ASPECT] {
        let named = view.and_then(|view| view.attribute(name)).map(str::to_owned);
        let given = attributes.and_then(|list| list.split_once(&format!("{name}(")));
        let given = given.and_then(|(_, rest)| rest.split(')').next());
        set.extend(given.map(|value| value.replace(',', " ")).or(named).map(|value| (name, value)));
    }
    // An image has the size of its element if both sides are the same percentage of it.
    let part = |side: &str| root.attribute(side).unwrap_or("100%").trim().strip_suffix('%');
    let is_free = part("width").is_some() && part("width") == part("height");
    let has_view = root.has_attribute("viewBox") || set.iter().any(|(name, _)| *name == "viewBox");
    if let Some((width, height)) = size.filter(|_| is_free && !has_view) {
        set.extend([("width", width.to_string()), ("height", height.to_string())]);
    }
    (!set.is_empty()).then(|| with_root_attributes(root, &set))
}

/// Returns the text of a document with these attributes on its root.
fn with_root_attributes(root: Node, set: &[(&str, String)]) -> String {
    let text = root.document().input_text();
    let start = root.range().start;
    let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '/' | '>');
    let mut at = start + text[start..].find(is_end).unwrap_or_default();
    let mut out = text[..at].to_owned();
    set.iter().for_each(|(name, value)| write_attribute(&mut out, name, value));
    let is_set = |name: &str| set.iter().any(|(known, _)| *known == name);
    let old = root.attributes().filter(|one| one.namespace().is_none() && is_set(one.name()));
    let mut old: Vec<_> = old.map(|one| one.range()).collect();
    old.sort_by_key(|range| range.start);
    for range in old {
        out += &text[at..range.start];
        at = range.end;
    }
    out + &text[at..]
}

/// Returns a link to an image with this text.
pub(crate) fn link(text: &str) -> String {
    let mut out = "data:image/svg+xml,".to_owned();
    for letter in text.chars() {
        match letter {
            '%' | '#' | '\n' | '\r' | '\t' => out += &format!("%{:02x}", letter as u32),
            _ => out.push(letter),
        }
    }
    out
}
