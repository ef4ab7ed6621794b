//! The elements of a scene with their boxes, origins and places in the tree.

use crate::report::boxes;
use crate::{Cutter, Findings, Origin, Reason, Selection, SourceDocument};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use std::{borrow::Cow, collections::HashSet, fmt};
use treebounds_core::{Footprint, NONE, NodeKind, Rect, Role, Tag};

/// An element with its place in the tree, its origin and its boxes.
///
/// The fields have the names and the order of the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Element<'a> {
    /// Its index in the stream.
    pub ix: u32,
    /// Its kind, serialized as [`Tag::name`].
    #[serde(rename = "kind", with = "kind")]
    pub tag: Tag,
    /// Whether it may change pixels outside its painted content.
    pub non_local: bool,
    /// Whether it paints its whole clip, regardless of its content. Omitted from reports if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fills: bool,
    /// The `id` in the source document.
    #[serde(deserialize_with = "Option::deserialize")]
    pub id: Option<Cow<'a, str>>,
    /// Its kind in the source, such as `path`, `g` or `image`.
    pub source: Cow<'a, str>,
    /// The number of enclosing nodes. An end has its begin's depth.
    pub depth: u32,
    /// The index of the matching begin for an end, or of the parent for a begin.
    #[serde(deserialize_with = "Option::deserialize")]
    pub link: Option<u32>,
    /// The rect in the stream; empty at an end.
    #[serde(
        serialize_with = "boxes::footprint_or_box_to",
        deserialize_with = "boxes::footprint_or_box"
    )]
    pub rect: Rect,
    /// Its own box, if that differs from the rect in the stream.
    #[serde(with = "boxes")]
    pub own: Rect,
    /// For a node, the intersection of its rect and the rects of all enclosing nodes. Empty for a draw.
    #[serde(with = "boxes")]
    pub clip: Rect,
    /// For a node, the union of the visible content. Empty for a draw.
    #[serde(with = "boxes")]
    pub content: Rect,
    /// The part that affects pixels. Inside a filter, in coordinates before the filter.
    #[serde(with = "boxes")]
    pub bounds: Rect,
    /// For an element inside a filter, the area of the canvas where it can change a pixel. Empty for other elements,
    /// whose `bounds` are that area.
    #[serde(default = "boxes::nothing", with = "boxes", skip_serializing_if = "boxes::is_nothing")]
    pub lands: Rect,
    /// The index of the nearest enclosing node's begin.
    #[serde(default)]
    pub parent: Option<u32>,
    /// Its box without any clipping; for a node, the union of its draws' unclipped boxes.
    #[serde(default = "boxes::nothing", with = "boxes")]
    pub unclipped: Rect,
    /// Why its bounds are empty, if they are.
    #[serde(default)]
    pub culled: Option<Reason<'a>>,
    /// Its path from the root of the document, if there is a document.
    #[serde(default)]
    pub path: Option<Place<'a>>,
}

impl Element<'_> {
    /// Whether no pixel depends on it.
    pub fn is_culled(&self) -> bool {
        self.bounds.is_empty()
    }

    /// The area of the canvas where it can change a pixel.
    pub fn place(&self) -> Rect {
        if self.lands.is_empty() { self.bounds } else { self.lands }
    }
}

/// The serialized form of a tag.
pub(crate) mod kind {
    use super::*;

    pub(crate) fn serialize<S: Serializer>(tag: &Tag, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(tag.name())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(reader: D) -> Result<Tag, D::Error> {
        let name = Cow::<str>::deserialize(reader)?;
        let nodes = [NodeKind::Clip, NodeKind::Blend, NodeKind::ClipBlend, NodeKind::Spread];
        let tags = nodes.into_iter().flat_map(|node| [Tag::begin(node), Tag::end(node)]);
        let found = [Tag::DRAW].into_iter().chain(tags).find(|tag| tag.name() == name);
        found.ok_or_else(|| D::Error::custom(format!("unknown kind of element {name:?}")))
    }
}

/// A place in the source document. Displayed as its path from the root, such as `svg/g[3]/rect[2]`.
#[derive(Clone, Debug)]
pub enum Place<'a> {
    /// An object of a document.
    In(&'a SourceDocument, u32),
    /// A path read from a report.
    Path(Box<str>),
}

impl Place<'_> {
    /// Returns the object's own id. `None` for a place read from a report.
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::In(document, object) => document.id(*object),
            Self::Path(_) => None,
        }
    }
}

impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::In(document, object) => f.write_str(&document.path(*object)),
            Self::Path(path) => f.write_str(path),
        }
    }
}

impl Serialize for Place<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Place<'_> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        Box::deserialize(reader).map(Self::Path)
    }
}

