//! A handful of numbers.

use crate::Findings;
use serde::Serialize;
use treebounds_core::{NodeKind, Role};

/// The elements, counted. A node here is a begin and its end, counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Draws, begins and ends.
    pub elements: usize,
    /// Draws.
    pub draws: usize,
    /// Nodes that clip. One that clips and blends counts here and below.
    pub clips: usize,
    /// Nodes that blend.
    pub blends: usize,
    /// Elements whose bounds are empty.
    pub culled: usize,
    /// The most nodes open at once.
    pub max_depth: u32,
    /// Draws whose bounds are empty.
    #[serde(skip)]
    pub culled_draws: usize,
    /// Nodes, whether they clip, blend or both.
    #[serde(skip)]
    pub nodes: usize,
    /// Nodes whose bounds are empty.
    #[serde(skip)]
    pub culled_nodes: usize,
    /// The area of the draws' boxes inside the viewport, added up.
    #[serde(skip)]
    pub painted_area: f64,
    /// The area of the draws' visible bounds, added up.
    #[serde(skip)]
    pub visible_area: f64,
}

impl Summary {
    /// Counts the selected elements.
    pub(crate) fn of(findings: &Findings<'_>) -> Self {
        let viewport = findings.scene().stream.viewport();
        let mut summary = Self::default();
        for element in findings.elements() {
            summary.elements += 1;
            let culled = usize::from(element.is_culled());
            summary.culled += culled;
            match element.tag.role() {
                Role::Draw => {
                    summary.draws += 1;
                    summary.culled_draws += culled;
                    summary.max_depth = summary.max_depth.max(element.depth);
                    summary.painted_area += element.rect.intersect(viewport).area();
                    summary.visible_area += element.bounds.area();
                }
                Role::Begin => {
                    summary.nodes += 1;
                    summary.culled_nodes += culled;
                    let kind = element.tag.node_kind();
                    summary.clips += usize::from(kind != Some(NodeKind::Blend));
                    summary.blends += usize::from(kind != Some(NodeKind::Clip));
                    summary.max_depth = summary.max_depth.max(element.depth + 1);
                }
                Role::End => {}
            }
        }
        summary
    }

    /// The share of the painted area that clips hide, 0 to 1: what a renderer
    /// that knows the bounds need not touch. `None` where nothing is painted.
    pub fn saved(&self) -> Option<f64> {
        let share = 1.0 - self.visible_area / self.painted_area;
        share.is_finite().then(|| share.clamp(0.0, 1.0))
    }
}
