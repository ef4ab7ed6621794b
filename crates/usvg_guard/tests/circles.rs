//! References that lead round in a circle, hidden from a reader in a hurry: each is left out, or refused.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{SHAPE, left_out, read, refused};
use usvg_guard::Refused;

/// Three clip paths, each with a shape that has attributes of its own.
fn clips(attributes: [&str; 3]) -> String {
    let clip = |(id, own): (char, &str)| {
        format!("<clipPath id='{id}'><path d='M0 0h9v9z' {own}/></clipPath>")
    };
    let all: String = "abc".chars().zip(attributes).map(clip).collect();
    format!("{all}<rect width='9' height='9' clip-path='url(#a)'/>")
}

#[test]
fn a01_circle_behind_ids_given_twice() {
    let empty = "<clipPath id='a'/><clipPath id='b'/><clipPath id='c'/>";
    let round = ["clip-path='url(#b)'", "clip-path='url(#c)'", "clip-path='url(#a)'"];
    left_out(&(empty.to_owned() + &clips(round)), &["clip-path: url(#a) of path"]);
}

#[test]
fn a02_circle_behind_foreign_attributes() {
    let round = ["b", "c", "a"].map(|to| format!("f:clip-path='none' clip-path='url(#{to})'"));
    left_out(&clips(round.each_ref().map(String::as_str)), &["clip-path: "]);
}

