//! Random display lists, and their painters.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::panic)]

pub mod edits;
pub mod paint;
pub mod spy;

use anyrender::recording::Scene;
use kurbo::Rect;
use peniko::{Blob, FontData, ImageData};
use std::collections::BTreeMap;
use std::io::Read;
use treebounds_anyrender::{Options, Report, Workspace};
use treebounds_testkit::lists::image_of;
use treebounds_testkit::recorded::{self, Recorded};

/// Optimizes a list in a new workspace, and returns it with the report.
pub fn optimized(scene: &Scene, viewport: Rect, options: &Options) -> (Scene, Report) {
    let mut scene = scene.clone();
    let report = Workspace::new().optimize(&mut scene, viewport, options).unwrap();
    (scene, report)
}

/// Returns the page changes that Blitz recorded, each with its name.
pub fn recordings() -> Vec<(String, Recorded)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/recorded");
    let mut all: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    all.sort();
    let read = |path: std::path::PathBuf| {
        let mut text = String::new();
        let file = std::fs::File::open(&path).unwrap();
        flate2::read::GzDecoder::new(file).read_to_string(&mut text).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        let name = name.trim_end_matches(".txt.gz").replace('_', " ");
        let recorded = recorded::read(&text, font_of, striped).unwrap_or_else(|| panic!("{name}"));
        assert_eq!(recorded::write(&recorded).as_ref(), Ok(&text), "{name}");
        (name, recorded)
    };
    all.into_iter().map(read).collect()
}

/// Returns the font whose file has this length. Each call creates a new font, because a list may
/// have two.
fn font_of(length: usize) -> FontData {
    let fonts = [dejavu::sans::regular(), dejavu::sans::bold()];
    let bytes = fonts.into_iter().find(|font| font.len() == length);
    FontData::new(Blob::from(bytes.unwrap_or_else(|| panic!("{length} bytes")).to_vec()), 0)
}

fn striped(size: [u32; 2]) -> ImageData {
    let width = size[0];
    image_of(size, |x, y| [x as u8, y as u8, ((width * y + x) % 7 * 30) as u8, 255])
}

/// The total counts of several reports.
#[derive(Debug, Default)]
pub struct Sums(pub BTreeMap<&'static str, usize>);

impl Sums {
    pub fn add(&mut self, report: &Report) {
        let layers =
            [("layers before", report.before.layers), ("layers after", report.after.layers)];
        for (name, count) in layers.into_iter().chain(report.counts()) {
            *self.0.entry(name).or_default() += count;
        }
    }

    pub fn of(&self, name: &str) -> usize {
        self.0[name]
    }
}
