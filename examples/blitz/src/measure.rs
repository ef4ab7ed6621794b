//! A display list, measured with and without the optimizer.

use crate::paint::{Painter, difference};
use anyhow::{Result, ensure};
use anyrender::Scene;
use kurbo::Rect;
use serde::Serialize;
use std::time::{Duration, Instant};
use treebounds_anyrender::{Exactness, Options, Report, Size, Workspace};

/// The optimizer's settings, strictest first. All renderers of this example belong to the Vello family, which hints only
/// vertically.
pub const MODES: [Options; 3] = [
    Options { vertical_hinting: true, ..Options::EXACT },
    ROUNDING,
    Options { opacity: true, ..ROUNDING },
];
const ROUNDING: Options = Options { vertical_hinting: true, ..Options::ROUNDING };

/// How many commands, layers and pixels of layers.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Counts {
    pub commands: usize,
    pub layers: usize,
    pub depth: usize,
    pub layer_pixels: u64,
}

impl From<Size> for Counts {
    fn from(size: Size) -> Self {
        let Size { commands, layers, depth, layer_pixels } = size;
        Self { commands, layers, depth, layer_pixels }
    }
}

/// What the rules did.
#[derive(Clone, Debug, Serialize)]
pub struct Rules {
    pub culled_draws: usize,
    pub culled_layers: usize,
    pub empty_layers: usize,
    pub idle_layers: usize,
    pub idle_clips: usize,
    pub shaped_draws: usize,
    pub simpler_clips: usize,
    pub nested_clips: usize,
    pub shrunk_layers: usize,
    pub folded_groups: usize,
    pub hidden_draws: usize,
    pub kept_for_rounding: usize,
}

impl From<Report> for Rules {
    fn from(report: Report) -> Self {
        Self {
            culled_draws: report.culled_draws,
            culled_layers: report.culled_layers,
            empty_layers: report.empty_layers,
            idle_layers: report.idle_layers,
            idle_clips: report.idle_clips,
            shaped_draws: report.shaped_draws,
            simpler_clips: report.simpler_clips,
            nested_clips: report.nested_clips,
            shrunk_layers: report.shrunk_layers,
            folded_groups: report.folded_groups,
            hidden_draws: report.hidden_draws,
            kept_for_rounding: report.kept_for_rounding,
        }
    }
}

/// A list, optimized and painted.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub name: String,
    pub size: [u32; 2],
    pub exactness: String,
    pub renderer: String,
    pub before: Counts,
    pub after: Counts,
    pub rules: Rules,
    /// The time Blitz takes to make the list, where it was measured; medians, in milliseconds.
    pub record_ms: Option<f64>,
    pub optimize_ms: f64,
    pub paint_before_ms: f64,
    pub paint_after_ms: f64,
    pub differing_pixels: usize,
    pub largest_difference: u8,
}

/// How it is measured.
pub struct Plan<'a> {
    pub painter: &'a mut Painter,
    pub renderer: &'a str,
    pub workspace: &'a mut Workspace,
    pub options: Options,
    pub size: [u32; 2],
    /// How often each part is timed.
    pub runs: usize,
}

/// Optimizes and paints a list, and says what came of it.
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
        exactness: exactness.to_owned(),
        renderer: plan.renderer.to_owned(),
        before: report.before.into(),
        after: report.after.into(),
        rules: report.into(),
        record_ms: None,
        optimize_ms,
        paint_before_ms,
        paint_after_ms,
        differing_pixels,
        largest_difference,
    })
}

/// The picture, and the median of the times that it took; the first time warms up.
fn paint(plan: &mut Plan<'_>, scene: &Scene) -> Result<(Vec<u8>, f64)> {
    let (pixels, _) = plan.painter.paint(scene)?;
    let mut times = Vec::new();
    for _ in 0..plan.runs.max(1) {
        times.push(plan.painter.paint(scene)?.1);
    }
    Ok((pixels, median(&mut times)))
}

/// Checks that no pixel differs where none may: in the exact mode, painted with 8 bits a channel on the CPU. The error names
/// the lists.
pub fn check(rows: &[Row]) -> Result<()> {
    let wrong = |row: &&Row| {
        row.exactness == "bits" && row.renderer == "vello_cpu" && row.differing_pixels > 0
    };
    let names: Vec<_> = rows.iter().filter(wrong).map(|row| row.name.as_str()).collect();
    ensure!(names.is_empty(), "pixels differ in the exact mode: {}", names.join(", "));
    Ok(())
}

/// The median in milliseconds.
pub fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}
