//! Tests real scenes on the GPU against the reference: every asset, and in an ignored test every file in the folder
//! `TREEBOUNDS_SVG_CORPUS`.

use std::path::PathBuf;
use treebounds::{Stage, StageDescriptor};
use treebounds_core::reference;
use treebounds_encoding::svg;
use treebounds_tests::gpu::gpu;
use treebounds_tests::svg::{assets, corpus, options};

/// Checks the files and returns the number of scenes. The other files are rejected with a clear error.
fn check(files: &[PathBuf]) -> usize {
    let descriptor = StageDescriptor { filter_depth: 16, ..Default::default() };
    let stage = Stage::new(&gpu().device, &descriptor).unwrap();
    let mut scenes = 0;
    for file in files {
        let data = std::fs::read(file).unwrap();
        let Ok(drawing) = svg::encode(&data, &options(file)) else { continue };
        let stream = &drawing.scene.stream;
        scenes += 1;
        let is_equal = stage.compute(&gpu().queue, stream).unwrap() == reference::bounds(stream);
        assert!(is_equal, "{}: GPU and CPU differ", file.display());
    }
    scenes
}

#[test]
fn every_asset_has_the_same_bounds_on_both_backends() {
    let assets = assets();
    assert_eq!(check(&assets), assets.len(), "an asset is no scene");
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn every_scene_of_a_corpus_has_the_same_bounds_on_both_backends() {
    let files = corpus();
    assert!(check(&files) > 0, "{} files, and none is a scene", files.len());
}
