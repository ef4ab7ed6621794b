//! Walks a parsed drawing in paint order.

use super::filter;
use super::options::{Painter, SvgError};
use super::pixels::{Layer, affine};
use super::recorder::{Budget, Element, Opening, Sink, Union};
use super::shape::{fill_extent, painted_extent};
use super::spans::{is_same, lines, text_objects};
use crate::geometry::Extent;
use crate::{Cut, Origin};
use kurbo::Affine;
use treebounds_core::NodeKind;
use usvg::{BlendMode, ClipPath, Group, Image, ImageKind, Mask, Node, Opacity, Path, Text};
use usvg_css::Elements;

/// The state that a node inherits from the nodes around it.
#[derive(Clone, Copy)]
struct Around<'a> {
    /// The transform from the node's coordinates to device pixels.
    transform: Affine,
    /// The unaligned layer of the innermost filter, if its pixels differ from the picture's.
    layer: Option<Layer>,
    /// The `source` of the draws, if it differs from the node's own.
    source: Option<&'static str>,
    /// Paths with different boxes in browsers, and those boxes in the coordinates of the path.
    lines: &'a [(&'a Path, Extent)],
    /// The id of the draws, if the node has none.
    id: &'a str,
    object: Option<u32>,
    /// Whether the node is part of an SVG image, which has its own ids.
    is_image: bool,
    budget: Budget<'a>,
}

/// Sends the draws of the group's children to the sink, with the nodes that enclose them.
pub(super) fn walk(
    root: &Group,
    transform: Affine,
    budget: Budget,
    sink: &mut impl Sink,
) -> Result<(), SvgError> {
    let around = Around {
        transform,
        layer: None,
        source: None,
        lines: &[],
        id: "",
        // Nodes without another object belong to the root.
        object: (!budget.shared.elements.all.is_empty()).then_some(0),
        is_image: false,
        budget,
    };
    Walk { index: 0, sink }.children(root, around, &[])
}

struct Walk<'s, S> {
    /// The number of visited nodes.
    index: u32,
    sink: &'s mut S,
}

