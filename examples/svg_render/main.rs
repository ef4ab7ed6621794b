//! An SVG file through usvg into a scene of Vello, and out through our pipeline.
//!
//! ```text
//! cargo run --release --example svg_render -- drawing.svg --overlay
//! ```

mod draw;

use clap::Parser;
use image::ImageEncoder;
use image::codecs::png::PngEncoder;
use std::path::PathBuf;
use std::process::ExitCode;
use treebounds::Gpu;
use treebounds_cli::options::{Quiet, Size, Where, Written};
use treebounds_cli::table::{Times, count, short};
use treebounds_cli::worker::{Message, Output, Sink, send};
use treebounds_cli::{Choice, Failure, Input, Limits, Program, backend, show};
use treebounds_core::{Bounds, NodeKind, Role};
use treebounds_encoding::svg::{self, Drawing};
use treebounds_vello::{Clips, Frame, Options, Pipeline, Report};
use vello::Scene;
use vello::kurbo::{Affine, Rect, Stroke};
use vello::peniko::Color;

/// Renders an SVG drawing with Vello's shaders and our clip stage. Filters are left out.
#[derive(Debug, Parser)]
#[command(name = "svg_render", version, max_term_width = 100)]
struct Args {
    /// The drawing, .svg or .svgz; - reads standard input
    #[arg(value_name = "FILE.svg|-")]
    file: PathBuf,

    /// The picture, or - for standard output [default: STEM.render.png in the current folder]
    #[arg(short, long, value_name = "PNG")]
    output: Option<PathBuf>,

    #[command(flatten)]
    place: Where,

    #[command(flatten)]
    size: Size,

    /// Draw the bounds of everything on top
    #[arg(long)]
    overlay: bool,

    /// Vello's own clip stage instead of ours
    #[arg(long)]
    vello_clips: bool,

    #[command(flatten)]
    quiet: Quiet,

    #[command(flatten)]
    limits: Limits,
}

fn main() -> ExitCode {
    let args = Args::parse_from(treebounds_cli::arguments());
    let written = Written { output: args.output.clone(), ..Written::default() };
    let program = Program {
        name: "svg_render",
        picture: ".render.png",
        written: &written,
        limits: &args.limits,
        quiet: args.quiet,
    };
    treebounds_cli::one_drawing(&program, &args.file, |input, data, sink| {
        // Groups in groups are walked by recursion.
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().stack_size(1 << 28);
            let thread = builder.spawn_scoped(scope, || run(&args, input, data, sink));
            let failed = |_| Err(input.bad("reading or rendering panicked"));
            thread.map_err(Failure::bad)?.join().unwrap_or_else(failed)
        })
    })
}

fn run(args: &Args, input: &Input, data: &[u8], sink: &mut dyn Sink) -> Result<(), Failure> {
    let mut times = Times::default();
    let step = |sink: &mut dyn Sink, what: &str| sink.take(Message::Step(what.into()));
    step(sink, "reading")?;
    let options = input.options(&args.limits.allow_files);
    let drawing = times.of("reading", || svg::encode(data, &options));
    let drawing = drawing.map_err(|error| input.bad(error))?;
    let frame = show::frame(&args.size, &drawing.scene)?;
    let gpu = times.of("start-up", || open(args.place.backend))?;

    step(sink, "encoding")?;
    let transform = Affine::scale(frame.scale());
    let mut scene = Scene::new();
    let mut said = times.of("encoding", || draw::group(&mut scene, drawing.tree.root(), transform));
    if args.overlay {
        step(sink, "computing the bounds")?;
        let bounds = times
            .of("bounds", || treebounds::compute(&gpu.device, &gpu.queue, &drawing.scene.stream));
        let bounds = bounds.map_err(|error| input.bad(error))?;
        draw_bounds(&mut scene, &drawing.scene, &bounds, transform);
    }
    step(sink, "rendering")?;
    let size = (frame.width(), frame.height());
    let rendered = times.of("rendering", || render(&gpu, args, size, &scene));
    let (pixels, report) = rendered.map_err(|error| input.bad(error))?;
    let png = times.of("writing", || png(size, &pixels))?;

    sink.take(Message::Size([size.0, size.1]))?;
    send(sink, Output::Picture, &png)?;
    let facts = facts(input, &drawing, &report, &gpu, &times);
    facts.into_iter().try_for_each(|row| sink.take(row))?;
    said.sort_unstable();
    said.dedup();
    let notes = drawing.scene.notes.iter().chain(&said);
    notes.cloned().try_for_each(|note| sink.take(Message::Note(note)))
}