/// An iterator over the elements of a stream, made by [`Findings::elements`].
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    findings: &'a Findings<'a>,
    ix: usize,
    marker: usize,
    around: Enclosing<'a>,
    /// For each open node, why it is culled, if it is.
    reasons: Vec<Option<Reason<'a>>>,
    /// Whether to return an element of the selection.
    is_wanted: fn(&Selection, u32) -> bool,
}

impl<'a> Elements<'a> {
    pub(crate) fn new(findings: &'a Findings<'a>, is_wanted: fn(&Selection, u32) -> bool) -> Self {
        let around = Enclosing::new(findings);
        Self { findings, ix: 0, marker: 0, around, reasons: Vec::new(), is_wanted }
    }

    pub(crate) fn around(&self) -> &Enclosing<'a> {
        &self.around
    }

    fn step(&mut self) -> Option<Element<'a>> {
        let (scene, bounds) = (self.findings.scene(), self.findings.bounds());
        let ix = self.ix;
        let tag = *scene.stream.tags().get(ix)?;
        let origin = scene.origins.get(ix)?;
        self.ix += 1;
        let document = self.findings.document();
        let path =
            document.and_then(|document| Some(Place::In(document, document.source(ix as u32)?)));
        let mut element = Element {
            ix: ix as u32,
            tag,
            non_local: tag.is_non_local(),
            fills: tag.is_filling(),
            id: origin.id.as_deref().map(Cow::Borrowed),
            source: Cow::Borrowed(&origin.source),
            depth: self.around.depth(),
            link: None,
            rect: *scene.stream.rects().get(ix)?,
            own: origin.own.unwrap_or(Rect::NOTHING),
            clip: Rect::NOTHING,
            content: Rect::NOTHING,
            bounds: *bounds.boxes.get(ix)?,
            lands: Rect::NOTHING,
            parent: self.around.innermost(),
            unclipped: self.findings.unclipped(ix),
            culled: None,
            path,
        };
        if tag.is_marker() {
            let marker = self.marker;
            self.marker += 1;
            element.link = Some(*bounds.links.get(marker)?).filter(|&link| link != NONE);
            element.clip = *bounds.clips.get(marker)?;
            element.content = *bounds.contents.get(marker)?;
            self.enter_or_leave(&mut element);
        } else {
            element.culled = element.is_culled().then(|| self.around.reason(element.rect));
        }
        // At a begin, the innermost open node is the one that it opens.
        let own = usize::from(tag.role() == Role::Begin);
        if self.around.is_filtered(own) {
            element.lands = self.findings.landing(ix);
        }
        Some(element)
    }

    /// Opens or closes a node, and sets the fields that depend on the tree.
    fn enter_or_leave(&mut self, element: &mut Element<'a>) {
        if element.tag.role() == Role::Begin {
            self.around.push(element);
            element.culled = element.is_culled().then(|| self.around.reason_of_node(element.rect));
            self.reasons.push(element.culled.clone());
            return;
        }
        self.around.pop();
        element.depth = self.around.depth();
        element.parent = self.around.innermost();
        element.culled = self.reasons.pop().flatten();
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        loop {
            let element = self.step()?;
            if (self.is_wanted)(self.findings.selection(), element.ix) {
                return Some(element);
            }
        }
    }
}

/// The nodes around an element, from the outermost to the innermost.
#[derive(Clone, Debug)]
pub(crate) struct Enclosing<'a> {
    document: Option<&'a SourceDocument>,
    origins: &'a [Origin],
    known: HashSet<&'a str>,
    viewport: Rect,
    nodes: Vec<OpenNode>,
}

#[derive(Clone, Copy, Debug)]
struct OpenNode {
    ix: u32,
    kind: Option<NodeKind>,
    /// The area visible inside the node. For a spread node, the area that its filter reads.
    clip: Rect,
    /// The footprint, if this is a spread node.
    footprint: Option<Footprint>,
}

impl<'a> Enclosing<'a> {
    fn new(findings: &Findings<'a>) -> Self {
        let (scene, document) = (findings.scene(), findings.document());
        let objects = document.into_iter().flat_map(|document| &document.objects);
        let known = objects.filter_map(|object| object.id.as_deref()).collect();
        let viewport = scene.stream.viewport();
        Self { document, origins: &scene.origins, known, viewport, nodes: Vec::new() }
    }

