//! The renderer over treebounds' pipeline paints the same picture as `vello_cpu`, even beyond Vello's limits.
//!
//! Requires a Vulkan driver, which may be a software one: `apt-get install mesa-vulkan-drivers`.

use crate::support::paint::{difference, paint};
use anyrender::recording::Scene;
use anyrender::{ImageRenderer, PaintScene};
use anyrender_vello::VelloImageRenderer;
use kurbo::{Affine, Rect};
use peniko::{Color, Fill, ImageBrush, ImageQuality, ImageSampler, Mix};
use treebounds_anyrender::{TreeboundsImageRenderer, optimize, replay};
use treebounds_testkit::lists::{SIZE, image_of, viewport};

fn render(renderer: &mut TreeboundsImageRenderer, scene: &Scene) -> Vec<u8> {
    let pixels = pixels_of(renderer, scene);
    assert_eq!(renderer.error(), None);
    pixels
}

/// Returns the picture with premultiplied alpha, as `vello_cpu` paints it.
fn pixels_of(renderer: &mut impl ImageRenderer, scene: &Scene) -> Vec<u8> {
    let mut pixels = Vec::new();
    renderer.render_to_vec(|painter| replay(scene, painter), &mut pixels);
    for pixel in pixels.chunks_exact_mut(4) {
        let alpha = u32::from(pixel[3]);
        pixel[..3].iter_mut().for_each(|c| *c = ((u32::from(*c) * alpha + 127) / 255) as u8);
    }
    pixels
}

fn renderer() -> TreeboundsImageRenderer {
    TreeboundsImageRenderer::try_new(SIZE[0], SIZE[1])
        .unwrap_or_else(|error| panic!("{error}. apt-get install mesa-vulkan-drivers"))
}

fn fill(scene: &mut Scene, color: Color, rect: Rect) {
    scene.fill(Fill::NonZero, Affine::IDENTITY, color, None, &rect);
}

/// Returns 2,000 nested clips.
fn nested(background: Color, clip: impl Fn(usize) -> Rect) -> Scene {
    let mut scene = Scene::new();
    fill(&mut scene, background, viewport());
    for i in 0..2_000 {
        scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &clip(i));
    }
    fill(&mut scene, Color::from_rgb8(20, 90, 200), viewport());
    (0..2_000).for_each(|_| scene.pop_layer());
    scene
}

fn siblings(count: u32) -> Scene {
    let mut scene = Scene::new();
    for i in 0..count {
        let (x, y) = (f64::from(i % 70), f64::from(i / 70 % 50));
        let pixel = Rect::new(x, y, x + 1.0, y + 1.0);
        scene.push_layer(Fill::NonZero, Mix::Normal, 1.0, Affine::IDENTITY, &pixel, None, None);
        fill(&mut scene, Color::from_rgb8((i % 251) as u8, (i % 83) as u8, 99), viewport());
        scene.pop_layer();
    }
    scene
}

/// Paints one filled layer per pixel. Only its clip separates a layer from its neighbours.
///
/// There are few layers on each tile of 16 x 16 pixels. Mesa's llvmpipe stops all loops of a shader after 65,535
/// iterations in total, so any renderer would lose the last of more than 2,600 layers on one tile.
#[test]
fn renders_a_hundred_thousand_sibling_layers() {
    const GRID: [u32; 2] = [400, 250];
    let window = Rect::new(0.0, 0.0, GRID[0].into(), GRID[1].into());
    let mut scene = Scene::new();
    let mut right = Vec::new();
    for i in 0..GRID[0] * GRID[1] {
        let (x, y) = (f64::from(i % GRID[0]), f64::from(i / GRID[0]));
        let pixel = Rect::new(x, y, x + 1.0, y + 1.0);
        let color = [i as u8, (i >> 8) as u8, 90 + (i >> 16) as u8];
        scene.push_layer(Fill::NonZero, Mix::Normal, 1.0, Affine::IDENTITY, &pixel, None, None);
        fill(&mut scene, Color::from_rgb8(color[0], color[1], color[2]), window);
        scene.pop_layer();
        right.extend(color);
        right.push(255);
    }
    let mut ours = TreeboundsImageRenderer::try_new(GRID[0], GRID[1]).unwrap();
    let start = std::time::Instant::now();
    assert_eq!(difference(&render(&mut ours, &scene), &right), (0, 0));
    println!("100,000 layers: {:?}, {:?}", start.elapsed(), ours.report());
    let mut vello = VelloImageRenderer::new(GRID[0], GRID[1]);
    let (most, pixels) = difference(&pixels_of(&mut vello, &scene), &right);
    println!("100,000 layers: anyrender_vello has {pixels} wrong pixels, by up to {most}");
    assert!(pixels > 0, "Vello renders them as well; say so in the docs");
}

