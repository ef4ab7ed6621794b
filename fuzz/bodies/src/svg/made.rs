//! Generates drawings from the words in `fuzz/svg.dict`, and changes a drawing's text: ids, references, numbers,
//! nesting, repetition.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;
use treebounds_testkit::Rng;

/// Returns a random word from one group of the dictionary.
fn word(rng: &mut Rng, group: &str) -> &'static str {
    static GROUPS: OnceLock<HashMap<&str, Vec<String>>> = OnceLock::new();
    let groups = GROUPS.get_or_init(|| {
        let mut groups = HashMap::<_, Vec<String>>::new();
        for line in include_str!("../../../svg.dict").lines().filter(|line| !line.starts_with('#'))
        {
            if let Some((group, quoted)) = line.split_once('=') {
                groups.entry(group).or_default().push(unquoted(quoted));
            }
        }
        groups
    });
    groups.get(group).map_or("", |words| rng.pick::<String>(words))
}

/// Unescapes a word of the dictionary: each of `\"`, `\\` and `\xAB` stands for one byte.
fn unquoted(quoted: &str) -> String {
    let mut text = Vec::new();
    let mut rest = quoted[1..quoted.len() - 1].bytes();
    while let Some(byte) = rest.next() {
        let escaped = if byte == b'\\' { rest.next() } else { Some(byte) };
        let hex = |digit: Option<u8>| char::from(digit.unwrap_or(b'0')).to_digit(16).unwrap_or(0);
        text.push(match escaped {
            Some(b'x') if byte == b'\\' => (16 * hex(rest.next()) + hex(rest.next())) as u8,
            Some(byte) => byte,
            None => break,
        });
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Returns a random tree of elements with random attributes.
pub(crate) fn drawing(rng: &mut Rng) -> String {
    let prolog = if rng.one_in(2) { word(rng, "prolog") } else { "" };
    let mut text = prolog.to_owned();
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

/// Adds an element and its children until the number of elements is reached.
fn element(rng: &mut Rng, text: &mut String, depth: u32, left: &mut u32) {
    *left = left.saturating_sub(1);
    if rng.one_in(6) {
        text.push_str(word(rng, "piece"));
        return;
    }
    let name = word(rng, "element");
    text.push('<');
    text.push_str(name);
    let refers = matches!(name, "clipPath" | "mask" | "pattern" | "filter" | "marker" | "symbol");
    if refers || rng.one_in(2) {
        *text += &format!(" id=\"{}\"", word(rng, "id"));
    }
    if matches!(name, "rect" | "image" | "pattern" | "svg") && rng.percent(80) {
        *text += &format!(" width=\"{}\" height=\"{}\"", 1 + rng.below(60), 1 + rng.below(40));
    }
    if name == "path" && rng.percent(90) {
        *text += &format!(" d=\"{}\"", word(rng, "path"));
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

/// Adds an attribute with a value, unless the element already has it, because repeated attributes are not valid XML.
fn attribute(rng: &mut Rng, text: &mut String) {
    let new = match rng.below(8) {
        0 | 1 => match (word(rng, "link"), word(rng, "id")) {
            (name, id) if name.ends_with("href") => format!("{name}=\"#{id}\""),
            (name, id) => format!("{name}=\"url(#{id})\""),
        },
        2 | 3 => format!("{}=\"{}\"", word(rng, "length"), number(rng)),
        4 => format!("{}=\"{} {}\"", word(rng, "length"), number(rng), number(rng)),
        5 => format!("transform=\"{}\"", word(rng, "transform")),
        _ => word(rng, "attribute").to_owned(),
    };
    let start = text.rfind('<').unwrap_or(0);
    let name = new.split_once('=').map_or("", |(name, _)| name);
    if !text[start..].contains(&format!(" {name}=")) {
        *text += &format!(" {new}");
    }
}

fn number(rng: &mut Rng) -> String {
    match rng.below(3) {
        0 => word(rng, "number").to_owned(),
        1 => rng.below(60).to_string(),
        _ => format!("{:.2}", rng.range(-10.0, 60.0)),
    }
}

const MOST: usize = 200_000;

/// Makes one change and preserves most of the structure.
pub(crate) fn change(rng: &mut Rng, text: &mut String) {
    match rng.below(10) {
        0 => replace(rng, text, ids, |rng, _| word(rng, "id").to_owned()),
        1 | 2 => replace(rng, text, references, |rng, ids| {
            ids.get(rng.below(ids.len().max(1) as u32) as usize).cloned().unwrap_or_default()
        }),
        3 | 4 => replace(rng, text, numbers, |rng, _| number(rng)),
        5 => insert_element(rng, text),
        6 => insert_attribute(rng, text),
        7 => repeat(rng, text),
        8 => nest(rng, text),
        _ => remove(rng, text),
    }
}

fn choose<T: Clone>(rng: &mut Rng, places: Vec<T>) -> Option<T> {
    (!places.is_empty()).then(|| rng.pick(&places).clone())
}

fn replace(
    rng: &mut Rng,
    text: &mut String,
    find: fn(&str) -> Vec<Range<usize>>,
    by: fn(&mut Rng, &[String]) -> String,
) {
    let Some(place) = choose(rng, find(text)) else { return };
    let ids: Vec<String> = ids(text).into_iter().map(|id| text[id].to_owned()).collect();
    let new = by(rng, &ids);
    text.replace_range(place, &new);
}

fn ids(text: &str) -> Vec<Range<usize>> {
    values(text, " id=\"", |c| c == '"')
}

/// Returns all references to ids.
fn references(text: &str) -> Vec<Range<usize>> {
    let mut all = values(text, "url(#", |c| c == ')');
    all.extend(values(text, "href=\"#", |c| c == '"'));
    all
}

/// Returns the text between each occurrence of `word` and the next end character.
fn values(text: &str, word: &str, end: fn(char) -> bool) -> Vec<Range<usize>> {
    let starts = text.match_indices(word).map(|(at, word)| at + word.len());
    starts.filter_map(|at| Some(at..at + text[at..].find(end)?)).collect()
}

fn numbers(text: &str) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices() {
        let is_part = c.is_ascii_digit() || (c == '.' && start.is_some());
        match (start, is_part) {
            (None, true) => start = Some(at),
            (Some(from), false) => {
                all.push(from..at);
                start = None;
            }
            _ => {}
        }
    }
    all
}

/// Returns the places where elements may be inserted: after each tag.
fn gaps(text: &str) -> Vec<usize> {
    text.match_indices('>').map(|(at, _)| at + 1).collect()
}

fn insert_element(rng: &mut Rng, text: &mut String) {
    let Some(gap) = choose(rng, gaps(text)) else { return };
    let mut new = String::new();
    element(rng, &mut new, 6, &mut 3);
    text.insert_str(gap, &new);
}

fn insert_attribute(rng: &mut Rng, text: &mut String) {
    let Some(tag) = choose(rng, tags(text)) else { return };
    let end = if text[..tag.end].ends_with("/>") { tag.end - 2 } else { tag.end - 1 };
    let rest = text.split_off(end);
    attribute(rng, text);
    text.push_str(&rest);
}

/// Returns all opening tags, with their brackets.
fn tags(text: &str) -> Vec<Range<usize>> {
    let opens = |at: usize| text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic());
    let starts = text.match_indices('<').map(|(at, _)| at).filter(|at| opens(*at));
    starts.filter_map(|at| Some(at..at + text[at..].find('>')? + 1)).collect()
}

fn leaves(text: &str) -> Vec<Range<usize>> {
    tags(text).into_iter().filter(|tag| text[tag.clone()].ends_with("/>")).collect()
}

fn repeat(rng: &mut Rng, text: &mut String) {
    let Some(leaf) = choose(rng, leaves(text)) else { return };
    let most = (MOST.saturating_sub(text.len()) / leaf.len().max(1)) as u32;
    let exponent = rng.below(12);
    let times = rng.below(1 << exponent).min(most) as usize;
    let again = text[leaf.clone()].repeat(times);
    text.insert_str(leaf.end, &again);
}

fn nest(rng: &mut Rng, text: &mut String) {
    let Some(leaf) = choose(rng, leaves(text)) else { return };
    let open =
        ["<g>", "<g opacity=\".5\">", "<svg>", "<g clip-path=\"url(#a)\">", "<a>", "<tspan>"];
    let open = *rng.pick(&open);
    let exponent = rng.below(11);
    let times = rng.below(1 << exponent) as usize;
    let name = &open[1..open.len() - 1];
    let close = format!("</{}>", name.split(' ').next().unwrap_or(name));
    text.insert_str(leaf.end, &close.repeat(times));
    text.insert_str(leaf.start, &open.repeat(times));
}

fn remove(rng: &mut Rng, text: &mut String) {
    if let Some(leaf) = choose(rng, leaves(text)) {
        text.replace_range(leaf, "");
    }
}
