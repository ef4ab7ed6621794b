//! Pixels of our pipeline against those of Vello's own renderer.
#![allow(clippy::unwrap_used, clippy::panic)]

use treebounds_tests::gpu::one_at_a_time;
use treebounds_tests::vello::{difference, font, pipeline, render_vello, renderer};
use treebounds_vello::scenes::{self, Example};
use treebounds_vello::{Antialiasing, Clips, Frame};
use vello::peniko::Color;

fn frame(example: &Example, antialiasing: Antialiasing) -> Frame {
    let base_color = Color::from_rgba8(255, 255, 255, 255);
    Frame { base_color, antialiasing, ..Frame::new(example.width, example.height) }
}

/// Renders every scene inside Vello's limits both ways and compares.
fn compare(clips: Clips, antialiasing: Antialiasing, check: impl Fn(&str, usize, u8, usize)) {
    let _turn = one_at_a_time();
    let mut vello = renderer(antialiasing);
    let mut ours = pipeline(clips).unwrap();
    for example in scenes::inside_limits(font()) {
        let frame = frame(&example, antialiasing);
        let expected = render_vello(&mut vello, &example.scene, &frame);
        let (found, _) = ours.render_to_pixels(example.scene.encoding(), &frame).unwrap();
        let (count, most) = difference(&found, &expected);
        check(example.name, count, most, expected.len() / 4);
    }
}

fn equal(name: &str, count: usize, most: u8, _pixels: usize) {
    assert_eq!(count, 0, "{name}: {count} pixels differ, by up to {most}");
}

#[test]
fn our_pipeline_with_vellos_clip_stage() {
    compare(Clips::Vello, Antialiasing::Area, equal);
}

#[test]
fn our_clip_stage() {
    compare(Clips::Treebounds, Antialiasing::Area, equal);
}
