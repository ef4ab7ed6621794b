//! Layer plans: the memory that the layers of a frame need, before any is allocated.
//!
//! A layer is painted into separate memory and then blended into the layer around it. Layers nest, so their memory is a stack: the
//! memory of a layer follows that of the layers around it, and is freed when the layer ends.
//!
//! ```text
//! stream     ( a       ( b  )      ( c       ( d  ) )   )
//! area         9         4           6         2
//! offset       0         9           9         15
//! in use       9        13           15        17           peak 17
//! by depth   [9, 4 + 6, 2]
//! ```
//!
//! The offset of a layer is the sum of the areas around it: a product along the path from the root, computed by [`root_fix`] with the
//! monoid [`LayerPath`]. The peak is the largest sum.

use crate::{Bounds, Monoid, NONE, Rect, Role, Stream, Tag, reference::root_fix};
use alloc::vec::Vec;
use bytemuck::{Pod, Zeroable};
use core::num::NonZeroU16;

/// The rules for selecting layers and computing their sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerRules {
    /// Which nodes have separate memory.
    pub nodes: LayerNodes,
    /// Which box of a node determines the size of its memory.
    pub boxes: LayerExtent,
    /// The snap size in pixels. Boxes grow outward to multiples of it: 1 for whole pixels, or the side of a renderer's tiles.
    pub snap: NonZeroU16,
}

/// The nodes that are layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerNodes {
    /// Nodes that blend, and filters, whose input is painted into a layer.
    #[default]
    Isolated,
    /// All nodes, for renderers such as Vello that also save the pixels behind each clip.
    All,
}

/// The box of a node that determines the size of its layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerExtent {
    /// The node's content. For a filter, its input.
    #[default]
    Content,
    /// The node's whole clip.
    Clip,
}

impl Default for LayerRules {
    /// Isolated nodes, content boxes, and whole pixels.
    fn default() -> Self {
        Self { nodes: LayerNodes::default(), boxes: LayerExtent::default(), snap: NonZeroU16::MIN }
    }
}

/// The layers of a frame and their memory, in pixels.
///
/// Sums saturate at `u32::MAX`, which sets [`overflows`](Self::overflows).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerPlan {
    /// The live layers, into which something is painted, in paint order.
    pub layers: Vec<PlannedLayer>,
    /// The maximum number of pixels in use at the same time.
    pub peak: u32,
    /// For each depth, the total area of the layers with that number of layers around them.
    pub by_depth: Vec<u32>,
    /// Whether an area or a sum reached `u32::MAX`, which makes the plan too small.
    pub overflows: bool,
}

/// A layer and its memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedLayer {
    /// The Begin of the layer.
    pub element: u32,
    /// The box of the layer, snapped outward. It is inside the box of the layer around it, except for the input of a filter.
    pub rect: Rect,
    /// The area of `rect` in pixels.
    pub area: u32,
    /// The number of live layers around it.
    pub depth: u32,
    /// The start of its memory: the sum of the areas of the layers around it.
    pub offset: u32,
}

/// The number and total area of the layers on the path from the root to an element. Both saturate.
///
/// Saturating addition of non-negative numbers is associative: every grouping results in the smaller of the sum and the maximum.
/// Therefore `RootFix` in the crate `treebounds` computes identical results on a GPU, with this WGSL monoid:
///
/// ```wgsl
/// alias Input = vec2<u32>; // pixels, layers
/// alias Product = vec2<u32>;
/// alias Output = vec2<u32>;
/// fn product_identity() -> Product { return vec2<u32>(0u, 0u); }
/// fn product_load(input: Input) -> Product { return input; }
/// fn product_combine(around: Product, inner: Product) -> Product {
///     let sum = around + inner;
///     return select(sum, vec2<u32>(0xffffffffu), sum < around); // a sum that wraps is less than either
/// }
/// fn product_store(product: Product) -> Output { return product; }
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Pod, Zeroable)]
pub struct LayerPath {
    /// The total area in pixels.
    pub pixels: u32,
    /// The number of layers.
    pub layers: u32,
}

