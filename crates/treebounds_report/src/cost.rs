//! What painting a drawing would cost.

use crate::{Frame, effort, layer::Layer, outline};
use resvg::usvg::{
    ClipPath, Group, Image, ImageKind, Mask, Node, Paint, Path, Pattern, Transform, Tree,
};
use std::iter;

/// An estimate, in pixels: layers of isolated groups, shapes, and whatever is painted for them, patterns, masks, clip paths
/// and SVG images, as often as it is. The work of other steps is counted in pixels that could be painted meanwhile.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// How deep groups nest.
    pub(crate) depth: usize,
    /// The pixels of all layers and shapes.
    pub(crate) pixels: f64,
    /// The most pixels that exist at once.
    pub(crate) at_once: f64,
    /// How far the shapes reach, in pixels.
    pub(crate) reach: f64,
    /// What the painter would fail on, the first there is.
    pub(crate) flaw: Option<&'static str>,
    /// How many groups and shapes were looked at.
    visits: usize,
}

/// A group still to be looked at, and where it is painted.
struct Pending<'a> {
    group: &'a Group,
    depth: usize,
    /// The pixels of the layers around it.
    around: f64,
    layer: Layer,
    /// Whether it is inside a clip path.
    clips: bool,
}

impl Pending<'_> {
    /// What the group is painted on, and the pixels that it has of its own.
    fn layer(&self) -> Option<(Layer, f64)> {
        let group = self.group;
        let around = self.layer.with(self.layer.to.pre_concat(group.transform()));
        match group.should_isolate() {
            false => Some((around, 0.0)),
            // In a clip path, a group that is clipped has a layer as large as what is around it.
            true if self.clips => Some((around, around.pixels())),
            true => self.layer.of(group).map(|layer| (layer, layer.pixels())),
        }
    }
}

impl Cost {
    /// Groups nested deeper are not painted.
    pub(crate) const MAX_DEPTH: usize = 50_000;
    /// Pixels that are painted in a few seconds.
    const PIXELS: f64 = 6e8;
    /// Pixels that fit in a GiB.
    const AT_ONCE: f64 = (1 << 28) as f64;
    /// Shapes that reach farther are not painted: the painter may fail on them, and take the process with it.
    pub(crate) const MAX_REACH: f64 = 1e8;
    /// Patterns of patterns can have more shapes than can be counted.
    const MAX_VISITS: usize = 10_000_000;
    /// So many segments of a path are looked at in the time of a shape.
    const SEGMENTS: usize = 8;

    /// Adds up what there is in a tree, as long as it is affordable. Does not
    /// recurse.
    pub(crate) fn of(tree: &Tree, frame: &Frame) -> Self {
        let mut cost = Self::default();
        let scale = frame.scale() as f32;
        let to = Transform::from_scale(scale, scale);
        let picture = Layer::picture(frame.width() as f32, frame.height() as f32, to);
        let mut pending: Vec<_> = picture
            .map(|layer| Pending { group: tree.root(), depth: 1, around: 0.0, layer, clips: false })
            .into_iter()
            .collect();
        while let Some(next) = pending.pop() {
            cost.enter(&next, &mut pending);
            if !cost.is_affordable() {
                break;
            }
        }
        cost
    }

    /// Whether painting takes seconds rather than minutes, and does not fail.
    pub(crate) fn is_affordable(&self) -> bool {
        self.depth <= Self::MAX_DEPTH
            && self.visits <= Self::MAX_VISITS
            && self.pixels <= Self::PIXELS
            && self.at_once <= Self::AT_ONCE
            && self.reach <= Self::MAX_REACH
            && self.flaw.is_none()
    }

