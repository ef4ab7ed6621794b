//! Walks a parsed drawing in paint order, without recursion except into masks and clip paths.

use super::SvgError;
use super::objects::{Objects, text_objects};
use super::pixels::{Layer, affine};
use super::recorder::{Budget, Sink, Union};
use super::shape::{fill_extent, painted_extent};
use crate::geometry::Extent;
use kurbo::Affine;
use treebounds_core::NodeKind;
use treebounds_report::{Cut, Origin};
use usvg::{BlendMode, ClipPath, Group, Image, ImageKind, Mask, Node, Opacity, Text};

/// A step still to be taken.
enum Step<'a> {
    Visit(&'a Node, Around<'a>),
    Close(Close<'a>),
}

/// What a node inherits from the nodes around it.
#[derive(Clone, Copy)]
struct Around<'a> {
    /// From the node's coordinates to device pixels.
    transform: Affine,
    /// The region of the outermost filter, if any.
    region: Option<Extent>,
    /// The source of the draws, if it is not the node itself.
    source: Option<&'static str>,
    /// The id of the draws, if the node has none.
    id: &'a str,
    /// The object around it.
    object: Option<u32>,
    /// Whether it is part of an SVG image, which has ids of its own.
    is_image: bool,
}

/// A group that ends.
struct Close<'a> {
    /// Whether it is a node of the stream.
    node: bool,
    /// If it has a filter: the number of draws before it, and the filter's region. A filter can paint without any input.
    filter: Option<(usize, Extent)>,
    id: &'a str,
    object: Option<u32>,
    index: u32,
}

/// Writes everything that the group's children paint to the sink, and the nodes around it.
pub(super) fn walk(
    root: &Group,
    transform: Affine,
    budget: Budget,
    sink: &mut impl Sink,
) -> Result<(), SvgError> {
    let (object, is_image) = (None, false);
    let around = Around { transform, region: None, source: None, id: "", object, is_image };
    let mut walk = Walk { steps: Vec::new(), budget, index: 0, sink };
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
    budget: Budget<'d>,
    index: u32,
    sink: &'d mut S,
}

