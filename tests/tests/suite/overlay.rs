//! Tests the pixels of the overlay's lines against a painter that fills them one by one.

use treebounds::{
    Capacity, Error, Inputs, Overlay, OverlayBindings, OverlayDescriptor, OverlayJob, OverlayKind,
    OverlayView, Params, Stage, StageDescriptor, capture, wgpu,
};
use treebounds_core::{Footprint, NodeKind, Rect, Role, Stream, StreamBuilder, Tag};
use treebounds_tests::bound::Bound;
use treebounds_tests::gpu::{buffer, device_with, gpu, read, whole};
use wgpu::{BufferUsages, TextureFormat, TextureUsages};

const SIZE: [u32; 2] = [64, 48];
const ALL: std::ops::Range<u32> = 0..u32::MAX;
const SEEN: [OverlayKind; 3] = [OverlayKind::Draw, OverlayKind::Clip, OverlayKind::Layer];

/// A picture: the colour of each pixel as red, green, blue; black if nothing is drawn there.
type Pixels = Vec<[u8; 3]>;

/// Paints the lines of these elements, for transforms that scale and translate.
fn painted(stream: &Stream, boxes: &[Rect], view: &OverlayView<'_>, range: &[usize]) -> Pixels {
    let mut pixels = vec![[0; 3]; (SIZE[0] * SIZE[1]) as usize];
    for &element in range {
        let (tag, seen) = (stream.tags()[element], boxes[element]);
        if tag.role() == Role::End || tag.is_spread() {
            continue;
        }
        let own = match stream.rects()[element] {
            Rect::EVERYTHING => Rect::NOTHING,
            rect => rect.intersect(stream.viewport()),
        };
        let node = tag.node_kind();
        let lines = [
            (OverlayKind::Draw, node.is_none(), seen, 0),
            (OverlayKind::Clip, tag.bits() & Tag::CLIP != 0, seen, 2),
            (OverlayKind::Layer, tag.bits() & Tag::BLEND != 0, seen, 4),
            (OverlayKind::Culled, seen.is_empty(), own, 0),
        ];
        for (kind, is_of_kind, rect, gap) in lines {
            if is_of_kind && view.kinds.contains(&kind) && !rect.is_empty() {
                lines_of(&mut pixels, kind, &place(rect, view), gap);
            }
        }
    }
    pixels
}

/// Returns left, top, right and bottom in the target.
fn place(rect: Rect, view: &OverlayView<'_>) -> [i32; 4] {
    let [a, _, _, d, e, f] = view.transform;
    let edge = |scale: f32, moved: f32, at: f32| (scale * at + moved).round() as i32;
    [edge(a, e, rect.x0), edge(d, f, rect.y0), edge(a, e, rect.x1), edge(d, f, rect.y1)]
}

fn lines_of(pixels: &mut Pixels, kind: OverlayKind, place: &[i32; 4], gap: i32) {
    let [width, height] = SIZE.map(|side| side as i32);
    let out = |room: i32| if room < 0 { gap + 1 } else { room.min(gap + 1) };
    let &[left, top, right, bottom] = place;
    let (x0, y0) = (left - out(left), top - out(top));
    let (x1, y1) = (right + out(width - right), bottom + out(height - bottom));
    let mut put = |x: i32, y: i32, along: i32| {
        let is_dash = match kind {
            OverlayKind::Clip => along % 15 < 9,
            OverlayKind::Layer => along % 6 < 3,
            _ => true,
        };
        if is_dash && (0..width).contains(&x) && (0..height).contains(&y) {
            pixels[(y * width + x) as usize] = kind.color();
        }
    };
    (x0..x1).for_each(|x| [y0, y1 - 1].into_iter().for_each(|y| put(x, y, x - x0)));
    (y0..y1).for_each(|y| [x0, x1 - 1].into_iter().for_each(|x| put(x, y, y - y0)));
    let side = right - left;
    if kind == OverlayKind::Culled && side >= 6 {
        assert_eq!(side, bottom - top, "tests cross out squares");
        (0..side).for_each(|at| put(left + at, top + at, 0));
        (0..side).for_each(|at| put(left + at, bottom - 1 - at, 0));
    }
}

