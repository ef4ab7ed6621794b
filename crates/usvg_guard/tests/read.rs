//! Tests without a child process: encodings, circular references, and early errors from simple counts.
#![allow(clippy::unwrap_used)]

use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use usvg_guard::{Error, Guard, Limits, Parsed, text, usvg};

const SVG: &str = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='90' height='90'>";

/// Reads a drawing with the given content and entities.
fn read(entities: &str, inside: &str) -> Result<Parsed, Error> {
    let text = format!("<!DOCTYPE svg [{entities}]>{SVG}{inside}</svg>");
    let limits = Limits { elements: 5000, ..Limits::default() };
    Guard::new(usvg::Options::default).parse_here(text.as_bytes(), &limits)
}

#[test]
fn encodings_and_gzip_are_read() {
    let gzip = |data: &[u8]| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    };
    let wide: Vec<u8> = "\u{feff}<é/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin = b"<?xml version='1.0' encoding='ISO-8859-2'?><svg id='\xb1'/>";
    let limits = Limits { bytes: 1 << 20, ..Limits::default() };
    for (data, expected) in [
        (b"<svg/>".to_vec(), "<svg/>"),
        (b"\xef\xbb\xbf<svg/>".to_vec(), "<svg/>"),
        ([gzip(b"<svg"), gzip(b"/>")].concat(), "<svg/>"),
        (wide, "<é/>"),
        (latin.to_vec(), "<?xml version='1.0' encoding='ISO-8859-2'?><svg id='ą'/>"),
        (vec![], "error: the file is empty"),
        (b"<svg>\xff".to_vec(), "error: this is not UTF-8 text"),
        (gzip(b"<svg/>")[..12].to_vec(), "error: the gzip data is damaged"),
        (gzip(&[b' '; 2 << 20]), "error: the bytes of the file exceed the limit of 1 MiB"),
    ] {
        match text(&data, &limits) {
            Ok(read) => assert_eq!(read, expected),
            Err(error) => assert!(format!("error: {error}").starts_with(expected), "{error}"),
        }
    }
}

/// Returns three definitions, each with a shape that refers to the next definition, and a shape that
/// refers to the first.
fn cycle(tag: &str, shape: &str) -> String {
    let one = |(id, to)| {
        format!("<{tag} id='{id}' width='1' height='1'>{}</{tag}>", shape.replace('@', to))
    };
    [("a", "b"), ("b", "c"), ("c", "a")].map(one).concat() + &shape.replace('@', "a")
}

#[test]
fn circular_references_are_left_out() {
    let mut cases = Vec::new();
    for (tag, property) in [
        ("clipPath", "clip-path"),
        ("mask", "mask"),
        ("pattern", "fill"),
        ("pattern", "stroke"),
        ("marker", "marker-end"),
    ] {
        let plain = cycle(tag, &format!("<path d='M0 0h9v9z' {property}='url(#@)'/>"));
        let twice = format!("<{tag} id='a'/><{tag} id='b'/><{tag} id='c'/>{plain}");
        let style = format!("opacity:1; {property}: url(#@)!important");
        let styled = cycle(tag, &format!("<path d='M0 0h9v9z' style='{style}'/>"));
        let note = format!("{property}: url(#a) of path");
        cases.extend([(plain, note.clone()), (twice, note)]);
        cases.push((styled, format!("{property}: url(#a)!important of path")));
    }
    let both = cycle("pattern", "<path d='M0 0h9v9z' fill='url(#@)' stroke='url(#@)'/>");
    let inherited = "<g clip-path='url(#@)'><path d='M0 0h9v9z' clip-path='inherit'/></g>";
    let around = "<g fill='url(#p)'><path d='M0 0h9v9z'/>
        <pattern id='p' width='1' height='1'><path d='M0 0h9v9z'/></pattern></g>";
    let chain = "<linearGradient id='a' href='#b'/><linearGradient id='b' href='#c'/>
        <linearGradient id='c' href='#b'/><path d='M0 0h9v9z' fill='url(#a)'/>";
    let filter = "<filter id='F'><feImage href='#u'/></filter>
        <defs><rect id='r' width='9' height='9' filter='url(#F)'/></defs><use id='u' href='#r'/>";
    let none = "<g id='g' fill='url(#p)' clip-path='url(#c)'><clipPath id='c'><path d='M0 0h9v9z'/></clipPath>
        <pattern id='p' width='1' height='1' fill='red'><path d='M0 0h9v9z'/></pattern><path d='M0 0h9v9z'/></g>
        <use href='#g'/><use href='#g'/>";
    let others = [
        (both, "fill: url(#a) of path, stroke: url(#a) of path"),
        (cycle("clipPath", inherited), "clip-path: url(#a) of g, clip-path: url(#a) of path"),
        (around.to_owned(), "fill: url(#p) of #p"),
        (chain.to_owned(), "linearGradient href=\"#b\" of #c"),
        (filter.to_owned(), "filter: url(#F) of #r"),
        (cycle("g", "<use xlink:href='#@'/>"), "use href=\"#a\" of use"),
        (none.to_owned(), ""),
    ];
    for (inside, notes) in cases.into_iter().chain(others.map(|(svg, note)| (svg, note.into()))) {
        let left_out = read("", &inside).unwrap().left_out;
        let found: Vec<_> =
            left_out.iter().map(|one| format!("{} of {}", one.what, one.element)).collect();
        assert_eq!(found.join(", "), notes, "{inside}");
    }
}

#[test]
fn unreadable_files_fail_early() {
    let nest = |depth: usize| "<g>".repeat(depth) + &"</g>".repeat(depth);
    let mask = |at| format!("<mask id='m{at}'><g mask='url(#m{})'/></mask>", at + 1);
    let attributes: String = (0..5000).map(|at| format!(" a{at}=''")).collect();
    let image = "<image width='10' height='1e30' href='data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%229%22 height=%229%22/%3E'/>";
    let tens = |at| format!("<!ENTITY e{at} '{}'>", format!("&e{};", at - 1).repeat(10));
    let tens = "<!ENTITY e0 'ha'>".to_owned() + &(1..=2).map(tens).collect::<String>();
    let hidden = format!("<!--<!ENTITY a 'x'>--><!ENTITY a '{}'>", "a".repeat(1 << 20));
    let circle = "<!ENTITY r \"<clipPath id='a'><path clip-path='url(#a)'/></clipPath>\">";
    for (entities, inside, error) in [
        ("", nest(1000), ""),
        ("", "<g a='=====' b = '>'/>====".into(), ""),
        (&tens, "&e2;".into(), ""),
        ("", nest(2000), "nested more than 1024 deep"),
        ("", "<g/>".repeat(5000), "the elements exceed the limit of 5,000"),
        ("", (0..2000).map(mask).collect(), "too deeply"),
        ("", format!("<g{attributes}/>"), "attributes of one element exceed the limit of 4,096"),
        ("", image.into(), "which is a bug in it"),
        (&hidden, "&a;".repeat(99), "the bytes of the text with its entities exceed"),
        (circle, "&r;".into(), "a reference of path is circular"),
    ] {
        let found =
            read(entities, &inside).map_or_else(|error| error.to_string(), |_| String::new());
        assert!(found.contains(error) && found.is_empty() == error.is_empty(), "{found}");
    }
}
