//! Tests the example `renderer`: a picture with boxes must equal the one without.

use crate::program::Program;
use std::path::Path;
use treebounds::OverlayKind;
use treebounds_report::SceneFile;

fn pixels(path: &Path) -> image::RgbaImage {
    image::open(path).unwrap().to_rgba8()
}

#[test]
fn boxes_change_no_pixel_and_the_readme_picture_is_current() {
    let program = Program::new("renderer");
    let with = program.run(&["--png", "with.png", "--cards", "100"]);
    assert_eq!((with.code, with.stderr.as_str()), (Some(0), ""));
    let without = program.run(&["--png", "without.png", "--cards", "100", "--without"]);
    assert_eq!(without.code, Some(0));
    let [with, without] = ["with.png", "without.png"].map(|name| pixels(&program.path_of(name)));
    assert!(with == without, "boxes change pixels");

    let readme = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/renderer.png");
    let expected = pixels(&readme);
    assert_eq!(with.dimensions(), expected.dimensions());
    // Drivers round sines and exponentials differently.
    let differ = with.as_raw().iter().zip(expected.as_raw()).filter(|(a, b)| a.abs_diff(**b) > 8);
    assert!(differ.count() < expected.as_raw().len() / 500);
}

#[test]
fn the_overlay_changes_only_the_pixels_of_its_lines() {
    let program = Program::new("renderer");
    for (name, boxes) in [("plain.png", None), ("boxes.png", Some("--boxes"))] {
        let arguments = ["--png", name, "--cards", "100"].into_iter().chain(boxes);
        assert_eq!(program.run(&arguments.collect::<Vec<_>>()).code, Some(0));
    }
    let [plain, boxes] = ["plain.png", "boxes.png"].map(|name| pixels(&program.path_of(name)));
    let mut lines = [0; 4];
    for (old, new) in plain.pixels().zip(boxes.pixels()).filter(|(old, new)| old != new) {
        let color = OverlayKind::ALL.iter().position(|kind| kind.color() == new.0[..3]);
        lines[color.unwrap_or_else(|| panic!("{old:?} became {new:?}"))] += 1;
    }
    assert!(lines.iter().all(|pixels| *pixels > 1000), "{lines:?}");
}

#[test]
fn captured_frames_contain_the_places_from_the_gpu() {
    let program = Program::new("renderer");
    let frame = |name: &str, seconds: &str| {
        let run = program.run(&["--scene", name, "--cards", "3", "--seconds", seconds]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let text = std::fs::read_to_string(program.path_of(name)).unwrap();
        SceneFile::from_json(&text).unwrap()
    };
    let [old, new] = [frame("0.scene.json", "0"), frame("1.scene.json", "1")];
    assert_eq!(old.elements.len(), 1 + 3 * 13 + 2);
    assert_eq!(old.elements[2].name.as_deref(), Some("card 1 clip"));
    let moved = old.elements.iter().zip(&new.elements).filter(|(old, new)| old.rect != new.rect);
    assert!(moved.count() > 20, "shapes move");
}

#[test]
fn invalid_sizes_and_folders_are_errors() {
    let program = Program::new("renderer");
    assert_eq!(program.run(&["--png", "a.png", "--cards", "0"]).code, Some(2));
    let run = program.run(&["--png", "no/such/folder.png", "--cards", "1"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("cannot write no/such/folder.png"), "{}", run.stderr);
}
