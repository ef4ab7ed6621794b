//! `svg_render` as a shell sees it, and its pictures compared with resvg's.

use resvg::tiny_skia::{Color, Pixmap, Transform};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;
use treebounds_encoding::svg;

/// The program, which Cargo builds before it runs all tests of this package.
fn program() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    let name = profile.join("examples").join("svg_render");
    let program = name.with_extension(std::env::consts::EXE_EXTENSION);
    assert!(program.exists(), "{} is missing: cargo build --examples", program.display());
    program
}

fn asset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets").join(name)
}

fn run(folder: &TempDir, file: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(program());
    command.current_dir(folder.path()).arg(file).args(["-o", "out.png", "--scale"]).args(options);
    command.output().unwrap()
}

/// How many of 1000 pixels differ by more than a sixteenth from resvg's picture.
fn differ(folder: &TempDir, name: &str) -> usize {
    let output = run(folder, &asset(name), &["1"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let ours = image::open(folder.path().join("out.png")).unwrap().to_rgba8();
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
    let folder = TempDir::new().unwrap();
    for name in ["nested_clips.svg", "masks.svg", "blends.svg", "opacity.svg", "reuse.svg"] {
        let differ = differ(&folder, name);
        assert!(differ <= 10, "{name}: {differ} of 1000 pixels differ");
    }
}

#[test]
fn the_overlay_and_both_clip_stages_work() {
    let folder = TempDir::new().unwrap();
    let plain = run(&folder, &asset("opacity.svg"), &["1"]);
    let plain = (plain.status.success(), std::fs::read(folder.path().join("out.png")).unwrap());
    for options in [&["1", "--overlay"][..], &["1", "--vello-clips"], &["0.5"]] {
        let output = run(&folder, &asset("opacity.svg"), options);
        let picture = std::fs::read(folder.path().join("out.png")).unwrap();
        assert!(plain.0 && output.status.success(), "{options:?}");
        assert_eq!(picture == plain.1, options == ["1", "--vello-clips"], "{options:?}");
    }
}

#[test]
fn a_file_that_is_no_drawing_is_named() {
    let folder = TempDir::new().unwrap();
    let bad = folder.path().join("bad.svg");
    std::fs::write(&bad, "<svg").unwrap();
    let output = run(&folder, &bad, &["1"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("bad.svg"));
}

#[test]
fn no_picture_of_the_user_is_overwritten_by_default() {
    let folder = TempDir::new().unwrap();
    let drawing = folder.path().join("drawing.svg");
    std::fs::copy(asset("opacity.svg"), &drawing).unwrap();
    std::fs::write(folder.path().join("drawing.png"), "mine").unwrap();
    let mut command = Command::new(program());
    let output = command.current_dir(&folder).arg("drawing.svg").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read(folder.path().join("drawing.png")).unwrap(), b"mine");
    assert!(folder.path().join("drawing.render.png").exists());
    let mut command = Command::new(program());
    let args = ["drawing.svg", "-o", "drawing.svg"];
    let output = command.current_dir(&folder).args(args).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read(&drawing).unwrap(), std::fs::read(asset("opacity.svg")).unwrap());
}

#[test]
fn a_drawing_has_limits_and_its_picture_is_whole_or_not_there() {
    let folder = TempDir::new().unwrap();
    let picture = folder.path().join("out.png");
    std::fs::write(&picture, "old").unwrap();
    let output = run(&folder, &asset("opacity.svg"), &["1", "--max-seconds", "0.001"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with("svg_render: ") && said.contains("--max-seconds"), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_eq!(std::fs::read_to_string(&picture).unwrap(), "old");
}
