//! Parts of a document that are left out, and their effect on boxes.

use super::css::LEFT_OUT;
use super::objects::Found;
use std::borrow::Cow;
use treebounds_report::{Document as Objects, Ignored};
use usvg::roxmltree::{Document, Node};
use usvg_guard::{NAMESPACE, is_sheet};

const NOT_PAINTED: &str = "not painted; it has no box";
const STANDS_STILL: &str = "left out; the drawing is read as if it stood still";
const DOES_NOT_CUT: &str = "left out; it cuts nothing";
const NO_WRAP: &str = "left out; the text is not broken into lines";
const NO_PAINT: &str = "not known; nothing is painted with it";

/// Lists everything in a document that is left out, with its object.
pub(super) fn find(document: &Document, found: &Found) -> Vec<Ignored> {
    let mut out = Vec::new();
    let mut add = |object: u32, what: String, effect: &'static str| {
        out.push(Ignored { object, what: what.into(), effect: effect.into() });
    };
    for what in in_general(document) {
        add(0, what.0, what.1);
    }
    for (object, node) in (0..).zip(&found.nodes) {
        if let Some((what, effect)) = element(*node) {
            add(object, what, effect);
        }
        let style = &found.styles[object as usize];
        if style.is_empty() {
            continue;
        }
        for name in LEFT_OUT {
            if let Some((value, effect)) =
                style.get(name).and_then(|value| Some((value, property(name, value)?)))
            {
                add(object, format!("{name}: {value}"), effect);
            }
        }
    }
    out
}

/// The name of an element that is left out, and the effect.
fn element(node: Node) -> Option<(String, &'static str)> {
    let name = node.tag_name().name();
    let effect = match name {
        "foreignObject" | "flowRoot" | "video" | "audio" | "iframe" | "canvas" | "object" => {
            NOT_PAINTED
        }
        "animate" | "animateColor" | "animateMotion" | "animateTransform" | "set" => STANDS_STILL,
        "script" => "not run",
        "mesh" | "meshgradient" | "meshGradient" | "hatch" => NO_PAINT,
        "use" | "textPath" => return other_file(node),
        _ => return None,
    };
    let of = node.attribute("attributeName").map_or(String::new(), |of| format!(" {of}"));
    Some((format!("{name}{of}"), effect))
}

/// A reference to another file, and the effect.
fn other_file(node: Node) -> Option<(String, &'static str)> {
    let link = node.attributes().find(|attribute| attribute.name() == "href")?.value();
    let is_other = !link.is_empty() && !link.starts_with('#');
    let short: String = link.chars().take(60).collect();
    let what = format!("{} href=\"{short}\"", node.tag_name().name());
    is_other.then_some((what, "links to other files are not followed; nothing is painted"))
}

/// The effect of leaving out a property; `None` if it is read, or has no effect with this value.
fn property(name: &str, value: &str) -> Option<&'static str> {
    let value = value.trim();
    if matches!(value, "none" | "auto" | "normal" | "1" | "100%" | "initial" | "inherit" | "unset")
    {
        return None;
    }
    match name {
        "animation" | "animation-name" => Some(STANDS_STILL),
        "clip-path" => (!value.contains("url(")).then_some(DOES_NOT_CUT),
        "mask-image" | "-webkit-mask" | "-webkit-mask-image" => Some(DOES_NOT_CUT),
        "inline-size" | "shape-inside" | "shape-subtract" => Some(NO_WRAP),
        _ => Some("left out; the box is that without it"),
    }
}

/// The parts of the document as a whole that are left out.
fn in_general(document: &Document) -> Vec<(String, &'static str)> {
    let mut out = Vec::new();
    let sheets: String = document
        .descendants()
        .filter(is_sheet)
        .flat_map(|sheet| sheet.children().filter_map(|child| child.text()))
        .collect();
    let rules = [
        ("@media", "its rules are left out"),
        ("@supports", "its rules are left out"),
        ("@layer", "its rules are left out"),
        ("@container", "its rules are left out"),
        ("@import", "other style sheets are not read"),
        ("@font-face", "its font is not read"),
        ("@keyframes", STANDS_STILL),
        ("var(", "custom properties have no value"),
    ];
    for (what, effect) in rules {
        if sheets.contains(what) {
            out.push((what.trim_end_matches('(').to_owned(), effect));
        }
    }
    let above = document.root().children();
    if above.filter_map(|node| node.pi()).any(|pi| pi.target == "xml-stylesheet") {
        out.push(("xml-stylesheet".to_owned(), "other style sheets are not read"));
    }
    let is_link = |node: &Node| {
        node.tag_name().name() == "link" && node.tag_name().namespace() != Some(NAMESPACE)
    };
    if document.descendants().any(|node| is_link(&node)) {
        out.push(("link".to_owned(), "other style sheets are not read"));
    }
    out
}

/// The most objects that a note names.
const NAMES: usize = 3;

/// One note for each kind of thing that is left out, which names the first objects with it.
pub(super) fn notes(ignored: &[Ignored], objects: &Objects) -> Vec<String> {
    let mut kinds: Vec<(Cow<str>, &str, Vec<u32>)> = Vec::new();
    for one in ignored {
        let kind = one.what.split([':', ' ']).next().unwrap_or_default();
        match kinds.iter_mut().find(|(name, effect, _)| *name == kind && *effect == one.effect) {
            Some((.., all)) => all.push(one.object),
            None => kinds.push((kind.into(), &one.effect, vec![one.object])),
        }
    }
    kinds
        .into_iter()
        .map(|(kind, effect, mut all)| {
            all.dedup();
            let names: Vec<_> =
                all.iter().take(NAMES).map(|object| objects.name(*object)).collect();
            let more = all.len() - names.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{kind} of {}{more}: {effect}", names.join(", "))
        })
        .collect()
}
