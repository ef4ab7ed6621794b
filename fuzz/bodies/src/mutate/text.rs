//! Changes of a drawing's text that leave most of its structure: ids, references, numbers, nesting, repetition.

use super::drawing::{attribute, element, number};
use super::pick;
use super::vocabulary::IDS;
use std::ops::Range;
use treebounds_tests::streams::Rng;

/// No text is made longer than this.
const MOST: usize = 200_000;

/// One change.
pub(super) fn change(rng: &mut Rng, text: &mut String) {
    match rng.below(10) {
        0 => replace(rng, text, ids, |rng, _| (*pick(rng, IDS)).to_owned()),
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

/// Replaces one of the places that are found.
fn replace(
    rng: &mut Rng,
    text: &mut String,
    find: fn(&str) -> Vec<Range<usize>>,
    by: fn(&mut Rng, &[String]) -> String,
) {
    let places = find(text);
    if places.is_empty() {
        return;
    }
    let place = pick(rng, &places).clone();
    let ids: Vec<String> = ids(text).into_iter().map(|id| text[id].to_owned()).collect();
    let new = by(rng, &ids);
    text.replace_range(place, &new);
}

/// The values of all ids.
fn ids(text: &str) -> Vec<Range<usize>> {
    values(text, " id=\"", |c| c == '"')
}

/// What is referred to.
fn references(text: &str) -> Vec<Range<usize>> {
    let mut all = values(text, "url(#", |c| c == ')');
    all.extend(values(text, "href=\"#", |c| c == '"'));
    all
}

/// From behind each of these words to before the next such character.
fn values(text: &str, word: &str, end: fn(char) -> bool) -> Vec<Range<usize>> {
    let starts = text.match_indices(word).map(|(at, word)| at + word.len());
    starts.filter_map(|at| Some(at..at + text[at..].find(end)?)).collect()
}

/// All numbers.
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

/// Where elements may be put: behind each tag.
fn gaps(text: &str) -> Vec<usize> {
    text.match_indices('>').map(|(at, _)| at + 1).collect()
}

fn insert_element(rng: &mut Rng, text: &mut String) {
    let gaps = gaps(text);
    if gaps.is_empty() {
        return;
    }
    let mut new = String::new();
    element(rng, &mut new, 6, &mut 3);
    text.insert_str(*pick(rng, &gaps), &new);
}

fn insert_attribute(rng: &mut Rng, text: &mut String) {
    let tags = tags(text);
    if tags.is_empty() {
        return;
    }
    let tag = pick(rng, &tags).clone();
    let end = if text[..tag.end].ends_with("/>") { tag.end - 2 } else { tag.end - 1 };
    let rest = text.split_off(end);
    attribute(rng, text);
    text.push_str(&rest);
}

/// All opening tags, with their brackets.
fn tags(text: &str) -> Vec<Range<usize>> {
    let opens = |at: usize| text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic());
    let starts = text.match_indices('<').map(|(at, _)| at).filter(|at| opens(*at));
    starts.filter_map(|at| Some(at..at + text[at..].find('>')? + 1)).collect()
}

/// Whole elements that hold no other.
fn leaves(text: &str) -> Vec<Range<usize>> {
    tags(text).into_iter().filter(|tag| text[tag.clone()].ends_with("/>")).collect()
}

/// Says something twice, or a thousand times.
fn repeat(rng: &mut Rng, text: &mut String) {
    let leaves = leaves(text);
    if leaves.is_empty() {
        return;
    }
    let leaf = pick(rng, &leaves).clone();
    let most = (MOST.saturating_sub(text.len()) / leaf.len().max(1)) as u32;
    let exponent = rng.below(12);
    let times = rng.below(1 << exponent).min(most) as usize;
    let again = text[leaf.clone()].repeat(times);
    text.insert_str(leaf.end, &again);
}

/// Puts an element into many others.
fn nest(rng: &mut Rng, text: &mut String) {
    let leaves = leaves(text);
    if leaves.is_empty() {
        return;
    }
    let leaf = pick(rng, &leaves).clone();
    let open =
        ["<g>", "<g opacity=\".5\">", "<svg>", "<g clip-path=\"url(#a)\">", "<a>", "<tspan>"];
    let open = *pick(rng, &open);
    let exponent = rng.below(11);
    let times = rng.below(1 << exponent) as usize;
    let name = &open[1..open.len() - 1];
    let close = format!("</{}>", name.split(' ').next().unwrap_or(name));
    text.insert_str(leaf.end, &close.repeat(times));
    text.insert_str(leaf.start, &open.repeat(times));
}

fn remove(rng: &mut Rng, text: &mut String) {
    let leaves = leaves(text);
    if !leaves.is_empty() {
        text.replace_range(pick(rng, &leaves).clone(), "");
    }
}