/// Runs a stage's job on a stream.
fn run(stream: &Stream) -> Bound {
    let descriptor = StageDescriptor { filter_depth: 2, landings: true, ..Default::default() };
    let stage = Stage::new(&gpu().device, &descriptor).unwrap();
    let bound = Bound::new(&stage, Capacity::of(stream)).unwrap();
    bound.run(stream);
    bound
}

fn boxes_of(bound: &Bound, stream: &Stream) -> Vec<Rect> {
    read(bound.outputs.landings.as_ref().unwrap_or(&bound.outputs.boxes), stream.len())
}

fn job(bound: &Bound, descriptor: &OverlayDescriptor<'_>, elements: u32) -> OverlayJob {
    let overlay = Overlay::new(&gpu().device, descriptor).unwrap();
    overlay.bind(&OverlayBindings::new(&bound.inputs, &bound.outputs), elements).unwrap()
}

/// Draws into a black target of the descriptor's format.
fn draw_overlay(
    descriptor: &OverlayDescriptor<'_>,
    job: &OverlayJob,
    view: &OverlayView<'_>,
    range: std::ops::Range<u32>,
) -> Pixels {
    let (device, queue) = (&gpu().device, &gpu().queue);
    let texture = |format, sample_count| {
        device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { width: SIZE[0], height: SIZE[1], depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: match sample_count {
                1 => TextureUsages::RENDER_ATTACHMENT | TextureUsages::COPY_SRC,
                _ => TextureUsages::RENDER_ATTACHMENT,
            },
            view_formats: &[],
        })
    };
    let &OverlayDescriptor { format, sample_count, depth_stencil, .. } = descriptor;
    let target = texture(format, 1);
    let target_view = target.create_view(&Default::default());
    let samples = texture(format, sample_count).create_view(&Default::default());
    let depth = depth_stencil.map(|format| {
        let samples = if sample_count == 1 { 1 } else { sample_count };
        texture(format, samples).create_view(&Default::default())
    });
    let is_resolved = sample_count > 1;
    job.set_view(queue, view);
    let mut encoder = device.create_command_encoder(&Default::default());
    let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: if is_resolved { &samples } else { &target_view },
            depth_slice: None,
            resolve_target: is_resolved.then_some(&target_view),
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                store: wgpu::StoreOp::Store,
            },
        })],
        depth_stencil_attachment: depth.as_ref().map(|view| {
            wgpu::RenderPassDepthStencilAttachment {
                view,
                // A pipeline with a depth test would draw nothing.
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }
        }),
        ..Default::default()
    });
    job.draw(&mut pass, range);
    drop(pass);
    let bytes =
        buffer(u64::from(4 * SIZE[0] * SIZE[1]), BufferUsages::COPY_DST | BufferUsages::COPY_SRC);
    let layout = wgpu::TexelCopyBufferLayout {
        offset: 0,
        bytes_per_row: Some(4 * SIZE[0]),
        rows_per_image: None,
    };
    let to = wgpu::TexelCopyBufferInfo { buffer: &bytes, layout };
    encoder.copy_texture_to_buffer(target.as_image_copy(), to, target.size());
    queue.submit([encoder.finish()]);
    let is_bgra = format.remove_srgb_suffix() == TextureFormat::Bgra8Unorm;
    let pixels = read::<[u8; 4]>(&bytes, (SIZE[0] * SIZE[1]) as usize);
    pixels.iter().map(|&[r, g, b, _]| if is_bgra { [b, g, r] } else { [r, g, b] }).collect()
}

/// Compares pictures, and prints both if they differ.
fn check(found: &Pixels, expected: &Pixels, about: &str) {
    assert!(expected.iter().any(|pixel| *pixel != [0; 3]), "{about}: no line is expected");
    let art = |pixels: &Pixels| {
        let letter = |pixel: &[u8; 3]| match OverlayKind::ALL
            .iter()
            .find(|one| one.color() == *pixel)
        {
            Some(kind) => format!("{kind:?}").chars().next().unwrap_or('?').to_ascii_lowercase(),
            None if *pixel == [0; 3] => '.',
            None => '?',
        };
        let rows = pixels.chunks(SIZE[0] as usize);
        rows.map(|row| row.iter().map(letter).collect::<String>() + "\n").collect::<String>()
    };
    assert!(found == expected, "{about}, found:\n{}expected:\n{}", art(found), art(expected));
}

