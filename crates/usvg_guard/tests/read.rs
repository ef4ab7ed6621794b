//! Without a child: encodings are read, circles are left out, and plain counts give a clear error at once.
#![allow(clippy::unwrap_used)]

use flate2::{Compression, write::GzEncoder};
use std::io::Write;
use usvg_guard::{Error, Guard, Limits, Parsed, text, usvg};

fn read(inside: &str) -> Result<Parsed, Error> {
    let xlink = "xmlns:xlink='http://www.w3.org/1999/xlink'";
    let text = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' {xlink} width='90' height='90'>{inside}</svg>"
    );
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
        (b"<svg/>".to_vec(), Ok("<svg/>")),
        (b"\xef\xbb\xbf<svg/>".to_vec(), Ok("<svg/>")),
        ([gzip(b"<svg"), gzip(b"/>")].concat(), Ok("<svg/>")),
        (wide, Ok("<é/>")),
        (latin.to_vec(), Ok("<?xml version='1.0' encoding='ISO-8859-2'?><svg id='ą'/>")),
        (vec![], Err("is empty")),
        (b"<svg>\xff".to_vec(), Err("not UTF-8 text")),
        (gzip(b"<svg/>")[..12].to_vec(), Err("gzip data is damaged")),
        (gzip(&[b' '; 2 << 20]), Err("the bytes of the file exceed the limit of 1 MiB")),
    ] {
        let read = text(&data, &limits).map_err(|error| error.to_string());
        let is_right = match (&read, expected) {
            (Ok(read), Ok(text)) => read == text,
            (Err(error), Err(why)) => error.contains(why),
            _ => false,
        };
        assert!(is_right, "{read:?}, {expected:?}");
    }
}

#[test]
fn circles_are_left_out() {
    let expect = |inside: &str, notes: &[&str]| {
        let found: Vec<_> =
            read(inside).unwrap().left_out.iter().map(ToString::to_string).collect();
        let is_alike = found.iter().zip(notes).all(|(found, note)| found.starts_with(note));
        assert!(found.len() == notes.len() && is_alike, "{inside}: {found:?}");
    };
    // Three definitions, each with a shape that refers to the next, and a shape that refers to the first.
    let round = |tag: &str, shape: &dyn Fn(&str) -> String| {
        let one = |(id, to)| format!("<{tag} id='{id}' width='1' height='1'>{}</{tag}>", shape(to));
        [("a", "b"), ("b", "c"), ("c", "a")].map(one).concat() + &shape("a")
    };
    for (tag, property) in [
        ("clipPath", "clip-path"),
        ("mask", "mask"),
        ("pattern", "fill"),
        ("pattern", "stroke"),
        ("marker", "marker-end"),
    ] {
        let note = &[&*format!("{property}: url(#a) of path")];
        let plain = |to: &str| format!("<path d='M0 0h9v9z' {property}='url(#{to})'/>");
        expect(&round(tag, &plain), note);
        let twice = format!("<{tag} id='a'/><{tag} id='b'/><{tag} id='c'/>");
        expect(&(twice + &round(tag, &plain)), note);
        let styled = |to: &str| {
            format!("<path d='M0 0h9v9z' style='opacity:1; {property}: url(#{to})!important'/>")
        };
        expect(&round(tag, &styled), &[&*format!("{property}: url(#a)!important of path")]);
    }
    let both = |to: &str| format!("<path d='M0 0h9v9z' fill='url(#{to})' stroke='url(#{to})'/>");
    expect(&round("pattern", &both), &["fill: url(#a) of path", "stroke: url(#a) of path"]);
    let inherited = |to: &str| {
        format!("<g clip-path='url(#{to})'><path d='M0 0h9v9z' clip-path='inherit'/></g>")
    };
    expect(
        &round("clipPath", &inherited),
        &["clip-path: url(#a) of g", "clip-path: url(#a) of path"],
    );
    let around =
        "<g fill='url(#p)'><pattern id='p' width='1' height='1'><path d='M0 0h9v9z'/></pattern>
        <path d='M0 0h9v9z'/></g>";
    expect(around, &["fill: url(#p) of #p"]);
    let chain = "<linearGradient id='a' href='#b'/><linearGradient id='b' href='#c'/>
        <linearGradient id='c' href='#b'/><path d='M0 0h9v9z' fill='url(#a)'/>";
    expect(chain, &["linearGradient href=\"#b\" of #c"]);
    let filter = "<filter id='F'><feImage href='#u'/></filter>
        <defs><rect id='r' width='9' height='9' filter='url(#F)'/></defs><use id='u' href='#r'/>";
    expect(filter, &["filter: url(#F) of #r"]);
    let uses = round("g", &|to| format!("<use xlink:href='#{to}'/>"));
    expect(&uses, &["use href=\"#a\" of use"]);
    let none = "<g id='g' fill='url(#p)' clip-path='url(#c)'><clipPath id='c'><path d='M0 0h9v9z'/></clipPath>
        <pattern id='p' width='1' height='1' fill='red'><path d='M0 0h9v9z'/></pattern><path d='M0 0h9v9z'/></g>
        <use href='#g'/><use href='#g'/>";
    expect(none, &[]);
}

#[test]
fn what_cannot_be_read_is_told_at_once() {
    let nest = |depth: usize| "<g>".repeat(depth) + &"</g>".repeat(depth);
    assert!(read(&nest(1000)).is_ok());
    let mask = |at| format!("<mask id='m{at}'><g mask='url(#m{})'/></mask>", at + 1);
    let attributes: String = (0..5000).map(|at| format!(" a{at}=''")).collect();
    let svg = "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%229%22 height=%229%22/%3E";
    for (inside, error) in [
        (nest(2000), "nested more than 1024 deep"),
        ("<g/>".repeat(5000), "the elements exceed the limit of 5,000"),
        ((0..2000).map(mask).collect(), "too deeply"),
        (format!("<g{attributes}/>"), "attributes of one element exceed the limit of 4,096"),
        (format!("<image width='10' height='1e30' href='{svg}'/>"), "which is a bug in it"),
    ] {
        let found = read(&inside).unwrap_err().to_string();
        assert!(found.contains(error), "{found}");
    }
    assert!(read("<g a='=====' b = '>'/>====").is_ok());
    // A DOCTYPE with these entities, and a text of these references.
    let entities = |entities: &str, text: &str| {
        let svg =
            format!("<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>{text}</svg>");
        let text = format!("<!DOCTYPE svg [{entities}]>{svg}");
        let guard = Guard::new(usvg::Options::default);
        guard.parse_here(text.as_bytes(), &Limits::default()).map(drop)
    };
    let tens = |at| format!("<!ENTITY e{at} '{}'>", format!("&e{};", at - 1).repeat(10));
    let tens = "<!ENTITY e0 'ha'>".to_owned() + &(1..=2).map(tens).collect::<String>();
    assert_eq!(entities(&tens, "&e2;"), Ok(()));
    let hidden = format!("<!--<!ENTITY a 'x'>--><!ENTITY a '{}'>", "a".repeat(1 << 20));
    let error = entities(&hidden, &"&a;".repeat(99)).unwrap_err().to_string();
    assert!(error.contains("the bytes of the text with its entities exceed"), "{error}");
    let round = "<clipPath id='a'><path d='M0 0h9v9z' clip-path='url(#a)'/></clipPath>";
    let round = entities(&format!("<!ENTITY r \"{round}\">"), "&r;");
    assert_eq!(round, Err(Error::Circle("path".into())));
}
