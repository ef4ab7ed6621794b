//! Elements and rules that are left out, and the effects of leaving them out.

use crate::elements::{is_definition, is_painted};
use crate::notes::Note;
use crate::values::properties::STANDS_STILL;
use usvg::roxmltree::{Document, Node};
use usvg_guard::NAMESPACE;

const NOT_PAINTED: &str = "not painted; it has no box";
const NO_PAINT: &str = "not known; nothing is painted with it";

/// Lists every element of a document that is left out, with its index.
pub(crate) fn find(document: &Document, nodes: &[Node]) -> Vec<Note> {
    let is_data = |link: Option<&str>| link.is_some_and(|link| link.contains("data:"));
    let sheet = document.descendants().find_map(|node| match (node.pi(), node.tag_name()) {
        (Some(pi), _) => (pi.target == "xml-stylesheet" && !is_data(pi.value)).then_some(pi.target),
        (_, name) if name.name() != "link" || name.namespace() == Some(NAMESPACE) => None,
        _ => (!is_data(node.attribute("href"))).then_some("link"),
    });
    let mut out: Vec<Note> = sheet
        .map(|what| Note::new(0, what, "other style sheets are not read"))
        .into_iter()
        .collect();
    if document.root_element().tag_name().namespace().is_none() {
        out.push(Note::new(0, "xmlns", "missing; browsers show such a file only inside of a page"));
    }
    let elements = (0..).zip(nodes);
    out.extend(elements.filter_map(|(element, node)| {
        let (what, effect) = left_out(*node)?;
        Some(Note::new(element, what, effect))
    }));
    out
}

/// Returns the name of an ignored element, and the effect of ignoring it.
fn left_out(node: Node) -> Option<(String, &'static str)> {
    let name = node.tag_name().name();
    let effect = match name {
        "foreignObject" | "flowRoot" | "video" | "audio" | "iframe" | "canvas" | "object" => {
            NOT_PAINTED
        }
        "animate" | "animateColor" | "animateMotion" | "animateTransform" | "set" => STANDS_STILL,
        "script" => "not run",
        "mesh" | "meshgradient" | "meshGradient" | "hatch" | "solidcolor" | "solidColor" => {
            NO_PAINT
        }
        "use" | "textPath" => return other_file(node),
        "tref" => "not read, as in browsers; its letters are left out",
        _ if is_known(name) => return None,
        _ => {
            let mut around = node.ancestors().skip(1).filter(Node::is_element);
            let is_inside = |outer: Node| {
                let name = outer.tag_name().name();
                is_known(name) && !matches!(name, "metadata" | "title" | "desc")
            };
            if !around.all(is_inside) {
                return None;
            }
            "not known; it is not painted, nor what is in it"
        }
    };
    let of = node.attribute("attributeName").map_or(String::new(), |of| format!(" {of}"));
    Some((format!("{name}{of}"), effect))
}

/// Whether this is the name of an SVG element that is supported or paints nothing.
fn is_known(name: &str) -> bool {
    let others = "color-profile desc discard feDistantLight feFuncA feFuncB feFuncG feFuncR feMergeNode \
                  fePointLight feSpotLight font-face font-face-format font-face-name font-face-src \
                  font-face-uri glyph hkern missing-glyph mpath namedview stop style textPath \
                  title tspan view vkern";
    is_painted(name)
        || is_definition(name)
        || name.starts_with("fe")
        || others.split(' ').any(|known| known == name)
}

/// Returns a reference to another file, and the effect of ignoring it.
fn other_file(node: Node) -> Option<(String, &'static str)> {
    let link = node.attributes().find(|attribute| attribute.name() == "href")?.value();
    let is_other = !link.is_empty() && !link.starts_with('#');
    let short: String = link.chars().take(60).collect();
    let what = format!("{} href=\"{short}\"", node.tag_name().name());
    is_other.then_some((what, "links to other files are not followed; nothing is painted"))
}

/// Returns the effect of ignoring the rules of this name in a style sheet.
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
