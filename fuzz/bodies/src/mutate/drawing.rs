//! Drawings made anew: a random tree of elements with random attributes.

use super::pick;
use super::vocabulary::{
    ELEMENTS, IDS, LENGTHS, LINKS, NUMBERS, PAIRS, PATHS, PIECES, PROLOGS, TRANSFORMS,
};
use treebounds_tests::streams::Rng;

/// A whole file.
pub(super) fn drawing(rng: &mut Rng) -> String {
    let mut text = (*pick(rng, PROLOGS)).to_owned();
    text +=
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"";
    match rng.below(8) {
        0 => text += " viewBox=\"0 0 64 48\"",
        1 => attribute(rng, &mut text),
        _ => text += " width=\"64\" height=\"48\"",
    }
    text.push('>');
    let most = 1 + rng.below(30);
    let mut left = 1 + rng.below(most);
    while left > 0 {
        element(rng, &mut text, 0, &mut left);
    }
    text + "</svg>"
}

/// An element, and those inside it, as long as there are some left to make.
pub(super) fn element(rng: &mut Rng, text: &mut String, depth: u32, left: &mut u32) {
    *left = left.saturating_sub(1);
    if rng.one_in(6) {
        text.push_str(pick::<&str>(rng, PIECES));
        return;
    }
    let name = *pick(rng, ELEMENTS);
    text.push('<');
    text.push_str(name);
    let refers = matches!(name, "clipPath" | "mask" | "pattern" | "filter" | "marker" | "symbol");
    if refers || rng.one_in(2) {
        *text += &format!(" id=\"{}\"", pick(rng, IDS));
    }
    if matches!(name, "rect" | "image" | "pattern" | "svg") && rng.percent(80) {
        *text += &format!(" width=\"{}\" height=\"{}\"", 1 + rng.below(60), 1 + rng.below(40));
    }
    if name == "path" && rng.percent(90) {
        *text += &format!(" d=\"{}\"", pick(rng, PATHS));
    }
    for _ in 0..rng.below(4) {
        attribute(rng, text);
    }
    if depth > 8 || *left == 0 || rng.percent(40) {
        text.push_str("/>");
        return;
    }
    text.push('>');
    for _ in 0..rng.below(5) {
        if *left > 0 {
            element(rng, text, depth + 1, left);
        }
    }
    *text += &format!("</{name}>");
}

/// An attribute with a value. An element may have it already: then the file is no XML, so this is seldom.
pub(super) fn attribute(rng: &mut Rng, text: &mut String) {
    let (name, value) = match rng.below(8) {
        0 | 1 => {
            let name = *pick(rng, LINKS);
            let id = *pick(rng, IDS);
            (name, if name.ends_with("href") { format!("#{id}") } else { format!("url(#{id})") })
        }
        2 | 3 => (*pick(rng, LENGTHS), number(rng)),
        4 => (*pick(rng, LENGTHS), format!("{} {}", number(rng), number(rng))),
        5 => ("transform", (*pick(rng, TRANSFORMS)).to_owned()),
        _ => {
            let (name, value) = *pick(rng, PAIRS);
            (name, value.to_owned())
        }
    };
    let start = text.rfind('<').unwrap_or(0);
    if !text[start..].contains(&format!(" {name}=")) {
        *text += &format!(" {name}=\"{value}\"");
    }
}

/// A number, mostly a small one.
pub(super) fn number(rng: &mut Rng) -> String {
    match rng.below(3) {
        0 => (*pick(rng, NUMBERS)).to_owned(),
        1 => rng.below(60).to_string(),
        _ => format!("{:.2}", rng.range(-10.0, 60.0)),
    }
}
