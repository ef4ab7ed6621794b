//! Paints SVG files and compares them with their boxes.

use resvg::tiny_skia::{Pixmap, Transform};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use treebounds_core::{Rect, Stream, Tag, reference};
use treebounds_encoding::svg::{Drawing, Options, Painter, usvg, with_large_stack};
use usvg::fontdb::Database;
use usvg::{Group, ImageKind, Node};

/// The maximum number of pixels in a picture. Nodes are painted alone until their total exceeds twice this number.
const PIXELS_MAX: u64 = 1 << 26;

/// Returns the SVG files among the assets of this repository.
pub fn assets() -> Vec<PathBuf> {
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets"))
}

/// Returns the SVG files in the folder `TREEBOUNDS_SVG_CORPUS`.
///
/// # Panics
/// If the variable is not set, or the folder contains no SVG file.
pub fn corpus() -> Vec<PathBuf> {
    let folder = std::env::var_os("TREEBOUNDS_SVG_CORPUS")
        .expect("set TREEBOUNDS_SVG_CORPUS to a folder of SVG files");
    let files = files(Path::new(&folder));
    assert!(!files.is_empty(), "TREEBOUNDS_SVG_CORPUS: no SVG file in {}", folder.display());
    files
}

/// Lists the `.svg` and `.svgz` files in the folder and its subfolders, sorted.
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

/// Returns the options for reading a file: links are resolved in its folder, and missing fonts are replaced by any serif
/// font.
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

/// Describes everything painted outside its boxes. Compares the whole drawing with all boxes. Then paints each group,
/// path, image and text alone, without the clips around it, and compares it with the visible bounds of its part of the
/// stream, because in a picture of the whole drawing one large box would hide the errors of a small one. Skips large
/// pictures, and some nodes if there are many.
pub fn misfits(drawing: &Drawing) -> Vec<String> {
    let size = drawing.tree.size().to_int_size();
    let area = u64::from(size.width()) * u64::from(size.height());
    let painted = with_large_stack(|| {
        let mut wrong = Vec::new();
        let picture =
            if area <= PIXELS_MAX { Pixmap::new(size.width(), size.height()) } else { None };
        if let Some(mut pixmap) = picture {
            resvg::render(&drawing.tree, Transform::identity(), &mut pixmap.as_mut());
            wrong.extend(misfit("the whole", &pixmap, &drawing.scene.stream));
        }
        let mut parts = Vec::new();
        collect(drawing.tree.root(), Transform::identity(), &mut 0, &mut parts);
        let mut pixels = 0_u64;
        let affordable = parts.iter().filter(|part| {
            let cost = area.saturating_mul(part.indices.len() as u64);
            pixels = pixels.saturating_add(cost);
            pixels < 2 * PIXELS_MAX
        });
        wrong.extend(affordable.filter_map(|part| check_alone(drawing, part)));
        Some(wrong)
    });
    painted
        .map_or_else(|error| vec![format!("cannot be painted: {error}")], Option::unwrap_or_default)
}

/// Reports the number of pixels outside all landings of draws and of filters that fill their clips, if any.
fn misfit(what: &str, pixmap: &Pixmap, stream: &Stream) -> Option<String> {
    let landings = reference::landings(stream, &reference::bounds(stream));
    let all = stream.tags().iter().zip(landings);
    let painted = all.filter(|(tag, _)| !tag.is_marker() || tag.is_filling());
    let boxes: Vec<Rect> = painted.map(|(_, rect)| rect).collect();
    let (width, height) = (pixmap.width() as usize, pixmap.height() as usize);
    let covered = cover(width, height, &boxes);
    let painted = pixmap.pixels().iter().zip(covered).enumerate();
    let outside = painted.filter(|(_, (pixel, covered))| pixel.alpha() > 0 && !covered);
    let outside: Vec<usize> = outside.map(|(at, _)| at).collect();
    let (x, y) = outside.first().map(|at| (at % width, at / width))?;
    Some(format!("{what} leaves its boxes: {} pixels, the first at {x}, {y}", outside.len()))
}

/// A node to paint, the transform around it, and the range of the nodes inside it, numbered in document order.
struct Part<'a> {
    node: &'a Node,
    around: Transform,
    indices: Range<u32>,
}

fn collect<'a>(group: &'a Group, around: Transform, next: &mut u32, parts: &mut Vec<Part<'a>>) {
    for node in group.children() {
        let start = *next;
        let at = parts.len();
        parts.push(Part { node, around, indices: start..start });
        *next += 1;
        match node {
            Node::Group(group) => {
                let inside = parts.len();
                collect(group, around.pre_concat(group.transform()), next, parts);
                if !group.filters().is_empty() {
                    parts.truncate(inside);
                }
            }
            Node::Text(text) => *next += count_nodes(text.flattened()),
            Node::Image(image) => {
                if let ImageKind::SVG(tree) = image.kind() {
                    *next += count_nodes(tree.root());
                }
            }
            Node::Path(_) => {}
        }
        parts[at].indices.end = *next;
    }
}

/// Returns the number of nodes inside a group, including the nodes of SVG images.
fn count_nodes(group: &Group) -> u32 {
    let mut next = 0;
    collect(group, Transform::identity(), &mut next, &mut Vec::new());
    next
}

/// Paints a part alone and compares it. Rects are expanded to whole pixels that no other rect touches, because the encoder
/// guarantees the rects only where the pixel belongs to a single part.
fn check_alone(drawing: &Drawing, part: &Part<'_>) -> Option<String> {
    let size = drawing.tree.size().to_int_size();
    let mut pixmap = Pixmap::new(size.width(), size.height())?;
    let origin = part.node.abs_layer_bounding_box()?;
    let transform = part.around.pre_translate(origin.x(), origin.y());
    resvg::render_node(part.node, transform, &mut pixmap.as_mut())?;
    let scene = &drawing.scene;
    let mine = |ix: &usize| part.indices.contains(&scene.origins[*ix].index);
    let own = (0..scene.stream.len()).filter(mine);
    let (tags, rects): (Vec<Tag>, Vec<Rect>) =
        own.map(|ix| (scene.stream.tags()[ix], whole_pixels(scene.stream.rects()[ix]))).unzip();
    let stream = Stream::new(tags, rects, scene.stream.viewport()).expect("part of a stream");
    misfit(&format!("#{}", part.node.id()), &pixmap, &stream)
}

pub(crate) fn whole_pixels(rect: Rect) -> Rect {
    if rect.is_empty() {
        return rect;
    }
    let [x0, y0, x1, y1] = rect.to_array();
    Rect::new(x0.floor(), y0.floor(), x1.ceil(), y1.ceil())
}

/// Returns the pixels touched by at least one box: counts the corners, and sums along rows and columns.
pub(crate) fn cover(width: usize, height: usize, boxes: &[Rect]) -> Vec<bool> {
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
