//! References that lead round in a circle.
//!
//! Browsers leave such references out. usvg leaves out the shortest circles; on others it recurses until the stack
//! overflows. So the references are followed here first, depth first, over the bare XML: a reference to an element that is
//! being followed closes a circle, and is cut.

use crate::cascade::Cascade;
use crate::check::LEVELS_MAX;
use crate::edit::Cut;
use crate::text::NAMESPACE;
use crate::{Error, Limits};
use std::collections::{HashMap, HashSet};
use svgtypes::{FilterValue, FilterValueListParser, FuncIRI, IRI, Paint};
use usvg::roxmltree::{Document, Node, NodeId};

/// The properties that refer to elements, of which the first are inherited, and one that says that others do not.
const PROPERTIES: [&str; 10] = [
    "fill",
    "stroke",
    "marker-start",
    "marker-mid",
    "marker-end",
    "clip-path",
    "mask",
    "filter",
    "href",
    "display",
];
const INHERITED: usize = 5;
const HREF: usize = 8;
const DISPLAY: usize = 9;

/// How many levels of nesting a reference is as dear as, on the stack.
const REFERENCE: u32 = 16;
/// The same for what a use shows.
const USE: u32 = 2;
/// How often all references are followed anew after a cut.
const ROUNDS: usize = 8;

/// The declared value of each property, and whether it is important.
type Declared<'a> = [Option<(&'a str, bool)>; PROPERTIES.len()];
/// An element and the property by which it refers.
type By = (NodeId, usize);

enum State {
    Open,
    /// How deep it is on the stack.
    Done(u32),
}

/// What was found.
#[derive(Default)]
pub(crate) struct Circles {
    pub(crate) cuts: Vec<Cut>,
    /// One of the circles, by the ids on the way.
    pub(crate) path: String,
    /// How deep the drawing is on the stack.
    pub(crate) depth: u32,
    pub(crate) elements: u64,
}

struct Finder<'a, 'i> {
    declared: HashMap<NodeId, Declared<'a>>,
    ids: HashMap<&'a str, Vec<Node<'a, 'i>>>,
    states: HashMap<NodeId, State>,
    /// The elements that are being followed, and by what.
    way: Vec<(Node<'a, 'i>, Option<By>)>,
    cut: HashSet<By>,
    found: Circles,
}

/// Finds what must be cut. Must run on a large stack.
///
/// # Errors
/// Elements that are nested too deep, too many of them, or circles that go on and on.
pub(crate) fn find(document: &Document, limits: &Limits) -> Result<Circles, Error> {
    let mut finder = Finder::new(document, limits)?;
    for _ in 0..ROUNDS {
        let known = finder.cut.len();
        finder.states.clear();
        for node in document.descendants().filter(|node| is_definition(*node)) {
            finder.visit(node, None, 0)?;
        }
        finder.found.depth = finder.visit(document.root_element(), None, 0)?;
        if finder.cut.len() == known {
            return Ok(finder.found);
        }
    }
    Err(Error::Circle(finder.found.path))
}

fn is_svg(node: Node) -> bool {
    node.is_element() && matches!(node.tag_name().namespace(), None | Some(NAMESPACE))
}

/// Whether the element is shown only where something refers to it.
fn is_definition(node: Node) -> bool {
    let name = node.tag_name().name();
    let known = ["clipPath", "mask", "pattern", "marker", "filter", "symbol"];
    is_svg(node) && (known.contains(&name) || name.ends_with("Gradient"))
}

impl<'a, 'i> Finder<'a, 'i> {
    fn new(document: &'a Document<'i>, limits: &Limits) -> Result<Self, Error> {
        let is_wanted = |name: &str| PROPERTIES.contains(&name) || name == "marker";
        let cascade = Cascade::new(document).of(is_wanted);
        let mut finder = Self {
            declared: HashMap::new(),
            ids: HashMap::new(),
            states: HashMap::new(),
            way: Vec::new(),
            cut: HashSet::new(),
            found: Circles::default(),
        };
        let mut depths = HashMap::new();
        for node in document.descendants().filter(|node| is_svg(*node)) {
            let outer = node.parent().and_then(|outer| depths.get(&outer.id()).copied());
            let depth = outer.map_or(0, |depth: u64| depth + 1);
            if depth > limits.nesting {
                return Err(Error::TooNested(limits.nesting));
            }
            depths.insert(node.id(), depth);
            finder.declared.insert(node.id(), declared(node, &cascade));
            if let Some(id) = node.attribute("id") {
                finder.ids.entry(id).or_default().push(node);
            }
        }
        finder.found.elements = depths.len() as u64;
        if finder.found.elements > limits.elements {
            return Err(Error::too_many("the elements", limits.elements));
        }
        Ok(finder)
    }