#[test]
fn a03_circle_by_important_declarations() {
    let sheet = "<style>.a{clip-path:url(#a)!important}.b{clip-path:url(#b)!important}
        .c{clip-path:url(#c)!important}</style>";
    let round = ["b", "c", "a"].map(|to| format!("class='{to}' style='clip-path:none'"));
    left_out(&(sheet.to_owned() + &clips(round.each_ref().map(String::as_str))), &["path of path"]);
}

#[test]
fn a04_circle_that_a_sheet_of_another_type_does_not_break() {
    let sheet = "<style type='text/less'>path{clip-path:none}</style>";
    let round = ["clip-path='url(#b)'", "clip-path='url(#c)'", "clip-path='url(#a)'"];
    left_out(&(sheet.to_owned() + &clips(round)), &["clip-path: "]);
}

#[test]
fn a05_circle_by_inheritance() {
    let round = "<clipPath id='a'><g clip-path='url(#b)'><path d='M0 0h9v9z' clip-path='inherit'/></g></clipPath>
        <clipPath id='b'><g clip-path='url(#c)'><path d='M0 0h9v9z' clip-path='inherit'/></g></clipPath>
        <clipPath id='c'><path d='M0 0h9v9z' clip-path='url(#a)'/></clipPath>
        <rect width='9' height='9' clip-path='url(#a)'/>";
    left_out(round, &["clip-path: url(#a) of path"]);
}

#[test]
fn a06_circle_by_the_paint_of_a_use() {
    let pattern = |id, to| {
        format!(
            "<pattern id='{id}' width='1' height='1'><use fill='url(#{to})' xlink:href='#r'/></pattern>"
        )
    };
    let all = [pattern("a", "b"), pattern("b", "c"), pattern("c", "a")].concat();
    let shapes =
        "<rect id='r' width='9' height='9' fill='red'/><path d='M0 0h9v9z' fill='url(#a)'/>";
    left_out(&(all + shapes), &["fill: url(#a) of use"]);
}

#[test]
fn a07_circle_by_the_paint_of_a_decoration() {
    let pattern = |id, to| {
        format!(
            "<pattern id='{id}' width='1' height='1'><g text-decoration='underline' fill='url(#{to})'>
             <text fill='red'>a</text></g></pattern>"
        )
    };
    let all = [pattern("a", "b"), pattern("b", "c"), pattern("c", "a")].concat();
    left_out(&(all + "<path d='M0 0h9v9z' fill='url(#a)'/>"), &["fill: url(#a) of g"]);
}

#[test]
fn a08_circle_behind_spans_outside_of_texts() {
    let round = ["clip-path='url(#b)'", "clip-path='url(#c)'", "clip-path='url(#a)'"];
    let inside = format!("<defs><tspan><tspan>{}</tspan></tspan></defs>", clips(round));
    let shape = "<rect width='9' height='9' clip-path='url(#a)'/>";
    left_out(&(inside + shape), &["clip-path: url(#a) of path"]);
}

#[test]
fn a09_circle_behind_parts_of_texts_that_are_not_read() {
    let round = ["clip-path='url(#b)'", "clip-path='url(#c)'", "clip-path='url(#a)'"];
    let note = ["clip-path: url(#a) of path"];
    left_out(&(clips(round) + "<text><tspan><textPath id='b'/></tspan></text>"), &note);
    left_out(&(clips(round) + "<text><tref><tspan id='b'/></tref></text>"), &note);
}

#[test]
fn a10_circle_behind_patterns_with_unknown_elements() {
    let pattern = |(id, to)| {
        format!(
            "<pattern id='{id}' href='#{id}x' width='1' height='1'><title>a</title></pattern>
             <pattern id='{id}x' width='1' height='1'><path d='M0 0h9v9z' fill='url(#{to})'/></pattern>"
        )
    };
    let all = [("a", "b"), ("b", "c"), ("c", "a")].map(pattern).concat();
    left_out(&(all + "<path d='M0 0h9v9z' fill='url(#a)'/>"), &["fill: url(#a) of path"]);
}

#[test]
fn a11_circle_by_what_is_inherited_and_important() {
    let clip = |(id, to)| {
        format!(
            "<clipPath id='{id}'><g style='clip-path:url(#{to})!important'>
             <path d='M0 0h9v9z' clip-path='inherit' style='clip-path:none'/></g></clipPath>"
        )
    };
    let all = [("a", "b"), ("b", "c"), ("c", "a")].map(clip).concat();
    refused!(&(all + "<path d='M0 0h9v9z' clip-path='url(#a)'/>"), Refused::UnclearStyles { .. });
    let clip = |(id, to)| {
        format!("<clipPath id='{id}'><path d='M0 0h9v9z' style='clip-path:url(#{to})'/></clipPath>")
    };
    let all = [("a", "b"), ("b", "c"), ("c", "a")].map(clip).concat();
    let sheet = "<style>path{clip-path:inherit!important}</style>";
    let shape = "<rect width='9' height='9' clip-path='url(#a)'/>";
    refused!(&(sheet.to_owned() + &all + shape), Refused::UnclearStyles { .. });
}

#[test]
fn f01_circle_by_a_use_in_a_filter() {
    let inside = "<filter id='F'><feImage href='#u'/></filter>
        <defs><rect id='r' width='9' height='9' filter='url(#F)'/></defs><use id='u' href='#r'/>";
    left_out(inside, &["filter: url(#F) of #r"]);
}

#[test]
fn f03_circle_by_images_in_a_filter_and_spans() {
    let defs = |level: usize, to: usize| {
        let path = format!("<path id='u{level}' d='M0 0h9v9z' filter='url(#l{to})'/>");
        let image = format!("<feImage href='#u{level}'/>").repeat(2);
        format!("<tspan>{path}</tspan><filter id='l{level}'>{image}</filter>")
    };
    let all = format!("<defs>{}{}</defs>", defs(0, 1), defs(1, 0));
    let inside = all + "<rect width='30' height='30' filter='url(#l1)'/>";
    left_out(&inside, &["filter: url(#l0) of #u1"]);
}

#[test]
fn f04_circle_by_a_filter_that_shows_an_element_and_its_use() {
    let inside = "<filter id='F'><feImage href='#r'/><feImage href='#u'/></filter>
        <defs><rect id='r' width='9' height='9' filter='url(#F)'/></defs><use id='u' href='#r'/>";
    left_out(inside, &["filter: url(#F) of #r"]);
}

#[test]
fn f05_filters_that_show_twice_as_much_each() {
    let level = |at: usize| {
        format!(
            "<g id='g{at}' filter='url(#F{at})'><use href='#g{}'/></g>
             <filter id='F{at}'><feImage href='#g{at}'/></filter>",
            at - 1
        )
    };
    let levels: String = (1..40).map(level).collect();
    let inside = format!("<defs><g id='g0'>{SHAPE}</g>{levels}</defs><use href='#g39'/>");
    assert_eq!(read(&inside).unwrap().notes.len(), 39);
}
