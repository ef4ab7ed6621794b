//! Random display lists, and what paints them.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::panic)]

pub mod changes;
pub mod edits;
pub mod lists;
pub mod pages;
pub mod paint;
pub mod spy;

use anyrender::recording::Scene;
use kurbo::Rect;
use std::collections::BTreeMap;
use treebounds_anyrender::{Options, Report, Workspace};

/// A list optimized in a workspace of its own, and the report.
pub fn optimized(scene: &Scene, viewport: Rect, options: &Options) -> (Scene, Report) {
    let mut scene = scene.clone();
    let report = Workspace::new().optimize(&mut scene, viewport, options).unwrap();
    (scene, report)
}

/// The counts of many reports together.
#[derive(Debug, Default)]
pub struct Sums(pub BTreeMap<&'static str, usize>);

impl Sums {
    pub fn add(&mut self, report: &Report) {
        let layers =
            [("layers before", report.before.layers), ("layers after", report.after.layers)];
        for (name, count) in layers.into_iter().chain(report.counts()) {
            *self.0.entry(name).or_default() += count;
        }
    }

    pub fn of(&self, name: &str) -> usize {
        self.0[name]
    }
}
