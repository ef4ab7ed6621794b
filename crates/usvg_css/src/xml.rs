//! The attributes of an element, and XML text.

use std::borrow::Cow;

/// The namespace of XHTML.
pub(crate) const XHTML: &str = "http://www.w3.org/1999/xhtml";

pub(crate) const ASPECT: &str = "preserveAspectRatio";

/// The attributes of an element for usvg.
pub(crate) type Attributes = Vec<(Cow<'static, str>, String)>;

pub(crate) fn attribute<'a>(attributes: &'a Attributes, name: &str) -> Option<&'a str> {
    attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Returns an attribute as a number.
pub(crate) fn number(attributes: &Attributes, name: &str) -> Option<f64> {
    attribute(attributes, name)?.trim().parse().ok()
}

pub(crate) fn set(attributes: &mut Attributes, name: &'static str, value: String) {
    attributes.retain(|(known, _)| known != name);
    attributes.push((name.into(), value));
}

/// Removes attributes, and returns them as text.
pub(crate) fn take(attributes: &mut Attributes, names: &[&str]) -> String {
    let mut out = String::new();
    for (name, value) in attributes.extract_if(.., |(name, _)| names.contains(&&**name)) {
        write_attribute(&mut out, &name, &value);
    }
    out
}

pub(crate) fn write_attribute(out: &mut String, name: &str, value: &str) {
    out.extend([" ", name, "=\""]);
    let is_special = |byte| matches!(byte, b'<' | b'>' | b'&' | b'"' | b'\n' | b'\r' | b'\t');
    let mut rest = value;
    // Most values need no escapes and are copied as a whole.
    while let Some(at) = rest.bytes().position(is_special) {
        let (plain, after) = rest.split_at(at);
        out.push_str(plain);
        write_letter(out, char::from(after.as_bytes()[0]));
        rest = &after[1..];
    }
    out.extend([rest, "\""]);
}

/// Writes a letter of a text or of a value.
pub(crate) fn write_letter(out: &mut String, letter: char) {
    match letter {
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '&' => out.push_str("&amp;"),
        '"' => out.push_str("&quot;"),
        '\n' | '\r' | '\t' => *out += &format!("&#{};", letter as u32),
        _ => out.push(letter),
    }
}