impl<S: Sink> Walk<'_, S> {
    /// Visits the children of a group. `objects` are their objects, if these differ from the group's.
    fn children(&mut self, group: &Group, around: Around, objects: &[u32]) -> Result<(), SvgError> {
        let around = Around { budget: around.budget.deeper()?, ..around };
        for (at, child) in group.children().iter().enumerate() {
            let object = objects.get(at).copied().or(around.object);
            self.visit(child, Around { object, ..around })?;
        }
        Ok(())
    }

    fn visit(&mut self, node: &Node, around: Around) -> Result<(), SvgError> {
        around.budget.spend()?;
        let index = self.index;
        self.index = self.index.wrapping_add(1);
        match node {
            Node::Group(group) => self.group(group, around, index, &[]),
            Node::Path(path) => {
                let line = around.lines.iter().find(|(line, _)| is_same(line, path));
                let own = match (painted_extent(path, around.transform, around.budget.shared), line)
                {
                    (own, Some((_, area))) if own != Extent::NOTHING => {
                        area.transform(around.transform)
                    }
                    (own, _) => own,
                };
                self.draw(own, path.id(), "path", around, index)
            }
            Node::Image(image) => self.image(image, around, index),
            Node::Text(text) => self.text(text, around, index),
        }
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
        let (id, object) = around.identify(id);
        let id = if id.is_empty() { around.id } else { id };
        let source = around.source.unwrap_or(source);
        let origin = || origin(id, source, index);
        self.sink.draw(own, Element { object, origin: &origin, cut: Cut::default() })
    }

    /// Visits a text: a group with the paths of each of its elements.
    fn text(&mut self, text: &Text, around: Around, index: u32) -> Result<(), SvgError> {
        let (id, object) = around.identify(text.id());
        let letters = object.and_then(|object| around.budget.shared.elements.letters(object));
        let objects = letters.and_then(|letters| text_objects(text, letters)).unwrap_or_default();
        let is_exact = around.budget.shared.painter == Painter::Exact;
        let lines = if is_exact { lines(text) } else { Vec::new() };
        let around = Around { source: Some("text"), lines: &lines, id, object, ..around };
        self.group(text.flattened(), around, index, &objects)
    }

    fn image(&mut self, image: &Image, around: Around, index: u32) -> Result<(), SvgError> {
        if !image.is_visible() {
            return Ok(());
        }
        let own = Extent::from(image.bounding_box()).transform(around.transform);
        match image.kind() {
            ImageKind::SVG(tree) => {
                let (id, object) = around.identify(image.id());
                let id = if id.is_empty() { around.id } else { id };
                let origin = || Origin { own: Some(own.to_rect()), ..origin(id, "image", index) };
                let node = Opening::node(NodeKind::Blend, Extent::EVERYTHING);
                let element = Element { object, origin: &origin, cut: Cut::default() };
                self.sink.begin(node, element)?;
                let inside = Around { source: None, id: "", object, is_image: true, ..around };
                self.children(tree.root(), inside, &[])?;
                self.sink.end()
            }
            _ => self.draw(own, image.id(), "image", around, index),
        }
    }

    fn group(
        &mut self,
        group: &Group,
        around: Around,
        index: u32,
        objects: &[u32],
    ) -> Result<(), SvgError> {
        let transform = around.transform * affine(group.transform());
        let (id, object) = around.name(group);
        let layer = Layer::of(group, transform, around.layer);
        let filters = match &layer {
            Some(layer) => filter::steps(group, layer, around.budget)?,
            None => Vec::new(),
        };
        let node = node_kind(group);
        if let Some(kind) = node {
            let painted_into = layer.or(around.layer);
            let is_clear = group.opacity() == Opacity::ZERO;
            let own = if is_clear && layer.is_none_or(|layer| layer.is_aligned) {
                // The painter paints the antialiased edges of a rotated layer at any opacity.
                Extent::NOTHING
            } else if painted_into.is_some_and(|layer| !layer.is_aligned) && !is_cut_once(group) {
                // Two clips may share a pixel of the layer, whose position is unknown.
                Extent::EVERYTHING
            } else if let Some(layer) = painted_into {
                layer.place(visible(group, layer.local(transform), around.budget)?)
            } else {
                visible(group, transform, around.budget)?
            };
            // Filters are applied before the clip path and the mask. The last filter is the outermost.
            let (rect, fills) = filters
                .last()
                .map_or((own, false), |last| (own.intersect(last.output), last.fills));
            let origin = || origin(id, around.source.unwrap_or("g"), index);
            let opening = Opening::Node { kind, rect, fills };
            let cut = cut(group, around.budget);
            self.sink.begin(opening, Element { object, origin: &origin, cut })?;
        }
        let inner = filter::nodes(&filters);
        for opening in &inner {
            let origin = || origin(id, "filter", index);
            self.sink.begin(*opening, Element { object, origin: &origin, cut: Cut::default() })?;
        }
        let inner_id = if around.source.is_some() || wraps_image(group) { id } else { "" };
        let layer = layer.filter(|layer| !layer.is_aligned).or(around.layer);
        let inside = Around { transform, layer, id: inner_id, object, ..around };
        self.children(group, inside, objects)?;
        for _ in 0..inner.len() + usize::from(node.is_some()) {
            self.sink.end()?;
        }
        Ok(())
    }
}

impl<'a> Around<'a> {
    /// Returns the id of a node in the document, and its object.
    fn identify<'n>(&self, id: &'n str) -> (&'n str, Option<u32>)
    where
        'a: 'n,
    {
        let objects = self.budget.shared.elements;
        if self.is_image {
            // An image has its own marks.
            return (Elements::image_id(id), self.object);
        }
        (objects.own_id(id), objects.find(id).or(self.object))
    }

    /// Returns the id and the object of a group. A group that usvg created around one element has no id, and gets the
    /// element's.
    fn name(&self, group: &'a Group) -> (&'a str, Option<u32>) {
        let (own, object) = self.identify(group.id());
        match group.children() {
            _ if !own.is_empty() => (own, object),
            [only] if !only.id().is_empty() => {
                let (id, inner) = self.identify(only.id());
                let id = if id.is_empty() { self.id } else { id };
                (id, if group.id().is_empty() { inner } else { object })
            }
            _ => (self.id, object),
        }
    }
}

/// The part of the plane that the group's clip path and mask leave visible.
fn visible(group: &Group, transform: Affine, budget: Budget) -> Result<Extent, SvgError> {
    let mut out = Extent::EVERYTHING;
    if let Some(clip) = group.clip_path() {
        out = clip_extent(clip, transform, budget.deeper()?)?;
    }
    if let Some(mask) = group.mask().filter(|_| !out.is_empty()) {
        out = out.intersect(mask_extent(mask, transform, budget)?);
    }
    Ok(out)
}