impl Monoid for LayerPath {
    const IDENTITY: Self = Self { pixels: 0, layers: 0 };

    fn combine(&self, inner: &Self) -> Self {
        Self {
            pixels: self.pixels.saturating_add(inner.pixels),
            layers: self.layers.saturating_add(inner.layers),
        }
    }
}

/// Computes the layer plan of a frame. `bounds` must belong to `stream`.
///
/// Cost: a few passes over the elements, and a stack as deep as the nesting.
///
/// ```
/// use treebounds_core::layer_plan::{LayerRules, layer_plan};
/// use treebounds_core::{NodeKind, Rect, StreamBuilder, reference};
///
/// let mut scene = StreamBuilder::new(Rect::new(0.0, 0.0, 640.0, 480.0));
/// scene.begin(NodeKind::Blend, Rect::EVERYTHING)?; // as large as the screen, but for its content
/// scene.draw(Rect::new(10.0, 10.0, 19.5, 20.0))?;
/// scene.end()?;
/// let stream = scene.finish()?;
/// let plan = layer_plan(&stream, &reference::bounds(&stream), &LayerRules::default());
/// assert_eq!((plan.peak, plan.layers[0].rect), (100, Rect::new(10.0, 10.0, 20.0, 20.0)));
/// # Ok::<(), treebounds_core::BuildError>(())
/// ```
pub fn layer_plan(stream: &Stream, bounds: &Bounds, rules: &LayerRules) -> LayerPlan {
    let (paths, mut layers) = own_paths(stream, bounds, rules);
    let mut plan = LayerPlan::default();
    let paths = root_fix(stream.tags(), &paths);
    for layer in &mut layers {
        let [around, with_it] = [layer.offset, layer.element]
            .map(|element| paths.get(element as usize).copied().unwrap_or(LayerPath::IDENTITY));
        (layer.offset, layer.depth) = (around.pixels, around.layers);
        plan.peak = plan.peak.max(with_it.pixels);
        let depth = layer.depth as usize;
        if depth >= plan.by_depth.len() {
            plan.by_depth.resize(depth + 1, 0);
        }
        plan.by_depth[depth] = plan.by_depth[depth].saturating_add(layer.area);
    }
    plan.overflows = plan.peak == u32::MAX || plan.by_depth.contains(&u32::MAX);
    plan.layers = layers;
    plan
}

/// Returns the value of each element for [`root_fix`] or a tree scan on a GPU: its area if it begins a live layer, otherwise the
/// identity.
pub fn layer_paths(stream: &Stream, bounds: &Bounds, rules: &LayerRules) -> Vec<LayerPath> {
    own_paths(stream, bounds, rules).0
}

/// Returns the values of [`layer_paths`], and the layers. Until offsets are computed, `offset` contains the parent's element.
fn own_paths(
    stream: &Stream,
    bounds: &Bounds,
    rules: &LayerRules,
) -> (Vec<LayerPath>, Vec<PlannedLayer>) {
    let mut paths = alloc::vec![LayerPath::IDENTITY; stream.len()];
    let mut layers = Vec::new();
    let inputs = filter_inputs(stream, bounds);
    let mut inputs = inputs.iter();
    for (marker, element) in bounds.marker_elements.iter().copied().enumerate() {
        let tag = stream.tags()[element as usize];
        if tag.role() != Role::Begin {
            continue;
        }
        let input = if tag.is_spread() { inputs.next() } else { None };
        let is_isolated = tag.bits() & (Tag::SPREAD | Tag::BLEND) != 0;
        let content = input.copied().unwrap_or(bounds.contents[marker]);
        if content.is_empty() || (rules.nodes == LayerNodes::Isolated && !is_isolated) {
            continue;
        }
        let rect = match rules.boxes {
            LayerExtent::Content => content,
            LayerExtent::Clip => bounds.clips[marker],
        };
        let (rect, area) = snap_outward(rect, rules.snap);
        paths[element as usize] = LayerPath { pixels: area, layers: 1 };
        let offset = bounds.links[marker];
        layers.push(PlannedLayer { element, rect, area, depth: 0, offset });
    }
    (paths, layers)
}

