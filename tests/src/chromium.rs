//! Runs pages in Chromium, and compares drawings with Chromium's rendering.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where Chromium does not answer")]

use crate::svg::options;
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;
use treebounds_core::{Rect, reference};
use treebounds_encoding::svg::{self, Painter};
use treebounds_report::{Findings, Part};
use treebounds_testkit::chromium::{Browser, WEBGPU};

const PATIENCE: Duration = Duration::from_secs(300);

/// Stores the log of the page.
const KEEP: &str = "globalThis.said = []; console.log = text => said.push(text);";

/// Returns the log lines of a page that begin with `treebounds`, up to the line `treebounds end`.
///
/// # Panics
/// If Chromium does not start, or the page does not end within minutes.
pub fn in_chromium(page: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.html");
    fs::write(&path, format!("<script>{KEEP}</script>{page}")).unwrap();
    let mut browser = Browser::start(800, 600, WEBGPU);
    browser.open(&format!("file://{}", path.display()), "globalThis.said !== undefined");
    browser.wait_for("said.at(-1) === 'treebounds end'", PATIENCE);
    let said: Vec<String> = serde_json::from_value(browser.run("said")).unwrap();
    let lines = said.iter().filter_map(|line| line.strip_prefix("treebounds "));
    lines.filter(|line| *line != "end").map(str::to_owned).collect()
}

const BATCH: usize = 100;

/// The maximum side of a compared drawing, in pixels.
const SIDE_MAX: f32 = 1500.0;

/// A drawing and its boxes, as JSON for the page.
#[derive(Serialize)]
struct Sheet {
    text: String,
    width: f32,
    height: f32,
    /// The landings of its draws and of filters that fill their clips.
    boxes: Vec<[f32; 4]>,
    /// The visible box of each painted object with its own id; `None` if nothing of it is visible.
    ids: Vec<(String, Option<[f32; 4]>)>,
}

/// Chromium's rendering of a drawing, compared with the boxes.
#[derive(Debug, Deserialize)]
pub struct Seen {
    /// The number of painted pixels more than one pixel away from all boxes.
    pub outside: u32,
    /// The number of compared objects with an id.
    pub ids: u32,
    /// Descriptions of objects that are off by more than half a pixel.
    pub off: Vec<String>,
}

/// Paints drawings in Chromium and compares them with their boxes. Skips files that are not drawings, very large drawings,
/// and drawings with notes, which list differences from browsers.
///
/// # Panics
/// For the reasons of [`in_chromium`], or if a file cannot be read.
pub fn compare(files: &[PathBuf]) -> Vec<(PathBuf, Seen)> {
    let sheets: Vec<_> = files.iter().filter_map(|file| Some((file, sheet(file)?))).collect();
    let mut out = Vec::new();
    for batch in sheets.chunks(BATCH) {
        let all: Vec<&Sheet> = batch.iter().map(|(_, sheet)| sheet).collect();
        let all = serde_json::to_string(&all)
            .unwrap()
            .replace("</", "<\\/")
            .replace("<!--", "<\\u0021--");
        let script = include_str!("chromium.js");
        let said = in_chromium(&format!(
            "<meta charset=utf-8><script type=module>const sheets = {all};\n{script}</script>"
        ));
        assert_eq!(said.len(), batch.len(), "{said:?}");
        for ((file, _), line) in batch.iter().zip(said) {
            let seen =
                serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
            out.push(((*file).clone(), seen));
        }
    }
    out
}

fn sheet(file: &Path) -> Option<Sheet> {
    let text = fs::read_to_string(file).ok()?;
    let drawing = svg::encode(text.as_bytes(), &options(file).painter(Painter::Exact)).ok()?;
    let scene = &drawing.scene;
    let is_small = scene.width.max(scene.height) <= SIDE_MAX;
    if !is_small || !scene.notes.is_empty() {
        return None;
    }
    let bounds = reference::bounds(&scene.stream);
    let landings = reference::landings(&scene.stream, &bounds);
    let tags = scene.stream.tags().iter();
    let painted = tags.zip(landings).filter(|(tag, _)| !tag.is_marker() || tag.is_filling());
    let boxes = painted.filter(|(_, rect)| !rect.is_empty()).map(|(_, rect)| rect.to_array());
    let findings = Findings::new(scene, &bounds).ok()?.of(&drawing.document).ok()?;
    let edges = |rect: Rect| (!rect.is_empty()).then(|| rect.to_array());
    let rows = findings.objects().into_iter().filter(|row| row.part == Part::Painted);
    let ids = rows.filter_map(|row| Some((row.id?.into_owned(), edges(row.bounds)))).collect();
    let (width, height) = (scene.width, scene.height);
    Some(Sheet { text, width, height, boxes: boxes.collect(), ids })
}