/// Whether at most one clip path of plain shapes clips the group.
fn is_cut_once(group: &Group) -> bool {
    let is_shape = |node: &Node| matches!(node, Node::Path(_));
    let is_simple =
        |clip: &ClipPath| clip.clip_path().is_none() && clip.root().children().iter().all(is_shape);
    group.mask().is_none() && group.clip_path().is_none_or(is_simple)
}

/// The group's kind of node in the stream; `None` for a group without effects.
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

/// Returns the clip path and mask of the group.
fn cut(group: &Group, budget: Budget) -> Cut {
    let own = |id: &str| budget.shared.elements.own_id(id).to_owned().into();
    Cut {
        element: 0,
        clip: group.clip_path().map(|clip| own(clip.id())),
        mask: group.mask().map(|mask| own(mask.id())),
        transparent: group.opacity() == Opacity::ZERO,
    }
}

/// Whether this is usvg's group around an image, which has the image's id.
fn wraps_image(group: &Group) -> bool {
    match group.children() {
        [Node::Image(_)] => true,
        [Node::Group(inner)] => wraps_image(inner),
        _ => false,
    }
}

fn origin(id: &str, source: &'static str, index: u32) -> Origin {
    let id = if id.is_empty() { None } else { Some(id.to_owned()) };
    Origin { id, source: source.into(), index, own: None }
}

/// Returns the box outside which a mask hides everything.
///
/// A mask multiplies an element by the mask's own coverage or luminance, which is zero wherever it paints nothing. It
/// therefore clips to the box of its paint inside its region, and a mask on the mask clips further. `user` is the
/// transform of the masked element.
fn mask_extent(mask: &Mask, user: Affine, budget: Budget) -> Result<Extent, SvgError> {
    let mut out = Extent::EVERYTHING;
    let mut next = Some(mask);
    while let Some(mask) = next {
        let region = Extent::from(mask.rect().to_rect()).transform(user);
        let mut content = Union::inside(out.intersect(region));
        walk(mask.root(), user, budget.deeper()?, &mut content)?;
        content.members().for_each(|(object, extent)| budget.shared.uses_object(object, extent));
        out = content.finish();
        budget.shared.uses(mask.id(), out);
        next = mask.mask().filter(|_| !out.is_empty());
    }
    Ok(out)
}

/// Returns the box outside which a clip path hides everything.
///
/// A clip path shows the union of its children's fills. A clip path on the clip path, or on one of its children, clips
/// further. `user` is the transform of the clipped element.
fn clip_extent(clip: &ClipPath, user: Affine, budget: Budget) -> Result<Extent, SvgError> {
    let mut out = Extent::EVERYTHING;
    let mut next = Some(clip);
    while let Some(clip) = next {
        let shapes = shapes_extent(
            clip.root(),
            user * affine(clip.transform()),
            Extent::EVERYTHING,
            budget,
        )?;
        budget.shared.uses(clip.id(), shapes);
        out = out.intersect(shapes);
        next = clip.clip_path().filter(|_| !out.is_empty());
    }
    Ok(out)
}

/// Returns the union of the fills inside the group, each clipped by `limit` and the clip paths around it.
fn shapes_extent(
    group: &Group,
    transform: Affine,
    limit: Extent,
    budget: Budget,
) -> Result<Extent, SvgError> {
    let budget = budget.deeper()?;
    let mut out = Extent::NOTHING;
    for child in group.children() {
        budget.spend()?;
        out = out.union(match child {
            Node::Path(path) if path.is_visible() => {
                let shape = fill_extent(path, transform);
                budget.shared.uses(path.id(), shape);
                limit.intersect(shape)
            }
            Node::Text(text) => shapes_extent(text.flattened(), transform, limit, budget)?,
            Node::Group(child) => {
                let transform = transform * affine(child.transform());
                let limit = match child.clip_path() {
                    Some(clip) => limit.intersect(clip_extent(clip, transform, budget)?),
                    None => limit,
                };
                shapes_extent(child, transform, limit, budget)?
            }
            Node::Path(_) | Node::Image(_) => Extent::NOTHING,
        });
    }
    Ok(out)
}
