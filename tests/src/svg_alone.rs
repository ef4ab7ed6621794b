//! Every node of a drawing painted alone, and held against its own boxes.
//!
//! In a whole picture one large box hides what is wrong with a small one. So each
//! group, path, image and text is painted by itself, without the clips around it,
//! and must stay inside the visible bounds of its own part of the stream.

use crate::svg::{Fit, hold};
use resvg::tiny_skia::{Pixmap, Transform};
use std::ops::Range;
use treebounds_core::{Rect, Stream, Tag};
use treebounds_encoding::svg::usvg::{Group, ImageKind, Node};
use treebounds_encoding::svg::{Drawing, SvgError, with_large_stack};

/// How many pixels may be painted for one drawing, all nodes of all parts
/// counted.
const PIXELS_MAX: u64 = 1 << 27;

/// A node to paint, the transform around it, and which nodes are part of it,
/// counted in document order.
struct Part<'a> {
    node: &'a Node,
    around: Transform,
    indices: Range<u32>,
}

/// How each node fits its boxes, by id; not all of them where there are many.
///
/// # Errors
/// The painter panicked.
pub fn fits(drawing: &Drawing) -> Result<Vec<(String, Fit)>, SvgError> {
    let size = drawing.tree.size().to_int_size();
    let area = u64::from(size.width()) * u64::from(size.height());
    with_large_stack(|| {
        let mut parts = Vec::new();
        collect(drawing.tree.root(), Transform::identity(), &mut 0, &mut parts);
        let mut pixels = 0_u64;
        let affordable = parts.iter().filter(|part| {
            let cost = area.saturating_mul(part.indices.len() as u64);
            pixels = pixels.saturating_add(cost);
            pixels < PIXELS_MAX
        });
        affordable.filter_map(|part| fit(drawing, part)).collect()
    })
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
            Node::Text(text) => *next += count(text.flattened()),
            Node::Image(image) => {
                if let ImageKind::SVG(tree) = image.kind() {
                    *next += count(tree.root());
                }
            }
            Node::Path(_) => {}
        }
        parts[at].indices.end = *next;
    }
}

/// How many nodes there are inside, subpictures included.
fn count(group: &Group) -> u32 {
    let mut next = 0;
    collect(group, Transform::identity(), &mut next, &mut Vec::new());
    next
}

fn fit(drawing: &Drawing, part: &Part) -> Option<(String, Fit)> {
    let size = drawing.tree.size().to_int_size();
    let mut pixmap = Pixmap::new(size.width(), size.height())?;
    let origin = part.node.abs_layer_bounding_box()?;
    let transform = part.around.pre_translate(origin.x(), origin.y());
    resvg::render_node(part.node, transform, &mut pixmap.as_mut())?;
    let stream = alone(drawing, &part.indices);
    Some((part.node.id().to_owned(), hold(&pixmap, &stream)))
}

/// This part of the drawing, on its own. Its rects are the whole pixels that they touch, which two rects of the part
/// may share and nothing else: the encoder sees to that only where the pixel is left of the whole picture.
fn alone(drawing: &Drawing, indices: &Range<u32>) -> Stream {
    let scene = &drawing.scene;
    let mine = (0..scene.stream.len()).filter(|ix| indices.contains(&scene.origins[*ix].index));
    let (tags, rects): (Vec<Tag>, Vec<Rect>) =
        mine.map(|ix| (scene.stream.tags()[ix], whole_pixels(scene.stream.rects()[ix]))).unzip();
    Stream::new(tags, rects, scene.stream.viewport()).expect("part of a stream")
}

/// The pixels that a rect touches.
fn whole_pixels(rect: Rect) -> Rect {
    if rect.is_empty() {
        return rect;
    }
    let [x0, y0, x1, y1] = rect.to_array();
    Rect::new(x0.floor(), y0.floor(), x1.ceil(), y1.ceil())
}
