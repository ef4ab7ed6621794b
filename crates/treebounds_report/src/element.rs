//! One element and all that is known of it.

use crate::{Findings, Place, extent, open::Open, reason::Reason, unclipped};
use serde::Serialize;
use treebounds_core::{NONE, Rect, Role, Tag};

/// An element with its place in the tree, where it came from and its boxes.
///
/// The fields are those of the report, in the report's order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Element<'a> {
    /// Its index in the stream.
    pub ix: u32,
    /// What it is: [`Tag::name`].
    #[serde(serialize_with = "name")]
    #[serde(rename = "kind")]
    pub tag: Tag,
    /// Whether it may change pixels outside what is painted in it.
    pub non_local: bool,
    /// The `id` in the source document.
    pub id: Option<&'a str>,
    /// The kind of thing in the source.
    pub source: &'a str,
    /// How many nodes are around it. An end has its begin's depth.
    pub depth: u32,
    /// For an end, its begin; for a begin, the nearest begin around it.
    pub link: Option<u32>,
    /// The stream's rect; empty at an end.
    #[serde(with = "extent")]
    pub rect: Rect,
    /// Its own box, where the stream has another for it.
    #[serde(with = "extent")]
    pub own: Rect,
    /// Node: its rect cut by every node around it. Empty for a draw.
    #[serde(with = "extent")]
    pub clip: Rect,
    /// Node: the union of what is visible inside it. Empty for a draw.
    #[serde(with = "extent")]
    pub content: Rect,
    /// Where it can change a pixel.
    #[serde(with = "extent")]
    pub bounds: Rect,
    /// The nearest begin around it.
    pub parent: Option<u32>,
    /// Its box as if nothing cut it; of a node, the union of those in it.
    #[serde(with = "extent")]
    pub unclipped: Rect,
    /// Why its bounds are empty, where they are.
    pub culled: Option<Reason<'a>>,
    /// Its path from the root of the document, where there is a document.
    pub path: Option<Place<'a>>,
}

fn name<S: serde::Serializer>(tag: &Tag, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(tag.name())
}

impl Element<'_> {
    /// Whether no pixel depends on it.
    pub fn is_culled(&self) -> bool {
        self.bounds.is_empty()
    }
}

/// The elements of a stream, each with all that is known of it.
#[derive(Clone, Debug)]
pub struct Elements<'a> {
    findings: &'a Findings<'a>,
    ix: usize,
    node: usize,
    open: Open<'a>,
    /// Why the open nodes are culled, where they are.
    reasons: Vec<Option<Reason<'a>>>,
    only_selected: bool,
}

impl<'a> Elements<'a> {
    pub(crate) fn new(findings: &'a Findings<'a>, only_selected: bool) -> Self {
        let scene = findings.scene();
        let open = Open::new(findings.document(), &scene.origins, scene.stream.viewport());
        Self { findings, ix: 0, node: 0, open, reasons: Vec::new(), only_selected }
    }

    /// The nodes around the element that comes next.
    pub(crate) fn open(&self) -> &Open<'a> {
        &self.open
    }

    /// The element at the cursor, whether it is selected or not.
    fn step(&mut self) -> Option<Element<'a>> {
        let (scene, bounds) = (self.findings.scene(), self.findings.bounds());
        let ix = self.ix;
        let tag = *scene.stream.tags().get(ix)?;
        let origin = scene.origins.get(ix)?;
        self.ix += 1;
        let document = self.findings.document();
        let object = document.and_then(|document| Some((document, document.source(ix as u32)?)));
        let mut element = Element {
            ix: ix as u32,
            tag,
            non_local: tag.is_non_local(),
            id: origin.id.as_deref(),
            source: &origin.source,
            depth: self.open.depth(),
            link: None,
            rect: *scene.stream.rects().get(ix)?,
            own: origin.own.unwrap_or(Rect::NOTHING),
            clip: Rect::NOTHING,
            content: Rect::NOTHING,
            bounds: *bounds.boxes.get(ix)?,
            parent: self.open.innermost(),
            unclipped: Rect::NOTHING,
            culled: None,
            path: object.map(|(document, object)| Place { document, object }),
        };
        if tag.is_marker() {
            let node = self.node;
            self.node += 1;
            element.link = Some(*bounds.links.get(node)?).filter(|&link| link != NONE);
            element.clip = *bounds.clips.get(node)?;
            element.content = *bounds.contents.get(node)?;
            element.unclipped = self.findings.unclipped(node);
            self.enter_or_leave(&mut element);
        } else {
            element.unclipped = unclipped::of_draw(scene, ix);
            element.culled = element.is_culled().then(|| self.open.reason(element.rect));
        }
        Some(element)
    }

    /// What a node's place among the others says of it.
    fn enter_or_leave(&mut self, element: &mut Element<'a>) {
        if element.tag.role() == Role::Begin {
            self.open.push(element.ix, element.tag.node_kind(), element.clip);
            element.culled = element.is_culled().then(|| self.open.reason_of_node(element.rect));
            self.reasons.push(element.culled);
            return;
        }
        self.open.pop();
        element.depth = self.open.depth();
        element.parent = self.open.innermost();
        element.culled = self.reasons.pop().flatten();
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        loop {
            let element = self.step()?;
            if !self.only_selected || self.findings.selection().contains(element.ix) {
                return Some(element);
            }
        }
    }
}
