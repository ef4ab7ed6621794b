//! The layer plan of a scene, as reports have it.

use crate::{Findings, report::boxes};
use serde::{Deserialize, Serialize};
use treebounds_core::{
    Rect,
    layer_plan::{LayerRules, layer_plan},
};

/// How much memory the layers of a drawing need, in pixels, as [`layer_plan`] finds it by its default rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layers {
    /// The pixels that are in use at the same time, at most.
    pub peak: u32,
    /// The pixels of all layers that have so many layers around them.
    pub by_depth: Vec<u32>,
    /// Whether a sum has reached 4,294,967,295, so that the plan is too small.
    pub overflows: bool,
    /// The layers into which something is painted, in paint order.
    pub layers: Vec<Layer>,
}

/// A layer and its memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    /// The `ix` of the element that begins it.
    pub ix: u32,
    /// Its box in whole pixels.
    #[serde(with = "boxes")]
    pub rect: Rect,
    /// The pixels of its box.
    pub area: u32,
    /// The number of layers around it.
    pub depth: u32,
    /// Where its memory starts: the pixels of the layers around it.
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
