//! Measures the frame times of three pages with `anyrender_vello`, `vello_gpu` and treebounds, before and after
//! optimizing.
//!
//! The pages are stored as display lists, which the tests of `treebounds_anyrender` use too, so Blitz is not needed.

use anyhow::Result;
use anyrender::Scene;
use clap::Parser;
use comfy_table::{CellAlignment, Table, presets};
use kurbo::Rect;
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;
use treebounds::Gpu;
use treebounds_anyrender::Workspace;
use treebounds_blitz::frames::{Times, Treebounds, Vello, VelloGpu};
use treebounds_blitz::measure::{MODES, median};
use treebounds_testkit::pages::{NAMES, page, size};

/// Times the frames of three pages by three renderers.
#[derive(Parser)]
struct Arguments {
    /// Only pages with this in their name.
    #[arg(long, default_value = "")]
    only: String,
    /// How often each frame is timed.
    #[arg(long, default_value_t = 15)]
    runs: usize,
    /// Where to write all rows as JSON.
    #[arg(long)]
    out: Option<PathBuf>,
}

struct Renderers {
    size: [u32; 2],
    vello: Vello,
    vello_gpu: VelloGpu,
    treebounds: Treebounds,
}

impl Renderers {
    fn new(gpu: &Gpu, size: [u32; 2]) -> Result<Self> {
        Ok(Self {
            size,
            vello: Vello::new(size)?,
            vello_gpu: VelloGpu::new(size)?,
            treebounds: Treebounds::new(gpu, size)?,
        })
    }

    fn times(&mut self, scene: &Scene, runs: usize) -> Result<[(&'static str, Times); 3]> {
        Ok([
            ("anyrender_vello", self.vello.times(scene, runs)?),
            ("vello_gpu", self.vello_gpu.times(scene, runs)?),
            ("treebounds", self.treebounds.times(scene, runs)?),
        ])
    }
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let gpu = pollster::block_on(Gpu::request())?;
    println!(
        "{}, {}; medians of {} frames\n",
        gpu.adapter.name, gpu.adapter.driver, arguments.runs
    );
    let (mut table, mut rows) = (table_header(), Vec::new());
    let mut workspace = Workspace::new();
    let mut ready: Option<Renderers> = None;
    for (name, size, before) in recordings(&arguments.only) {
        let renderers = match ready.take() {
            Some(renderers) if renderers.size == size => ready.insert(renderers),
            _ => ready.insert(Renderers::new(&gpu, size)?),
        };
        let (after, optimize_ms) = optimized(&mut workspace, &before, size, arguments.runs)?;
        let times =
            [renderers.times(&before, arguments.runs)?, renderers.times(&after, arguments.runs)?];
        for ((renderer, before), (_, after)) in times[0].into_iter().zip(times[1]) {
            let cells = [[before.frame, after.frame], [before.pixels, after.pixels]];
            let label = [name.clone(), renderer.to_owned()];
            table.add_row(
                label.into_iter().chain(cells.map(arrow)).chain([format!("{optimize_ms:.3}")]),
            );
            rows.push(json!({
                "name": name, "renderer": renderer, "optimize_ms": optimize_ms,
                "frame_ms": cells[0], "pixels_ms": cells[1],
            }));
        }
        if let Some(out) = &arguments.out {
            let adapter = json!({ "name": gpu.adapter.name, "driver": gpu.adapter.driver_info });
            let all = json!({ "adapter": adapter, "runs": arguments.runs, "rows": rows });
            std::fs::write(out, serde_json::to_string_pretty(&all)?)?;
        }
    }
    println!("{table}");
    Ok(())
}

fn table_header() -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN);
    table.set_header(["list", "renderer", "frame ms", "with readback ms", "optimize ms"]);
    for column in table.column_iter_mut().skip(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn arrow([before, after]: [Option<f64>; 2]) -> String {
    let number = |time: Option<f64>| time.map_or("?".to_owned(), |time| format!("{time:.2}"));
    format!("{} → {}", number(before), number(after))
}

/// Returns the list optimized with rounding allowed, and the time in milliseconds.
fn optimized(
    workspace: &mut Workspace,
    scene: &Scene,
    [width, height]: [u32; 2],
    runs: usize,
) -> Result<(Scene, f64)> {
    let viewport = Rect::new(0.0, 0.0, width.into(), height.into());
    let (mut times, mut optimized) = (Vec::new(), scene.clone());
    workspace.optimize(&mut optimized, viewport, &MODES[1])?;
    for _ in 0..runs.max(1) {
        let mut scene = scene.clone();
        let start = Instant::now();
        workspace.optimize(&mut scene, viewport, &MODES[1])?;
        times.push(start.elapsed());
    }
    Ok((optimized, median(&mut times)))
}

/// Returns the pages of the tests at two scales and three places, ordered by size, so that the renderers can be
/// reused.
fn recordings(only: &str) -> Vec<(String, [u32; 2], Scene)> {
    let mut all = Vec::new();
    for scale in [1.0, 2.0] {
        for name in NAMES {
            for place in [0.0, 0.5, 1.0] {
                let [width, height] = size(scale);
                let label = format!("{name}@{scale}x-{place}-{width}x{height}");
                if label.contains(only) {
                    all.push((label, [width, height], page(name, scale, place)));
                }
            }
        }
    }
    all
}
