//! The walk over a parsed drawing: its nodes in paint order, without recursion.

use super::SvgError;
use super::clip::clip_extent;
use super::depth::Depth;
use super::extent::{Extent, affine};
use super::filter::Layer;
use super::mask::mask_extent;
use super::objects::Objects;
use super::shape::painted_extent;
use super::sink::Sink;
use super::spans;
use kurbo::Affine;
use treebounds_core::NodeKind;
use treebounds_report::{Cut, Origin};
use usvg::{BlendMode, ClipPath, Group, Image, ImageKind, Node, Opacity, Text};

/// What is still to be done, last first.
enum Step<'a> {
    Visit(&'a Node, Around<'a>),
    Close(Close<'a>),
}

/// What a node finds around it.
#[derive(Clone, Copy)]
struct Around<'a> {
    /// From the node's coordinates to device pixels.
    transform: Affine,
    /// The region of the outermost filter, if there is one.
    region: Option<Extent>,
    /// The source of what is painted, if it is not the node itself.
    source: Option<&'static str>,
    /// The id of what is painted, if the node has none.
    id: &'a str,
    /// The object that it is in.
    object: Option<u32>,
    /// Whether this is an image, whose ids are not those of the document.
    is_image: bool,
}

/// A group that is to be closed.
struct Close<'a> {
    /// Whether a node was opened for it.
    node: bool,
    /// How many draws there were before it, if it has a filter: a filter can
    /// paint without being given anything.
    filter: Option<(usize, Extent)>,
    id: &'a str,
    object: Option<u32>,
    index: u32,
}

/// Writes all that the group's children paint, and the nodes around it.
pub(super) fn walk(
    root: &Group,
    transform: Affine,
    depth: Depth,
    sink: &mut impl Sink,
) -> Result<(), SvgError> {
    let (object, is_image) = (None, false);
    let around = Around { transform, region: None, source: None, id: "", object, is_image };
    let mut walk = Walk { steps: Vec::new(), depth, index: 0, sink };
    walk.push(root, around);
    while let Some(step) = walk.steps.pop() {
        match step {
            Step::Visit(node, around) => walk.visit(node, around)?,
            Step::Close(close) => walk.close(&close)?,
        }
    }
    Ok(())
}

struct Walk<'a, 'd, S> {
    steps: Vec<Step<'a>>,
    depth: Depth<'d>,
    index: u32,
    sink: &'d mut S,
}

