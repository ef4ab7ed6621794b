//! The layer plan of a scene, as written to reports.

use crate::{Findings, report::boxes};
use serde::{Deserialize, Serialize};
use treebounds_core::{
    Rect,
    layer_plan::{LayerRules, layer_plan},
};

/// The memory needed by the layers of a drawing, in pixels, as computed by [`layer_plan`] with its default
/// rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layers {
    /// The maximum number of pixels in use at the same time.
    pub peak: u32,
    /// The total area of the layers at each depth, in pixels.
    pub by_depth: Vec<u32>,
    /// Whether a sum was capped at 4,294,967,295, so that the plan is too small.
    pub overflows: bool,
    /// The layers with painted content, in paint order.
    pub layers: Vec<Layer>,
}

/// A layer and its memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    /// The `ix` of its begin.
    pub ix: u32,
    /// Its box in whole pixels.
    #[serde(with = "boxes")]
    pub rect: Rect,
    /// The number of pixels in its box.
    pub area: u32,
    /// The number of enclosing layers.
    pub depth: u32,
    /// The offset of its memory in pixels: the sum of the enclosing layers' areas.
    pub offset: u32,
}

impl Layers {
    pub(crate) fn of(findings: &Findings<'_>) -> Self {
        let plan = layer_plan(&findings.scene().stream, findings.bounds(), &LayerRules::default());
        let layers = plan.layers.iter().map(|layer| Layer {
            ix: layer.element,
            rect: layer.rect,
            area: layer.area,
            depth: layer.depth,
            offset: layer.offset,
        });
        Self {
            peak: plan.peak,
            overflows: plan.overflows,
            layers: layers.collect(),
            by_depth: plan.by_depth,
        }
    }
}