    /// The declared value of a property. For `inherit` it is the parent's value.
    fn value(&self, mut node: Node, property: usize) -> Option<&'a str> {
        loop {
            match self.declared.get(&node.id())?[property]? {
                ("inherit", _) => node = node.parent()?,
                (value, _) => return Some(value),
            }
        }
    }

    /// The elements that an element refers to by a property, as usvg finds them: of those with one id it takes the first
    /// for a use, and the last for all else.
    fn targets(&self, node: Node, property: usize) -> Vec<Node<'a, 'i>> {
        let Some(value) = self.value(node, property) else { return vec![] };
        let all = |id: &str| self.ids.get(id).into_iter().flatten().copied();
        let last = |id: &str, name: &str| {
            all(id).rfind(|to| is_definition(*to) && to.tag_name().name().ends_with(name))
        };
        let function = |name| last(FuncIRI::from_str(value).ok()?.0, name);
        let tag = node.tag_name().name();
        match PROPERTIES[property] {
            "fill" | "stroke" => match Paint::from_str(value) {
                Ok(Paint::FuncIRI(id, _)) => last(id, "pattern").into_iter().collect(),
                _ => vec![],
            },
            "filter" => {
                let urls =
                    FilterValueListParser::from(value).flatten().filter_map(|one| match one {
                        FilterValue::Url(id) => last(id, "filter"),
                        _ => None,
                    });
                urls.collect()
            }
            "clip-path" => function("clipPath").into_iter().collect(),
            "mask" => function("mask").into_iter().collect(),
            "href" => {
                let Ok(IRI(id)) = IRI::from_str(value) else { return vec![] };
                let found = match tag {
                    "use" => all(id).next(),
                    "feImage" => all(id).next_back(),
                    "pattern" | "filter" => last(id, tag),
                    _ if tag.ends_with("Gradient") => last(id, "Gradient"),
                    _ => None,
                };
                found.into_iter().collect()
            }
            _ => function("marker").into_iter().collect(),
        }
    }

    /// Follows an element; how deep it is on the stack.
    fn visit(&mut self, node: Node<'a, 'i>, by: Option<By>, level: u32) -> Result<u32, Error> {
        match self.states.get(&node.id()) {
            Some(State::Done(depth)) => return Ok(*depth),
            Some(State::Open) => {
                self.close(node, by);
                return Ok(0);
            }
            None => {}
        }
        if level > LEVELS_MAX {
            return Err(Error::TooDeep);
        }
        self.states.insert(node.id(), State::Open);
        self.way.push((node, by));
        let mut depth = 0;
        let is_hidden = !is_definition(node) && self.value(node, DISPLAY) == Some("none");
        let first = if is_hidden { HREF } else { 0 };
        for (property, name) in PROPERTIES.iter().enumerate().take(DISPLAY).skip(first) {
            // A definition inherits its paint from where it stands, wherever it is used.
            let mut from = node;
            while is_definition(node)
                && property < INHERITED
                && self.value(from, property).is_none()
            {
                let Some(parent) = from.parent_element() else { break };
                from = parent;
            }
            let by = (node.id(), property);
            let is_use = *name == "href" && node.tag_name().name() == "use";
            let levels = if is_use { USE } else { REFERENCE };
            for to in self.targets(from, property) {
                if !self.cut.contains(&by) {
                    depth = depth.max(levels + self.visit(to, Some(by), level + levels)?);
                }
            }
        }
        for child in node.children().filter(|child| is_svg(*child) && !is_definition(*child)) {
            if child.tag_name().name() != "defs" {
                depth = depth.max(1 + self.visit(child, None, level + 1)?);
            }
        }
        if level + depth > LEVELS_MAX {
            return Err(Error::TooDeep);
        }
        self.way.pop();
        self.states.insert(node.id(), State::Done(depth));
        Ok(depth)
    }

    /// Cuts the last reference of a circle that leads to this element.
    fn close(&mut self, node: Node, by: Option<By>) {
        let start = self.way.iter().position(|(one, _)| one.id() == node.id()).unwrap_or_default();
        let round = &self.way[start..];
        let last = || round.iter().skip(1).rev().find_map(|(_, by)| *by);
        let Some(by) = by.or_else(last) else { return };
        let names = round.iter().filter_map(|(one, _)| one.attribute("id"));
        let path: Vec<_> = names.take(8).map(|id| format!("#{id}")).collect();
        self.found.path = crate::contain::one_line(&path.join(" -> "));
        if self.cut.insert(by) {
            let (node, property) = by;
            let declared = self.declared.get(&node).and_then(|all| all[property]);
            let is_important = declared.is_some_and(|(_, important)| important);
            self.found.cuts.push(Cut { node, name: PROPERTIES[property], is_important });
        }
    }
}

/// The declared properties of an element.
fn declared<'a>(node: Node<'a, '_>, cascade: &Cascade<'a>) -> Declared<'a> {
    let mut out = [None; PROPERTIES.len()];
    let mut set = |name: &str, value, important| {
        for (known, slot) in PROPERTIES.iter().zip(&mut out) {
            if *known == name || name == "marker" && known.starts_with(name) {
                *slot = Some((value, important));
            }
        }
    };
    // If both are there, `href` wins over `xlink:href`.
    let xlink = ("http://www.w3.org/1999/xlink", "href");
    set("href", node.attribute(xlink).unwrap_or_default(), false);
    for one in node.attributes().filter(|one| one.namespace().is_none() && one.name() != "marker") {
        set(one.name(), one.value(), false);
    }
    cascade.declarations(node, |name, value, important| {
        if name != "href" {
            set(name, value, important);
        }
    });
    out
}
