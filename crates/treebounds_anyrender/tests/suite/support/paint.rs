//! Paints display lists with `anyrender_vello_cpu` at 8 bits per channel, or with the same rasterizer in
//! floating point.

use anyrender::recording::{RenderCommand, Scene};
use anyrender::{Filter, Paint, PaintScene, render_to_buffer};
use anyrender_vello_cpu::VelloCpuImageRenderer;
use kurbo::{Affine, Rect, Shape};
use peniko::{
    BlendMode, Blob, Fill, ImageAlphaType, ImageBrush, ImageData, ImageFormat, ImageQuality,
    ImageSampler, Style,
};
use std::sync::Arc;
use treebounds_anyrender::Scroll;
use treebounds_testkit::lists::SIZE;
use vello_cpu::{PaintType, Pixmap, RasterizerSettings, RenderContext, RenderMode, Resources};

/// Paints a list with `anyrender_vello_cpu`.
pub fn paint(scene: &Scene) -> Vec<u8> {
    paint_at(scene, SIZE)
}

/// Paints a list with `anyrender_vello_cpu` at another size.
pub fn paint_at(scene: &Scene, [width, height]: [u32; 2]) -> Vec<u8> {
    let scene = unchained(scene);
    render_to_buffer::<VelloCpuImageRenderer, _>(
        |painter| painter.append_scene(scene, Affine::IDENTITY),
        width,
        height,
    )
}

/// Returns a list that starts with a picture.
pub fn over_at(picture: &[u8], [width, height]: [u32; 2]) -> Scene {
    let image = ImageData {
        data: Blob::from(picture.to_vec()),
        format: ImageFormat::Rgba8,
        alpha_type: ImageAlphaType::AlphaPremultiplied,
        width,
        height,
    };
    let brush = ImageBrush { image, sampler: ImageSampler::new().with_quality(ImageQuality::Low) };
    let mut scene = Scene::new();
    let all = Rect::new(0.0, 0.0, width.into(), height.into());
    scene.fill(Fill::NonZero, Affine::IDENTITY, brush.as_ref(), None, &all);
    scene
}

/// Returns the old picture after the copy.
pub fn copied(old: &[u8], copy: Option<Scroll>, width: u32) -> Vec<u8> {
    let mut picture = old.to_vec();
    let row = |x: f64, y: f64| 4 * (y as usize * width as usize + x as usize);
    if let Some(Scroll { area, by }) = copy {
        for y in area.y0 as i32..area.y1 as i32 {
            let length = 4 * area.width() as usize;
            let from = row(area.x0, f64::from(y));
            let to = row(area.x0 + f64::from(by[0]), f64::from(y + by[1]));
            picture[to..to + length].copy_from_slice(&old[from..from + length]);
        }
    }
    picture
}

/// Returns the differing pixels of two pictures of this width.
pub fn differing_at<'a>(
    a: &'a [u8],
    b: &'a [u8],
    width: u32,
) -> impl Iterator<Item = (u32, u32)> + use<'a> {
    let pixels = a.chunks(4).zip(b.chunks(4)).zip(0..);
    pixels.filter(|((a, b), _)| a != b).map(move |(_, at)| (at % width, at / width))
}

/// Whether the pixel is in one of the rects.
pub fn is_in(rects: &[Rect], x: u32, y: u32) -> bool {
    let center = (f64::from(x) + 0.5, f64::from(y) + 0.5);
    rects.iter().any(|rect| rect.contains(center))
}