/// If more than 256 layers are open, Vello's clip stage reads boxes that an earlier frame left in its buffers. The
/// stage of treebounds does not.
#[test]
fn renders_layers_that_vello_loses() {
    let mut vello = VelloImageRenderer::new(SIZE[0], SIZE[1]);
    let mut ours = renderer();
    let few = siblings(3_500);
    assert_eq!(difference(&pixels_of(&mut vello, &few), &paint(&few)), (0, 0), "a frame before");
    let many = siblings(7_000);
    assert_eq!(difference(&render(&mut ours, &many), &paint(&many)), (0, 0), "two on each pixel");
    let mut wrong = 0;
    let insets = |i| viewport().inset(-((i % 20) as f64));
    // The outermost clips leave the lower right quarter; the others contain the whole picture.
    let halves = |i| match i {
        0 => Rect::new(35.0, 0.0, 70.0, 50.0),
        1 => Rect::new(0.0, 25.0, 70.0, 50.0),
        _ => viewport().inset(9.0),
    };
    let scenes = [
        ("halves", nested(Color::TRANSPARENT, halves)),
        ("insets", nested(Color::from_rgb8(250, 240, 200), insets)),
    ];
    for (name, scene) in scenes {
        let right = paint(&scene);
        let (most, pixels) = difference(&pixels_of(&mut vello, &scene), &right);
        println!("2,000 deep, {name}: anyrender_vello has {pixels} wrong pixels, by up to {most}");
        wrong += pixels;
        assert_eq!(difference(&render(&mut ours, &scene), &right), (0, 0), "2,000 deep, {name}");
    }
    assert!(wrong > 0, "Vello renders them as well; say so in the docs");
}

/// An image of size 0 paints nothing, optimized or not.
#[test]
fn empty_images_keep_the_picture() {
    let image = image_of([0, 0], |_, _| [0; 4]);
    let nothing =
        ImageBrush { image, sampler: ImageSampler::new().with_quality(ImageQuality::Low) };
    let mut scene = Scene::new();
    fill(&mut scene, Color::from_rgb8(20, 90, 200), viewport());
    scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &viewport().inset(-9.0));
    scene.fill(Fill::NonZero, Affine::IDENTITY, nothing.as_ref(), None, &viewport());
    fill(&mut scene, Color::from_rgb8(220, 190, 20), Rect::new(0.0, 20.0, 70.0, 30.0));
    scene.pop_layer();
    let (fewer, _) = optimize(&scene, viewport()).unwrap();
    let mut renderer = renderer();
    let picture = render(&mut renderer, &scene);
    assert_eq!(difference(&render(&mut renderer, &fewer), &picture), (0, 0));
    assert_eq!(&picture[4 * (25 * 70 + 35)..][..4], [220, 190, 20, 255]);
}

/// Lists that Vello's shaders render differently after optimization, although the pictures of `vello_cpu` are
/// bit-for-bit equal.
///
/// List 9 has a layer with the operator `SrcIn` and an empty clip at the edge of the target. Vello erases the tile
/// around such a clip. Its own renderer does so for both lists; this renderer does so once the draws inside the layer
/// are culled. Then 23 pixels differ by up to 254. In list 23, 49 pixels differ by up to 2, the sum of the roundings of
/// two rules.
const DIFFERENT_IN_VELLO: [u64; 2] = [9, 23];

#[test]
fn optimized_lists_keep_the_picture() {
    let mut renderer = renderer();
    let mut wrong = Vec::new();
    for seed in (0..40).filter(|seed| !DIFFERENT_IN_VELLO.contains(seed)) {
        let mut scene = treebounds_testkit::lists::list(4_000_000 + seed);
        // Vello skips filters, and has its own blending and hairlines.
        scene
            .commands
            .retain(|command| !matches!(command, anyrender::recording::RenderCommand::Stroke(_)));
        let (fewer, _) = optimize(&scene, viewport()).unwrap();
        let (most, pixels) =
            difference(&render(&mut renderer, &fewer), &render(&mut renderer, &scene));
        if most > 2 || pixels > 40 {
            wrong.push(format!("list {seed}: {pixels} pixels differ by up to {most}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
