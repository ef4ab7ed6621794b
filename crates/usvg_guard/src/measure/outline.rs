//! A document reduced to what matters to its cost: which elements are inside
//! which, and which refer to which.

use super::style::{Sheet, check_selectors, urls};
use super::text_path::Sight;
use super::{ELEMENTS_MAX, NAMESPACE, NESTING_MAX, arcs, text};
use crate::svg::SvgError;
use crate::svg::error::one_line;
use std::cell::OnceCell;
use std::collections::HashMap;
use usvg::roxmltree::{Document, Node, NodeId};

/// The index of an element in document order.
pub(super) type Index = u32;

/// What sort of element this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    /// Painted with a fill and a stroke.
    Shape,
    Use,
    ClipPath,
    Mask,
    Pattern,
    Marker,
    Filter,
    FeImage,
    Gradient,
    /// Shown only where it is referred to.
    Hidden,
    /// Anything else.
    Group,
}

/// The properties that are handed down to what is inside: the fill, the stroke,
/// and the markers at the start, the middle and the end.
pub(super) const HANDED_DOWN: usize = 5;

/// What an element refers to.
#[derive(Debug, Default)]
pub(super) struct Links {
    pub(super) href: Option<Index>,
    pub(super) clip: Option<Index>,
    pub(super) mask: Option<Index>,
    pub(super) filters: Vec<Index>,
    /// `Some(None)`: set, and to no element.
    pub(super) handed_down: [Option<Option<Index>>; HANDED_DOWN],
}

/// An element.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) sort: Sort,
    pub(super) parent: Option<Index>,
    pub(super) children: Vec<Index>,
    /// `None` where there are none.
    pub(super) links: Option<Box<Links>>,
    /// Whether all who refer to it share it, because it does not depend on them.
    pub(super) shared: bool,
    /// How many vertices its path has, or more.
    pub(super) vertices: u32,
    /// How many steps it takes to lay out, if it is a text.
    pub(super) text: u64,
    /// How many steps it takes to follow its arcs.
    pub(super) arcs: u64,
}

/// The SVG elements of a document, in document order.
pub(super) struct Outline {
    elements: Vec<Element>,
    names: Vec<Option<Box<str>>>,
}

impl Outline {
    /// Reads the document.
    ///
    /// # Errors
    /// More elements than usvg reads, or deeper nesting.
    pub(super) fn new(document: &Document) -> Result<Self, SvgError> {
        let nodes = svg_nodes(document)?;
        let ids = ids(&nodes);
        let sheet = Sheet::new(document);
        let indices: HashMap<NodeId, Index> = nodes.iter().map(|node| node.id()).zip(0..).collect();
        let mut out = Self { elements: Vec::with_capacity(nodes.len()), names: Vec::new() };
        for (node, index) in nodes.iter().zip(0..) {
            let parent = node.parent().and_then(|parent| indices.get(&parent.id()).copied());
            if let Some(parent) = parent {
                out.elements[parent as usize].children.push(index);
            }
            out.names.push(node.attribute("id").map(Box::from));
            let links = links(*node, &sheet, &ids);
            let arcs = arcs::of(*node);
            let (sort, vertices) = (sort(node.tag_name().name()), vertices(*node, arcs.curves));
            let shared = is_shared(*node, sort);
            out.elements.push(Element {
                sort,
                parent,
                children: vec![],
                links,
                shared,
                vertices,
                text: 0,
                arcs: arcs.steps,
            });
        }
        out.measure_texts(&nodes, &indices);
        Ok(out)
    }

    /// Texts come last, because they may be set on any path.
    fn measure_texts(&mut self, nodes: &[Node], indices: &HashMap<NodeId, Index>) {
        let (all, sight) = (OnceCell::new(), OnceCell::new());
        for (at, node) in nodes.iter().enumerate() {
            if node.tag_name().name() == "text" {
                let all = || *all.get_or_init(|| text::length(node.document()));
                let sight = || sight.get_or_init(|| Sight::of(nodes));
                let vertices = |on: Node| self.path_vertices(on, nodes, indices, sight());
                self.elements[at].text = text::steps(*node, &all, &vertices);
            }
        }
    }

    /// How many vertices the path has that a `textPath` is set on; no end of them where it is too long.
    fn path_vertices(
        &self,
        on: Node,
        nodes: &[Node],
        indices: &HashMap<NodeId, Index>,
        sight: &Sight,
    ) -> u64 {
        let links = indices.get(&on.id()).and_then(|at| self.element(*at).links.as_ref());
        links.and_then(|links| links.href).map_or(0, |path| {
            let is_short = sight.is_short(on, nodes[path as usize]);
            if is_short { self.element(path).vertices.into() } else { u64::MAX }
        })
    }

