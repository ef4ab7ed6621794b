//! How many attributes the elements of a text have, and how deep they are nested, before it is read as XML.
//!
//! The XML parser compares every attribute of an element with every other, and looks up prefixes of namespaces one by
//! one. So what looks like an attribute is counted in the bare text: every `=` outside of quotes in what looks like
//! a tag. Text of entities is looked at as well, where it is declared.

use crate::{Limits, Refused};
use std::collections::HashSet;

/// How many times deeper elements may be nested that are not those of SVG.
const FOREIGN: u64 = 16;

/// Refuses elements with too many attributes, too many prefixes, and nests far deeper than usvg reads.
pub(crate) fn check(text: &str, limits: &Limits) -> Result<(), Refused> {
    let mut prefixes = HashSet::new();
    let mut rest = text;
    let mut depth: u64 = 0;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if rest.starts_with('/') {
            depth = depth.saturating_sub(1);
        }
        if let Some(after) = skipped(rest) {
            rest = after;
            continue;
        }
        let after = tag(rest, limits, &mut prefixes)?;
        let is_closed = rest[..rest.len() - after.len()].ends_with('/');
        depth += u64::from(!is_closed);
        if depth > limits.nesting.saturating_mul(FOREIGN) {
            return Err(Refused::TooNested { depth, max: limits.nesting });
        }
        rest = after;
    }
    Ok(())
}

/// What follows a comment, a section of characters or an instruction.
fn skipped(rest: &str) -> Option<&str> {
    let ends = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>"), ("!", ""), ("/", ">")];
    let (_, end) = ends.iter().find(|(start, _)| rest.starts_with(start))?;
    if end.is_empty() {
        // A declaration may hold a text with tags.
        return Some(&rest[1..]);
    }
    Some(rest.find(end).map_or("", |at| &rest[at + end.len()..]))
}

/// Counts the attributes of a tag, and gives what follows it.
fn tag<'a>(
    rest: &'a str,
    limits: &Limits,
    prefixes: &mut HashSet<&'a str>,
) -> Result<&'a str, Refused> {
    let bytes = rest.as_bytes();
    let (mut count, mut at, mut name) = (0, 0, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'>' => break,
            b'=' => {
                count += 1;
                if count > limits.attributes {
                    return Err(Refused::TooManyAttributes { max: limits.attributes });
                }
                let word = rest.get(name..at).unwrap_or_default().trim();
                prefixes.extend(word.strip_prefix("xmlns:"));
                if prefixes.len() as u64 > limits.namespaces {
                    return Err(Refused::TooManyNamespaces { max: limits.namespaces });
                }
            }
            b'"' | b'\'' => {
                let inside = &bytes[at + 1..];
                let end = inside.iter().position(|one| one == byte).unwrap_or(inside.len());
                at += end + 1;
                name = at + 1;
            }
            byte if byte.is_ascii_whitespace() && count == 0 => name = at,
            _ => {}
        }
        at += 1;
    }
    Ok(rest.get(at..).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) -> Result<(), Refused> {
        super::check(text, &Limits { attributes: 3, namespaces: 2, ..Limits::default() })
    }

    #[test]
    fn attributes_are_counted_in_tags_alone() {
        assert_eq!(check("<svg a='1' b=\"=====\" c = '>'>====<g a='1'/></svg>"), Ok(()));
        assert_eq!(
            check("<!-- <a b= c= d= e= f= --><?x a= b= c= d= ?><![CDATA[<a b=c=d=e=f=]]>"),
            Ok(())
        );
        let many = Err(Refused::TooManyAttributes { max: 3 });
        assert_eq!(check("<svg><g a='' b='' c='' d=''/></svg>"), many);
        assert_eq!(check("<!DOCTYPE svg [<!ENTITY e \"<g a='' b='' c='' d=''/>\">]><svg/>"), many);
    }

    #[test]
    fn levels_are_counted() {
        let check = |text: &str| super::check(text, &Limits { nesting: 1, ..Limits::default() });
        let nest = |depth: usize| "<g>".repeat(depth) + &"</g>".repeat(depth);
        assert_eq!(check(&nest(16).repeat(9)), Ok(()));
        assert_eq!(check(&"<g/><g a='>'/><!-- <g> --><?g <g>?>".repeat(99)), Ok(()));
        assert_eq!(check(&nest(17)), Err(Refused::TooNested { depth: 17, max: 1 }));
    }

    #[test]
    fn prefixes_are_counted_once() {
        assert_eq!(check("<svg xmlns='u' xmlns:a='u' xmlns:b='v'><g xmlns:a='u'/></svg>"), Ok(()));
        let many = Err(Refused::TooManyNamespaces { max: 2 });
        assert_eq!(check("<svg xmlns:a='u'><g xmlns:b='v'><g xmlns:c='w'/></g></svg>"), many);
    }
}