    /// Adds a group, and leaves what is inside for later.
    fn enter<'a>(&mut self, at: &Pending<'a>, pending: &mut Vec<Pending<'a>>) {
        let group = at.group;
        self.visits += 1 + group.children().len();
        self.depth = self.depth.max(at.depth);
        // Without a layer the painter leaves the group out.
        let Some((layer, own)) = at.layer() else { return };
        let inside = Pending { depth: at.depth + 1, around: at.around + own, layer, ..*at };
        self.pixels += own;
        self.at_once = self.at_once.max(inside.around);
        self.filters(&inside, pending);
        self.cuts(&inside, own, pending);
        for node in group.children() {
            if !self.is_affordable() {
                return;
            }
            match node {
                Node::Group(group) => pending.push(Pending { group, ..inside }),
                Node::Text(text) => pending.push(Pending { group: text.flattened(), ..inside }),
                Node::Path(path) => self.path(path, &inside, pending),
                Node::Image(image) => self.image(image, &inside, pending),
            }
        }
    }

    /// Adds the filters of a group with a layer, and what they paint besides.
    fn filters<'a>(&mut self, inside: &Pending<'a>, pending: &mut Vec<Pending<'a>>) {
        let layer = inside.layer;
        for filter in inside.group.filters() {
            self.visits += filter.primitives().len();
            match effort::of(filter, &layer) {
                Ok(effort) => {
                    self.pixels += layer.pixels() * effort.passes + effort.lookups;
                    let around = inside.around + layer.pixels() * effort.kept;
                    self.at_once = self.at_once.max(around);
                    for (group, to) in effort::images(filter, layer) {
                        let image = layer.image(to);
                        pending.extend(image.map(|layer| Pending {
                            group,
                            around,
                            layer,
                            ..*inside
                        }));
                    }
                }
                Err(flaw) => self.flaw = Some(flaw),
            }
        }
    }

    /// Adds masks and clip paths. Each one of a chain has a layer as large as the group's, and keeps it until the rest of the
    /// chain is applied.
    fn cuts<'a>(&mut self, inside: &Pending<'a>, own: f64, pending: &mut Vec<Pending<'a>>) {
        let to = inside.layer.to;
        let masks = masks(inside.group).map(|mask| (mask.root(), to, false));
        let clips =
            clips(inside.group).map(|clip| (clip.root(), to.pre_concat(clip.transform()), true));
        for (at, (group, to, clips)) in (1..).zip(masks.chain(clips)) {
            if !self.is_affordable() {
                return;
            }
            self.pixels += 2.0 * own;
            let around = inside.around + f64::from(at) * own;
            self.at_once = self.at_once.max(around);
            let (depth, layer) = (inside.depth + at as usize, inside.layer.with(to));
            pending.push(Pending { group, depth, around, layer, clips });
        }
    }

    /// Adds a path, and the tiles of its patterns.
    fn path<'a>(&mut self, path: &'a Path, inside: &Pending<'a>, pending: &mut Vec<Pending<'a>>) {
        let layer = inside.layer;
        let (work, segments) = outline::of(path, &layer);
        self.visits += segments / Self::SEGMENTS;
        self.pixels += work;
        self.reach = self.reach.max(layer.reach(path.stroke_bounding_box()));
        for pattern in patterns(path) {
            let layer = tile(pattern, layer);
            let around = inside.around + layer.pixels();
            self.pixels += layer.pixels();
            self.at_once = self.at_once.max(around);
            pending.push(Pending { group: pattern.root(), around, layer, ..*inside });
        }
    }

    /// Adds an image.
    fn image<'a>(
        &mut self,
        image: &'a Image,
        inside: &Pending<'a>,
        pending: &mut Vec<Pending<'a>>,
    ) {
        let layer = inside.layer;
        self.pixels += layer.covered(image.bounding_box());
        if let ImageKind::SVG(tree) = image.kind() {
            // An SVG image has a layer as large as what it is painted on.
            let around = inside.around + layer.pixels();
            self.pixels += 2.0 * layer.pixels();
            self.at_once = self.at_once.max(around);
            let own = Layer::picture(layer.width() as f32, layer.height() as f32, layer.to);
            let group = tree.root();
            pending.extend(own.map(|layer| Pending { group, around, layer, ..*inside }));
        } else {
            // It is read whole, however small it is shown.
            let size = image.size();
            let whole = f64::from(size.width()) * f64::from(size.height());
            self.pixels += whole;
            self.at_once = self.at_once.max(inside.around + whole);
        }
    }
}

/// The group's mask, the mask of that mask, and so on.
fn masks(group: &Group) -> impl Iterator<Item = &Mask> {
    iter::successors(group.mask(), |mask| mask.mask())
}

/// The group's clip path, the clip path of that one, and so on.
fn clips(group: &Group) -> impl Iterator<Item = &ClipPath> {
    iter::successors(group.clip_path(), |clip| clip.clip_path())
}

/// What a path's fill and stroke are painted with, where these are patterns.
fn patterns(path: &Path) -> impl Iterator<Item = &Pattern> {
    let fill = path.fill().map(|fill| fill.paint());
    let stroke = path.stroke().map(|stroke| stroke.paint());
    fill.into_iter().chain(stroke).filter_map(|paint| match paint {
        Paint::Pattern(pattern) => Some(pattern.as_ref()),
        _ => None,
    })
}

/// The tile of a pattern, which is painted whole.
fn tile(pattern: &Pattern, layer: Layer) -> Layer {
    let (x, y) = layer.to.pre_concat(pattern.transform()).get_scale();
    let area = pattern.rect();
    layer.tile(area.width() * x, area.height() * y, Transform::from_scale(x, y))
}
