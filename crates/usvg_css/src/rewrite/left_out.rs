//! Elements and rules that are left out, and the effect of that.

use crate::notes::Note;
use crate::values::properties::STANDS_STILL;
use usvg::roxmltree::{Document, Node};
use usvg_guard::NAMESPACE;

const NOT_PAINTED: &str = "not painted; it has no box";
const NO_PAINT: &str = "not known; nothing is painted with it";

/// Lists every element of a document that is left out, with its index.
pub(crate) fn find(document: &Document, nodes: &[Node]) -> Vec<Note> {
    let mut out = Vec::new();
    let mut add = |element: u32, what: String, effect: &'static str| {
        out.push(Note { element, what: what.into(), effect: effect.into() });
    };
    let sheet = document.descendants().find_map(|node| match (node.pi(), node.tag_name()) {
        (Some(pi), _) => Some(pi.target).filter(|target| *target == "xml-stylesheet"),
        (_, name) => {
            (name.name() == "link" && name.namespace() != Some(NAMESPACE)).then_some("link")
        }
    });
    if let Some(what) = sheet {
        add(0, what.to_owned(), "other style sheets are not read");
    }
    for (element, node) in (0..).zip(nodes) {
        if let Some((what, effect)) = left_out(*node) {
            add(element, what, effect);
        }
    }
    out
}

/// The name of an element that is left out, and the effect.
fn left_out(node: Node) -> Option<(String, &'static str)> {
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

/// The effect of leaving out the rules of this name in a style sheet.
pub(crate) fn rule(name: &str) -> &'static str {
    match name {
        "@import" => "other style sheets are not read",
        "@font-face" => "its font is not read",
        "@property" => "its initial value is not read",
        "@keyframes" | "@-webkit-keyframes" => STANDS_STILL,
        _ if name.starts_with("@media ") || name.starts_with("@supports ") => {
            "not understood; its rules are left out"
        }
        _ => "its rules are left out",
    }
}
