//! A document that is checked before usvg reads it, on a stack that is large enough.
//!
//! Reading and painting a drawing recurse for every level of nesting, and for every reference: a pattern may be painted
//! with a pattern that is painted with a pattern. A main thread has 8 MiB of stack, other threads 2 MiB; neither is enough.
//!
//! Browsers leave circular references out. usvg leaves out the shortest circles; on others it recurses until the stack
//! overflows. So the references are followed here first, depth first, over the bare XML: a reference to an element that is
//! being followed closes a circle, and is cut out of the text.

use crate::contain::one_line;
use crate::text::{self, is_svg};
use crate::{Error, Limits};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::{any::Any, borrow::Cow, thread};
use usvg::roxmltree::{Document, Error as XmlError, Node, NodeId};
use usvg::{Options, Tree};

/// A document without circular references.
#[derive(Debug)]
pub struct Checked<'d, 'i> {
    /// The document, without the references that had to be left out.
    pub document: &'d Document<'i>,
    /// An upper bound on the depth of its elements, where a reference counts as 16 levels.
    pub depth: u32,
    /// What was left out.
    pub left_out: Vec<LeftOut>,
}

/// A reference that was left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Its element: `#` and the id, or the element's name if it has no id.
    pub element: String,
    /// A property or an attribute with its value, such as `clip-path: url(#a)`.
    pub what: String,
    /// Why, such as `left out, because it is a circular reference`.
    pub why: &'static str,
}

/// The maximum number of times that a document is read again after something was left out.
const ROUNDS: usize = 16;

/// Checks a text against the limits, leaves out circular references, and passes the document to `work`. Call it on a large
/// stack: see [`with_large_stack`].
///
/// Time and memory are not limited: see [`Guard::parse_here`](crate::Guard::parse_here).
///
/// # Errors
/// An [`Error`] about the file, or the error of `work`.
pub fn check_text<T, E: From<Error>>(
    text: &str,
    limits: &Limits,
    work: impl FnOnce(&Checked) -> Result<T, E>,
) -> Result<T, E> {
    let mut text = Cow::Borrowed(text);
    let mut left_out: Vec<LeftOut> = Vec::new();
    let mut circle = String::new();
    for _ in 0..ROUNDS {
        let document = text::document(&text, limits)?;
        let mut finder = Finder::new(&document);
        for node in document.descendants().filter(|node| is_definition(*node)) {
            finder.visit(node, None, 0)?;
        }
        let depth = finder.visit(document.root_element(), None, 0)?;
        if finder.cuts.is_empty() {
            return work(&Checked { document: &document, depth, left_out });
        }
        let edited = finder.cut(&document, &mut left_out)?;
        circle = finder.circle;
        text = Cow::Owned(edited);
    }
    Err(Error::Circle(circle).into())
}

/// The properties that refer to elements, and what the names of those elements end with.
const PROPERTIES: [(&str, &str); 10] = [
    ("fill", "pattern"),
    ("stroke", "pattern"),
    ("marker", "marker"),
    ("marker-start", "marker"),
    ("marker-mid", "marker"),
    ("marker-end", "marker"),
    ("clip-path", "clipPath"),
    ("mask", "mask"),
    ("filter", "filter"),
    (HREF, ""),
];
/// Properties that refer to these are inherited.
const INHERITED: [&str; 2] = ["pattern", "marker"];
const HREF: &str = "href";

/// A reference takes as much stack as this many levels of nesting.
const REFERENCE: u32 = 16;
/// A use takes as much stack as this many levels of nesting.
const USE: u32 = 2;

