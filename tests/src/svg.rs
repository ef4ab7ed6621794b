//! SVG files, painted and compared with their boxes.

use resvg::tiny_skia::{Pixmap, Transform};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use treebounds_core::{Bounds, Rect, Stream, reference};
use treebounds_encoding::svg::{Drawing, Options, Painter, SvgError, usvg, with_large_stack};
use treebounds_report::Scene;
use usvg::fontdb::Database;

/// Pictures with more pixels than this are not painted.
const PIXELS_MAX: u64 = 1 << 26;

/// The SVG files of the folder in `TREEBOUNDS_SVG_CORPUS`; without the variable, the assets of this repository.
///
/// # Panics
/// If there is none.
pub fn corpus() -> Vec<PathBuf> {
    let assets = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets");
    let folder = std::env::var_os("TREEBOUNDS_SVG_CORPUS").map_or_else(assets, PathBuf::from);
    let files = files(&folder);
    assert!(!files.is_empty(), "there is no SVG file in {folder:?}");
    files
}

/// Every `.svg` and `.svgz` file in the folder and the folders in it, sorted.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let extension = path.extension().and_then(|name| name.to_str()).unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if matches!(extension, "svg" | "svgz") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// How the tests read a file: links are followed from its folder, and text is
/// set in any serif font there is where its own is missing.
pub fn options(file: &Path) -> Options {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        let any =
            fonts.faces().find(|face| face.families.iter().any(|(name, _)| name.contains("Serif")));
        if let Some(name) = any.and_then(|face| face.families.first()).map(|(name, _)| name.clone())
        {
            fonts.set_serif_family(name);
        }
        Arc::new(fonts)
    };
    let mut options = Options::default().system_fonts(false).painter(Painter::Resvg);
    options.resources_dir = file.parent().map(Path::to_owned);
    options.fonts = Some(FONTS.get_or_init(load).clone());
    options
}

/// The bounds of a scene, the way these tests get them.
pub fn bounds(scene: &Scene) -> Bounds {
    reference::bounds(&scene.stream)
}

/// How the boxes of a drawing compare with its pixels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fit {
    /// How many pixels are painted.
    pub painted: usize,
    /// How many of them lie in no draw's visible bounds. Soundness is 0.
    pub outside: usize,
    /// The first that lies in no draw's visible bounds.
    pub first: Option<(u32, u32)>,
    /// The area of the box around all that is painted, over the area of the box
    /// around all visible bounds: 1 is as tight as can be.
    pub tightness: Option<f64>,
}

/// Paints the drawing with resvg and holds its boxes against the pixels; `None`
/// where the picture would be too large to paint.
///
/// # Errors
/// The painter panicked.
pub fn fit(drawing: &Drawing) -> Result<Option<Fit>, SvgError> {
    let Some(pixmap) = paint(&drawing.tree)? else {
        return Ok(None);
    };
    Ok(Some(hold(&pixmap, &drawing.scene.stream)))
}

/// Holds the boxes of a stream's draws against the pixels.
pub(crate) fn hold(pixmap: &Pixmap, stream: &Stream) -> Fit {
    compare(pixmap, &draw_boxes(stream))
}

/// Where the draws, and the filters that paint without any, land on the canvas.
fn draw_boxes(stream: &Stream) -> Vec<Rect> {
    let landings = reference::landings(stream, &reference::bounds(stream));
    let draws = stream.tags().iter().zip(landings);
    draws.filter(|(tag, _)| !tag.is_marker() || tag.is_filling()).map(|(_, rect)| rect).collect()
}

/// The drawing at its own size; `None` where that is too large.
///
/// # Errors
/// The painter panicked.
pub fn paint(tree: &usvg::Tree) -> Result<Option<Pixmap>, SvgError> {
    let size = tree.size().to_int_size();
    if u64::from(size.width()) * u64::from(size.height()) > PIXELS_MAX {
        return Ok(None);
    }
    let Some(mut pixmap) = Pixmap::new(size.width(), size.height()) else {
        return Ok(None);
    };
    with_large_stack(|| {
        resvg::render(tree, Transform::identity(), &mut pixmap.as_mut());
        Some(pixmap)
    })
}

/// Counts the painted pixels that no box touches.
fn compare(pixmap: &Pixmap, boxes: &[Rect]) -> Fit {
    let (width, height) = (pixmap.width() as usize, pixmap.height() as usize);
    let covered = cover(width, height, boxes);
    let mut fit = Fit::default();
    let mut around = Rect::NOTHING;
    let painted = pixmap.pixels().iter().enumerate().filter(|(_, pixel)| pixel.alpha() > 0);
    for (at, _) in painted {
        let (x, y) = ((at % width) as f32, (at / width) as f32);
        fit.painted += 1;
        around = around.union(Rect::new(x, y, x + 1.0, y + 1.0));
        if !covered[at] {
            fit.outside += 1;
            fit.first.get_or_insert((x as u32, y as u32));
        }
    }
    let all = boxes.iter().fold(Rect::NOTHING, |all, rect| all.union(*rect));
    let all = Rect::new(all.x0.floor(), all.y0.floor(), all.x1.ceil(), all.y1.ceil()).or_nothing();
    fit.tightness = (fit.painted > 0 && !all.is_empty()).then(|| around.area() / all.area());
    fit
}

/// Which pixels at least one of the boxes touches: corners are counted, and
/// summed up along rows and columns.
fn cover(width: usize, height: usize, boxes: &[Rect]) -> Vec<bool> {
    let mut corners = vec![0_i64; (width + 1) * (height + 1)];
    for rect in boxes.iter().filter(|rect| !rect.is_empty()) {
        let clamp = |x: f32, max: usize| x.clamp(0.0, max as f32) as usize;
        let (x0, x1) = (clamp(rect.x0.floor(), width), clamp(rect.x1.ceil(), width));
        let (y0, y1) = (clamp(rect.y0.floor(), height), clamp(rect.y1.ceil(), height));
        for (x, y, by) in [(x0, y0, 1), (x1, y0, -1), (x0, y1, -1), (x1, y1, 1)] {
            corners[y * (width + 1) + x] += by;
        }
    }
    let mut above = vec![0_i64; width];
    let mut covered = Vec::with_capacity(width * height);
    for row in corners.chunks_exact(width + 1).take(height) {
        let mut sum = 0;
        for (count, above) in row.iter().zip(&mut above) {
            sum += count;
            *above += sum;
            covered.push(*above > 0);
        }
    }
    covered
}