fn plain_descriptor(format: TextureFormat) -> OverlayDescriptor<'static> {
    OverlayDescriptor::new(format)
}

/// Returns a layer, a clip that is a layer, a culled draw, an element beyond the canvas, and ends without a
/// begin.
fn scene() -> Stream {
    let rect = Rect::new;
    let begin = Tag::begin;
    let elements = [
        (Tag::end(NodeKind::Clip), Rect::NOTHING),
        (Tag::DRAW, rect(0.0, 0.0, 64.0, 48.0)),
        (begin(NodeKind::Blend), Rect::EVERYTHING),
        (begin(NodeKind::ClipBlend), rect(10.0, 8.0, 50.0, 30.0)),
        (Tag::DRAW, rect(4.0, 12.2, 30.0, 25.7)),
        (Tag::DRAW, rect(30.0, 32.0, 42.0, 44.0)),
        (Tag::DRAW, rect(90.0, 0.0, 99.0, 9.0)),
        (Tag::end(NodeKind::ClipBlend), Rect::NOTHING),
        (Tag::end(NodeKind::Blend), Rect::NOTHING),
        (begin(NodeKind::Blend), Rect::EVERYTHING),
        (Tag::end(NodeKind::Blend), Rect::NOTHING),
        (begin(NodeKind::Clip), rect(52.0, 34.0, 60.0, 44.0)),
        (Tag::DRAW, rect(50.0, 30.0, 58.0, 40.0)),
    ];
    let (tags, rects) = elements.into_iter().unzip();
    Stream::new(tags, rects, rect(0.0, 0.0, 64.0, 48.0)).unwrap()
}

#[test]
fn lines_surround_the_boxes() {
    let stream = scene();
    let bound = run(&stream);
    let (boxes, n) = (boxes_of(&bound, &stream), stream.len());
    let all: Vec<usize> = (0..n).collect();
    let view = OverlayView::new(SIZE);
    let expected = painted(&stream, &boxes, &view, &all);
    for kind in OverlayKind::ALL {
        assert!(expected.contains(&kind.color()), "the scene shows no {kind:?}");
    }
    for format in [TextureFormat::Rgba8Unorm, TextureFormat::Bgra8UnormSrgb] {
        let depth_stencil = Some(TextureFormat::Depth32Float);
        for descriptor in [
            plain_descriptor(format),
            OverlayDescriptor { depth_stencil, ..plain_descriptor(format) },
        ] {
            let job = job(&bound, &descriptor, n as u32);
            check(
                &draw_overlay(&descriptor, &job, &view, ALL),
                &expected,
                &format!("{descriptor:?}"),
            );
        }
        let descriptor = OverlayDescriptor { sample_count: 4, ..plain_descriptor(format) };
        let job = job(&bound, &descriptor, n as u32);
        // All lines are on whole pixels, except for the diagonals of culled boxes.
        let view = OverlayView { kinds: &SEEN, ..view };
        let expected = painted(&stream, &boxes, &view, &all);
        check(&draw_overlay(&descriptor, &job, &view, ALL), &expected, &format!("{descriptor:?}"));
    }
}

