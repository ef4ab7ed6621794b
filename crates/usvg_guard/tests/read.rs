//! Without a child: circles are left out, and plain counts give a clear error at once.
#![allow(clippy::unwrap_used)]

use usvg_guard::{Error, Guard, Limits, Parsed};

fn read(inside: &str) -> Result<Parsed, Error> {
    let xlink = "xmlns:xlink='http://www.w3.org/1999/xlink'";
    let text = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' {xlink} width='90' height='90'>{inside}</svg>"
    );
    Guard::default().parse_here(text.as_bytes(), &Limits::default())
}

#[track_caller]
fn left_out(inside: &str, notes: &[&str]) {
    let found = read(inside).unwrap().notes;
    let is_alike = found.iter().zip(notes).all(|(found, note)| found.starts_with(note));
    assert!(found.len() == notes.len() && is_alike, "{found:?}");
}

/// Three definitions, each with a shape that refers to the next, and a shape that refers to the first.
fn round(tag: &str, shape: impl Fn(&str) -> String) -> String {
    let one = |(id, to)| format!("<{tag} id='{id}' width='1' height='1'>{}</{tag}>", shape(to));
    [("a", "b"), ("b", "c"), ("c", "a")].map(one).concat() + &shape("a")
}

#[test]
fn circles_are_left_out() {
    for (tag, property) in [
        ("clipPath", "clip-path"),
        ("mask", "mask"),
        ("pattern", "fill"),
        ("pattern", "stroke"),
        ("marker", "marker-end"),
    ] {
        let note = format!("{property}: url(#a) of path");
        left_out(
            &round(tag, |to| format!("<path d='M0 0h9v9z' {property}='url(#{to})'/>")),
            &[&note],
        );
        let styled = |to: &str| format!("<path d='M0 0h9v9z' style='{property}:url(#{to})'/>");
        left_out(&round(tag, styled), &[&format!("{property} of path")]);
    }
}

#[test]
fn circles_behind_style_sheets_and_inheritance_are_left_out() {
    let classes = |to: &str| format!("<path d='M0 0h9v9z' class='{to}' style='clip-path:none'/>");
    let rule = |id| format!(".{id}{{clip-path:url(#{id})!important}}");
    let sheet = format!("<style>{}</style>", ["a", "b", "c"].map(rule).concat());
    left_out(&(sheet + &round("clipPath", classes)), &["path of path"]);
    let inherited = |to: &str| {
        format!("<g clip-path='url(#{to})'><path d='M0 0h9v9z' clip-path='inherit'/></g>")
    };
    left_out(
        &round("clipPath", inherited),
        &["clip-path: url(#a) of g", "clip-path: inherit of path"],
    );
    let around =
        "<g fill='url(#p)'><pattern id='p' width='1' height='1'><path d='M0 0h9v9z'/></pattern>
        <path d='M0 0h9v9z'/></g>";
    left_out(around, &["fill of #p"]);
    let twice = "<clipPath id='a'/><clipPath id='b'/><clipPath id='c'/>";
    let clip = |to: &str| format!("<path d='M0 0h9v9z' clip-path='url(#{to})'/>");
    left_out(&(twice.to_owned() + &round("clipPath", clip)), &["clip-path: url(#a) of path"]);
}

#[test]
fn circles_of_templates_uses_and_filters_are_left_out() {
    let chain = "<linearGradient id='a' href='#b'/><linearGradient id='b' href='#c'/>
        <linearGradient id='c' href='#b'/><path d='M0 0h9v9z' fill='url(#a)'/>";
    left_out(chain, &["linearGradient href=\"#b\" of #c"]);
    let filter = "<filter id='F'><feImage href='#u'/></filter>
        <defs><rect id='r' width='9' height='9' filter='url(#F)'/></defs><use id='u' href='#r'/>";
    left_out(filter, &["filter: url(#F) of #r"]);
    let uses = round("g", |to| format!("<use xlink:href='#{to}'/>"));
    left_out(&uses, &["use href=\"#a\" of use"]);
}

#[test]
fn what_leads_nowhere_round_is_kept() {
    let inside = "<g id='g' fill='url(#p)' clip-path='url(#c)'><clipPath id='c'><path d='M0 0h9v9z'/></clipPath>
        <pattern id='p' width='1' height='1' fill='red'><path d='M0 0h9v9z'/></pattern><path d='M0 0h9v9z'/></g>
        <use href='#g'/><use href='#g'/>";
    left_out(inside, &[]);
}

#[test]
fn a_circle_in_an_entity_is_refused() {
    let text = "<!DOCTYPE svg [<!ENTITY r \"<clipPath id='a'><path d='M0 0h9v9z' clip-path='url(#a)'/></clipPath>\">]>
        <svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>&r;</svg>";
    let read = Guard::default().parse_here(text.as_bytes(), &Limits::default());
    assert_eq!(read.unwrap_err(), Error::Circle("#a".into()));
}

#[test]
fn too_much_is_told_at_once() {
    let nest = |depth: usize| "<g>".repeat(depth) + &"</g>".repeat(depth);
    assert!(read(&nest(1000)).is_ok());
    assert_eq!(read(&nest(2000)).unwrap_err(), Error::TooNested(1024));
    let chain: String = (0..2000)
        .map(|at| format!("<mask id='m{at}'><path d='M0 0h9v9z' mask='url(#m{})'/></mask>", at + 1))
        .collect();
    assert_eq!(read(&chain).unwrap_err(), Error::TooDeep);
    let many: String = (0..5000).map(|at| format!(" a{at}=''")).collect();
    assert!(matches!(read(&format!("<g{many}/>")), Err(Error::TooMany { max: 4096, .. })));
    let few = Limits { elements: 3, ..Limits::default() };
    let text = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><g/><g/><g/></svg>";
    let error = Guard::default().parse_here(text.as_bytes(), &few).unwrap_err();
    assert!(matches!(error, Error::TooMany { max: 3, .. }), "{error}");
}

#[test]
fn panics_are_errors() {
    let svg = "data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22 width=%229%22 height=%229%22/%3E";
    let error = read(&format!("<image width='10' height='1e30' href='{svg}'/>")).unwrap_err();
    assert!(matches!(error, Error::Panicked(_)), "{error}");
}
