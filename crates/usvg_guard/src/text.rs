//! From bytes to XML: gzip, encodings, and what is counted before anything else is done.

use crate::contain::one_line;
use crate::{Error, Limits};
use encoding_rs::{Encoding, UTF_8};
use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::Read;
use usvg::roxmltree::{self, Document, ParsingOptions};

/// The namespace of SVG.
pub const NAMESPACE: &str = "http://www.w3.org/2000/svg";

/// The text of an `.svg` or `.svgz` file, in UTF-8, UTF-16 or an encoding that its XML declaration names.
///
/// # Errors
/// It is empty, too long, or no text.
pub fn text<'a>(data: &'a [u8], limits: &Limits) -> Result<Cow<'a, str>, Error> {
    let data = if data.starts_with(&[0x1f, 0x8b]) {
        Cow::Owned(decompress(data, limits.bytes)?)
    } else {
        Cow::Borrowed(data)
    };
    if data.is_empty() {
        return Err(Error::Empty);
    }
    if data.len() as u64 > limits.bytes {
        return Err(Error::too_many("the bytes of the file", limits.bytes));
    }
    let (encoding, mark) = Encoding::for_bom(&data).unwrap_or((declared(&data), 0));
    let not_text = || Error::NotText(encoding.name().into());
    if encoding == UTF_8 && mark == 0 {
        return match data {
            Cow::Borrowed(data) => {
                std::str::from_utf8(data).map(Cow::Borrowed).map_err(|_| not_text())
            }
            Cow::Owned(data) => String::from_utf8(data).map(Cow::Owned).map_err(|_| not_text()),
        };
    }
    let text = encoding.decode_without_bom_handling_and_without_replacement(&data[mark..]);
    text.map(|text| Cow::Owned(text.into_owned())).ok_or_else(not_text)
}

/// The encoding that the XML declaration names, which must be like ASCII as far as that; UTF-8 if there is none.
fn declared(data: &[u8]) -> &'static Encoding {
    let head = &data[..data.len().min(256)];
    let named = || {
        let head = head.strip_prefix(b"<?xml")?;
        let head = String::from_utf8_lossy(&head[..head.iter().position(|byte| *byte == b'>')?]);
        let value = head.split_once("encoding")?.1.trim_start().strip_prefix('=')?.trim_start();
        let quote = value.chars().next()?;
        Encoding::for_label(value[1..].split(quote).next()?.as_bytes())
    };
    // A declaration that can be read as bytes is not in UTF-16, whatever it says.
    named().filter(|encoding| encoding.is_ascii_compatible()).unwrap_or(UTF_8)
}

fn decompress(data: &[u8], max: u64) -> Result<Vec<u8>, Error> {
    let mut text = Vec::new();
    MultiGzDecoder::new(data)
        .take(max.saturating_add(1))
        .read_to_end(&mut text)
        .map_err(|error| Error::BadGzip(one_line(&error.to_string())))?;
    Ok(text)
}

/// Reads a text as XML whose outermost element is an `svg`.
///
/// # Errors
/// What is wrong with it, or too much of it.
pub fn document<'a>(text: &'a str, limits: &Limits) -> Result<Document<'a>, Error> {
    check_attributes(text, limits.attributes)?;
    check_entities(text, limits.expanded_bytes)?;
    // Texts, blanks and comments between elements are nodes as well.
    let nodes = u32::try_from(limits.elements.saturating_mul(4)).unwrap_or(u32::MAX);
    let options = ParsingOptions { allow_dtd: true, nodes_limit: nodes, ..Default::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| match error {
        roxmltree::Error::NodesLimitReached => {
            Error::too_many("the elements, texts and comments", nodes.into())
        }
        other => other.into(),
    })?;
    let root = document.root_element().tag_name();
    if root.name() != "svg" || !matches!(root.namespace(), None | Some(NAMESPACE)) {
        let of = root.namespace().map_or(String::new(), |namespace| format!(" of {namespace}"));
        let name: String = root.name().chars().take(100).collect();
        return Err(Error::NotSvg(one_line(&(name + &of))));
    }
    Ok(document)
}

