//! Tests bad input to the Vello crate, which yields a typed error and records nothing.

use treebounds::wgpu;
use treebounds_tests::gpu::device_with;
use treebounds_tests::scenes::{self, Painter};
use treebounds_tests::vello::{difference, pipeline};
use treebounds_vello::{
    Clips, EncodingError, Error, Frame, Options, Pipeline, Sizes, required_limits,
};
use vello::kurbo::{Affine, Circle, Rect, Shape};
use vello::peniko::{
    Blob, Color, Fill, Gradient, ImageAlphaType, ImageBrush, ImageData, ImageFormat,
};
use vello_encoding::{DrawBeginClip, DrawTag, Encoding, Patch, PathTag};

fn small() -> Frame {
    Frame::new(32, 32)
}

fn valid_encoding() -> Encoding {
    scenes::painted(scenes::clip_in_blend_in_clip).encoding().clone()
}

/// Returns the error of rendering an encoding. Checks that the same pipeline still renders afterwards.
fn error_of(encoding: &Encoding, frame: &Frame) -> Error {
    let mut pipeline = pipeline(Clips::Treebounds).unwrap();
    let error = pipeline.render_to_pixels(encoding, frame).unwrap_err();
    pipeline.render_to_pixels(&valid_encoding(), &small()).unwrap();
    error
}

fn encoding_error(change: impl FnOnce(&mut Encoding)) -> EncodingError {
    let mut encoding = valid_encoding();
    change(&mut encoding);
    match error_of(&encoding, &small()) {
        Error::Encoding(error) => error,
        other => panic!("{other}"),
    }
}

#[test]
fn rejects_devices_without_the_features_of_vello() {
    let limits = wgpu::Limits { max_storage_buffers_per_shader_stage: 7, ..required_limits() };
    let weak = device_with(limits);
    let result = Pipeline::new(&weak.device, &weak.queue, &Options::default());
    let what = "max_storage_buffers_per_shader_stage";
    let expected = Error::DeviceLacks { what, needed: 8, has: 7 };
    assert_eq!(result.err(), Some(expected));
    let enough = device_with(required_limits());
    let mut pipeline = Pipeline::new(&enough.device, &enough.queue, &Options::default()).unwrap();
    pipeline.render_to_pixels(&valid_encoding(), &small()).unwrap();
}

/// Returns a small picture of many circles, and thus of many lines and line segments.
fn circles() -> vello::Scene {
    scenes::painted(|scene| {
        for at in 0..300 {
            let circle = Circle::new((128.0, 128.0), 100.0 - f64::from(at) * 0.1).to_path(0.01);
            Painter::fill(scene, &circle, Color::from_rgba8(at as u8, 9, 9, 255));
        }
    })
}

/// Renders on a device with this maximum of workgroups per dispatch.
fn on_a_narrow_device(workgroups: u32, sizes: Sizes) -> Result<(Vec<u8>, Sizes), Error> {
    let limits =
        wgpu::Limits { max_compute_workgroups_per_dimension: workgroups, ..required_limits() };
    let narrow = device_with(limits);
    let options = Options { sizes, ..Options::default() };
    let mut pipeline = Pipeline::new(&narrow.device, &narrow.queue, &options).unwrap();
    let rendered = pipeline.render_to_pixels(circles().encoding(), &Frame::new(256, 256));
    rendered.map(|(pixels, report)| (pixels, report.used))
}

