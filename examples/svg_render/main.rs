//! An SVG file through usvg into a scene of Vello, and out through our pipeline.
//!
//! ```text
//! cargo run --release --example svg_render -- drawing.svg --overlay
//! ```

mod bounds;
mod group;
mod paint;

use anyhow::{Context, anyhow};
use clap::Parser;
use image::{ExtendedColorType, ImageFormat};
use std::path::{Path, PathBuf};
use treebounds::Gpu;
use treebounds_encoding::svg::{self, Drawing};
use treebounds_vello::{Clips, Frame, Options, Pipeline, Report};
use vello::Scene;
use vello::kurbo::Affine;
use vello::peniko::Color;

/// Renders an SVG drawing with Vello's shaders and our clip stage.
#[derive(Debug, Parser)]
#[command(name = "svg_render", version)]
struct Args {
    /// The drawing, .svg or .svgz
    #[arg(value_name = "FILE.svg")]
    file: PathBuf,

    /// The picture [default: <stem>.png in the current folder]
    #[arg(short, long, value_name = "PNG")]
    output: Option<PathBuf>,

    /// Draw the bounds of everything on top
    #[arg(long)]
    overlay: bool,

    /// Picture pixels for an SVG pixel
    #[arg(long, default_value_t = 1.0)]
    scale: f64,

    /// Vello's own clip stage instead of ours
    #[arg(long)]
    vello_clips: bool,
}

fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    anyhow::ensure!(args.scale.is_finite() && args.scale > 0.0, "--scale must be above 0");
    // Groups in groups are walked by recursion.
    let thread = std::thread::Builder::new().stack_size(1 << 28).spawn(move || run(&args))?;
    thread.join().map_err(|_| anyhow!("reading or rendering panicked"))?
}

fn run(args: &Args) -> anyhow::Result<()> {
    let about = || args.file.display().to_string();
    let data = std::fs::read(&args.file).with_context(about)?;
    let folder = args.file.parent().unwrap_or(Path::new("."));
    let drawing =
        svg::encode(&data, &svg::Options::default().resources_dir(folder)).with_context(about)?;
    let gpu = pollster::block_on(Gpu::request())?;

    let mut scene = Scene::new();
    let transform = Affine::scale(args.scale);
    let mut notes = group::draw(&mut scene, drawing.tree.root(), transform);
    if args.overlay {
        let bounds = treebounds::compute(&gpu.device, &gpu.queue, &drawing.scene.stream)?;
        bounds::draw(&mut scene, &drawing.scene, &bounds, transform);
    }
    let (frame, pixels, report) = render(&gpu, args, &drawing, &scene).with_context(about)?;

    let stem = args.file.file_stem().unwrap_or_default();
    let output = args.output.clone().unwrap_or_else(|| Path::new(stem).with_extension("png"));
    let (size, color) = ((frame.width, frame.height), ExtendedColorType::Rgba8);
    image::save_buffer_with_format(&output, &pixels, size.0, size.1, color, ImageFormat::Png)
        .with_context(|| format!("cannot write {}", output.display()))?;
    println!(
        "{}: {} x {} pixels, {} draw objects, {} begins and ends of layers, {} tiles, \
         {} words of blend spill, {:.2} ms on the {}",
        output.display(),
        frame.width,
        frame.height,
        report.draw_objects,
        report.clips,
        report.used.tiles,
        report.used.spill_words,
        report.time().as_secs_f64() * 1e3,
        gpu.adapter.name,
    );
    notes.sort_unstable();
    notes.dedup();
    notes.iter().for_each(|note| println!("note: {note}"));
    Ok(())
}

fn render(
    gpu: &Gpu,
    args: &Args,
    drawing: &Drawing,
    scene: &Scene,
) -> Result<(Frame, Vec<u8>, Report), treebounds_vello::Error> {
    let clips = if args.vello_clips { Clips::Vello } else { Clips::TreeboundsShrink };
    let options = Options { clips, times: true, ..Options::default() };
    let mut pipeline = Pipeline::new(&gpu.device, &gpu.queue, &options)?;
    let side = |length: f32| (f64::from(length) * args.scale).ceil().max(1.0) as u32;
    let (width, height) = (side(drawing.scene.width), side(drawing.scene.height));
    let frame = Frame { base_color: Color::WHITE, ..Frame::new(width, height) };
    let (pixels, report) = pipeline.render_to_pixels(scene.encoding(), &frame)?;
    Ok((frame, pixels, report))
}
