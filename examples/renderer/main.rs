//! A small renderer in which a compute kernel moves the shapes each frame, so the CPU does not know where they are.
//!
//! The stage computes the boxes in the same submission. They decide which elements are painted in a bin of pixels, and how
//! large the blurred layer is.

mod frame;
mod scene;
#[cfg(feature = "window")]
mod window;

use anyhow::Context;
use clap::Parser;
use frame::{Boxes, Frame, Kernels, Work};
use scene::Scene;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Instant;
use treebounds::{Gpu, wgpu};
use treebounds_report::SceneFile;

/// Renders cards that a GPU kernel moves, with and without boxes.
#[derive(Debug, Parser)]
#[command(name = "renderer", version)]
struct Args {
    /// Write the frame at --seconds to a PNG file and print its work, instead of opening a window
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,

    /// How many cards there are, of 13 elements each
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    cards: u32,

    /// The size of the picture
    #[arg(long, num_args = 2, value_names = ["WIDTH", "HEIGHT"], default_values_t = [960, 540])]
    #[arg(value_parser = clap::value_parser!(u32).range(16..=4096))]
    size: Vec<u32>,

    /// The time of the frame
    #[arg(long, default_value_t = 1.0)]
    seconds: f32,

    /// Paint without boxes: bins take each shape's own rect, and the blurred layer is as large as the picture
    #[arg(long)]
    without: bool,

    /// Draw the box of each element over the picture
    #[arg(long, conflicts_with = "without")]
    boxes: bool,

    /// Read the frame at --seconds back, and write it to a scene file, which svg_clips opens
    #[arg(long, value_name = "FILE")]
    scene: Option<PathBuf>,

    /// Measure so many frames with boxes and as many without
    #[arg(long, value_name = "FRAMES")]
    measure: Option<u32>,
}

impl Args {
    fn boxes(&self) -> Boxes {
        match (self.without, self.boxes) {
            (true, _) => Boxes::Without,
            (false, true) => Boxes::Shown,
            (false, false) => Boxes::Used,
        }
    }
}

/// A scene on the GPU, with lists that grow when they are too short.
struct Renderer {
    gpu: Gpu,
    kernels: Kernels,
    scene: Scene,
    size: [u32; 2],
    frame: Frame,
}

impl Renderer {
    fn new(gpu: Gpu, cards: u32, size: [u32; 2]) -> anyhow::Result<Self> {
        let (kernels, scene) = (Kernels::new(&gpu.device)?, Scene::new(cards, size)?);
        let frame = Frame::new(&gpu, &kernels, &scene, (size, 1 << 16))?;
        Ok(Self { gpu, kernels, scene, size, frame })
    }

    /// Paints a frame. If the lists of its bins did not fit, allocates twice as many entries and paints it again.
    fn paint(&mut self, seconds: f32, boxes: Boxes) -> anyhow::Result<Work> {
        loop {
            self.frame.paint(&self.gpu, &self.kernels, seconds, boxes);
            match self.frame.work(&self.gpu)? {
                Ok(work) => return Ok(work),
                Err(needed) => self.make_room(needed.saturating_mul(2))?,
            }
        }
    }

    fn make_room(&mut self, entries: u32) -> anyhow::Result<()> {
        self.frame = Frame::new(&self.gpu, &self.kernels, &self.scene, (self.size, entries))?;
        Ok(())
    }

    #[cfg(feature = "window")]
    fn set_cards(&mut self, cards: u32) -> anyhow::Result<()> {
        self.scene = Scene::new(cards, self.size)?;
        self.make_room(1 << 16)
    }

    /// Returns the milliseconds per frame, without waiting for individual frames.
    fn measure(&mut self, frames: u32, boxes: Boxes) -> anyhow::Result<f64> {
        self.paint(0.0, boxes)?;
        let start = Instant::now();
        for frame in 0..frames {
            self.frame.paint(&self.gpu, &self.kernels, frame as f32 / 60.0, boxes);
        }
        self.frame.work(&self.gpu)?.ok().context("the lists of a later frame did not fit")?;
        Ok(start.elapsed().as_secs_f64() * 1e3 / f64::from(frames))
    }

    fn save_scene(&self, path: &Path) -> anyhow::Result<()> {
        let stream = self.frame.stream(&self.gpu)?;
        let scene = SceneFile::capture(&stream, |ix| self.scene.names.get(ix as usize).cloned());
        let written = File::create(path).and_then(|file| scene.write_json(file));
        written.with_context(|| format!("cannot write {}", path.display()))
    }

    fn save(&self, path: &Path) -> anyhow::Result<()> {
        let [width, height] = self.size;
        let row = (4 * width).next_multiple_of(256);
        let descriptor = wgpu::BufferDescriptor {
            label: Some("pixels"),
            size: u64::from(row * height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
            mapped_at_creation: false,
        };
        let pixels = self.gpu.device.create_buffer(&descriptor);
        let mut encoder = self.gpu.device.create_command_encoder(&Default::default());
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(row),
            rows_per_image: None,
        };
        encoder.copy_texture_to_buffer(
            self.frame.canvas.as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &pixels, layout },
            self.frame.canvas.size(),
        );
        self.gpu.queue.submit([encoder.finish()]);
        let bytes: Vec<u8> = frame::download(&self.gpu, &pixels)?;
        let rows = bytes.chunks(row as usize).flat_map(|bytes| &bytes[..4 * width as usize]);
        let picture = image::RgbaImage::from_raw(width, height, rows.copied().collect());
        let picture = picture.context("the picture has too few pixels")?;
        picture.save(path).with_context(|| format!("cannot write {}", path.display()))
    }
}

fn main() -> anyhow::Result<()> {
    let args = treebounds_cli::parse::<Args>();
    let size = [args.size[0], args.size[1]];
    if args.png.is_none() && args.scene.is_none() && args.measure.is_none() {
        return in_window(&args, size);
    }
    let gpu =
        pollster::block_on(Gpu::request()).context("no GPU works; a software driver will do")?;
    let mut renderer = Renderer::new(gpu, args.cards, size)?;
    println!(
        "{} cards, {} elements, {}",
        args.cards,
        renderer.scene.stream.len(),
        renderer.gpu.adapter.name
    );
    for (name, boxes) in [("with boxes", Boxes::Used), ("without boxes", Boxes::Without)] {
        let work = renderer.paint(args.seconds, boxes)?;
        let Work { entries, layer_pixels } = work;
        println!(
            "{name}: {entries} draws in bins of 16 x 16, a blurred layer of {layer_pixels} pixels"
        );
        if let Some(frames) = args.measure {
            println!("{name}: {:.3} ms per frame", renderer.measure(frames, boxes)?);
        }
    }
    renderer.paint(args.seconds, args.boxes())?;
    if let Some(path) = &args.png {
        renderer.save(path)?;
    }
    if let Some(path) = &args.scene {
        renderer.save_scene(path)?;
    }
    Ok(())
}

#[cfg(feature = "window")]
fn in_window(args: &Args, size: [u32; 2]) -> anyhow::Result<()> {
    window::run(args.cards, size, args.boxes())
}

#[cfg(not(feature = "window"))]
fn in_window(_: &Args, _: [u32; 2]) -> anyhow::Result<()> {
    anyhow::bail!(
        "built without a window: add --features window, or write a picture with --png FILE"
    )
}
