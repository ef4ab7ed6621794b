//! Renders scenes of layers in three ways: with Vello's own renderer, and with our pipeline using Vello's clip stage or
//! ours.
//!
//! For each scene, writes three pictures, one with the differences and one with two pictures side by side, and prints how
//! many pixels of the first two ways differ from ours by more than the last bit. On a software driver this takes minutes.
//! With `--json` it measures whole frames.

mod measure;

use anyhow::Context;
use clap::Parser;
use image::imageops::{self, FilterType};
use image::{ExtendedColorType, ImageFormat, Rgba, RgbaImage};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use treebounds_tests::gpu::gpu;
use treebounds_tests::scenes::{self, Example};
use treebounds_tests::vello::{pipeline, render_vello, renderer};
use treebounds_vello::{Antialiasing, Clips, Error, Frame, Pipeline};
use vello::Renderer;
use vello::peniko::Color;

/// Renders scenes of layers by Vello and with treebounds, and compares.
#[derive(Debug, Parser)]
#[command(name = "vello_layers", version)]
struct Args {
    /// Where the pictures go
    #[arg(short, long, value_name = "FOLDER", default_value = "vello_layers")]
    output: PathBuf,

    /// Measure instead, and write the figures to a file or (-) to standard output
    #[arg(long, value_name = "PATH|-")]
    json: Option<PathBuf>,
}

fn examples() -> Vec<Example> {
    let [width, height] = [1920, 1080];
    let full = |name, scene| Example { name, width, height, scene };
    let groups = |depth| scenes::painted(|scene| scenes::groups(scene, width, height, depth));
    let cards = scenes::painted(|scene| scenes::small_layers(scene, width, height, 60.0, 1.0));
    let small = |name, scene| Example { name, width: scenes::SIDE, height: scenes::SIDE, scene };
    vec![
        full("five-groups", groups(5)),
        full("fifty-groups", groups(50)),
        full("cards", cards),
        small("clip-in-blend-in-clip", scenes::painted(scenes::clip_in_blend_in_clip)),
        small("operators", scenes::painted(scenes::operators)),
        small("left-open", scenes::left_open()),
        small("hundred-thousand-clips", {
            scenes::painted(|scene| scenes::many_clips(scene, scenes::SIDE, 100_000, 40))
        }),
        Example {
            name: "five-thousand-deep",
            width: 64,
            height: 64,
            scene: scenes::painted(|scene| scenes::deep_clips(scene, 5000)),
        },
    ]
}

fn main() -> ExitCode {
    match run(&treebounds_cli::parse::<Args>()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("vello_layers: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(path) = &args.json {
        return measure::run(path);
    }
    eprintln!("{}, {}", gpu().adapter.name, gpu().adapter.driver);
    std::fs::create_dir_all(&args.output)
        .with_context(|| format!("cannot create {}", args.output.display()))?;
    let mut vello = renderer(Antialiasing::Area);
    let mut pipelines =
        [("pipeline", pipeline(Clips::Vello)?), ("treebounds", pipeline(Clips::TreeboundsShrink)?)];
    for example in examples() {
        let results = render(&example, &mut vello, &mut pipelines)?;
        write_pictures(&args.output, &example, &results)?;
        let ours = &results[2].1;
        let differ =
            results.iter().map(|(name, way)| format!("{name} {}", count_differing(way, ours)));
        println!("{}: {}", example.name, differ.take(2).collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

/// A name for files, and the pixels; white if rendering failed.
type Rendering = (&'static str, Vec<u8>);

/// Renders in all three ways, Vello's own first.
fn render(
    example: &Example,
    vello: &mut Renderer,
    pipelines: &mut [(&'static str, Pipeline)],
) -> anyhow::Result<Vec<Rendering>> {
    let frame = Frame { base_color: Color::WHITE, ..Frame::new(example.width, example.height) };
    let mut all = vec![("vello", render_vello(vello, &example.scene, &frame))];
    for (name, pipeline) in pipelines {
        let pixels = match pipeline.render_to_pixels(example.scene.encoding(), &frame) {
            Ok((pixels, _)) => pixels,
            Err(error @ (Error::TooLarge { .. } | Error::TooMany { .. })) => {
                eprintln!("{}: {error}", example.name);
                vec![255; 4 * (frame.width * frame.height) as usize]
            }
            Err(error) => return Err(error.into()),
        };
        all.push((name, pixels));
    }
    Ok(all)
}

/// Counts the pixels that differ by more than the last bit.
fn count_differing(a: &[u8], b: &[u8]) -> usize {
    let pixels = a.chunks_exact(4).zip(b.chunks_exact(4));
    pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 1)).count()
}

/// Writes a picture for each way, and one of the differences between Vello's own and ours.
fn write_pictures(
    folder: &Path,
    example: &Example,
    renderings: &[Rendering],
) -> anyhow::Result<()> {
    let save = |name: &str, pixels: &[u8]| {
        let path = folder.join(format!("{}.{name}.png", example.name));
        let (width, height) = (example.width, example.height);
        let color = ExtendedColorType::Rgba8;
        image::save_buffer_with_format(&path, pixels, width, height, color, ImageFormat::Png)
            .with_context(|| format!("cannot write {}", path.display()))
    };
    for (name, pixels) in renderings {
        save(name, pixels)?;
    }
    let [(_, vello), .., (_, ours)] = renderings else { return Ok(()) };
    save("difference", &difference(vello, ours))?;
    let path = folder.join(format!("{}.side-by-side.png", example.name));
    side_by_side(example, [vello, ours])
        .save(&path)
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Returns Vello's picture on the left and ours on the right, each at most 480 pixels wide, on white, because blank pixels
/// are transparent.
fn side_by_side(example: &Example, pixels: [&Vec<u8>; 2]) -> RgbaImage {
    let (width, height) = (example.width, example.height);
    let small = width.min(480);
    let tall = height * small / width;
    let mut sheet = RgbaImage::from_pixel(2 * small + 36, tall + 24, Rgba([128, 128, 128, 255]));
    for (at, pixels) in pixels.into_iter().enumerate() {
        let Some(picture) = RgbaImage::from_raw(width, height, pixels.clone()) else { continue };
        let picture = imageops::resize(&picture, small, tall, FilterType::Triangle);
        let x = 12 + at as i64 * i64::from(small + 12);
        let paper = RgbaImage::from_pixel(small, tall, Rgba([255; 4]));
        imageops::overlay(&mut sheet, &paper, x, 12);
        imageops::overlay(&mut sheet, &picture, x, 12);
    }
    sheet
}

/// Returns white for equal pixels, red for differences of at least 2, and pale red for differences in the last bit.
fn difference(a: &[u8], b: &[u8]) -> Vec<u8> {
    let worst = |(a, b): (&[u8], &[u8])| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max();
    a.chunks_exact(4)
        .zip(b.chunks_exact(4))
        .flat_map(|pixels| match worst(pixels) {
            None | Some(0) => [255, 255, 255, 255],
            Some(1) => [255, 200, 200, 255],
            Some(_) => [220, 30, 30, 255],
        })
        .collect()
}
