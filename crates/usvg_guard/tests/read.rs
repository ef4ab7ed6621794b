//! Without a child: circles are left out, and plain counts give a clear error at once.
#![allow(clippy::unwrap_used)]

use usvg_guard::{Error, Guard, Limits, Parsed};

fn read(inside: &str, limits: &Limits) -> Result<Parsed, Error> {
    let xlink = "xmlns:xlink='http://www.w3.org/1999/xlink'";
    let text = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' {xlink} width='90' height='90'>{inside}</svg>"
    );
    Guard::default().parse_here(text.as_bytes(), limits)
}

#[test]
fn circles_are_left_out() {
    let expect = |inside: &str, notes: &[&str]| {
        let found = read(inside, &Limits::default()).unwrap().notes;
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
    assert!(read(&nest(1000), &Limits::default()).is_ok());
    let mask = |at| format!("<mask id='m{at}'><g mask='url(#m{})'/></mask>", at + 1);
    let attributes: String = (0..5000).map(|at| format!(" a{at}=''")).collect();
    let few = Limits { elements: 3, ..Limits::default() };
    let elements = read("<g/><g/><g/>", &few).unwrap_err();
    assert_eq!(elements, Error::TooMany { what: "the elements".into(), max: 3 });
    let svg = "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%229%22 height=%229%22/%3E";
    for (inside, error) in [
        (nest(2000), "nested more than 1024 deep"),
        ((0..2000).map(mask).collect(), "too deeply"),
        (format!("<g{attributes}/>"), "attributes of one element exceed the limit of 4096"),
        (format!("<image width='10' height='1e30' href='{svg}'/>"), "which is a bug in it"),
    ] {
        let found = read(&inside, &Limits::default()).unwrap_err().to_string();
        assert!(found.contains(error), "{found}");
    }
    let text = "<!DOCTYPE svg [<!ENTITY r \"<clipPath id='a'><path d='M0 0h9v9z' clip-path='url(#a)'/></clipPath>\">]>
        <svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>&r;</svg>";
    let read = Guard::default().parse_here(text.as_bytes(), &Limits::default());
    assert_eq!(read.unwrap_err(), Error::Circle("#a".into()));
}
