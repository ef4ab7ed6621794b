//! Measures a display list with and without the optimizer.

use crate::paint::{Painter, difference};
use anyhow::{Result, ensure};
use anyrender::Scene;
use kurbo::Rect;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use treebounds_anyrender::{Exactness, Options, Report, Size, Workspace};

/// The optimizer's settings, strictest first. All renderers in this example belong to the Vello family, which hints only
/// vertically.
pub const MODES: [Options; 3] = [
    Options { vertical_hinting: true, ..Options::EXACT },
    ROUNDING,
    Options { opacity: true, ..ROUNDING },
];
const ROUNDING: Options = Options { vertical_hinting: true, ..Options::ROUNDING };

/// The measurements of a list.
#[derive(Clone, Debug)]
pub struct Row {
    pub name: String,
    pub size: [u32; 2],
    pub exactness: &'static str,
    pub renderer: String,
    pub report: Report,
    /// The time that Blitz takes to record the list, if measured. All times are medians in
    /// milliseconds.
    pub record_ms: Option<f64>,
    pub optimize_ms: f64,
    pub paint_before_ms: f64,
    pub paint_after_ms: f64,
    pub differing_pixels: usize,
    pub largest_difference: u8,
}

impl Row {
    /// Returns the row as JSON.
    pub fn json(&self) -> Value {
        let size = |of: Size| {
            let Size { commands, layers, depth, layer_pixels } = of;
            json!({ "commands": commands, "layers": layers, "depth": depth, "layer_pixels": layer_pixels })
        };
        let Report { before, after, .. } = self.report;
        json!({
            "name": self.name, "size": self.size, "exactness": self.exactness, "renderer": self.renderer,
            "before": size(before), "after": size(after), "rules": BTreeMap::from(self.report.counts()),
            "record_ms": self.record_ms, "optimize_ms": self.optimize_ms,
            "paint_before_ms": self.paint_before_ms, "paint_after_ms": self.paint_after_ms,
            "differing_pixels": self.differing_pixels, "largest_difference": self.largest_difference,
        })
    }
}

/// The settings of a measurement.
pub struct Plan<'a> {
    pub painter: &'a mut Painter,
    pub renderer: &'a str,
    pub workspace: &'a mut Workspace,
    pub options: Options,
    pub size: [u32; 2],
    /// The number of timed runs per part.
    pub runs: usize,
}

/// Optimizes and paints a list, and returns the measurements.
pub fn measure(name: &str, scene: &Scene, plan: &mut Plan<'_>) -> Result<Row> {
    let viewport = Rect::new(0.0, 0.0, plan.size[0].into(), plan.size[1].into());
    let mut optimized = scene.clone();
    let report = plan.workspace.optimize(&mut optimized, viewport, &plan.options)?;
    let mut times = Vec::new();
    for _ in 0..plan.runs.max(1) {
        let mut scene = scene.clone();
        let start = Instant::now();
        plan.workspace.optimize(&mut scene, viewport, &plan.options)?;
        times.push(start.elapsed());
    }
    let optimize_ms = median(&mut times);
    let (before, paint_before_ms) = paint(plan, scene)?;
    let (after, paint_after_ms) = paint(plan, &optimized)?;
    let (largest_difference, differing_pixels) = difference(&before, &after);
    let exactness = match plan.options {
        Options { exactness: Exactness::Bits, .. } => "bits",
        Options { opacity: false, .. } => "rounding",
        Options { opacity: true, .. } => "+ opacity",
    };
    Ok(Row {
        name: name.to_owned(),
        size: plan.size,
        exactness,
        renderer: plan.renderer.to_owned(),
        report,
        record_ms: None,
        optimize_ms,
        paint_before_ms,
        paint_after_ms,
        differing_pixels,
        largest_difference,
    })
}

/// Returns the picture and the median painting time. The first, untimed run warms up.
fn paint(plan: &mut Plan<'_>, scene: &Scene) -> Result<(Vec<u8>, f64)> {
    let (pixels, _) = plan.painter.paint(scene)?;
    let mut times = Vec::new();
    for _ in 0..plan.runs.max(1) {
        times.push(plan.painter.paint(scene)?.1);
    }
    Ok((pixels, median(&mut times)))
}

/// Checks that no pixel differs in the exact mode, painted with 8 bits per channel on the CPU. The error names the lists.
pub fn check(rows: &[Row]) -> Result<()> {
    let wrong = |row: &&Row| {
        row.exactness == "bits" && row.renderer == "vello_cpu" && row.differing_pixels > 0
    };
    let names: Vec<_> = rows.iter().filter(wrong).map(|row| row.name.as_str()).collect();
    ensure!(names.is_empty(), "pixels differ in the exact mode: {}", names.join(", "));
    Ok(())
}

/// Returns the median in milliseconds.
pub fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}
