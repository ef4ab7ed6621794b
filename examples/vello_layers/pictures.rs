//! The pictures of a scene.

use crate::scenes::Example;
use crate::ways::Rendering;
use anyhow::Context;
use image::imageops::{self, FilterType};
use image::{ExtendedColorType, ImageFormat, Rgba, RgbaImage};
use std::path::Path;

/// Writes a picture for each way, and one of where Vello's own differs from ours.
pub(crate) fn write(
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
    for rendering in renderings {
        save(rendering.name, &rendering.pixels)?;
    }
    let [vello, .., ours] = renderings else { return Ok(()) };
    save("difference", &difference(&vello.pixels, &ours.pixels))?;
    let path = folder.join(format!("{}.side-by-side.png", example.name));
    side_by_side(example, [&vello.pixels, &ours.pixels])
        .save(&path)
        .with_context(|| format!("cannot write {}", path.display()))
}

/// Vello's own at the left and ours at the right, at most 480 pixels wide each, on white: what is
/// left blank is transparent.
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

/// White where two pictures are equal, red where they differ by 2 or more, pale red where
/// by the last bit.
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