#[test]
fn hosts_choose_kinds_ranges_and_transforms() {
    let stream = scene();
    let bound = run(&stream);
    let (boxes, n) = (boxes_of(&bound, &stream), stream.len());
    let descriptor = plain_descriptor(TextureFormat::Rgba8Unorm);
    let job = job(&bound, &descriptor, n as u32);
    let all: Vec<usize> = (0..n).collect();
    for kind in OverlayKind::ALL {
        let view = OverlayView { kinds: &[kind], ..OverlayView::new(SIZE) };
        let expected = painted(&stream, &boxes, &view, &all);
        check(&draw_overlay(&descriptor, &job, &view, ALL), &expected, &format!("{kind:?}"));
    }
    // Draws only a layer, from its begin to its end, and then only the last elements.
    let view = OverlayView::new(SIZE);
    check(
        &draw_overlay(&descriptor, &job, &view, 3..8),
        &painted(&stream, &boxes, &view, &all[3..8]),
        "3..8",
    );
    check(
        &draw_overlay(&descriptor, &job, &view, 11..999),
        &painted(&stream, &boxes, &view, &all[11..]),
        "11..",
    );
    assert_eq!(
        draw_overlay(&descriptor, &job, &view, 99..999),
        vec![[0; 3]; (SIZE[0] * SIZE[1]) as usize]
    );
    for transform in [
        [1.0, 0.0, 0.0, 1.0, 5.0, -3.0],
        [0.5, 0.0, 0.0, 0.5, 20.25, 9.5],
        [2.0, 0.0, 0.0, 2.0, -30.0, -20.0],
    ] {
        let view = OverlayView { transform, ..view };
        let expected = painted(&stream, &boxes, &view, &all);
        check(&draw_overlay(&descriptor, &job, &view, ALL), &expected, &format!("{transform:?}"));
    }
    // Degenerate transforms draw nothing.
    for transform in [[0.0; 6], [f32::NAN, 0.0, 0.0, 1.0, 0.0, 0.0], [1.0, 1.0, 1.0, 1.0, 0.0, 0.0]]
    {
        let view = OverlayView { transform, ..view };
        assert!(
            draw_overlay(&descriptor, &job, &view, ALL).iter().all(|pixel| *pixel == [0; 3]),
            "{transform:?}"
        );
    }
}

/// A quarter turn moves the lines exactly like the picture; an eighth turn keeps them near the edges.
#[test]
fn rotated_boxes_have_rotated_lines() {
    let mut scene = StreamBuilder::new(Rect::new(0.0, 0.0, 64.0, 48.0));
    scene.draw(Rect::new(10.0, 6.0, 30.0, 18.0)).unwrap();
    let stream = scene.finish().unwrap();
    let bound = run(&stream);
    let descriptor = plain_descriptor(TextureFormat::Rgba8Unorm);
    let job = job(&bound, &descriptor, 1);
    let view =
        OverlayView { transform: [0.0, 1.0, -1.0, 0.0, 40.0, 0.0], ..OverlayView::new(SIZE) };
    let turned = [Rect::new(22.0, 10.0, 34.0, 30.0)];
    let upright = OverlayView::new(SIZE);
    check(
        &draw_overlay(&descriptor, &job, &view, ALL),
        &painted(&stream, &turned, &upright, &[0]),
        "turned",
    );
    let part = std::f32::consts::FRAC_1_SQRT_2;
    let view = OverlayView { transform: [part, part, -part, part, 25.0, 4.0], ..view };
    let found = draw_overlay(&descriptor, &job, &view, ALL);
    let mut lines = 0;
    for (at, pixel) in (0..).zip(&found).filter(|(_, pixel)| **pixel != [0; 3]) {
        assert_eq!(*pixel, OverlayKind::Draw.color());
        let (x, y) = ((at % SIZE[0]) as f32 + 0.5 - 25.0, (at / SIZE[0]) as f32 + 0.5 - 4.0);
        let (x, y) = (part * (x + y), part * (y - x));
        let out = [10.0 - x, x - 30.0, 6.0 - y, y - 18.0].into_iter().fold(f32::MIN, f32::max);
        assert!((-0.01..=1.01).contains(&out), "({x}, {y}) is {out} outside");
        lines += 1;
    }
    // The edges of the box are 66 pixels long in total.
    assert!((55..=80).contains(&lines), "{lines} pixels");
}

#[test]
fn boxes_inside_filters_are_drawn_at_their_landings() {
    let mut scene = StreamBuilder::new(Rect::new(0.0, 0.0, 64.0, 48.0));
    scene.begin_spread(Footprint::new(20.0, 10.0, 22.0, 12.0).unwrap()).unwrap();
    scene.draw(Rect::new(4.0, 4.0, 14.0, 14.0)).unwrap();
    scene.end().unwrap();
    let stream = scene.finish().unwrap();
    let bound = run(&stream);
    let boxes = [Rect::NOTHING, Rect::new(24.0, 14.0, 36.0, 26.0), Rect::NOTHING];
    let (descriptor, view) = (plain_descriptor(TextureFormat::Rgba8Unorm), OverlayView::new(SIZE));
    let found = draw_overlay(&descriptor, &job(&bound, &descriptor, 3), &view, ALL);
    check(&found, &painted(&stream, &boxes, &view, &[1]), "landing");
}

