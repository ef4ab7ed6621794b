//! What painting a drawing would cost.

use crate::{Frame, effort};
use resvg::usvg::{
    ClipPath, Group, ImageKind, Mask, Node, NonZeroRect, Paint, Path, Pattern, Rect, Transform,
    Tree,
};
use std::iter;

/// An estimate, in pixels: layers of isolated groups, shapes, and whatever is
/// painted for them, patterns, masks, clip paths and SVG images, as often as it
/// is.
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
    /// How many groups and shapes were looked at.
    visits: usize,
}

/// A group still to be looked at, and the layers around it.
struct Pending<'a> {
    group: &'a Group,
    depth: usize,
    around: f64,
    /// From the tree that the group is in, the drawing's or an image's, to the
    /// drawing.
    to: Transform,
}

impl Cost {
    /// Groups nested deeper are not painted.
    pub(crate) const MAX_DEPTH: usize = 50_000;
    /// Pixels that are painted in a few seconds.
    const PIXELS: f64 = 6e8;
    /// Pixels that fit in half a GiB.
    const AT_ONCE: f64 = (1 << 27) as f64;
    /// Shapes that reach farther are not painted: the painter may fail on them, and take the process with it.
    pub(crate) const MAX_REACH: f64 = 1e8;
    /// Patterns of patterns can have more shapes than can be counted.
    const MAX_VISITS: usize = 10_000_000;

    /// Adds up what there is in a tree, as long as it is affordable. Does not
    /// recurse.
    pub(crate) fn of(tree: &Tree, frame: &Frame) -> Self {
        let mut cost = Self::default();
        let to = Transform::identity();
        let mut pending = vec![Pending { group: tree.root(), depth: 1, around: 0.0, to }];
        while let Some(next) = pending.pop() {
            cost.enter(&next, frame, &mut pending);
            if !cost.is_affordable() {
                break;
            }
        }
        cost
    }

    /// Whether painting takes seconds rather than minutes.
    pub(crate) fn is_affordable(&self) -> bool {
        self.depth <= Self::MAX_DEPTH
            && self.visits <= Self::MAX_VISITS
            && self.pixels <= Self::PIXELS
            && self.at_once <= Self::AT_ONCE
            && self.reach <= Self::MAX_REACH
    }

    /// Adds a group, and leaves what is inside for later.
    fn enter<'a>(&mut self, at: &Pending<'a>, frame: &Frame, pending: &mut Vec<Pending<'a>>) {
        let (group, to) = (at.group, at.to);
        let isolated = group.should_isolate();
        let layer = if isolated { covered(layer_box(group), to, frame, 2.0) } else { 0.0 };
        let around = at.around + layer;
        self.visits += 1 + group.children().len();
        self.depth = self.depth.max(at.depth);
        self.pixels += layer * passes(at, frame);
        self.at_once = self.at_once.max(around);
        // Each mask and clip path of a chain has a layer as large as the group's,
        // and keeps it until the rest of the chain is applied.
        let mut cuts = 0;
        for root in masks(group).chain(clips(group)) {
            cuts += 1;
            self.pixels += 2.0 * layer;
            let around = around + f64::from(cuts) * layer;
            self.at_once = self.at_once.max(around);
            pending.push(Pending { group: root, depth: at.depth + cuts as usize, around, to });
            if !self.is_affordable() {
                return;
            }
        }
        let mut inside = |group| pending.push(Pending { group, depth: at.depth + 1, around, to });
        for filter in group.filters() {
            effort::images(filter).for_each(&mut inside);
        }
        let (mut images, mut tiles) = (Vec::new(), Vec::new());
        for node in group.children() {
            match node {
                Node::Group(group) => inside(group),
                Node::Text(text) => inside(text.flattened()),
                Node::Path(path) => {
                    let shape = path.abs_stroke_bounding_box();
                    self.pixels += covered(shape, to, frame, 0.0);
                    self.reach = self.reach.max(reach(shape, to, frame));
                    for pattern in patterns(path) {
                        let (tile, to) = tile(pattern, to.pre_concat(path.abs_transform()), frame);
                        let around = around + tile;
                        self.pixels += tile;
                        self.at_once = self.at_once.max(around);
                        tiles.push(Pending {
                            group: pattern.root(),
                            depth: at.depth + 1,
                            around,
                            to,
                        });
                    }
                }
                Node::Image(image) => {
                    self.pixels += covered(image.abs_bounding_box(), to, frame, 0.0);
                    if let ImageKind::SVG(tree) = image.kind() {
                        images.push((image, tree));
                    } else {
                        // It is read whole, however small it is shown.
                        let size = image.size();
                        let whole = f64::from(size.width()) * f64::from(size.height());
                        self.pixels += whole;
                        self.at_once = self.at_once.max(around + whole);
                    }
                }
            }
        }
        pending.append(&mut tiles);
        for (image, tree) in images {
            // An SVG image has a layer as large as the picture.
            let layer = f64::from(frame.width()) * f64::from(frame.height());
            self.pixels += 2.0 * layer;
            pending.push(Pending {
                group: tree.root(),
                depth: at.depth + 1,
                around: around + layer,
                to: to.pre_concat(image.abs_transform()),
            });
        }
    }
}

