//! An SVG file through usvg into a scene of Vello, and out through our pipeline.
//!
//! ```text
//! cargo run --release --example svg_render -- drawing.svg --overlay
//! ```

mod bounds;
mod group;
mod paint;

use clap::Parser;
use image::ImageEncoder;
use image::codecs::png::PngEncoder;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use treebounds::Gpu;
use treebounds_cli::options::{Quiet, Size, Where, is_stream};
use treebounds_cli::table::{Facts, count};
use treebounds_cli::times::{Times, short};
use treebounds_cli::{Choice, Failure, Input, Progress, choice, failure, notes, show};
use treebounds_encoding::svg::{self, Drawing};
use treebounds_vello::{Clips, Frame, Options, Pipeline, Report};
use vello::Scene;
use vello::kurbo::Affine;
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
}

fn main() -> ExitCode {
    let args = Args::parse();
    // Groups in groups are walked by recursion.
    let thread = std::thread::Builder::new().stack_size(1 << 28).spawn(move || run(&args));
    let done = thread.map_err(Failure::bad).and_then(|thread| {
        thread.join().unwrap_or_else(|_| Err(Failure::bad("reading or rendering panicked")))
    });
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell("svg_render"),
    }
}

fn run(args: &Args) -> Result<(), Failure> {
    let progress = Progress::new(args.quiet.quiet);
    let mut times = Times::default();
    let input = Input::named(&args.file)?;
    let output = output(args, &input)?;
    progress.step("reading");
    let drawing = times.of("reading", || {
        let data = input.read()?;
        svg::encode(&data, &input.options()).map_err(|error| input.bad(error))
    })?;
    let frame = show::frame(&args.size, &drawing.scene)?;
    let gpu = times.of("start-up", || open(args.place.backend))?;

    progress.step("encoding");
    let transform = Affine::scale(frame.scale());
    let mut scene = Scene::new();
    let mut said = times.of("encoding", || group::draw(&mut scene, drawing.tree.root(), transform));
    if args.overlay {
        progress.step("computing the bounds");
        let bounds = times
            .of("bounds", || treebounds::compute(&gpu.device, &gpu.queue, &drawing.scene.stream));
        let bounds = bounds.map_err(|error| input.bad(error))?;
        bounds::draw(&mut scene, &drawing.scene, &bounds, transform);
    }
    progress.step("rendering");
    let rendered =
        times.of("rendering", || render(&gpu, args, (frame.width(), frame.height()), &scene));
    let (pixels, report) = rendered.map_err(|error| input.bad(error))?;

    progress.step("writing");
    times.of("writing", || write(&output, (frame.width(), frame.height()), &pixels))?;
    progress.finish();
    if !args.quiet.quiet {
        let facts = facts(
            &input,
            &output,
            &drawing,
            (frame.width(), frame.height()),
            &report,
            &gpu,
            &times,
        );
        facts.print(is_stream(&output));
        said.sort_unstable();
        said.dedup();
        notes::print(drawing.scene.notes.iter().chain(&said));
    }
    Ok(())
}

/// Where the picture goes: never to the drawing itself.
fn output(args: &Args, input: &Input) -> Result<PathBuf, Failure> {
    let default = || {
        let mut name = input.stem();
        name.push(".render.png");
        PathBuf::from(name)
    };
    let output = args.output.clone().unwrap_or_else(default);
    let place = |path: &Path| path.canonicalize().ok();
    let is_input = input.path().and_then(place).is_some_and(|path| place(&output) == Some(path));
    match is_input {
        true => Err(Failure::usage("this file is the input").about(output.display())),
        false => Ok(output),
    }
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

fn write(output: &Path, (width, height): (u32, u32), pixels: &[u8]) -> Result<(), Failure> {
    let mut png = Vec::new();
    let encoded = PngEncoder::new(&mut png).write_image(
        pixels,
        width,
        height,
        image::ExtendedColorType::Rgba8,
    );
    encoded.map_err(Failure::bad)?;
    if is_stream(output) {
        // A closed pipe is the reader's choice.
        let _ = std::io::stdout().write_all(&png);
        return Ok(());
    }
    let written = std::fs::write(output, png);
    written.map_err(|error| Failure::bad(failure::plain(&error)).about(output.display()))
}

fn facts(
    input: &Input,
    output: &Path,
    drawing: &Drawing,
    (width, height): (u32, u32),
    report: &Report,
    gpu: &Gpu,
    times: &Times,
) -> Facts {
    let mut facts = Facts::default();
    let scene = &drawing.scene;
    facts.add("drawing", format!("{}, {} x {} pixels", input.name, scene.width, scene.height));
    let draws = count(report.draw_objects as usize, "draw object", "draw objects");
    let clips = count(report.clips as usize, "begin or end", "begins and ends");
    facts.add("elements", format!("{draws}, {clips} of layers"));
    facts.add(
        "tiles",
        format!("{}, {} words of blend spill", report.used.tiles, report.used.spill_words),
    );
    facts.add("backend", choice::name(&gpu.adapter));
    facts.add("time", format!("{times}; all stages of Vello {}", short(report.time())));
    facts.add("picture", format!("{}, {width} x {height} pixels", output.display()));
    facts
}