/// The name of a property, the kind of element that it refers to, and its value.
type Property<'a> = (&'static str, &'static str, &'a str);
/// An element and the property by which it refers.
type By = (NodeId, &'static str);

/// Follows references.
struct Finder<'a, 'i> {
    ids: HashMap<&'a str, Vec<Node<'a, 'i>>>,
    /// The elements that were visited, and how much stack they need, in levels; `None` during the visit.
    depths: HashMap<NodeId, Option<u32>>,
    /// The elements that are being visited, and the references that led to them.
    way: Vec<(Node<'a, 'i>, Option<By>)>,
    /// The properties that are cut, by the numbers of their elements.
    cuts: BTreeMap<u32, BTreeSet<&'static str>>,
    /// The ids along a circle.
    circle: String,
}

/// Whether the element is shown only where something refers to it.
fn is_definition(node: Node) -> bool {
    let name = node.tag_name().name();
    let known = ["clipPath", "mask", "pattern", "marker", "filter", "symbol"];
    is_svg(node) && (known.contains(&name) || name.ends_with("Gradient"))
}

/// The references of an element. A `style` counts before attributes, and `href` before `xlink:href`.
///
/// Style sheets are not read, so circular references through a style sheet stay.
fn own<'a>(node: Node<'a, '_>) -> Vec<Property<'a>> {
    let style = node.attribute("style").unwrap_or_default().split(';').rev();
    let style = style.filter_map(|one| one.split_once(':')).filter(|one| one.0.trim() != HREF);
    let plain = node.attributes().filter(|one| one.namespace().is_none() && one.name() != "marker");
    let plain = plain.map(|one| (one.name(), one.value()));
    let xlink = node.attribute(("http://www.w3.org/1999/xlink", HREF)).map(|value| (HREF, value));
    let mut found: Vec<Property> = Vec::new();
    for (name, value) in style.chain(plain).chain(xlink) {
        let known = PROPERTIES.iter().find(|known| known.0 == name.trim());
        if let Some((name, kind)) = known.filter(|known| found.iter().all(|one| one.0 != known.0)) {
            found.push((name, kind, value.trim()));
        }
    }
    found
}

/// The same with inherited references. A definition inherits its paint from where it stands, wherever it is used.
fn references<'a>(node: Node<'a, '_>) -> Vec<Property<'a>> {
    let mut all = own(node);
    if is_definition(node) || all.iter().any(|one| one.2 == "inherit") {
        for one in node.ancestors().skip(1).flat_map(own) {
            let known = all.iter_mut().find(|known| known.0 == one.0);
            let is_inherited = is_definition(node) && INHERITED.contains(&one.1);
            match known {
                Some(known) if known.2 == "inherit" => *known = one,
                None if is_inherited => all.push(one),
                _ => {}
            }
        }
    }
    all
}

impl<'a, 'i> Finder<'a, 'i> {
    fn new(document: &'a Document<'i>) -> Self {
        let mut ids: HashMap<_, Vec<Node>> = HashMap::new();
        for node in document.descendants().filter(|node| is_svg(*node)) {
            if let Some(id) = node.attribute("id") {
                ids.entry(id).or_default().push(node);
            }
        }
        let (depths, cuts) = (HashMap::new(), BTreeMap::new());
        Self { ids, depths, way: Vec::new(), cuts, circle: String::new() }
    }

    /// The elements that an element refers to by a property, as usvg finds them: of those with one id it takes the first
    /// for a use, and the last for all else.
    fn targets(&self, tag: &'a str, (name, kind, value): Property) -> Vec<Node<'a, 'i>> {
        let kind = match (name, tag) {
            (HREF, "use" | "feImage") => "",
            (HREF, "pattern" | "filter") => tag,
            (HREF, _) if tag.ends_with("Gradient") => "Gradient",
            (HREF, _) => return vec![],
            _ => kind,
        };
        let is_right = |to: &Node| {
            kind.is_empty() || (is_definition(*to) && to.tag_name().name().ends_with(kind))
        };
        let ids = value.split('#').skip(1).filter_map(|id| id.split([')', '\'', '"', ' ']).next());
        let all = ids.filter_map(|id| {
            let mut all = self.ids.get(id)?.iter().copied();
            if (name, tag) == (HREF, "use") { all.next() } else { all.rfind(is_right) }
        });
        all.collect()
    }

    /// Follows an element; how deep it is on the stack.
    fn visit(&mut self, node: Node<'a, 'i>, by: Option<By>, level: u32) -> Result<u32, Error> {
        match self.depths.get(&node.id()) {
            Some(Some(depth)) => return Ok(*depth),
            Some(None) => {
                self.close(node, by);
                return Ok(0);
            }
            None => {}
        }
        if level > LEVELS_MAX {
            return Err(Error::TooDeep);
        }
        self.depths.insert(node.id(), None);
        self.way.push((node, by));
        let mut depth = 0;
        let tag = node.tag_name().name();
        for property in references(node) {
            let levels = if (property.0, tag) == (HREF, "use") { USE } else { REFERENCE };
            for to in self.targets(tag, property) {
                if !self.cuts.get(&node.id().get()).is_some_and(|cut| cut.contains(property.0)) {
                    let by = Some((node.id(), property.0));
                    depth = depth.max(levels + self.visit(to, by, level + levels)?);
                }
            }
        }
        let is_shown = |child: &Node| is_svg(*child) && !is_definition(*child);
        for child in node.children().filter(is_shown) {
            if child.tag_name().name() != "defs" {
                depth = depth.max(1 + self.visit(child, None, level + 1)?);
            }
        }
        if level + depth > LEVELS_MAX {
            return Err(Error::TooDeep);
        }
        self.way.pop();
        self.depths.insert(node.id(), Some(depth));
        Ok(depth)
    }

    /// Cuts the last reference of a circle that leads to this element.
    fn close(&mut self, node: Node, by: Option<By>) {
        let start = self.way.iter().position(|(one, _)| one.id() == node.id()).unwrap_or_default();
        let round = &self.way[start..];
        let last = || round.iter().skip(1).rev().find_map(|(_, by)| *by);
        let Some((element, property)) = by.or_else(last) else { return };
        let names = round.iter().filter_map(|(one, _)| one.attribute("id"));
        let path: Vec<_> = names.take(8).map(|id| format!("#{id}")).collect();
        self.circle = one_line(&path.join(" -> "));
        self.cuts.entry(element.get()).or_default().insert(property);
    }

    /// The text of the document without the references that are cut.
    fn cut(&self, document: &Document, left_out: &mut Vec<LeftOut>) -> Result<String, Error> {
        let text = document.input_text();
        let (mut out, mut copied) = (String::with_capacity(text.len()), 0);
        for (id, cut) in &self.cuts {
            // The text of an entity may occur in many elements, and is not changed.
            let is_editable = |node: &Node| {
                let start = node.range().start;
                start >= document.root_element().range().start
                    && text.get(start..).is_some_and(|rest| rest.starts_with('<'))
            };
            let node = document.get_node(NodeId::new(*id)).filter(is_editable);
            let node = node.ok_or_else(|| Error::Circle(self.circle.clone()))?;
            let tag = node.tag_name().name();
            let element = node.attribute("id").map_or(tag.into(), |id| format!("#{id}"));
            let (mut style, mut edits) = (Vec::new(), Vec::new());
            for (name, _, value) in references(node) {
                if !cut.contains(name) {
                    continue;
                }
                let what = if name == HREF {
                    let all = node.attributes().filter(|one| one.name() == HREF);
                    edits.extend(all.map(|one| (one.range(), String::new())));
                    format!("{tag} href=\"{value:.60}\"")
                } else {
                    style.push(format!("{name}:none!important"));
                    format!("{name}: {value:.60}")
                };
                let why = "left out, because it is a circular reference";
                left_out.push(LeftOut { element: one_line(&element), what: one_line(&what), why });
            }
            if let Some(known) = node.attribute_node("style") {
                let kept = text[known.range_value()].split(';');
                let kept = kept.filter(|one| {
                    !one.split(':').next().is_some_and(|name| cut.contains(name.trim()))
                });
                style.extend(kept.map(String::from));
                edits.push((known.range_value(), style.join(";")));
            } else if !style.is_empty() {
                let start = node.range().start;
                let end =
                    text[start..].find(|one: char| one.is_ascii_whitespace() || "/>".contains(one));
                let at = start + end.unwrap_or_default();
                edits.push((at..at, format!(" style=\"{}\"", style.join(";"))));
            }
            edits.sort_by_key(|(range, _)| range.start);
            for (range, by) in edits {
                out += text.get(copied..range.start).unwrap_or_default();
                out += &by;
                copied = range.end;
            }
        }
        Ok(out + text.get(copied..).unwrap_or_default())
    }
}

/// Lets usvg read a checked document.
///
/// # Errors
/// usvg's error.
pub fn tree(document: &Document, options: &Options) -> Result<Tree, Error> {
    Tree::from_xmltree(document, options).map_err(|error| match error {
        usvg::Error::InvalidSize => Error::NoSize,
        usvg::Error::ElementsLimitReached
        | usvg::Error::ParsingFailed(XmlError::NodesLimitReached) => Error::TooManyUsed,
        other => Error::Unreadable(one_line(&other.to_string())),
    })
}

/// The maximum number of levels of a drawing, where a reference counts as 16. A level takes at most 16 KiB of stack when it is
/// read or painted, and so little when it is freed that any thread can do that.
pub(crate) const LEVELS_MAX: u32 = 4096;

/// The size of the stack in [`with_large_stack`], in bytes. It reserves address space; only the pages that are used take memory.
pub const LARGE_STACK: usize = (LEVELS_MAX as usize) << 14;

/// Runs the work on a thread with a stack of [`LARGE_STACK`], and waits for it.
///
/// Use it for anything that recurses over a drawing, such as painting it with resvg. In WebAssembly, which has no such threads,
/// the work runs on the caller's stack: link with a stack of [`LARGE_STACK`] (`-C link-arg=-zstack-size=67108864`), and expect
/// a panic to end the instance.
///
/// # Errors
/// [`Error::NoStack`] if the thread cannot be started, and [`Error::Panicked`] if the work panics.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    if cfg!(target_family = "wasm") {
        return Ok(work());
    }
    let said = |panic: &(dyn Any + Send)| {
        let text = panic.downcast_ref::<&str>().copied();
        let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
        one_line(text.unwrap_or("no message"))
    };
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("usvg guard".into()).stack_size(LARGE_STACK);
        let thread =
            builder.spawn_scoped(scope, work).map_err(|error| Error::NoStack(error.to_string()))?;
        thread.join().map_err(|panic| Error::Panicked(said(&*panic)))
    })
}
