//! `svg_render` as a shell sees it, and its pictures compared with resvg's.

use crate::program::{Program, Run};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use std::path::{Path, PathBuf};
use treebounds_encoding::svg;

fn asset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets").join(name)
}

fn run(program: &Program, file: &Path, options: &[&str]) -> Run {
    let file = file.to_str().unwrap();
    program.run(&[&[file, "-o", "out.png", "--scale"], options].concat())
}

/// How many of 1000 pixels differ by more than a sixteenth from resvg's picture.
fn differ(program: &Program, name: &str) -> usize {
    let done = run(program, &asset(name), &["1"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    let ours = image::open(program.path_of("out.png")).unwrap().to_rgba8();
    let data = std::fs::read(asset(name)).unwrap();
    let drawing = svg::encode(&data, &svg::Options::default()).unwrap();
    let mut theirs = Pixmap::new(ours.width(), ours.height()).unwrap();
    theirs.fill(Color::WHITE);
    resvg::render(&drawing.tree, Transform::identity(), &mut theirs.as_mut());
    let theirs = theirs.data();
    assert_eq!(ours.as_raw().len(), theirs.len(), "{name}");
    let pixels = ours.as_raw().chunks_exact(4).zip(theirs.chunks_exact(4));
    let far = pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 16));
    far.count() * 4000 / theirs.len()
}

/// Fills, gradients, groups, clips and masks: but for edges, where each renderer
/// has its own way to smooth.
#[test]
fn pictures_are_those_of_resvg() {
    let program = Program::new("svg_render");
    for name in ["nested_clips.svg", "masks.svg", "blends.svg", "opacity.svg", "reuse.svg"] {
        let differ = differ(&program, name);
        assert!(differ <= 10, "{name}: {differ} of 1000 pixels differ");
    }
}

#[test]
fn the_overlay_and_both_clip_stages_work() {
    let program = Program::new("svg_render");
    let picture = |options: &[&str]| {
        let done = run(&program, &asset("opacity.svg"), options);
        assert_eq!(done.code, Some(0), "{options:?}: {}", done.stderr);
        std::fs::read(program.path_of("out.png")).unwrap()
    };
    let plain = picture(&["1"]);
    assert!(picture(&["1", "--vello-clips"]) == plain, "the same picture by Vello's clip stage");
    assert!(picture(&["1", "--overlay"]) != plain && picture(&["0.5"]) != plain);
}

#[test]
fn a_file_that_is_no_drawing_is_named() {
    let program = Program::new("svg_render");
    std::fs::write(program.path_of("bad.svg"), "<svg").unwrap();
    program.fails(&["bad.svg"], &["bad.svg"]);
}

#[test]
fn no_picture_of_the_user_is_overwritten_by_default() {
    let program = Program::new("svg_render");
    let drawing = program.path_of("drawing.svg");
    std::fs::copy(asset("opacity.svg"), &drawing).unwrap();
    std::fs::write(program.path_of("drawing.png"), "mine").unwrap();
    let done = program.run(&["drawing.svg"]);
    assert_eq!(done.code, Some(0), "{}", done.stderr);
    assert_eq!(std::fs::read(program.path_of("drawing.png")).unwrap(), b"mine");
    assert!(program.path_of("drawing.render.png").exists());
    assert_eq!(program.run(&["drawing.svg", "-o", "drawing.svg"]).code, Some(2));
    assert_eq!(std::fs::read(&drawing).unwrap(), std::fs::read(asset("opacity.svg")).unwrap());
}

#[test]
fn a_drawing_has_limits_and_its_picture_is_whole_or_not_there() {
    let program = Program::new("svg_render");
    let picture = program.path_of("out.png");
    std::fs::write(&picture, "old").unwrap();
    let file = asset("opacity.svg");
    let args = [file.to_str().unwrap(), "-o", "out.png", "--max-seconds", "0.001"];
    program.fails(&args, &["--max-seconds"]);
    assert_eq!(std::fs::read_to_string(&picture).unwrap(), "old");
}
