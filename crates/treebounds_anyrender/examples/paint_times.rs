//! Painting times of pages with and without the optimizer, by Vello and by treebounds' pipeline, and what each loses.
//!
//! `cargo run --release -p treebounds_anyrender --features renderer --example paint_times -- --out times.json`
//!
//! Needs a Vulkan driver and a font, DejaVu Sans or what `TREEBOUNDS_FONT` names. The program and the font alone run on a
//! machine without cargo.
#![allow(clippy::unwrap_used, clippy::panic)]

#[path = "../tests/suite/support/mod.rs"]
mod support;

use anyrender::recording::Scene;
use anyrender::{ImageRenderer, PaintScene};
use anyrender_vello::VelloImageRenderer;
use anyrender_vello_cpu::VelloCpuImageRenderer;
use clap::{Parser, ValueEnum};
use kurbo::{Affine, Rect};
use peniko::{Color, Fill, Mix};
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use support::pages::{NAMES, page, size};
use support::paint::difference;
use treebounds_anyrender::{Options, Report, TreeboundsImageRenderer, Workspace, replay};

/// Painting times of pages with and without treebounds' optimizer.
#[derive(Parser)]
struct Arguments {
    /// What paints; may be given several times.
    #[arg(long = "renderer", value_enum, default_values_t = [Renderer::Vello, Renderer::Treebounds])]
    renderers: Vec<Renderer>,
    /// How often each list is painted.
    #[arg(long, default_value_t = 21)]
    runs: usize,
    /// Scales of the pages: 1 is a window of 1280 x 800 pixels.
    #[arg(long = "scale", default_values_t = [1.0, 2.0])]
    scales: Vec<f64>,
    /// Where to write all rows as JSON.
    #[arg(long, default_value = "times.json")]
    out: std::path::PathBuf,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Renderer {
    /// `anyrender_vello`, on the GPU.
    Vello,
    /// treebounds' pipeline, on the GPU.
    Treebounds,
    /// `anyrender_vello_cpu`, on the CPU.
    VelloCpu,
}

const MODES: [(&str, Options); 3] = [
    ("bits", Options::EXACT),
    ("rounding", Options::ROUNDING),
    ("+ opacity", Options { opacity: true, ..Options::ROUNDING }),
];

fn main() {
    let arguments = Arguments::parse();
    let mut rows = Vec::new();
    println!("| renderer | list | mode | layers | optimize ms | paint ms | differing px (most) |");
    println!("|---|---|---|---|---|---|---|");
    for renderer in &arguments.renderers {
        for scale in &arguments.scales {
            for name in NAMES {
                for place in [0.0, 0.5, 1.0] {
                    let list = format!("{name}@{scale}x-{place}");
                    let scene = page(name, *scale, place);
                    let measured = measure(*renderer, &list, &scene, size(*scale), arguments.runs);
                    rows.extend(measured);
                }
            }
        }
        rows.push(limits(*renderer, "2,000 deep", &deep(2_000)));
        rows.push(limits(*renderer, "100,000 siblings", &siblings(100_000)));
    }
    std::fs::write(&arguments.out, serde_json::to_string_pretty(&rows).unwrap()).unwrap();
}

/// A list as it comes and in all modes.
fn measure(
    renderer: Renderer,
    name: &str,
    scene: &Scene,
    size: [u32; 2],
    runs: usize,
) -> Vec<Value> {
    let mut painter = Painter::new(renderer, size);
    let (before, before_ms) = painter.paint(scene, runs);
    let mut rows = Vec::new();
    for (mode, options) in MODES {
        let (fewer, report, optimize_ms) = optimize(scene, size, &options, runs);
        let (after, after_ms) = painter.paint(&fewer, runs);
        let (most, pixels) = difference(&before, &after);
        let Report { before: was, after: is, .. } = report;
        println!(
            "| {renderer:?} | {name} | {mode} | {} → {} | {optimize_ms:.3} | {before_ms:.2} → {after_ms:.2} | {pixels} ({most}) |",
            was.layers, is.layers
        );
        rows.push(json!({
            "renderer": format!("{renderer:?}"), "list": name, "mode": mode, "size": size,
            "commands": [was.commands, is.commands], "layers": [was.layers, is.layers],
            "layer_pixels": [was.layer_pixels, is.layer_pixels], "optimize_ms": optimize_ms,
            "paint_ms": [before_ms, after_ms], "differing_pixels": pixels, "most": most,
        }));
    }
    rows
}

/// Whether a list past Vello's limits is painted as on the CPU.
fn limits(renderer: Renderer, name: &str, scene: &Scene) -> Value {
    let size = support::lists::SIZE;
    let (right, _) = Painter::new(Renderer::VelloCpu, size).paint(scene, 1);
    let (pixels, ms) = Painter::new(renderer, size).paint(scene, 1);
    let (most, wrong) = difference(&right, &pixels);
    println!(
        "| {renderer:?} | {name} | | | | {ms:.2} | {wrong} of {} wrong ({most}) |",
        right.len() / 4
    );
    json!({ "renderer": format!("{renderer:?}"), "list": name, "paint_ms": ms, "wrong_pixels": wrong, "most": most })
}

fn optimize(
    scene: &Scene,
    [width, height]: [u32; 2],
    options: &Options,
    runs: usize,
) -> (Scene, Report, f64) {
    let viewport = Rect::new(0.0, 0.0, width.into(), height.into());
    let mut workspace = Workspace::new();
    let (mut last, mut times) = (None, Vec::new());
    for _ in 0..runs.max(1) {
        let mut scene = scene.clone();
        let start = Instant::now();
        let report = workspace.optimize(&mut scene, viewport, options).unwrap();
        times.push(start.elapsed());
        last = Some((scene, report));
    }
    let (scene, report) = last.unwrap();
    (scene, report, median(&mut times))
}

enum Painter {
    Vello(Box<VelloImageRenderer>),
    Treebounds(Box<TreeboundsImageRenderer>),
    VelloCpu(Box<VelloCpuImageRenderer>),
}

impl Painter {
    fn new(renderer: Renderer, [width, height]: [u32; 2]) -> Self {
        match renderer {
            Renderer::Vello => Self::Vello(Box::new(VelloImageRenderer::new(width, height))),
            Renderer::Treebounds => {
                let ours = TreeboundsImageRenderer::try_new(width, height);
                Self::Treebounds(Box::new(ours.unwrap_or_else(|error| panic!("{error}"))))
            }
            Renderer::VelloCpu => {
                Self::VelloCpu(Box::new(VelloCpuImageRenderer::new(width, height)))
            }
        }
    }

