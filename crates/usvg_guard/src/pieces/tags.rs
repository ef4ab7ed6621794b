//! The tags of a text, in order, without a tree: four million elements as a tree take gigabytes.
//!
//! The tags are used to cut the text, and to find what refers to what. The XML parser reads every part of the text
//! afterwards, so what is no XML is refused there. A tag or a reference that is missed here would be a wrong picture.

use std::borrow::Cow;

/// What a tag does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// It opens an element.
    Open,
    /// It closes one.
    Close,
    /// It is an element without content.
    Empty,
}

/// A tag.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag<'t> {
    /// Where it begins in the text.
    pub(super) start: usize,
    /// All of it, from `<` to `>`.
    pub(super) text: &'t str,
    pub(super) kind: Kind,
}

impl<'t> Tag<'t> {
    /// Where it ends in the text.
    pub(super) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Its name, with its prefix.
    pub(super) fn name(&self) -> &'t str {
        let name = self.text.strip_prefix("</").or_else(|| self.text.strip_prefix('<'));
        let name = name.unwrap_or_default();
        let ends = |letter: char| letter.is_ascii_whitespace() || matches!(letter, '/' | '>');
        name.find(ends).and_then(|end| name.get(..end)).unwrap_or(name)
    }

    /// Its name without the prefix.
    pub(super) fn local_name(&self) -> &'t str {
        local(self.name())
    }

    /// What precedes the local name, up to the colon.
    pub(super) fn prefix(&self) -> &'t str {
        let name = self.name();
        name.find(':').and_then(|colon| name.get(..=colon)).unwrap_or_default()
    }

    /// Its attributes, names with prefixes and values without escapes.
    pub(super) fn attributes(&self) -> impl Iterator<Item = (&'t str, Cow<'t, str>)> + use<'t> {
        let after = 1 + self.name().len();
        let mut rest = self.text.get(after..).unwrap_or_default();
        std::iter::from_fn(move || {
            let (name, value) = rest.split_once('=')?;
            let value = value.trim_start();
            let quote = value.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
            let (value, after) = value.get(1..)?.split_once(quote)?;
            rest = after;
            Some((name.trim(), unescape(value)))
        })
    }

    /// The value of the attribute of this name.
    pub(super) fn attribute(&self, name: &str) -> Option<Cow<'t, str>> {
        self.attributes().find(|(known, _)| *known == name).map(|(_, value)| value)
    }
}

/// A name without its prefix.
pub(super) fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

/// All tags of a text.
pub(super) fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + text.get(at..)?.find('<')?;
            let rest = text.get(start..)?;
            if let Some(length) = skipped(rest) {
                at = start + length;
                continue;
            }
            let text = rest.get(..tag_length(rest)?)?;
            at = start + text.len();
            let kind = match () {
                () if text.starts_with("</") => Kind::Close,
                () if text.ends_with("/>") => Kind::Empty,
                () => Kind::Open,
            };
            return Some(Tag { start, text, kind });
        }
    })
}

/// How long the tag is that the text begins with: a `>` in quotes does not end it.
fn tag_length(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        match bytes.get(at)? {
            b'>' => return Some(at + 1),
            quote @ (b'"' | b'\'') => {
                let inside = bytes.get(at + 1..)?;
                at += inside.iter().position(|byte| byte == quote)? + 2;
            }
            _ => at += 1,
        }
    }
}

/// How long the comment, the section of characters, the instruction or the document type is that the text begins with.
fn skipped(text: &str) -> Option<usize> {
    let ends = [("<!--", "-->"), ("<![CDATA[", "]]>"), ("<?", "?>")];
    if let Some((start, end)) = ends.iter().find(|(start, _)| text.starts_with(start)) {
        let inside = text.get(start.len()..)?;
        return Some(inside.find(end).map_or(text.len(), |at| start.len() + at + end.len()));
    }
    text.starts_with("<!").then(|| document_type(text))
}

/// How long the document type is that the text begins with, entities included.
fn document_type(text: &str) -> usize {
    let (mut at, mut open) = (2, 0_u32);
    while let Some(rest) = text.get(at..) {
        let Some(step) = rest.find(['<', '>', '[', ']', '"', '\'']) else { break };
        let rest = rest.get(step..).unwrap_or_default();
        at += step + 1;
        match rest.as_bytes().first() {
            Some(b'<') if rest.starts_with("<!--") => {
                at += rest.find("-->").map_or(rest.len(), |end| end + 2);
            }
            Some(b'[') => open += 1,
            Some(b']') => open = open.saturating_sub(1),
            Some(quote @ (b'"' | b'\'')) => {
                let inside = rest.as_bytes().get(1..).unwrap_or_default();
                let length = inside.iter().position(|byte| byte == quote);
                at += length.map_or(inside.len(), |length| length + 1);
            }
            Some(b'>') if open == 0 => return at,
            _ => {}
        }
    }
    text.len()
}

/// A text with its escapes as the letters that they stand for. Entities that a document declares stay as they are.
pub(super) fn unescape(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let known = part.split_once(';').and_then(|(name, rest)| Some((letter(name)?, rest)));
        match known {
            Some((letter, rest)) => {
                out.push(letter);
                out.push_str(rest);
            }
            None => {
                out.push('&');
                out.push_str(part);
            }
        }
    }
    Cow::Owned(out)
}

/// The letter that an escape stands for.
fn letter(name: &str) -> Option<char> {
    let number = match name.strip_prefix('#').map(|number| (number, number.strip_prefix('x'))) {
        Some((_, Some(hex))) => u32::from_str_radix(hex, 16).ok(),
        Some((decimal, None)) => decimal.parse().ok(),
        None => return is_predefined(name),
    };
    number.and_then(char::from_u32)
}

/// The letter of an entity that every document has.
pub(super) fn is_predefined(name: &str) -> Option<char> {
    let all = [("lt", '<'), ("gt", '>'), ("amp", '&'), ("quot", '"'), ("apos", '\'')];
    all.iter().find(|(known, _)| *known == name).map(|(_, letter)| *letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_found_and_nothing_else() {
        let text = "<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY e \"<b>]>\"><!-- don't > -->]>
            <svg a='>' b=\"<c/>\"><!-- <d> --><g\n/><![CDATA[<e>]]><s:f></s:f></svg>";
        let found: Vec<_> = tags(text).map(|tag| (tag.name(), tag.kind)).collect();
        use Kind::{Close, Empty, Open};
        let expected = [("svg", Open), ("g", Empty), ("s:f", Open), ("s:f", Close), ("svg", Close)];
        assert_eq!(found, expected);
        let all = tags(text).all(|tag| &text[tag.start..tag.end()] == tag.text);
        assert!(all, "tags know where they are");
    }

    #[test]
    fn attributes_are_read_without_escapes() {
        let tag = tags("<a:g id = 'x y'\n b=\"1&lt;&#50;&#x33;&own;\"c=''/>").next().unwrap();
        let found: Vec<_> =
            tag.attributes().map(|(name, value)| (name, value.into_owned())).collect();
        let expected = [("id", "x y"), ("b", "1<23&own;"), ("c", "")];
        assert_eq!(found, expected.map(|(name, value)| (name, value.to_owned())));
        assert_eq!((tag.prefix(), tag.local_name()), ("a:", "g"));
    }

    #[test]
    fn what_does_not_end_is_no_tag() {
        for text in ["<", "<g", "<g a='", "<!-- ", "<!DOCTYPE [", "<![CDATA[", "<?"] {
            assert_eq!(tags(text).count(), 0, "{text}");
        }
    }
}
