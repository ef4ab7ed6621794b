//! The layer plan: how much memory the layers of a frame need, before any of it is allocated.
//!
//! A layer is painted into memory of its own and then blended into the layer around it. Layers nest, so their memory is a
//! stack: a layer lies behind the layers around it, and its memory is free again when it ends.
//!
//! ```text
//! stream     ( a       ( b  )      ( c       ( d  ) )   )
//! area         9         4           6         2
//! offset       0         9           9         15
//! in use       9        13           15        17           peak 17
//! by depth   [9, 4 + 6, 2]
//! ```
//!
//! The offset of a layer is the sum of the areas around it: a product along the path from the root, which [`root_fix`] computes
//! for any monoid. Here the monoid is [`LayerPath`]. The peak is the largest sum.

use crate::{Bounds, Monoid, NONE, Rect, Role, Stream, Tag, reference::root_fix};
use alloc::vec::Vec;
use bytemuck::{Pod, Zeroable};
use core::num::NonZeroU16;

/// Rules for a plan: which nodes are layers, and how large their memory is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerRules {
    /// Which nodes have memory of their own.
    pub nodes: LayerNodes,
    /// Which box of a node its memory holds.
    pub boxes: LayerExtent,
    /// Boxes grow outward to multiples of this many pixels: 1 for whole pixels, or the side of a renderer's tiles.
    pub snap: NonZeroU16,
}

/// Which nodes are layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerNodes {
    /// Nodes that blend, and filters, whose input is painted into a layer.
    #[default]
    Isolated,
    /// Every node: renderers such as Vello save the pixels behind each clip, too.
    All,
}

/// Which box of a node its layer holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LayerExtent {
    /// What is painted into it: the node's content. For a filter, its input before the filter moves it.
    #[default]
    Content,
    /// Its whole clip.
    Clip,
}

impl Default for LayerRules {
    /// Isolated nodes, their contents, whole pixels.
    fn default() -> Self {
        Self { nodes: LayerNodes::default(), boxes: LayerExtent::default(), snap: NonZeroU16::MIN }
    }
}

/// The layers of a frame and their memory, in pixels.
///
/// Sums saturate at `u32::MAX`, and [`overflows`](Self::overflows) says whether one did.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LayerPlan {
    /// The live layers in paint order: those into which something is painted.
    pub layers: Vec<PlannedLayer>,
    /// The pixels that are in use at the same time, at most.
    pub peak: u32,
    /// The sum of the areas of all layers that have `depth` layers around them.
    pub by_depth: Vec<u32>,
    /// Whether an area or a sum has reached `u32::MAX`: the plan is then too small.
    pub overflows: bool,
}

/// A layer and its memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlannedLayer {
    /// The element that begins it.
    pub element: u32,
    /// Its box, snapped outward. It lies inside the box of the layer around it; only the input of a filter may reach further.
    pub rect: Rect,
    /// The pixels of its box.
    pub area: u32,
    /// The number of live layers around it.
    pub depth: u32,
    /// Where its memory starts: the sum of the areas of the layers around it.
    pub offset: u32,
}

/// The layers on the path from the root to an element: their number and the sum of their areas, which saturate.
///
/// Saturating addition of numbers that are not negative is associative: either grouping is the smaller of the sum and the
/// maximum. So `RootFix` of the crate `treebounds` gives the same bits on a GPU, from this monoid in WGSL:
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
    /// The sum of their areas in pixels.
    pub pixels: u32,
    /// Their number.
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

/// The plan of a frame from its bounds, which belong to this stream.
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

/// Per element the path of its own: its area if it begins a live layer, else nothing. These are the values that [`root_fix`],
/// or a tree scan on a GPU, multiplies along the paths.
pub fn layer_paths(stream: &Stream, bounds: &Bounds, rules: &LayerRules) -> Vec<LayerPath> {
    own_paths(stream, bounds, rules).0
}

/// The values of [`layer_paths`], and the layers, whose offset is still the element of the node around them.
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
        let (rect, area) = snapped(rect, rules.snap);
        paths[element as usize] = LayerPath { pixels: area, layers: 1 };
        let offset = bounds.links[marker];
        layers.push(PlannedLayer { element, rect, area, depth: 0, offset });
    }
    (paths, layers)
}

/// Per spread node, in the order of their begins, the union of the boxes inside it, before the filter moves them.
fn filter_inputs(stream: &Stream, bounds: &Bounds) -> Vec<Rect> {
    let mut inputs = Vec::new();
    if !stream.tags().iter().any(|tag| tag.is_spread()) {
        return inputs;
    }
    // Per open node its input, if it is a filter.
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

/// The smallest box of whole cells around a box, and its area. Edges further out than 2^23 are moved there.
fn snapped(rect: Rect, cell: NonZeroU16) -> (Rect, u32) {
    const FAR: f32 = 8_388_608.0; // 2^23
    let cell = i32::from(cell.get());
    let whole = rect.round_out();
    // Whole numbers up to 2^23 and multiples of up to 2^16 beyond: all of them are i32 and f32.
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
    fn the_figure_of_the_module() {
        let mut scene = StreamBuilder::new(SCREEN);
        scene.begin(NodeKind::Blend, Rect::EVERYTHING).unwrap();
        scene.draw(square(0.0, 3.0)).unwrap();
        scene.begin(NodeKind::Blend, Rect::EVERYTHING).unwrap();
        scene.draw(square(0.5, 1.0)).unwrap(); // rounded outward: 4 pixels
        scene.end().unwrap();
        scene.begin(NodeKind::Clip, square(0.0, 3.0)).unwrap(); // no layer
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
    fn boxes_snap_to_cells_and_may_be_clips() {
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
        let (rect, area) = snapped(Rect::new(-0.5, -17.0, 0.0, 0.25), tiles);
        assert_eq!((rect, area), (Rect::new(-16.0, -32.0, 0.0, 16.0), 16 * 48));
    }

    #[test]
    fn sums_saturate_and_say_so() {
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

    /// The input of a filter is what is inside it, the layer around holds what comes out.
    #[test]
    fn a_filter_has_a_layer_for_its_input() {
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