/// Returns the filter input of each spread node, in the order of the begins: the union of the boxes inside the node.
fn filter_inputs(stream: &Stream, bounds: &Bounds) -> Vec<Rect> {
    let mut inputs = Vec::new();
    if !stream.tags().iter().any(|tag| tag.is_spread()) {
        return inputs;
    }
    // The index in `inputs` of each open node that is a filter.
    let mut open: Vec<u32> = Vec::new();
    for (tag, rect) in stream.tags().iter().zip(&bounds.boxes) {
        if tag.role() == Role::End {
            open.pop();
            continue;
        }
        if let Some(input) = open.last().and_then(|input| inputs.get_mut(*input as usize)) {
            *input = Rect::union(*input, *rect);
        }
        if tag.role() == Role::Begin {
            open.push(if tag.is_spread() { inputs.len() as u32 } else { NONE });
            if tag.is_spread() {
                inputs.push(Rect::NOTHING);
            }
        }
    }
    inputs
}

/// Snaps a box outward to whole cells, and returns it with its area. Edges beyond 2^23 are moved to 2^23.
fn snap_outward(rect: Rect, cell: NonZeroU16) -> (Rect, u32) {
    const FAR: f32 = 8_388_608.0; // 2^23
    let cell = i32::from(cell.get());
    let whole = rect.round_out();
    // i32 and f32 represent the results exactly: whole numbers up to 2^23, moved by less than 2^16, stay below 2^24.
    let [x0, y0] = [whole.x0, whole.y0].map(|x| (x.max(-FAR) as i32).div_euclid(cell) * cell);
    let [x1, y1] =
        [whole.x1, whole.y1].map(|x| (x.min(FAR) as i32 + cell - 1).div_euclid(cell) * cell);
    let [width, height] = [x1 - x0, y1 - y0].map(|side| side.max(0) as u32);
    let rect = Rect::new(x0 as f32, y0 as f32, x1 as f32, y1 as f32);
    (rect, width.saturating_mul(height))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Footprint, NodeKind, StreamBuilder, reference};
    use alloc::vec;

    const SCREEN: Rect = Rect::new(0.0, 0.0, 1000.0, 1000.0);

    fn plan(scene: StreamBuilder, rules: LayerRules) -> LayerPlan {
        let stream = scene.finish().unwrap();
        layer_plan(&stream, &reference::bounds(&stream), &rules)
    }

    fn square(at: f32, side: f32) -> Rect {
        Rect::new(at, at, at + side, at + side)
    }

    #[test]
    fn results_match_the_figure_in_the_docs() {
        let mut scene = StreamBuilder::new(SCREEN);
        scene.begin(NodeKind::Blend, Rect::EVERYTHING).unwrap();
        scene.draw(square(0.0, 3.0)).unwrap();
        scene.begin(NodeKind::Blend, Rect::EVERYTHING).unwrap();
        scene.draw(square(0.5, 1.0)).unwrap(); // rounded outward: 4 pixels
        scene.end().unwrap();
        scene.begin(NodeKind::Clip, square(0.0, 3.0)).unwrap(); // not a layer
        scene.begin(NodeKind::ClipBlend, Rect::new(0.0, 0.0, 3.0, 2.0)).unwrap();
        scene.draw(SCREEN).unwrap();
        scene.begin(NodeKind::Blend, Rect::EVERYTHING).unwrap();
        scene.draw(Rect::new(1.0, 1.0, 3.0, 9.0)).unwrap();
        scene.end().unwrap();
        scene.begin(NodeKind::Blend, Rect::EVERYTHING).unwrap(); // paints nothing
        scene.draw(square(500.0, 9.0)).unwrap();
        (0..4).for_each(|_| _ = scene.end().unwrap());
        let plan = plan(scene, LayerRules::default());
        let of =
            |value: fn(&PlannedLayer) -> u32| plan.layers.iter().map(value).collect::<Vec<_>>();
        assert_eq!(of(|layer| layer.area), [9, 4, 6, 2]);
        assert_eq!(of(|layer| layer.offset), [0, 9, 9, 15]);
        assert_eq!(of(|layer| layer.depth), [0, 1, 1, 2]);
        assert_eq!((plan.peak, plan.by_depth, plan.overflows), (17, vec![9, 10, 2], false));
    }

    #[test]
    fn rules_select_nodes_extents_and_cell_size() {
        let scene = || {
            let mut scene = StreamBuilder::new(SCREEN);
            scene.begin(NodeKind::Clip, square(17.0, 15.0)).unwrap();
            scene.draw(square(20.0, 1.0)).unwrap();
            scene.end().unwrap();
            scene
        };
        let tiles = NonZeroU16::new(16).unwrap();
        let rules = LayerRules { nodes: LayerNodes::All, snap: tiles, ..LayerRules::default() };
        assert_eq!(plan(scene(), rules).layers[0].rect, square(16.0, 16.0));
        let rules = LayerRules { boxes: LayerExtent::Clip, snap: NonZeroU16::MIN, ..rules };
        assert_eq!(plan(scene(), rules).layers[0].rect, square(17.0, 15.0));
        assert_eq!(plan(scene(), LayerRules::default()), LayerPlan::default());
        let (rect, area) = snap_outward(Rect::new(-0.5, -17.0, 0.0, 0.25), tiles);
        assert_eq!((rect, area), (Rect::new(-16.0, -32.0, 0.0, 16.0), 16 * 48));
    }

    #[test]
    fn sums_above_u32_max_saturate_and_set_overflows() {
        let mut scene = StreamBuilder::new(Rect::EVERYTHING);
        for _ in 0..3 {
            scene.begin(NodeKind::Blend, Rect::EVERYTHING).unwrap();
            scene.draw(square(0.0, 60_000.0)).unwrap();
        }
        (0..3).for_each(|_| _ = scene.end().unwrap());
        let deep = plan(scene, LayerRules::default());
        assert_eq!((deep.peak, deep.overflows), (u32::MAX, true));
        assert_eq!(deep.layers[2].offset, u32::MAX);
        let mut scene = StreamBuilder::new(Rect::EVERYTHING);
        scene.begin(NodeKind::Blend, Rect::EVERYTHING).unwrap();
        scene.draw(Rect::EVERYTHING).unwrap();
        scene.end().unwrap();
        let wide = plan(scene, LayerRules::default());
        assert_eq!((wide.peak, wide.overflows), (u32::MAX, true));
        assert_eq!(wide.layers[0].rect, square(-8_388_608.0, 16_777_216.0));
    }

    /// The filter's layer contains its input, and the layer around it contains the output.
    #[test]
    fn filters_have_a_layer_for_their_input() {
        let mut scene = StreamBuilder::new(SCREEN);
        scene.begin(NodeKind::Blend, Rect::EVERYTHING).unwrap();
        scene.begin_spread(Footprint::offset(100.0, 0.0)).unwrap();
        scene.draw(square(10.0, 10.0)).unwrap();
        scene.end().unwrap();
        scene.end().unwrap();
        let plan = plan(scene, LayerRules::default());
        let rects: Vec<_> = plan.layers.iter().map(|layer| layer.rect).collect();
        assert_eq!(rects, [Rect::new(110.0, 10.0, 120.0, 20.0), square(10.0, 10.0)]);
        assert_eq!(plan.peak, 200);
    }
}
