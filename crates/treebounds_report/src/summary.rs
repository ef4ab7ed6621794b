//! Counts elements and measures the area saved by clipping.

use crate::{Cutter, Findings};
use serde::{Deserialize, Serialize};
use treebounds_core::{NodeKind, Role};

/// Counts of elements. A node is a begin and its end, counted once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Draws, begins and ends.
    pub elements: usize,
    /// Draws.
    pub draws: usize,
    /// Nodes that clip. A node that clips and blends also counts as a blend.
    pub clips: usize,
    /// Nodes that blend.
    pub blends: usize,
    /// Elements whose bounds are empty.
    pub culled: usize,
    /// The maximum number of nested nodes.
    pub max_depth: u32,
    /// Draws whose bounds are empty.
    #[serde(default)]
    pub culled_draws: usize,
    /// Filters.
    #[serde(default)]
    pub filters: usize,
    /// Nodes: those that clip, blend or both, and filters.
    #[serde(default)]
    pub nodes: usize,
    /// Nodes whose bounds are empty.
    #[serde(default)]
    pub culled_nodes: usize,
    /// The sum of the areas of the draws' boxes inside the viewport.
    #[serde(skip)]
    pub painted_area: f64,
    /// The sum of the areas of the draws' visible bounds.
    #[serde(skip)]
    pub visible_area: f64,
    /// The hidden shares of the painted area, by cause.
    #[serde(default)]
    pub saved: Saved,
}

/// The hidden shares of the painted area, from 0 to 1. A renderer that knows the bounds can skip this area.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Saved {
    /// By clips.
    pub clips: f64,
    /// By masks.
    pub masks: f64,
    /// By layers with an opacity of 0.
    pub opacity: f64,
    /// By filter regions and layer extents.
    pub regions: f64,
}

impl Saved {
    /// Adds a hidden area to the sum for its cause.
    fn add(&mut self, cutter: Cutter, area: f64) {
        *match cutter {
            Cutter::Clip => &mut self.clips,
            Cutter::Mask => &mut self.masks,
            Cutter::Opacity => &mut self.opacity,
            _ => &mut self.regions,
        } += area;
    }

    /// Divides all areas by `area`.
    fn shares_of(self, area: f64) -> Self {
        let share = |part: f64| if area > 0.0 { (part / area).clamp(0.0, 1.0) } else { 0.0 };
        Self {
            clips: share(self.clips),
            masks: share(self.masks),
            opacity: share(self.opacity),
            regions: share(self.regions),
        }
    }

    /// Returns the causes with their shares, largest first.
    pub fn parts(&self) -> Vec<(&'static str, f64)> {
        let mut parts = vec![
            ("clips", self.clips),
            ("masks", self.masks),
            ("opacity 0", self.opacity),
            ("filter and layer regions", self.regions),
        ];
        parts.retain(|(_, share)| *share > 0.0);
        parts.sort_by(|a, b| b.1.total_cmp(&a.1));
        parts
    }
}

impl Summary {
    /// Counts the selected elements, listed or not.
    pub(crate) fn of(findings: &Findings<'_>) -> Self {
        let mut summary = Self::default();
        let mut elements = findings.counted_elements();
        while let Some(element) = elements.next() {
            summary.elements += 1;
            let culled = usize::from(element.is_culled());
            summary.culled += culled;
            match element.tag.role() {
                Role::Draw => {
                    summary.draws += 1;
                    summary.culled_draws += culled;
                    summary.max_depth = summary.max_depth.max(element.depth);
                    let painted = elements.around().painted(element.rect);
                    summary.painted_area += painted.area();
                    summary.visible_area += element.bounds.area();
                    if painted != element.bounds {
                        let saved = &mut summary.saved;
                        elements.around().losses(painted, |by, area| saved.add(by, area));
                    }
                }
                Role::Begin => {
                    summary.nodes += 1;
                    summary.culled_nodes += culled;
                    let kind = element.tag.node_kind();
                    summary.filters += usize::from(element.tag.is_spread());
                    let is_both = kind == Some(NodeKind::ClipBlend);
                    summary.clips += usize::from(is_both || kind == Some(NodeKind::Clip));
                    summary.blends += usize::from(is_both || kind == Some(NodeKind::Blend));
                    summary.max_depth = summary.max_depth.max(element.depth + 1);
                }
                Role::End => {}
            }
        }
        summary.saved = summary.saved.shares_of(summary.painted_area);
        summary
    }

    /// Returns the hidden share of the painted area, from 0 to 1. `None` if nothing is painted.
    pub fn saved(&self) -> Option<f64> {
        let share = 1.0 - self.visible_area / self.painted_area;
        share.is_finite().then(|| share.clamp(0.0, 1.0))
    }
}