/// Vello's shaders run nowhere but on a GPU, or on a software adapter.
fn open(choice: Choice) -> Result<Gpu, Failure> {
    if choice == Choice::Cpu {
        return Err(Failure::usage(
            "--backend cpu: Vello's shaders need a GPU or a software adapter",
        ));
    }
    pollster::block_on(Gpu::request()).map_err(Failure::no_gpu)
}

fn render(
    gpu: &Gpu,
    args: &Args,
    (width, height): (u32, u32),
    scene: &Scene,
) -> Result<(Vec<u8>, Report), treebounds_vello::Error> {
    let clips = if args.vello_clips { Clips::Vello } else { Clips::TreeboundsShrink };
    let options = Options { clips, times: true, ..Options::default() };
    let mut pipeline = Pipeline::new(&gpu.device, &gpu.queue, &options)?;
    let frame = Frame { base_color: Color::WHITE, ..Frame::new(width, height) };
    pipeline.render_to_pixels(scene.encoding(), &frame)
}

fn png((width, height): (u32, u32), pixels: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut png = Vec::new();
    let encoded = PngEncoder::new(&mut png).write_image(
        pixels,
        width,
        height,
        image::ExtendedColorType::Rgba8,
    );
    encoded.map_err(Failure::bad)?;
    Ok(png)
}

/// The rows of the table.
fn facts(
    input: &Input,
    drawing: &Drawing,
    report: &Report,
    gpu: &Gpu,
    times: &Times,
) -> [Message; 5] {
    let scene = &drawing.scene;
    let draws = count(report.draw_objects as usize, "draw object", "draw objects");
    let clips = count(report.clips as usize, "begin or end", "begins and ends");
    let (tiles, spill) = (report.used.tiles, report.used.spill_words);
    [
        ("drawing", format!("{}, {} x {} pixels", input.name, scene.width, scene.height)),
        ("elements", format!("{draws}, {clips} of layers")),
        ("tiles", format!("{tiles}, {spill} words of blend spill")),
        ("backend", backend::name(&gpu.adapter)),
        ("time", format!("{times}; all stages of Vello {}", short(report.time()))),
    ]
    .map(|(name, value)| Message::row(name, value))
}

/// Draws a box around each draw (blue), clip (orange, dashed) and layer (purple, dotted).
fn draw_bounds(
    target: &mut Scene,
    scene: &treebounds_report::Scene,
    bounds: &Bounds,
    transform: Affine,
) {
    let solid = Stroke::new(1.0);
    let dashed = Stroke::new(1.5).with_dashes(0.0, [6.0, 3.0]);
    let dotted = Stroke::new(1.5).with_dashes(0.0, [1.5, 3.0]);
    for (tag, rect) in scene.stream.tags().iter().zip(&bounds.boxes) {
        if tag.role() == Role::End || rect.is_empty() {
            continue;
        }
        let (stroke, color) = match tag.node_kind() {
            None => (&solid, Color::from_rgba8(40, 100, 230, 255)),
            Some(NodeKind::Clip) => (&dashed, Color::from_rgba8(225, 120, 0, 255)),
            Some(_) => (&dotted, Color::from_rgba8(140, 40, 180, 255)),
        };
        let [x0, y0, x1, y1] = rect.to_array().map(f64::from);
        let shape = transform.transform_rect_bbox(Rect::new(x0, y0, x1, y1));
        target.stroke(stroke, Affine::IDENTITY, color, None, &shape);
    }
}
