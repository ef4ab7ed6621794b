//! Removes circular references from a text before usvg reads it.
//!
//! Browsers leave circular references out. usvg removes the shortest cycles, but recurses on others until the stack
//! overflows. Therefore, a depth-first search follows the references over the bare XML first. A reference to an element
//! whose visit has not ended closes a cycle, and is cut out of the text.

use crate::text::{document, is_svg};
use crate::thread::LEVELS_MAX;
use crate::words::one_line;
use crate::{Error, Limits};
use std::collections::{BTreeSet, HashMap};
use std::{borrow::Cow, fmt};
use usvg::roxmltree::{Document, Node, NodeId};

/// A circular reference that was left out. `Display` writes one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// The referring element: `#` and the id, or the element's name if it has no id.
    pub element: String,
    /// The property or attribute with its value, such as `clip-path: url(#a)`.
    pub what: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}: {}", self.what, self.element, Self::WHY)
    }
}

impl LeftOut {
    /// The reason in the notes about circular references.
    pub const WHY: &str = "left out, because it is a circular reference";
}

/// Lists the circular references of a text, which [`read`](crate::read) leaves out.
///
/// # Errors
/// Fails if the text is damaged or exceeds a limit.
pub fn circles(text: &str, limits: &Limits) -> Result<Vec<LeftOut>, Error> {
    check(text, limits, |_, _, left_out| Ok(left_out))
}

/// Calls `work` with the document without circular references, an upper bound on its depth, and what was left out. A
/// reference counts as 16 levels.
pub(crate) fn check<T>(
    text: &str,
    limits: &Limits,
    work: impl FnOnce(&Document, u32, Vec<LeftOut>) -> Result<T, Error>,
) -> Result<T, Error> {
    let (mut text, mut left_out) = (Cow::Borrowed(text), Vec::new());
    loop {
        let document = document(&text, limits)?;
        let mut finder = Finder::new(&document);
        for node in document.descendants().filter(|node| is_definition(*node)) {
            finder.visit(node, None, 0)?;
        }
        let depth = finder.visit(document.root_element(), None, 0)?;
        let Some((first, _)) = finder.cuts.first() else { return work(&document, depth, left_out) };
        if !left_out.is_empty() {
            let node = document.get_node(NodeId::new(*first));
            return Err(Error::Circle(node.map_or(String::new(), name)));
        }
        let edited = finder.cut(&document, &mut left_out)?;
        text = Cow::Owned(edited);
    }
}

/// Inherited properties that refer to elements.
const INHERIT: &[&str] = &["fill", "stroke", "marker", "marker-start", "marker-mid", "marker-end"];
/// Other properties and attributes that refer to elements.
const OTHERS: &[&str] = &["clip-path", "mask", "filter", HREF];
const HREF: &str = "href";

/// A reference: the node number of the referring element, and the property.
type Link = (u32, &'static str);

/// Whether the element is shown only through references.
fn is_definition(node: Node) -> bool {
    let name = node.tag_name().name();
    let known = ["clipPath", "mask", "pattern", "marker", "filter", "symbol"];
    is_svg(node) && (known.contains(&name) || name.ends_with("Gradient"))
}

/// The name of an element in messages.
fn name(node: Node) -> String {
    let id = node.attribute("id").map(|id| format!("#{id}"));
    one_line(&id.unwrap_or_else(|| node.tag_name().name().to_owned()))
}

/// Returns the value of a property by usvg's precedence: `style` before attributes, within it the first important
/// declaration before the last declaration, and `href` before `xlink:href`.
///
/// Style sheets are not read, so circular references through a style sheet remain. `href` counts only where it shows
/// its target, not on an `a` or a text path.
fn value<'a>(node: Node<'a, '_>, property: &str) -> Option<&'a str> {
    if property == HREF {
        let shows = is_definition(node) || ["use", "feImage"].contains(&node.tag_name().name());
        let xlink = ("http://www.w3.org/1999/xlink", HREF);
        return node.attribute(HREF).or(node.attribute(xlink)).filter(|_| shows);
    }
    let style = node.attribute("style").unwrap_or_default().split(';');
    let style = style.filter_map(|one| one.split_once(':')).filter(|one| one.0.trim() == property);
    let important = style.clone().find(|one| one.1.contains('!'));
    let declared = important.or({ style }.next_back()).map(|one| one.1.trim());
    declared.or(node.attribute(property).map(str::trim).filter(|_| property != "marker"))
}

/// Returns the properties of an element that may refer to others, with their values. A definition inherits its paint
/// from its ancestors, wherever it is used.
fn references<'a>(node: Node<'a, '_>) -> impl Iterator<Item = (&'static str, &'a str)> {
    let outer = move |property| {
        let values = node.ancestors().skip(1).filter_map(|node| value(node, property));
        { values }.find(|value| *value != "inherit")
    };
    let is_here = move |property: &&&str| {
        let mut names = node.attributes().map(|one| one.name());
        is_definition(node) || names.any(|name| name == **property || name == "style")
    };
    INHERIT.iter().chain(OTHERS).filter(is_here).filter_map(move |property| {
        let found = match value(node, property) {
            Some("inherit") => outer(property),
            None if is_definition(node) && INHERIT.contains(property) => outer(property),
            own => own,
        };
        Some((*property, found?))
    })
}