/// Converts chains of effects to nested layers, because `anyrender_vello_cpu` paints only the first effect.
pub fn unchained(scene: &Scene) -> Scene {
    let mut commands = Vec::new();
    // The number of layers that each open layer became.
    let mut open = Vec::new();
    for command in &scene.commands {
        match command {
            RenderCommand::PushLayer(layer) => {
                let effects = layer.filter.as_ref().map_or(&[][..], |filter| filter.nodes());
                let mut layer = layer.clone();
                open.push(effects.len().max(1));
                for (index, node) in effects.iter().rev().enumerate() {
                    layer.filter = Some(Arc::new(Filter::single(node.effect.clone())));
                    if index + 1 < effects.len() {
                        commands.push(RenderCommand::PushLayer(layer.clone()));
                        (layer.blend, layer.alpha) = (BlendMode::default(), 1.0);
                        let all = Rect::new(-1e4, -1e4, 1e4, 1e4);
                        layer.clip = layer.transform.inverse() * all.to_path(0.1);
                    }
                }
                commands.push(RenderCommand::PushLayer(layer));
            }
            RenderCommand::PushClipLayer(_) => {
                open.push(1);
                commands.push(command.clone());
            }
            RenderCommand::PopLayer => {
                let count = open.pop().unwrap_or(1);
                commands.extend(std::iter::repeat_n(RenderCommand::PopLayer, count));
            }
            _ => commands.push(command.clone()),
        }
    }
    Scene { commands, ..Scene::new() }
}

/// Paints a list with `vello_cpu` in floating point, without filters and glyphs.
pub fn paint_in_floats(scene: &Scene) -> Vec<u8> {
    let [width, height] = SIZE.map(|side| side as u16);
    let mut context = RenderContext::new(width, height);
    for command in &scene.commands {
        add(&mut context, command);
    }
    let settings = RasterizerSettings {
        render_mode: RenderMode::OptimizeQuality,
        ..RasterizerSettings::default()
    };
    let mut pixmap = Pixmap::new(width, height);
    context.render_with(pixmap.as_mut(), &mut Resources::new(), settings);
    pixmap.data_as_u8_slice().to_vec()
}

fn add(context: &mut RenderContext, command: &RenderCommand) {
    match command {
        RenderCommand::PushLayer(layer) => {
            context.set_transform(layer.transform);
            context.set_fill_rule(layer.fill);
            context.push_layer(Some(&layer.clip), Some(layer.blend), Some(layer.alpha), None, None);
        }
        RenderCommand::PushClipLayer(clip) => {
            context.set_transform(clip.transform);
            context.set_fill_rule(clip.fill);
            context.push_clip_layer(&clip.clip);
        }
        RenderCommand::PopLayer => context.pop_layer(),
        RenderCommand::Fill(fill) => {
            set_paint(context, fill.transform, &fill.brush, fill.brush_transform);
            context.set_fill_rule(fill.fill);
            context.fill_path(&fill.shape);
        }
        RenderCommand::Stroke(stroke) => {
            set_paint(context, stroke.transform, &stroke.brush, stroke.brush_transform);
            context.set_stroke(stroke.style.clone());
            context.stroke_path(&stroke.shape);
        }
        RenderCommand::GlyphRun(run) => {
            assert!(matches!(run.style, Style::Fill(_) | Style::Stroke(_)))
        }
        RenderCommand::BoxShadow(shadow) => {
            context.set_transform(shadow.transform);
            context.set_paint(PaintType::Solid(shadow.brush));
            context.reset_paint_transform();
            let (radius, deviation) = (shadow.radius as f32, shadow.std_dev as f32);
            context.fill_blurred_rounded_rect(&shadow.rect, radius, deviation, false);
        }
    }
}

fn set_paint(
    context: &mut RenderContext,
    transform: Affine,
    brush: &Paint,
    second: Option<Affine>,
) {
    context.set_transform(transform);
    context.set_paint_transform(second.unwrap_or(Affine::IDENTITY));
    context.set_paint(match brush {
        Paint::Solid(color) => PaintType::Solid(*color),
        Paint::Gradient(gradient) => PaintType::Gradient(gradient.clone()),
        Paint::Image(image) => PaintType::Image(ImageBrush {
            image: vello_cpu::ImageSource::from_peniko_image_data(&image.image),
            sampler: image.sampler,
        }),
        Paint::Resource(_) | Paint::Custom(_) => unreachable!("lists have none"),
    });
}

/// Returns the largest difference of a channel, and the number of differing pixels.
pub fn difference(a: &[u8], b: &[u8]) -> (u8, usize) {
    assert_eq!(a.len(), b.len());
    let most = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
    let pixels = a.chunks(4).zip(b.chunks(4)).filter(|(a, b)| a != b).count();
    (most, pixels)
}