/// The group's mask, the mask of that mask, and so on.
fn masks(group: &Group) -> impl Iterator<Item = &Group> {
    iter::successors(group.mask(), |mask| mask.mask()).map(Mask::root)
}

/// The group's clip path, the clip path of that one, and so on.
fn clips(group: &Group) -> impl Iterator<Item = &Group> {
    iter::successors(group.clip_path(), |clip| clip.clip_path()).map(ClipPath::root)
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

/// The pixels of one tile of a pattern, which are painted whole; and from the pattern to the drawing's size.
fn tile(pattern: &Pattern, to: Transform, frame: &Frame) -> (f64, Transform) {
    let (x, y) = to.pre_concat(pattern.transform()).get_scale();
    let (area, scale) = (pattern.rect(), frame.scale());
    let [width, height] = [area.width() * x, area.height() * y].map(|side| f64::from(side) * scale);
    (width * height, Transform::from_scale(x, y))
}

/// How far a box is from the picture's corner, at its farthest.
fn reach(area: Rect, to: Transform, frame: &Frame) -> f64 {
    let area = area.transform(to).unwrap_or(area);
    let edges = [area.left(), area.top(), area.right(), area.bottom()];
    edges.into_iter().map(|edge| f64::from(edge).abs() * frame.scale()).fold(0.0, f64::max)
}

fn layer_box(group: &Group) -> Rect {
    NonZeroRect::to_rect(&group.abs_layer_bounding_box())
}

/// The pixels of a box, inside the picture with this many times its size around
/// it: the painter cuts layers to that, twice the picture on each side.
fn covered(area: Rect, to: Transform, frame: &Frame, around: f64) -> f64 {
    let area = area.transform(to).unwrap_or(area);
    let cut = |from: f32, to: f32, side: u32| {
        let (side, scale) = (f64::from(side), frame.scale());
        let from = (f64::from(from) * scale).max(-around * side);
        let to = (f64::from(to) * scale).min((1.0 + around) * side);
        (to - from).max(0.0) + 4.0
    };
    cut(area.left(), area.right(), frame.width()) * cut(area.top(), area.bottom(), frame.height())
}

/// About how many times the pixels of the group's layer are visited, but for its
/// masks and clip paths.
fn passes(at: &Pending<'_>, frame: &Frame) -> f64 {
    let (x, y) = at.to.pre_concat(at.group.abs_transform()).get_scale();
    let scale = [x, y].map(|scale| f64::from(scale) * frame.scale());
    let filters: f64 = at.group.filters().iter().map(|filter| effort::of(filter, scale)).sum();
    1.0 + filters
}