impl<'a, S: Sink> Walk<'a, '_, S> {
    fn push(&mut self, group: &'a Group, around: Around<'a>) {
        let steps = group.children().iter().rev().map(|child| Step::Visit(child, around));
        self.steps.extend(steps);
    }

    fn visit(&mut self, node: &'a Node, around: Around<'a>) -> Result<(), SvgError> {
        self.budget.spend()?;
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

    /// The id of a node in the document, and its object.
    fn identify<'n>(&self, id: &'n str, around: Around) -> (&'n str, Option<u32>) {
        let object = self.budget.shared.objects.find(id).filter(|_| !around.is_image);
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
        let (id, object) = self.identify(id, around);
        let id = if id.is_empty() { around.id } else { id };
        let source = around.source.unwrap_or(source);
        self.sink.draw(around.region.unwrap_or(own), object, &|| Origin {
            own: around.region.map(|_| own.to_rect()),
            ..origin(id, source, index)
        })
    }

    /// A text: its group, which holds the paths of each of its elements.
    fn text(&mut self, text: &'a Text, around: Around<'a>, index: u32) -> Result<(), SvgError> {
        let (id, object) = self.identify(text.id(), around);
        let flat = text.flattened();
        self.group(flat, Around { source: Some("text"), id, object, ..around }, index)?;
        let letters = object.and_then(|object| self.budget.shared.objects.letters(object));
        let objects = letters.and_then(|letters| text_objects(text, letters)).unwrap_or_default();
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
                let (id, object) = self.identify(image.id(), around);
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
                // The painter paints the antialiased edges of a turned layer whatever its opacity.
                _ if group.opacity() == Opacity::ZERO
                    && layer.is_none_or(|layer| layer.is_aligned()) =>
                {
                    Extent::NOTHING
                }
                // Two clips may share a pixel of the layer, whose position is unknown.
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

    /// The id and the object of a group. A group that usvg put around one element has no id of its own and takes the
    /// element's.
    fn name(&self, group: &'a Group, around: Around<'a>) -> (&'a str, Option<u32>) {
        let (own, object) = self.identify(group.id(), around);
        match group.children() {
            _ if !own.is_empty() => (own, object),
            [only] if !only.id().is_empty() => {
                let (id, inner) = self.identify(only.id(), around);
                let id = if id.is_empty() { around.id } else { id };
                (id, if group.id().is_empty() { inner } else { object })
            }
            _ => (around.id, object),
        }
    }

    /// The part of the plane that the group's clip path and mask leave visible.
    fn cut(&self, group: &Group, transform: Affine) -> Result<Extent, SvgError> {
        let mut out = Extent::EVERYTHING;
        if let Some(clip) = group.clip_path() {
            out = clip_extent(clip, transform, self.budget.deeper()?)?;
        }
        if let Some(mask) = group.mask().filter(|_| !out.is_empty()) {
            out = out.intersect(mask_extent(mask, transform, self.budget)?);
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

/// Whether at most one clip path of plain shapes clips the group.
fn is_cut_once(group: &Group) -> bool {
    let is_shape = |node: &Node| matches!(node, Node::Path(_));
    let is_simple =
        |clip: &ClipPath| clip.clip_path().is_none() && clip.root().children().iter().all(is_shape);
    group.mask().is_none() && group.clip_path().is_none_or(is_simple)
}

/// The group's kind of node in the stream; `None` if it only groups.
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

/// The clip path and mask that cut the group.
fn cut(group: &Group) -> Cut {
    Cut {
        element: 0,
        clip: group.clip_path().map(|clip| clip.id().into()),
        mask: group.mask().map(|mask| mask.id().into()),
        transparent: group.opacity() == Opacity::ZERO,
    }
}

/// Whether this is the group that usvg puts around an image; it has the image's id.
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

/// The box outside of which a mask hides everything.
///
/// A mask multiplies an element by the mask's own coverage or luminance, which is zero wherever it paints nothing. So it
/// clips to the box of its paint inside its region, and a mask on the mask cuts that further. `user` is the transform of the
/// masked element.
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

/// The box outside of which a clip path hides everything.
///
/// A clip path shows the union of its children's fills. A clip path on the clip path, or on one of its children, cuts that
/// further. `user` is the transform of the clipped element.
fn clip_extent(clip: &ClipPath, user: Affine, budget: Budget) -> Result<Extent, SvgError> {
    let mut out = Extent::EVERYTHING;
    let mut next = Some(clip);
    while let Some(clip) = next {
        let shapes = shapes_extent(clip.root(), user * affine(clip.transform()), budget)?;
        budget.shared.uses(clip.id(), shapes);
        out = out.intersect(shapes);
        next = clip.clip_path().filter(|_| !out.is_empty());
    }
    Ok(out)
}

/// The union of the fills inside the group, each cut by the clip paths around it.
fn shapes_extent(root: &Group, transform: Affine, budget: Budget) -> Result<Extent, SvgError> {
    let mut out = Extent::NOTHING;
    let mut open = vec![(root, transform, Extent::EVERYTHING)];
    while let Some((group, transform, limit)) = open.pop() {
        for child in group.children() {
            budget.spend()?;
            match child {
                Node::Path(path) if path.is_visible() => {
                    let shape = fill_extent(path, transform);
                    budget.shared.uses(path.id(), shape);
                    out = out.union(limit.intersect(shape));
                }
                Node::Text(text) => open.push((text.flattened(), transform, limit)),
                Node::Group(child) => {
                    let transform = transform * affine(child.transform());
                    let limit = match child.clip_path() {
                        Some(clip) => {
                            limit.intersect(clip_extent(clip, transform, budget.deeper()?)?)
                        }
                        None => limit,
                    };
                    open.push((child, transform, limit));
                }
                Node::Path(_) | Node::Image(_) => {}
            }
        }
    }
    Ok(out)
}