impl<'a, S: Sink> Walk<'a, '_, S> {
    fn push(&mut self, group: &'a Group, around: Around<'a>) {
        let steps = group.children().iter().rev().map(|child| Step::Visit(child, around));
        self.steps.extend(steps);
    }

    fn visit(&mut self, node: &'a Node, around: Around<'a>) -> Result<(), SvgError> {
        self.depth.spend()?;
        let index = self.index;
        self.index = self.index.wrapping_add(1);
        match node {
            Node::Group(group) => self.group(group, around, index),
            Node::Path(path) => {
                let own = painted_extent(path, around.transform);
                self.draw(own, path.id(), "path", around, index)
            }
            Node::Image(image) => self.image(image, around, index),
            Node::Text(text) => self.text(text, around, index),
        }
    }

    /// The id that a node has in the document, and the object that it is of.
    fn of<'n>(&self, id: &'n str, around: Around) -> (&'n str, Option<u32>) {
        let object = self.depth.shared.objects.find(id).filter(|_| !around.is_image);
        (Objects::own_id(id), object.or(around.object))
    }

    fn draw(
        &mut self,
        own: Extent,
        id: &str,
        source: &'static str,
        around: Around,
        index: u32,
    ) -> Result<(), SvgError> {
        if own == Extent::NOTHING {
            return Ok(());
        }
        let (id, object) = self.of(id, around);
        let id = if id.is_empty() { around.id } else { id };
        let source = around.source.unwrap_or(source);
        self.sink.draw(around.region.unwrap_or(own), object, &|| Origin {
            own: around.region.map(|_| own.to_rect()),
            ..origin(id, source, index)
        })
    }

    /// A text: its group, and in it the paths of each of its elements.
    fn text(&mut self, text: &'a Text, around: Around<'a>, index: u32) -> Result<(), SvgError> {
        let (id, object) = self.of(text.id(), around);
        let flat = text.flattened();
        self.group(flat, Around { source: Some("text"), id, object, ..around }, index)?;
        let letters = object.and_then(|object| self.depth.shared.objects.letters(object));
        let objects = letters.and_then(|letters| spans::objects(text, letters)).unwrap_or_default();
        for (step, object) in self.steps.iter_mut().rev().zip(objects) {
            if let Step::Visit(_, around) = step {
                around.object = Some(object);
            }
        }
        Ok(())
    }

    fn image(&mut self, image: &'a Image, around: Around<'a>, index: u32) -> Result<(), SvgError> {
        if !image.is_visible() {
            return Ok(());
        }
        let own = Extent::from(image.bounding_box()).transform(around.transform);
        match image.kind() {
            ImageKind::SVG(tree) => {
                let (id, object) = self.of(image.id(), around);
                let id = if id.is_empty() { around.id } else { id };
                let origin = || Origin { own: Some(own.to_rect()), ..origin(id, "image", index) };
                let node = (NodeKind::Blend, Extent::EVERYTHING);
                self.sink.begin(node, object, &origin, &Cut::default)?;
                self.steps.push(Step::Close(Close { node: true, filter: None, id, object, index }));
                let inside = Around { source: None, id: "", object, is_image: true, ..around };
                self.push(tree.root(), inside);
                Ok(())
            }
            _ => self.draw(own, image.id(), "image", around, index),
        }
    }

    fn group(&mut self, group: &'a Group, around: Around<'a>, index: u32) -> Result<(), SvgError> {
        let transform = around.transform * affine(group.transform());
        let (id, object) = self.name(group, around);
        let layer = Layer::of(group, transform);
        let filter = layer.map(|layer| layer.region());
        let node = node_kind(group);
        if let Some(kind) = node {
            let own = match layer {
                // The painter paints the smooth edges of a turned layer whatever its opacity.
                _ if group.opacity() == Opacity::ZERO
                    && layer.is_none_or(|layer| layer.is_aligned()) =>
                {
                    Extent::NOTHING
                }
                // Two cuts may share a pixel, and where that is nobody knows.
                Some(layer) if !layer.is_aligned() && !is_cut_once(group) => Extent::EVERYTHING,
                Some(layer) => layer.place(self.cut(group, layer.transform)?),
                None => self.cut(group, transform)?,
            };
            let rect = match (around.region, filter) {
                (Some(_), _) => Extent::EVERYTHING,
                (None, Some(region)) => own.intersect(region),
                (None, None) => own,
            };
            let shown = around.region.filter(|_| own != Extent::EVERYTHING);
            let origin = || Origin {
                own: shown.map(|_| own.to_rect()),
                ..origin(id, around.source.unwrap_or("g"), index)
            };
            self.sink.begin((kind, rect), object, &origin, &|| cut(group))?;
        }
        let region = around.region.or(filter);
        let filter = filter.map(|own| (self.sink.draws(), region.unwrap_or(own)));
        self.steps.push(Step::Close(Close { node: node.is_some(), filter, id, object, index }));
        let id = if around.source.is_some() || wraps_image(group) { id } else { "" };
        self.push(group, Around { transform, region, id, object, ..around });
        Ok(())
    }

    /// The id and the object of a group. A group that usvg put around one element has no id of its own; it goes by
    /// that element's.
    fn name(&self, group: &'a Group, around: Around<'a>) -> (&'a str, Option<u32>) {
        let (own, object) = self.of(group.id(), around);
        match group.children() {
            _ if !own.is_empty() => (own, object),
            [only] if !only.id().is_empty() => {
                let (id, inner) = self.of(only.id(), around);
                let id = if id.is_empty() { around.id } else { id };
                (id, if group.id().is_empty() { inner } else { object })
            }
            _ => (around.id, object),
        }
    }

    /// What the clip path and the mask of the group leave of the plane.
    fn cut(&self, group: &Group, transform: Affine) -> Result<Extent, SvgError> {
        let mut out = Extent::EVERYTHING;
        if let Some(clip) = group.clip_path() {
            out = clip_extent(clip, transform, self.depth.deeper()?)?;
        }
        if let Some(mask) = group.mask().filter(|_| !out.is_empty()) {
            out = out.intersect(mask_extent(mask, transform, self.depth)?);
        }
        Ok(out)
    }

    fn close(&mut self, close: &Close) -> Result<(), SvgError> {
        if let Some((_, region)) = close.filter.filter(|(draws, _)| *draws == self.sink.draws()) {
            self.sink.draw(region, close.object, &|| origin(close.id, "filter", close.index))?;
        }
        if close.node { self.sink.end() } else { Ok(()) }
    }
}

/// Whether no more cuts the group than a clip path of shapes.
fn is_cut_once(group: &Group) -> bool {
    let is_shape = |node: &Node| matches!(node, Node::Path(_));
    let is_simple =
        |clip: &ClipPath| clip.clip_path().is_none() && clip.root().children().iter().all(is_shape);
    group.mask().is_none() && group.clip_path().is_none_or(is_simple)
}

/// What the group is in the stream: `None` where it only groups.
fn node_kind(group: &Group) -> Option<NodeKind> {
    let clips = group.clip_path().is_some() || group.mask().is_some();
    let blends = group.isolate()
        || group.opacity() != Opacity::ONE
        || group.blend_mode() != BlendMode::Normal
        || group.mask().is_some()
        || !group.filters().is_empty();
    match (clips, blends) {
        (true, true) => Some(NodeKind::ClipBlend),
        (true, false) => Some(NodeKind::Clip),
        (false, true) => Some(NodeKind::Blend),
        (false, false) => None,
    }
}

/// What cuts the group.
fn cut(group: &Group) -> Cut {
    Cut {
        element: 0,
        clip: group.clip_path().map(|clip| clip.id().into()),
        mask: group.mask().map(|mask| mask.id().into()),
        transparent: group.opacity() == Opacity::ZERO,
    }
}

/// Whether this is the group that usvg puts around an image, which holds its id.
fn wraps_image(group: &Group) -> bool {
    match group.children() {
        [Node::Image(_)] => true,
        [Node::Group(inner)] => matches!(inner.children(), [Node::Image(_)]),
        _ => false,
    }
}

fn origin(id: &str, source: &'static str, index: u32) -> Origin {
    let id = if id.is_empty() { None } else { Some(id.to_owned()) };
    Origin { id, source: source.into(), index, own: None }
}