/// Counts every `=` outside of quotes in what looks like a tag.
fn check_attributes(text: &str, max: u64) -> Result<(), Error> {
    let bytes = text.as_bytes();
    let (mut count, mut at, mut in_tag) = (0, 0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'<' => {
                let rest = &text[at..];
                let skipped = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
                let skipped = skipped.iter().find(|(start, _)| rest.starts_with(start));
                at += skipped.map_or(0, |(_, end)| rest.find(end).unwrap_or(rest.len() - 1));
                (count, in_tag) = (0, skipped.is_none());
            }
            b'>' => in_tag = false,
            b'=' if in_tag => count += 1,
            b'"' | b'\'' if in_tag && count > 0 => {
                let inside = &bytes[at + 1..];
                at += 1 + inside.iter().position(|one| one == byte).unwrap_or(inside.len());
            }
            _ => {}
        }
        if count > max {
            return Err(Error::too_many("the attributes of one element", max));
        }
        at += 1;
    }
    Ok(())
}

/// Refuses a text that its entities make too long. Every reference counts as long as what it stands for.
fn check_entities(text: &str, max: u64) -> Result<(), Error> {
    let mut lengths: HashMap<&str, u64> = HashMap::new();
    let expanded = |text: &str, lengths: &HashMap<&str, u64>| {
        let references = text.split('&').skip(1).filter_map(|rest| rest.split_once(';'));
        let more = references.map(|(name, _)| lengths.get(name).copied().unwrap_or(0));
        more.fold(text.len() as u64, u64::saturating_add)
    };
    // Only references to earlier entities are followed, which is how such bombs are usually written.
    for declaration in text.split("<!ENTITY").skip(1) {
        let Some((name, rest)) = declaration.trim_start().split_once(char::is_whitespace) else {
            continue;
        };
        let rest = rest.trim_start();
        let Some(quote) = rest.chars().next().filter(|quote| matches!(quote, '"' | '\'')) else {
            continue;
        };
        if let Some((value, _)) = rest[1..].split_once(quote) {
            let length = expanded(value, &lengths);
            lengths.entry(name).or_insert(length);
        }
    }
    let is_long = !lengths.is_empty() && expanded(text, &lengths) > max.max(2 * text.len() as u64);
    if is_long {
        Err(Error::too_many("the bytes of the text with its entities", max))
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn read(data: &[u8]) -> Result<String, Error> {
        text(data, &Limits { bytes: 1 << 20, ..Limits::default() }).map(Cow::into_owned)
    }

    fn gzip(data: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn encodings_and_gzip_are_read() {
        assert_eq!(read(b"<svg/>").unwrap(), "<svg/>");
        assert_eq!(read(b"\xef\xbb\xbf<svg/>").unwrap(), "<svg/>");
        assert_eq!(read(&[gzip(b"<svg"), gzip(b"/>")].concat()).unwrap(), "<svg/>");
        let wide: Vec<u8> = "\u{feff}<é/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(read(&wide).unwrap(), "<é/>");
        let latin = "<?xml version='1.0' encoding='ISO-8859-2'?>";
        let text = read(&[latin.as_bytes(), b"<svg id='\xb1'/>"].concat()).unwrap();
        assert!(text.ends_with("<svg id='ą'/>"), "{text}");
    }

    #[test]
    fn what_is_damaged_or_too_long_is_refused() {
        assert_eq!(read(b""), Err(Error::Empty));
        assert_eq!(read(b"<svg>\xff"), Err(Error::NotText("UTF-8".into())));
        assert!(matches!(read(&gzip(b"<svg/>")[..12]), Err(Error::BadGzip(_))));
        assert!(matches!(read(&gzip(&[b' '; 2 << 20])), Err(Error::TooMany { .. })));
    }

    #[test]
    fn attributes_are_counted_in_tags_alone() {
        let check = |text| check_attributes(text, 3).is_ok();
        assert!(check("<svg a='1' b=\"=====\" c = '>'>====<g a='1'/></svg>"));
        assert!(check("<!-- <a b= c= d= e= f= --><?x a= b= c= d= ?><![CDATA[<a b=c=d=e=f=]]>"));
        assert!(!check("<svg><g a='' b='' c='' d=''/></svg>"));
        assert!(!check("<!DOCTYPE svg [<!ENTITY e \"<g a='' b='' c='' d=''/>\">]><svg/>"));
    }

    #[test]
    fn bombs_of_entities_are_refused() {
        let bomb = |levels: usize| {
            let level = |at| format!("<!ENTITY e{at} '{}'>", format!("&e{};", at - 1).repeat(10));
            let levels: String = (1..=levels).map(level).collect();
            format!("<!DOCTYPE svg [<!ENTITY e0 \"ha\">{levels}]><svg>&e8;&e3;</svg>")
        };
        assert!(check_entities(&bomb(3), 1 << 26).is_ok());
        assert!(check_entities(&bomb(8), 1 << 26).is_err());
        assert!(check_entities("<!ENTITY a '&b;'><!ENTITY b '&a;'>&a;", 9).is_ok());
    }
}
