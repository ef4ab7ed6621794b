//! Compares layer plans with a walk from each layer to the root.

use proptest::prelude::*;
use treebounds_core::layer_plan::{LayerExtent, LayerNodes, LayerRules, layer_plan};
use treebounds_core::{NONE, Rect, reference};
use treebounds_testkit::streams::strategy;

proptest! {
    #[test]
    fn offsets_are_sums_along_the_links(
        stream in strategy::stream(200),
        snap in 1_u16..40,
        nodes in prop::sample::select(vec![LayerNodes::Isolated, LayerNodes::All]),
        boxes in prop::sample::select(vec![LayerExtent::Content, LayerExtent::Clip]),
    ) {
        let bounds = reference::bounds(&stream);
        let rules = LayerRules { nodes, boxes, snap: snap.try_into().unwrap() };
        let plan = layer_plan(&stream, &bounds, &rules);
        let layer_of = |element: u32| plan.layers.iter().find(|layer| layer.element == element);
        let (mut peak, mut by_depth) = (0_u32, vec![0_u32; plan.by_depth.len()]);
        for layer in &plan.layers {
            let marker = bounds.marker_of(layer.element).unwrap();
            prop_assert!(!bounds.contents[marker].is_empty());
            let near = Rect::new(-8e6, -8e6, 8e6, 8e6);
            prop_assert!(layer.rect.contains(bounds.contents[marker].intersect(near)));
            prop_assert_eq!(layer.area, layer.rect.area() as u32);
            let (mut offset, mut depth, mut parent) = (0_u32, 0_u32, bounds.links[marker]);
            while parent != NONE {
                if let Some(around) = layer_of(parent) {
                    prop_assert!(around.rect.contains(layer.rect));
                    offset = offset.saturating_add(around.area);
                    depth += 1;
                }
                parent = bounds.links[bounds.marker_of(parent).unwrap()];
            }
            prop_assert_eq!((layer.offset, layer.depth), (offset, depth));
            peak = peak.max(offset.saturating_add(layer.area));
            by_depth[depth as usize] = by_depth[depth as usize].saturating_add(layer.area);
        }
        prop_assert_eq!((plan.peak, &plan.by_depth), (peak, &by_depth));
    }
}
