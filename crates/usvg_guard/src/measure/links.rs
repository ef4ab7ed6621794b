//! What the properties of an element refer to, read as usvg reads them.

use super::targets::{EFFECTS, HANDED_DOWN};
use crate::Refused;
use crate::cascade::Cascade;
use crate::read::NAMESPACE;
use crate::refused::one_line;
use std::collections::HashSet;
use svgtypes::{FilterValue, FilterValueListParser, FontShorthand, FuncIRI, IRI, Paint};
use usvg::roxmltree::Node;

const XLINK: &str = "http://www.w3.org/1999/xlink";
const XML: &str = "http://www.w3.org/XML/1998/namespace";

/// A property of an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Property<'a> {
    pub(super) name: &'a str,
    pub(super) value: &'a str,
    pub(super) important: bool,
    /// Whether something else was declared after `inherit`.
    pub(super) is_after_inherit: bool,
}

impl<'a> Property<'a> {
    fn new(name: &'a str, value: &'a str) -> Self {
        Self { name, value, important: false, is_after_inherit: false }
    }
}

/// What says `inherit` is as important to usvg as what it inherits, whatever is declared. Which of two declarations
/// counts then depends on the elements around.
#[derive(Default)]
pub(super) struct Unclear<'a> {
    important: HashSet<&'a str>,
    after_inherit: HashSet<&'a str>,
}

impl<'a> Unclear<'a> {
    /// Looks at the properties of one more element.
    ///
    /// # Errors
    /// [`Refused::UnclearStyles`] where a property was important so far, and declared after `inherit`.
    pub(super) fn check(&mut self, all: &[Property<'a>]) -> Result<(), Refused> {
        for one in all.iter().filter(|one| is_followed(one.name)) {
            if one.important {
                self.important.insert(one.name);
            }
            if one.is_after_inherit {
                self.after_inherit.insert(one.name);
            }
            if self.important.contains(one.name) && self.after_inherit.contains(one.name) {
                return Err(Refused::UnclearStyles { property: one_line(one.name) });
            }
        }
        Ok(())
    }
}

/// Whether references of this property are followed.
fn is_followed(name: &str) -> bool {
    HANDED_DOWN.contains(&name) || EFFECTS.contains(&name)
}

/// Whether usvg reads attributes of this namespace.
pub(super) fn is_read(namespace: Option<&str>) -> bool {
    matches!(namespace, None | Some(NAMESPACE | XLINK | XML))
}

/// The attribute of this name that usvg reads, style sheets aside.
pub(super) fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    let mut all = node.attributes().filter(|one| is_read(one.namespace()));
    all.find(|one| one.name() == name).map(|one| one.value())
}

/// What a use, an image or a template refers to: `href` before `xlink:href`.
pub(super) fn href<'a>(node: Node<'a, '_>) -> Option<&'a str> {
    let of = |namespace| {
        let mut all = node.attributes();
        all.find(|one| one.name() == "href" && one.namespace() == namespace)
    };
    of(None).or_else(|| of(Some(XLINK))).map(|one| one.value())
}

/// All properties of the element, each once, with the value that counts.
pub(super) fn properties<'a>(
    node: Node<'a, '_>,
    cascade: &Cascade<'a>,
    out: &mut Vec<Property<'a>>,
) {
    out.clear();
    for one in node.attributes().filter(|one| is_read(one.namespace())) {
        let name = one.name();
        let is_own = !matches!(name, "style" | "class" | "href");
        if is_own && !out.iter().any(|known| known.name == name) {
            out.push(Property::new(name, one.value()));
        }
    }
    out.extend(href(node).map(|value| Property::new("href", value)));
    cascade.as_usvg(node, |name, value, important| {
        let mut declare = |name, value| {
            let new = Property { important, ..Property::new(name, value) };
            let Some(known) = out.iter_mut().find(|known| known.name == name) else {
                out.push(new);
                return;
            };
            let is_after_inherit = known.is_after_inherit || known.value == "inherit";
            let counts = if known.important { *known } else { new };
            *known = Property { is_after_inherit, ..counts };
        };
        match name {
            "marker" => {
                for name in ["marker-start", "marker-mid", "marker-end"] {
                    declare(name, value);
                }
            }
            "font" => {
                if let Ok(font) = FontShorthand::from_str(value) {
                    declare("font-size", font.font_size);
                    declare("font-family", font.font_family);
                }
            }
            name if is_attribute(name) => {}
            _ => declare(name, value),
        }
    });
}

/// Whether style sheets cannot set it, of those that are looked at here.
fn is_attribute(name: &str) -> bool {
    matches!(
        name,
        "href"
            | "id"
            | "d"
            | "points"
            | "x"
            | "y"
            | "dx"
            | "dy"
            | "rotate"
            | "values"
            | "tableValues"
            | "kernelMatrix"
    )
}

/// The id in `#id`.
pub(super) fn iri(value: &str) -> Option<&str> {
    IRI::from_str(value).ok().map(|iri| iri.0)
}

/// The id in `url(#id)`.
pub(super) fn function(value: &str) -> Option<&str> {
    FuncIRI::from_str(value).ok().map(|iri| iri.0)
}

/// The id of the paint server.
pub(super) fn paint(value: &str) -> Option<&str> {
    match Paint::from_str(value) {
        Ok(Paint::FuncIRI(id, _)) => Some(id),
        _ => None,
    }
}

/// The ids of all filters.
pub(super) fn filters(value: &str) -> impl Iterator<Item = &str> {
    FilterValueListParser::from(value).flatten().filter_map(|one| match one {
        FilterValue::Url(id) => Some(id),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use usvg::roxmltree::Document;

    fn value(text: &str, name: &str) -> Option<String> {
        let document = Document::parse(text).unwrap();
        let cascade = Cascade::new(&document, 1000).unwrap();
        let mut all = Vec::new();
        properties(document.root_element().last_element_child().unwrap(), &cascade, &mut all);
        all.iter().find(|one| one.name == name).map(|one| one.value.to_owned())
    }

    #[test]
    fn foreign_attributes_are_not_read() {
        let text = "<svg xmlns:f='urn:f'><g f:fill='url(#a)' fill='url(#b)'/></svg>";
        assert_eq!(value(text, "fill").as_deref(), Some("url(#b)"));
    }

    #[test]
    fn the_first_important_declaration_counts() {
        let sheet = "<style>g{fill:red!important}</style>";
        let text = format!("<svg>{sheet}<g fill='blue' style='fill:none!important'/></svg>");
        assert_eq!(value(&text, "fill").as_deref(), Some("red"));
        let text = "<svg><style>g{fill:red}</style><g fill='blue' style='fill:none'/></svg>";
        assert_eq!(value(text, "fill").as_deref(), Some("none"));
    }

    #[test]
    fn sheets_of_other_types_are_not_read() {
        for (kind, expected) in [("text/css", "red"), ("text/less", "blue"), ("", "blue")] {
            let text =
                format!("<svg><style type='{kind}'>g{{fill:red}}</style><g fill='blue'/></svg>");
            assert_eq!(value(&text, "fill").as_deref(), Some(expected));
        }
    }

    #[test]
    fn finds_ids() {
        assert_eq!(filters("url(#a) url(#b)").collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(paint("url(#a) red"), Some("a"));
        assert_eq!((function("none"), iri(" #a ")), (None, Some("a")));
    }
}
