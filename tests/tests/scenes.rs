//! Real scenes: the GPU gives the reference's answer for every asset, and for
//! every file of the folder in `TREEBOUNDS_SVG_CORPUS`.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::path::{Path, PathBuf};
use treebounds::{Options, Stage};
use treebounds_core::reference;
use treebounds_encoding::svg;
use treebounds_tests::gpu::{gpu, one_at_a_time};
use treebounds_tests::svg::{files, options};

/// How many of the files are scenes; the rest is refused with a clear error.
fn check(files: &[PathBuf]) -> usize {
    let _turn = one_at_a_time();
    let stage = Stage::new(&gpu().device, &Options::default()).unwrap();
    let mut scenes = 0;
    for file in files {
        let data = std::fs::read(file).unwrap();
        let Ok(drawing) = svg::encode(&data, &options(file)) else { continue };
        let stream = &drawing.scene.stream;
        let gpu = stage.compute(&gpu().queue, stream).unwrap();
        assert!(gpu == reference::bounds(stream), "{}: GPU and CPU differ", file.display());
        scenes += 1;
    }
    scenes
}

#[test]
fn every_asset_is_a_scene_and_both_backends_agree() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets");
    let files = files(&folder);
    assert!(files.len() >= 12, "{} assets", files.len());
    assert_eq!(check(&files), files.len());
}

/// Without the variable there is no corpus; the test of the assets above holds
/// on its own.
#[test]
fn both_backends_agree_on_the_corpus() {
    if let Some(folder) = std::env::var_os("TREEBOUNDS_SVG_CORPUS") {
        let files = files(Path::new(&folder));
        assert!(check(&files) > 0, "{} files, and none is a scene", files.len());
    }
}