/// The used lines and segments must fit a dispatch; their capacity need not.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn rejects_more_lines_than_fit_a_dispatch() {
    let few = Sizes { lines: 256, segments: 256, ..Sizes::default() };
    let (expected, used) = on_a_narrow_device(65_535, few).unwrap();
    let just = used.lines.max(used.segments).div_ceil(256);
    // On hardware, the order of Vello's lines is not fixed, so the last bit of a few pixels may differ. Lost lines would
    // change many pixels.
    let (count, most) = difference(&on_a_narrow_device(just, few).unwrap().0, &expected);
    assert!(most <= 1 && 1000 * count <= 256 * 256, "{count} pixels differ, by up to {most}");
    let error = on_a_narrow_device(just - 1, Sizes::default()).unwrap_err();
    assert!(matches!(error, Error::TooMany { .. }), "{error}");
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn rejects_more_gradients_than_texture_rows() {
    let weak = device_with(wgpu::Limits { max_texture_dimension_2d: 512, ..required_limits() });
    let mut pipeline = Pipeline::new(&weak.device, &weak.queue, &Options::default()).unwrap();
    let mut render = |gradients: u32| {
        let mut scene = vello::Scene::new();
        let shape = Rect::new(0.0, 0.0, 9.0, 9.0);
        for at in 0..gradients {
            let first = Color::from_rgba8(at as u8, (at / 256) as u8, 1, 255);
            let brush =
                Gradient::new_linear((0.0, 0.0), (9.0, 9.0)).with_stops([first, Color::WHITE]);
            scene.fill(Fill::NonZero, Affine::IDENTITY, &brush, None, &shape);
        }
        pipeline.render_to_pixels(scene.encoding(), &small())
    };
    render(500).unwrap();
    let error = render(600).unwrap_err();
    assert!(matches!(error, Error::TooMany { what: "gradients", .. }), "{error}");
}

fn image() -> ImageBrush {
    ImageBrush::new(ImageData {
        data: Blob::from(vec![255; 16]),
        format: ImageFormat::Rgba8,
        alpha_type: ImageAlphaType::Alpha,
        width: 2,
        height: 2,
    })
}

/// Each side of the first atlas has 1,024 pixels. An image that was rejected once is uploaded the next time.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn rejects_images_too_large_for_a_texture() {
    let weak = device_with(wgpu::Limits { max_texture_dimension_2d: 512, ..required_limits() });
    let mut pipeline = Pipeline::new(&weak.device, &weak.queue, &Options::default()).unwrap();
    let mut scene = vello::Scene::new();
    scene.draw_image(&image(), Affine::IDENTITY);
    for _ in 0..2 {
        let error = pipeline.render_to_pixels(scene.encoding(), &small()).unwrap_err();
        assert!(matches!(error, Error::TooMany { count: 1024, most: 512, .. }), "{error}");
    }
    pipeline.render_to_pixels(&valid_encoding(), &small()).unwrap();
}

/// On a device with small buffers, the spill of nested groups does not fit. The frame ends in an error and is not left
/// blank.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn rejects_frames_too_large_for_device_buffers() {
    let weak =
        device_with(wgpu::Limits { max_storage_buffer_binding_size: 1 << 22, ..required_limits() });
    let scene = scenes::painted(|scene| scenes::groups(scene, 640, 480, 12));
    let render = |clips| {
        let options = Options { clips, ..Options::default() };
        let mut pipeline = Pipeline::new(&weak.device, &weak.queue, &options).unwrap();
        let result = pipeline.render_to_pixels(scene.encoding(), &Frame::new(640, 480));
        // The next frame, a small one, is not affected.
        pipeline.render_to_pixels(&valid_encoding(), &small()).unwrap();
        result
    };
    let error = render(Clips::Treebounds).unwrap_err();
    assert!(matches!(error, Error::TooLarge { what: "blend spill", .. }), "{error}");
    render(Clips::TreeboundsShrink).unwrap();
}

