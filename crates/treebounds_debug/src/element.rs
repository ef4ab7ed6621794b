//! One element and all that is known of it.

use crate::{Findings, extent};
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
    depth: u32,
}

impl<'a> Elements<'a> {
    pub(crate) fn new(findings: &'a Findings<'a>) -> Self {
        Self { findings, ix: 0, node: 0, depth: 0 }
    }

    /// The element at the cursor, whether it is selected or not.
    fn step(&mut self) -> Option<Element<'a>> {
        let (scene, bounds) = (self.findings.scene(), self.findings.bounds());
        let ix = self.ix;
        let tag = *scene.stream.tags().get(ix)?;
        let origin = scene.origins.get(ix)?;
        self.ix += 1;
        let mut element = Element {
            ix: ix as u32,
            tag,
            non_local: tag.is_non_local(),
            id: origin.id.as_deref(),
            source: &origin.source,
            depth: self.enter_or_leave(tag.role()),
            link: None,
            rect: *scene.stream.rects().get(ix)?,
            own: origin.own.unwrap_or(Rect::NOTHING),
            clip: Rect::NOTHING,
            content: Rect::NOTHING,
            bounds: *bounds.bounds.get(ix)?,
        };
        if tag.is_node() {
            let node = self.node;
            self.node += 1;
            element.link = Some(*bounds.links.get(node)?).filter(|&link| link != NONE);
            element.clip = *bounds.clips.get(node)?;
            element.content = *bounds.contents.get(node)?;
        }
        Some(element)
    }

    /// The depth of the element with this role at the cursor.
    fn enter_or_leave(&mut self, role: Role) -> u32 {
        match role {
            Role::Draw => {}
            Role::Begin => {
                self.depth += 1;
                return self.depth - 1;
            }
            Role::End => self.depth = self.depth.saturating_sub(1),
        }
        self.depth
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Element<'a>;

    fn next(&mut self) -> Option<Element<'a>> {
        loop {
            let element = self.step()?;
            if self.findings.selection().contains(element.ix) {
                return Some(element);
            }
        }
    }
}