    /// How many elements there are.
    pub(super) fn len(&self) -> usize {
        self.elements.len()
    }

    /// The element.
    pub(super) fn element(&self, index: Index) -> &Element {
        &self.elements[index as usize]
    }

    /// What people call it.
    pub(super) fn name(&self, index: Index) -> String {
        self.names[index as usize].as_ref().map_or("?".into(), |id| one_line(&format!("#{id}")))
    }
}

/// The elements of SVG that are inside nothing but elements of SVG.
fn svg_nodes<'a, 'i>(document: &'a Document<'i>) -> Result<Vec<Node<'a, 'i>>, SvgError> {
    let mut found = Vec::new();
    let mut deepest = 0;
    let mut open = vec![(document.root_element(), 0)];
    while let Some((node, depth)) = open.pop() {
        let ours = matches!(node.tag_name().namespace(), None | Some(NAMESPACE));
        if !ours || node.has_tag_name("style") {
            continue;
        }
        deepest = deepest.max(depth);
        found.push(node);
        let children = node.children().rev().filter(Node::is_element);
        open.extend(children.map(|child| (child, depth + 1)));
    }
    if found.len() as u64 > ELEMENTS_MAX {
        return Err(SvgError::TooMuch { max: ELEMENTS_MAX });
    }
    if deepest > NESTING_MAX {
        return Err(SvgError::TooDeep { depth: deepest, max: NESTING_MAX });
    }
    check_selectors(document, found.len() as u64, deepest)?;
    Ok(found)
}

/// The first element of each id.
fn ids<'a>(nodes: &[Node<'a, '_>]) -> HashMap<&'a str, Index> {
    let mut ids = HashMap::new();
    for (node, index) in nodes.iter().zip(0..) {
        if let Some(id) = node.attribute("id") {
            ids.entry(id).or_insert(index);
        }
    }
    ids
}

fn sort(name: &str) -> Sort {
    match name {
        "path" | "rect" | "circle" | "ellipse" | "line" | "polyline" | "polygon" | "text"
        | "tspan" | "textPath" | "tref" => Sort::Shape,
        "use" => Sort::Use,
        "clipPath" => Sort::ClipPath,
        "mask" => Sort::Mask,
        "pattern" => Sort::Pattern,
        "marker" => Sort::Marker,
        "filter" => Sort::Filter,
        "feImage" => Sort::FeImage,
        "linearGradient" | "radialGradient" => Sort::Gradient,
        "defs" | "symbol" => Sort::Hidden,
        _ => Sort::Group,
    }
}

fn is_shared(node: Node, sort: Sort) -> bool {
    let is_user = |name| node.attribute(name) == Some("userSpaceOnUse");
    match sort {
        Sort::ClipPath => node.attribute("clipPathUnits") != Some("objectBoundingBox"),
        Sort::Mask => is_user("maskUnits"),
        Sort::Filter => is_user("filterUnits"),
        Sort::Pattern => is_user("patternUnits"),
        _ => false,
    }
}

fn links(node: Node, sheet: &Sheet, ids: &HashMap<&str, Index>) -> Option<Box<Links>> {
    let mut links = Links::default();
    let mut some = false;
    sheet.properties(node, |name, value| {
        let first = || urls(value).find_map(|id| ids.get(id).copied());
        let mut hand_down = |which: &[usize]| {
            let target = first();
            for at in which {
                links.handed_down[*at] = if value == "inherit" { None } else { Some(target) };
            }
        };
        match name {
            "href" => {
                let id = value.trim().strip_prefix('#');
                links.href = id.and_then(|id| ids.get(id).copied());
            }
            "clip-path" => links.clip = first(),
            "mask" => links.mask = first(),
            "filter" => links.filters = urls(value).filter_map(|id| ids.get(id).copied()).collect(),
            "fill" => hand_down(&[0]),
            "stroke" => hand_down(&[1]),
            "marker" => hand_down(&[2, 3, 4]),
            "marker-start" => hand_down(&[2]),
            "marker-mid" => hand_down(&[3]),
            "marker-end" => hand_down(&[4]),
            _ => return,
        }
        some = true;
    });
    some.then(|| Box::new(links))
}

/// No fewer vertices than the shape has: as many as there are numbers, and these curves of arcs.
fn vertices(node: Node, curves: u64) -> u32 {
    let Some(data) = node.attribute("d").or_else(|| node.attribute("points")) else {
        return 8;
    };
    let mut count = u32::try_from(curves).unwrap_or(u32::MAX).saturating_add(1);
    let mut inside = false;
    for byte in data.bytes() {
        let digit = byte.is_ascii_digit();
        count = count.saturating_add(u32::from(digit && !inside));
        inside = digit || (inside && byte == b'.');
    }
    count
}