/// A count that contradicts the rest of the encoding, and the change that causes it.
type Miscount = (&'static str, fn(&mut Encoding));

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn rejects_unbalanced_encodings() {
    let error = encoding_error(|encoding| {
        encoding.draw_tags.insert(0, DrawTag::END_CLIP);
        encoding.path_tags.push(PathTag::PATH);
        encoding.n_clips += 1;
        encoding.n_paths += 1;
    });
    assert_eq!(error, EncodingError::NothingOpen { object: 0 });
    let error = encoding_error(|encoding| encoding.draw_tags[1] = DrawTag(0x1f));
    assert_eq!(error, EncodingError::UnknownDrawTag { object: 1, bits: 0x1f });
    let counts: [Miscount; 6] = [
        ("layer begins and ends", |encoding| encoding.n_clips += 2),
        ("open layers", |encoding| encoding.n_open_clips += 1),
        ("paths", |encoding| encoding.encode_begin_clip(DrawBeginClip::clip())),
        ("words of draw data", |encoding| encoding.draw_data.truncate(1)),
        ("words of path data", |encoding| encoding.path_data.truncate(1)),
        ("transforms", |encoding| encoding.transforms.clear()),
    ];
    for (expected, change) in counts {
        let error = encoding_error(change);
        let is_it = matches!(error, EncodingError::Count { what, .. } if what == expected);
        assert!(is_it, "{expected}: {error}");
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn rejects_non_finite_numbers() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let error = encoding_error(|encoding| encoding.path_data[7] = bad.to_bits());
        assert_eq!(error, EncodingError::NotFinite { stream: "path data", word: 7 });
        let error = encoding_error(|encoding| encoding.transforms[0].translation[1] = bad);
        assert_eq!(error, EncodingError::NotFinite { stream: "transforms", word: 5 });
        let error = encoding_error(|encoding| encoding.styles[0].line_width = bad);
        assert_eq!(error, EncodingError::NotFinite { stream: "styles", word: 1 });
    }
}

/// Returns an encoding with five resources, in this order: a gradient, an image, a gradient, and two runs of glyphs.
fn with_resources() -> Encoding {
    let mut scene = vello::Scene::new();
    let square = Rect::new(0.0, 0.0, 9.0, 9.0);
    let stops = [Color::BLACK, Color::WHITE];
    let brush = Gradient::new_linear((0.0, 0.0), (9.0, 9.0)).with_stops(stops);
    scene.fill(Fill::NonZero, Affine::IDENTITY, &brush, None, &square);
    scene.draw_image(&image(), Affine::IDENTITY);
    scene.fill(Fill::NonZero, Affine::IDENTITY, &brush, None, &square);
    for id in [36, 37] {
        let run = scene.draw_glyphs(treebounds_tests::vello::font()).brush(Color::BLACK);
        run.draw(Fill::NonZero, std::iter::once(vello::Glyph { id, x: 0.0, y: 9.0 }));
        scene.fill(Fill::NonZero, Affine::IDENTITY, Color::BLACK, None, &square);
    }
    scene.encoding().clone()
}

/// Changes the position of a resource's draw data.
fn move_to(patch: &mut Patch, place: usize) {
    match patch {
        Patch::Ramp { draw_data_offset, .. } | Patch::Image { draw_data_offset, .. } => {
            *draw_data_offset = place;
        }
        Patch::GlyphRun { .. } => panic!("a run of glyphs has no draw data"),
    }
}

/// Vello's resolver panics on each of these inputs, which were found by fuzzing.
#[test]
#[ignore = "minutes: run with --include-ignored"]
fn rejects_resources_out_of_order() {
    let mut pipeline = pipeline(Clips::Treebounds).unwrap();
    pipeline.render_to_pixels(&with_resources(), &small()).unwrap();
    let refused = |change: &dyn Fn(&mut Encoding)| {
        let mut encoding = with_resources();
        change(&mut encoding);
        let error = treebounds_vello::check(&encoding).unwrap_err();
        assert_eq!(error_of(&encoding, &small()), Error::Encoding(error));
        error
    };
    let order: [&dyn Fn(&mut Encoding); 7] = [
        &|encoding| encoding.resources.patches.swap(0, 1),
        &|encoding| encoding.resources.patches.swap(3, 4),
        &|encoding| move_to(&mut encoding.resources.patches[2], 0),
        &|encoding| move_to(&mut encoding.resources.patches[1], usize::MAX),
        &|encoding| move_to(&mut encoding.resources.patches[0], usize::MAX),
        &|encoding| encoding.resources.glyph_runs[1].stream_offsets.path_tags = usize::MAX,
        &|encoding| encoding.resources.glyph_runs[1].stream_offsets.transforms += 9,
    ];
    for (at, change) in order.into_iter().enumerate() {
        let error = refused(change);
        assert!(matches!(error, EncodingError::Resource { .. }), "{at}: {error}");
    }
    // A run that no resource places, and one placed by two resources.
    let error = refused(&|encoding| encoding.resources.patches.truncate(4));
    assert!(matches!(error, EncodingError::Count { what: "paths", .. }), "{error}");
    let error = refused(&|encoding| {
        let again = encoding.resources.patches[4].clone();
        encoding.resources.patches.push(again);
    });
    assert!(matches!(error, EncodingError::Count { what: "paths", .. }), "{error}");
}
