//! The renderer over treebounds' pipeline: the same picture as on the CPU, also past Vello's limits.
//!
//! Needs a Vulkan driver, a software one too: `apt-get install mesa-vulkan-drivers`.
#![cfg(feature = "renderer")]
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use anyrender::recording::Scene;
use anyrender::{ImageRenderer, PaintScene};
use kurbo::{Affine, Rect};
use peniko::{Color, Fill, Mix};
use support::lists::{SIZE, viewport};
use support::paint::{difference, paint};
use treebounds_anyrender::{TreeboundsImageRenderer, optimize, replay};

/// The picture on the GPU, its colours multiplied with alpha as the CPU's are.
fn render(renderer: &mut TreeboundsImageRenderer, scene: &Scene) -> Vec<u8> {
    let mut pixels = Vec::new();
    renderer.render_to_vec(|painter| replay(scene, painter), &mut pixels);
    assert_eq!(renderer.error(), None);
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

fn nested(depth: u32) -> Scene {
    let mut scene = Scene::new();
    fill(&mut scene, Color::from_rgb8(250, 240, 200), viewport());
    for i in 0..depth {
        let inset = f64::from(i % 20);
        scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &viewport().inset(-inset));
    }
    fill(&mut scene, Color::from_rgb8(20, 90, 200), viewport());
    (0..depth).for_each(|_| scene.pop_layer());
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

/// Each pixel has the colour of the last layer over it.
fn last_of(count: u32) -> Vec<u8> {
    let mut pixels = vec![0; 4 * 70 * 50];
    for i in 0..count {
        let at = 4 * (i % 3_500) as usize;
        pixels[at..at + 4].copy_from_slice(&[(i % 251) as u8, (i % 83) as u8, 99, 255]);
    }
    pixels
}

#[test]
fn two_thousand_deep_and_many_beside_each_other() {
    let mut renderer = renderer();
    let deep = nested(2_000);
    assert_eq!(difference(&render(&mut renderer, &deep), &paint(&deep)), (0, 0));
    let many = siblings(7_000);
    assert_eq!(difference(&render(&mut renderer, &many), &paint(&many)), (0, 0));
}

/// Each layer and each fill is a path, and past 65,536 paths Vello's own stages lose some, layers or not.
///
/// Slow on a software driver: `cargo test -p treebounds_anyrender --features renderer --test renderer -- --ignored`.
#[test]
#[ignore = "a minute on a software driver"]
fn thirty_two_thousand_beside_each_other() {
    let many = siblings(32_000);
    assert_eq!(difference(&paint(&many), &last_of(32_000)), (0, 0), "on the CPU");
    assert_eq!(difference(&render(&mut renderer(), &many), &last_of(32_000)), (0, 0), "on the GPU");
}

#[test]
fn an_optimized_list_renders_the_same() {
    let mut renderer = renderer();
    for seed in 0..40 {
        let mut scene = support::lists::list(4_000_000 + seed);
        // Vello has no filters, and blends and hairlines of its own.
        scene
            .commands
            .retain(|command| !matches!(command, anyrender::recording::RenderCommand::Stroke(_)));
        let (fewer, _) = optimize(&scene, viewport()).unwrap();
        let (most, pixels) =
            difference(&render(&mut renderer, &fewer), &render(&mut renderer, &scene));
        assert!(most <= 2 && pixels <= 40, "list {seed}: {pixels} pixels differ by up to {most}");
    }
}