/// A depth-first search along the references.
struct Finder<'a, 'i> {
    ids: HashMap<&'a str, Vec<Node<'a, 'i>>>,
    /// For each visited node, its stack depth in levels; `None` during the visit.
    depths: Vec<Option<Option<u32>>>,
    /// The references to cut.
    cuts: BTreeSet<Link>,
}

impl<'a, 'i> Finder<'a, 'i> {
    fn new(document: &'a Document<'i>) -> Self {
        let mut ids: HashMap<_, Vec<Node>> = HashMap::new();
        for node in document.descendants().filter(|node| is_svg(*node)) {
            if let Some(id) = node.attribute("id") {
                ids.entry(id).or_default().push(node);
            }
        }
        Self { ids, depths: vec![None; document.descendants().len()], cuts: BTreeSet::new() }
    }

    /// Returns all elements with an id in `value`, including duplicates.
    fn targets(&self, value: &str) -> Vec<Node<'a, 'i>> {
        let ids = value.split('#').skip(1).filter_map(|id| id.split([')', '\'', '"', ' ']).next());
        ids.filter_map(|id| self.ids.get(id)).flatten().copied().collect()
    }

    /// Visits an element and returns its stack depth in levels. `by` is the last reference on the way to the element.
    fn visit(&mut self, node: Node<'a, 'i>, by: Option<Link>, level: u32) -> Result<u32, Error> {
        let at = node.id().get_usize();
        match self.depths[at] {
            Some(Some(depth)) if level + depth <= LEVELS_MAX => return Ok(depth),
            Some(None) => {
                // The element contains itself; cut the last reference of the cycle.
                self.cuts.extend(by);
                return Ok(0);
            }
            None if level <= LEVELS_MAX => {}
            _ => return Err(Error::TooDeep),
        }
        self.depths[at] = Some(None);
        let mut depth = 0;
        let tag = node.tag_name().name();
        for (property, value) in references(node) {
            let by = (node.id().get(), property);
            // The stack use of the reference, in levels of nesting.
            let levels = if (property, tag) == (HREF, "use") { 2 } else { 16 };
            for to in self.targets(value) {
                if !self.cuts.contains(&by) {
                    depth = depth.max(levels + self.visit(to, Some(by), level + levels)?);
                }
            }
        }
        let is_shown = |child: &Node| {
            is_svg(*child) && !is_definition(*child) && child.tag_name().name() != "defs"
        };
        for child in node.children().filter(is_shown) {
            depth = depth.max(1 + self.visit(child, by, level + 1)?);
        }
        self.depths[at] = Some(Some(depth));
        Ok(depth)
    }

    /// Returns the text of the document without the references in `cuts`.
    fn cut(&self, document: &Document, left_out: &mut Vec<LeftOut>) -> Result<String, Error> {
        let text = document.input_text();
        let cuts: Vec<_> = self.cuts.iter().collect();
        let mut edits = Vec::new();
        for cuts in cuts.chunk_by(|one, next| one.0 == next.0) {
            let Some(node) = document.get_node(NodeId::new(cuts[0].0)) else { continue };
            let (start, tag) = (node.range().start, node.tag_name().name());
            // Entity text may occur in many elements, so it is never changed.
            if start < document.root_element().range().start || !text[start..].starts_with('<') {
                return Err(Error::Circle(name(node)));
            }
            let mut style = String::new();
            let is_cut = |property| cuts.iter().any(|cut| cut.1 == property);
            for (property, value) in references(node).filter(|one| is_cut(one.0)) {
                let what = if property == HREF {
                    let links = node.attributes().filter(|one| one.name() == HREF);
                    edits.extend(links.map(|one| (one.range(), String::new())));
                    format!("{tag} href=\"{value:.60}\"")
                } else {
                    style += &format!("{property}:none!important;");
                    format!("{property}: {value:.60}")
                };
                left_out.push(LeftOut { element: name(node), what: one_line(&what) });
            }
            if let Some(known) = node.attribute_node("style") {
                let at = known.range_value().start;
                edits.push((at..at, style));
            } else if !style.is_empty() {
                let ends = |one: char| one.is_ascii_whitespace() || "/>".contains(one);
                let at = start + text[start..].find(ends).unwrap_or_default();
                edits.push((at..at, format!(" style=\"{style}\"")));
            }
        }
        edits.sort_by_key(|(range, _)| range.start);
        let (mut out, mut copied) = (String::with_capacity(text.len()), 0);
        for (range, by) in edits {
            out += &text[copied..range.start];
            out += &by;
            copied = range.end;
        }
        Ok(out + &text[copied..])
    }
}
