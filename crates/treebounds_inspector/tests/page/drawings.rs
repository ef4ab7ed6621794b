//! Drawings and reports for the tests.
#![allow(clippy::unwrap_used, dead_code)]

use std::path::{Path, PathBuf};
use treebounds_core::{NodeKind, Rect, StreamBuilder, reference};
use treebounds_encoding::svg::{self, Drawing, Options, SvgError};
use treebounds_report::{Backend, Findings, Origin, Report, Scene};
use treebounds_testkit::Rng;

pub(crate) fn asset(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets").join(name)
}

/// Lists the `.svg` and `.svgz` files in the folder and its subfolders, sorted.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "svg" || extension == "svgz")
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

pub(crate) fn read(data: &[u8]) -> Result<Drawing, SvgError> {
    svg::encode(data, &Options::default())
}

pub(crate) fn text_of(data: &[u8]) -> String {
    usvg_guard::text(data, &usvg_guard::Limits::default()).unwrap()
}

pub(crate) fn report(scene: &Scene, source: &str) -> String {
    let bounds = reference::bounds(&scene.stream);
    json(&Findings::new(scene, &bounds).unwrap(), source)
}

pub(crate) fn report_of(drawing: &Drawing, source: &str) -> String {
    let bounds = reference::bounds(&drawing.scene.stream);
    let findings = Findings::new(&drawing.scene, &bounds).unwrap();
    json(&findings.of(&drawing.document).unwrap(), source)
}

fn json(findings: &Findings<'_>, source: &str) -> String {
    let mut json = Vec::new();
    Report::new(findings, Backend::Cpu, source).write_json(&mut json).unwrap();
    String::from_utf8(json).unwrap()
}

pub(crate) fn report_on(text: &str) -> String {
    report_of(&read(text.as_bytes()).unwrap(), "drawing.svg")
}

pub(crate) fn measured(text: &str) -> String {
    treebounds_report::standalone(&read(text.as_bytes()).unwrap().tree).unwrap()
}

pub(crate) fn svg(body: &str) -> String {
    format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100">{body}</svg>"#)
}

/// Builds a random scene of about `elements` elements: nested draws, clips and layers, most of them
/// visible.
pub(crate) fn made(elements: usize) -> Scene {
    let side = 2000.0;
    let mut rng = Rng::new(1);
    let mut stream = StreamBuilder::new(Rect::new(0.0, 0.0, side, side));
    let mut origins = Vec::new();
    // The centre and half the side of each open node.
    let mut open = vec![([side / 2.0; 2], side / 2.0)];
    while stream.len() + stream.depth() < elements {
        let (around, reach) = open[open.len() - 1];
        let [x, y] = around.map(|middle| middle + 2.2 * reach * (rng.range(0.0, 1.0) - 0.5));
        let dice = rng.range(0.0, 1.0);
        let id = (rng.range(0.0, 1.0) < 0.5).then(|| format!("e{}", stream.len()));
        origins.push(Origin { id, source: "path".into(), ..Origin::default() });
        if dice < 0.08 && stream.depth() < 12 {
            let reach = 0.6 * reach;
            let rect = Rect::new(x - reach, y - reach, x + reach, y + reach);
            let clips = rng.range(0.0, 1.0) < 0.5;
            let (kind, rect) =
                if clips { (NodeKind::Clip, rect) } else { (NodeKind::Blend, Rect::EVERYTHING) };
            stream.begin(kind, rect).unwrap();
            open.push(([x, y], reach));
        } else if dice < 0.2 && stream.depth() > 0 {
            stream.end().unwrap();
            open.pop();
        } else {
            let length = 2.0 + 60.0 * rng.range(0.0, 1.0) * rng.range(0.0, 1.0);
            stream.draw(Rect::new(x, y, x + length, y + length)).unwrap();
        }
    }
    while stream.depth() > 0 {
        origins.push(Origin::default());
        stream.end().unwrap();
    }
    Scene {
        stream: stream.finish().unwrap(),
        origins,
        notes: Vec::new(),
        width: side,
        height: side,
    }
}