    fn depth(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn innermost(&self) -> Option<u32> {
        self.nodes.last().map(|node| node.ix)
    }

    fn push(&mut self, element: &Element<'_>) {
        let Element { ix, tag, rect, clip, .. } = *element;
        let footprint = if tag.is_spread() { Footprint::from_rect(rect).ok() } else { None };
        self.nodes.push(OpenNode { ix, kind: tag.node_kind(), clip, footprint });
    }

    /// Whether any open node is a filter, not counting the `own` innermost ones.
    fn is_filtered(&self, own: usize) -> bool {
        self.nodes.iter().rev().skip(own).any(|node| node.footprint.is_some())
    }

    /// Returns the nodes that share the coordinates of the innermost one, and the initial area: the canvas, or the area read
    /// by the enclosing filter.
    fn same_coordinates(&self) -> (&[OpenNode], Rect) {
        match self.nodes.iter().rposition(|node| node.footprint.is_some()) {
            Some(filter) => (&self.nodes[filter + 1..], self.nodes[filter].clip),
            None => (&self.nodes, self.viewport),
        }
    }

    fn pop(&mut self) {
        self.nodes.pop();
    }

    /// Returns why the canvas or the open nodes hide the box.
    fn reason(&self, rect: Rect) -> Reason<'a> {
        self.reason_inside(&self.nodes, rect)
    }

    /// Returns why the canvas or `nodes`, the outermost open nodes, hide the box.
    fn reason_inside(&self, nodes: &[OpenNode], mut rect: Rect) -> Reason<'a> {
        if rect.is_empty() {
            return Reason::only(Cutter::Empty);
        }
        let mut nodes = nodes;
        loop {
            let filter = nodes.iter().rposition(|node| node.footprint.is_some());
            let around = filter.map_or(self.viewport, |at| nodes[at].clip);
            if !rect.intersect(around).is_empty() {
                // Clips only shrink on the way in, so a binary search finds the first one that hides the box.
                let inside = &nodes[filter.map_or(0, |at| at + 1)..];
                let first = inside.partition_point(|node| !node.clip.intersect(rect).is_empty());
                return inside.get(first).map_or(Reason::only(Cutter::Empty), |node| self.by(node));
            }
            // The nodes around the filter hide the place where the box lands.
            let Some((at, footprint)) = filter.and_then(|at| Some((at, nodes[at].footprint?)))
            else {
                return Reason::only(Cutter::Canvas);
            };
            rect = footprint.forward_bounds(rect, Rect::EVERYTHING);
            nodes = &nodes[..at];
        }
    }

    /// Returns the reason why the innermost node is culled. `rect` is the node's own box.
    fn reason_of_node(&self, rect: Rect) -> Reason<'a> {
        match self.nodes.last() {
            // The rect of a filter is not a box. A filter reads nothing if nothing around it is visible.
            Some(node) if node.clip.is_empty() && node.footprint.is_some() => {
                let hidden = self.nodes.iter().find(|node| node.clip.is_empty());
                hidden.map_or(Reason::only(Cutter::Canvas), |node| self.by(node))
            }
            Some(node) if node.clip.is_empty() && rect.is_empty() => self.by(node),
            Some(node) if node.clip.is_empty() => self.reason(rect),
            _ => Reason::only(Cutter::Empty),
        }
    }

    fn by(&self, node: &OpenNode) -> Reason<'a> {
        let cut = self.document.and_then(|document| document.cut(node.ix));
        let by = self.cutter(node);
        let path = match by {
            Cutter::Clip => cut.and_then(|cut| cut.clip.as_deref()),
            Cutter::Mask => cut.and_then(|cut| cut.mask.as_deref()),
            _ => None,
        };
        // usvg makes up ids for elements without one.
        let path = path.filter(|id| self.known.contains(id)).map(Cow::Borrowed);
        let id = self.origins.get(node.ix as usize).and_then(|origin| origin.id.as_deref());
        Reason { by, ix: Some(node.ix), node: id.map(Cow::Borrowed), path }
    }

    /// Returns how the node hides its content.
    fn cutter(&self, node: &OpenNode) -> Cutter {
        match self.origins.get(node.ix as usize) {
            Some(origin) if origin.source == "filter" => Cutter::Region,
            _ => Cutter::of_node(self.document, node.ix, node.kind),
        }
    }

    /// Returns the visible part of a draw's box, ignoring the clips in its own coordinates.
    pub(crate) fn painted(&self, rect: Rect) -> Rect {
        rect.intersect(self.same_coordinates().1)
    }

    /// Reports the area of a box hidden by each node, from the outermost node to the innermost. Inside a filter, only the
    /// nodes inside the same filter count.
    pub(crate) fn losses(&self, rect: Rect, mut lost: impl FnMut(Cutter, f64)) {
        let (nodes, around) = self.same_coordinates();
        let mut left = rect.intersect(around).area();
        for node in nodes {
            let now = node.clip.intersect(rect).area();
            if now < left {
                lost(self.cutter(node), left - now);
                left = now;
            }
        }
    }
}
