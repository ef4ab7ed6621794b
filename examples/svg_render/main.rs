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
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use treebounds::Gpu;
use treebounds_encoding::svg::{self, Drawing};
use treebounds_vello::{Clips, Frame, Options, Pipeline, Report};
use vello::Scene;
use vello::kurbo::Affine;
use vello::peniko::Color;

/// Renders an SVG drawing with Vello's shaders and our clip stage. Filters are left out.
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

fn main() -> ExitCode {
    let args = Args::parse();
    // Groups in groups are walked by recursion.
    let thread = std::thread::Builder::new().stack_size(1 << 28).spawn(move || run(&args));
    let done = thread.map_err(anyhow::Error::from).and_then(|thread| {
        thread.join().unwrap_or_else(|_| Err(anyhow!("reading or rendering panicked")))
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("svg_render: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> anyhow::Result<()> {
    anyhow::ensure!(args.scale.is_finite() && args.scale > 0.0, "--scale must be above 0");
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
    let mut said = format!(
        "{}: {} x {} pixels, {} draw objects, {} begins and ends of layers, {} tiles, \
         {} words of blend spill, {:.2} ms on the {}\n",
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
    notes.iter().for_each(|note| said += &format!("note: {note}\n"));
    // A closed pipe is the reader's choice.
    let _ = std::io::stdout().write_all(said.as_bytes());
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
