//! What painting a drawing would cost.

use crate::Frame;
use resvg::usvg::{Group, Node, Tree};

/// An estimate: the layers that isolated groups are painted to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Cost {
    /// How deep groups nest.
    pub(crate) depth: usize,
    /// The pixels of all layers, those of masks and filters among them.
    pub(crate) pixels: f64,
    /// The most pixels that exist at once.
    pub(crate) at_once: f64,
}

/// A group still to be looked at, and the layers around it.
struct Pending<'a> {
    group: &'a Group,
    depth: usize,
    around: f64,
}

impl Cost {
    /// Groups nested deeper are not painted.
    pub(crate) const MAX_DEPTH: usize = 50_000;
    /// Pixels that are painted in a few seconds.
    const PIXELS: f64 = 6e8;
    /// Pixels that fit in half a GiB.
    const AT_ONCE: f64 = (1 << 27) as f64;
    /// Enlarged more than this, a drawing is a blur.
    const MAX_REDUCTION: f64 = 16.0;

    /// Adds up the layers of a tree. Does not recurse.
    pub(crate) fn of(tree: &Tree, frame: &Frame) -> Self {
        let mut cost = Self::default();
        let mut pending = vec![Pending { group: tree.root(), depth: 1, around: 0.0 }];
        while let Some(Pending { group, depth, around }) = pending.pop() {
            let layer = if group.should_isolate() { layer(group, frame) } else { 0.0 };
            let at_once = around + layer;
            cost.depth = cost.depth.max(depth);
            cost.pixels += layer * passes(group);
            cost.at_once = cost.at_once.max(at_once);
            pending.extend(group.children().iter().filter_map(inner).map(|group| Pending {
                group,
                depth: depth + 1,
                around: at_once,
            }));
        }
        cost
    }

    /// How many times fewer pixels a side make it affordable; `None` where that
    /// leaves too few.
    pub(crate) fn reduction(&self) -> Option<f64> {
        let excess = (self.pixels / Self::PIXELS).max(self.at_once / Self::AT_ONCE).max(1.0);
        let reduction = excess.sqrt();
        (reduction <= Self::MAX_REDUCTION).then_some(reduction)
    }
}

/// The group in a node.
fn inner(node: &Node) -> Option<&Group> {
    match node {
        Node::Group(group) => Some(group),
        Node::Text(text) => Some(text.flattened()),
        Node::Path(_) | Node::Image(_) => None,
    }
}

/// The pixels of a group's layer. The painter cuts it to five times the
/// picture's width and height.
fn layer(group: &Group, frame: &Frame) -> f64 {
    let area = group.abs_layer_bounding_box();
    let cut = |from: f32, to: f32, side: u32| {
        let (side, scale) = (f64::from(side), frame.scale());
        let from = (f64::from(from) * scale).max(-2.0 * side);
        let to = (f64::from(to) * scale).min(3.0 * side);
        (to - from).max(0.0) + 4.0
    };
    cut(area.left(), area.right(), frame.width()) * cut(area.top(), area.bottom(), frame.height())
}

/// About how many times the pixels of the group's layer are visited.
fn passes(group: &Group) -> f64 {
    let filters: usize = group.filters().iter().map(|filter| filter.primitives().len()).sum();
    let masks = std::iter::successors(group.mask(), |mask| mask.mask()).count();
    let clips = std::iter::successors(group.clip_path(), |clip| clip.clip_path()).count();
    (1 + clips + 2 * masks + 8 * filters) as f64
}