/// The GPU provides the count, and the buffers contain noise past it.
#[test]
fn elements_past_the_count_or_the_capacity_draw_nothing() {
    let stream = scene();
    let bound = run(&stream);
    let (boxes, n) = (boxes_of(&bound, &stream), stream.len());
    let (descriptor, view) = (plain_descriptor(TextureFormat::Rgba8Unorm), OverlayView::new(SIZE));
    let small = job(&bound, &descriptor, 5);
    let all: Vec<usize> = (0..n).collect();
    check(
        &draw_overlay(&descriptor, &small, &view, ALL),
        &painted(&stream, &boxes, &view, &all[..5]),
        "5",
    );
    let all_job = job(&bound, &descriptor, n as u32);
    let params =
        Params { elements: 7, viewport: stream.viewport().to_array(), ..Params::default() };
    gpu().queue.write_buffer(&bound.inputs.params, 0, bytemuck::bytes_of(&params));
    check(
        &draw_overlay(&descriptor, &all_job, &view, ALL),
        &painted(&stream, &boxes, &view, &all[..7]),
        "7",
    );
}

#[test]
fn colors_match_the_report() {
    let source = include_str!("../../../crates/treebounds_report/src/marks.rs");
    for kind in OverlayKind::ALL {
        let [red, green, blue] = kind.color();
        let line = format!("Self::{kind:?} => \"#{red:02x}{green:02x}{blue:02x}\"");
        assert!(source.contains(&line), "{line}");
    }
}

#[test]
fn rejects_unsuitable_targets_and_ranges() {
    let device = &gpu().device;
    for format in [TextureFormat::Rgba8Uint, TextureFormat::Depth32Float] {
        let found = Overlay::new(device, &plain_descriptor(format)).unwrap_err();
        assert_eq!(found, Error::TargetFormat { format });
    }
    let three =
        OverlayDescriptor { sample_count: 3, ..plain_descriptor(TextureFormat::Rgba8Unorm) };
    let found = Overlay::new(device, &three).unwrap_err();
    assert!(matches!(&found, Error::Kernel { kernel: "overlay", .. }), "{found}");
    let without = wgpu::Limits { max_storage_buffers_per_shader_stage: 2, ..Default::default() };
    let found =
        Overlay::new(&device_with(without).device, &plain_descriptor(TextureFormat::Rgba8Unorm));
    assert!(matches!(found, Err(Error::DeviceLacks { needed: 3, has: 2, .. })), "{found:?}");

    let overlay = Overlay::new(device, &plain_descriptor(TextureFormat::Rgba8Unorm)).unwrap();
    let bound = run(&scene());
    let frame = OverlayBindings::new(&bound.inputs, &bound.outputs);
    let found = overlay.bind(&frame, 1000).unwrap_err();
    assert!(matches!(found, Error::BufferTooSmall { buffer: "tags", .. }), "{found}");
    let index = buffer(1 << 10, BufferUsages::INDEX);
    let wrong = OverlayBindings { boxes: whole(&index), ..frame.clone() };
    let found = overlay.bind(&wrong, 4).unwrap_err();
    assert!(matches!(found, Error::BufferUsage { buffer: "boxes", .. }), "{found}");
    let wrong = OverlayBindings { boxes: frame.rects.clone(), ..frame };
    assert!(matches!(overlay.bind(&wrong, 4), Err(Error::Overlap { .. })));
}

#[test]
fn failed_captures_report_the_reason() {
    let (device, queue) = (&gpu().device, &gpu().queue);
    let stream = scene();
    let inputs = Inputs::new(device, Capacity::of(&stream)).unwrap();
    inputs.write(queue, &stream).unwrap();
    assert_eq!(capture(device, queue, &inputs).unwrap(), stream);
    queue.write_buffer(&inputs.tags, 8, &0x77_u32.to_le_bytes());
    let found = capture(device, queue, &inputs).unwrap_err().to_string();
    assert!(found.contains("element 2 has the invalid tag 0x77"), "{found}");
    let sealed = Inputs { rects: buffer(1 << 10, BufferUsages::STORAGE), ..inputs };
    let found = capture(device, queue, &sealed).unwrap_err();
    assert!(matches!(found, Error::BufferUsage { buffer: "rects", .. }), "{found}");
}