    /// The picture, and the median time from the first command to the pixels in memory. A run before warms up.
    fn paint(&mut self, scene: &Scene, runs: usize) -> (Vec<u8>, f64) {
        let mut pixels = self.once(scene);
        let mut times = Vec::new();
        for _ in 0..runs.max(1) {
            let start = Instant::now();
            pixels = self.once(scene);
            times.push(start.elapsed());
        }
        (pixels, median(&mut times))
    }

    fn once(&mut self, scene: &Scene) -> Vec<u8> {
        let mut pixels = Vec::new();
        match self {
            Self::Vello(vello) => {
                vello.render_to_vec(|painter| replay(scene, painter), &mut pixels);
            }
            Self::Treebounds(ours) => {
                ours.render_to_vec(|painter| replay(scene, painter), &mut pixels);
                assert_eq!(ours.error(), None);
            }
            Self::VelloCpu(cpu) => {
                cpu.reset();
                cpu.render_to_vec(|painter| replay(scene, painter), &mut pixels);
            }
        }
        pixels
    }
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e3)
}

fn fill(scene: &mut Scene, color: Color, rect: Rect) {
    scene.fill(Fill::NonZero, Affine::IDENTITY, color, None, &rect);
}

/// Two clips that cut, and inside them clips that do not; a blue quarter is left.
fn deep(depth: usize) -> Scene {
    let mut scene = Scene::new();
    let halves = [Rect::new(35.0, 0.0, 70.0, 50.0), Rect::new(0.0, 25.0, 70.0, 50.0)];
    let all = Rect::new(-9.0, -9.0, 79.0, 59.0);
    for i in 0..depth {
        let clip = halves.get(i).copied().unwrap_or(all);
        scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &clip);
    }
    fill(&mut scene, Color::from_rgb8(20, 90, 200), all);
    (0..depth).for_each(|_| scene.pop_layer());
    scene
}

/// Layers of a pixel beside each other, each filled.
fn siblings(count: u32) -> Scene {
    let mut scene = Scene::new();
    let all = Rect::new(0.0, 0.0, 70.0, 50.0);
    for i in 0..count {
        let (x, y) = (f64::from(i % 70), f64::from(i / 70 % 50));
        let pixel = Rect::new(x, y, x + 1.0, y + 1.0);
        scene.push_layer(Fill::NonZero, Mix::Normal, 1.0, Affine::IDENTITY, &pixel, None, None);
        fill(&mut scene, Color::from_rgb8((i % 251) as u8, (i % 83) as u8, 99), all);
        scene.pop_layer();
    }
    scene
}
