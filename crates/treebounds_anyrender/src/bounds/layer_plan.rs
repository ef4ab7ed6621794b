//! Computes how much layer memory a display list needs.

use crate::{Error, stream};
use anyrender::recording::Scene;
use kurbo::Rect;
use treebounds_core::layer_plan::{self, LayerPlan, LayerRules};
use treebounds_core::reference;

/// Plans the memory for the layers of a list before any is allocated: the box of each layer, clipped to its painted
/// content and snapped outward, its offset in a stack of layers, and the peak.
///
/// Layers pushed with `push_layer` count. Those pushed with `push_clip_layer` only clip, and count only with
/// [`LayerNodes::All`](layer_plan::LayerNodes::All). A filter that moves or spreads pixels has a separate layer for its
/// input, inside the one for its result. [`element`](layer_plan::PlannedLayer::element) is the index of the push among
/// the commands.
///
/// ```
/// use anyrender::{PaintScene, Scene};
/// use kurbo::{Affine, Rect};
/// use peniko::{Color, Fill, Mix};
/// use treebounds_anyrender::layer_plan;
/// use treebounds_core::layer_plan::LayerRules;
///
/// let window = Rect::new(0.0, 0.0, 1280.0, 800.0);
/// let mut scene = Scene::new();
/// scene.push_layer(Fill::NonZero, Mix::Normal, 0.5, Affine::IDENTITY, &window, None, None);
/// scene.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, None, &Rect::new(9.5, 9.5, 29.0, 29.0));
/// scene.pop_layer();
/// let plan = layer_plan(&scene, window, &LayerRules::default())?;
/// assert_eq!(plan.peak, 20 * 20); // pixels, not the window's million
/// # Ok::<(), treebounds_anyrender::Error>(())
/// ```
///
/// # Errors
/// The same as for [`stream`](crate::stream()).
pub fn layer_plan(scene: &Scene, viewport: Rect, rules: &LayerRules) -> Result<LayerPlan, Error> {
    let list = stream(scene, viewport)?;
    let bounds = reference::bounds(&list.stream);
    let mut plan = layer_plan::layer_plan(&list.stream, &bounds, rules);
    for layer in &mut plan.layers {
        // The spread node of a filter follows the element of its command.
        let after = list.elements.partition_point(|element| *element <= layer.element);
        layer.element = after as u32 - 1;
    }
    Ok(plan)
}
