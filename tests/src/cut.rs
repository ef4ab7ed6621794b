//! Paints drawings with filters by resvg, with every draw and every filter cut to its box.
//!
//! usvg's trees are immutable, so the drawing is first written as SVG text. In the text, each path, image and filtered group
//! (a *piece*) is wrapped in a group with its own clip path:
//!
//! ```text
//! <g filter="url(#f)"> <path/> </g>   becomes   <g cut-0> <g filter="url(#f)"> <g cut-1> <path/> </g> </g> </g>
//! ```
//!
//! The text is painted twice: with clips that are too large to hide anything, and with clips to the boxes. The
//! pictures must be equal. The box of a piece is the content of its wrapper group: the visible box of a draw (inside a
//! filter: the part of the draw that the filter needs), and for a filter the full traced area.
//!
//! Clips consist of whole pixels. The pixels of a rotated filter's layer are not aligned with the canvas, so clips in
//! the layer are a pixel larger on each side. An SVG image in the drawing is one piece.
//!
//! resvg blurs by less than two pixels with a recursive filter. Each pixel then depends slightly on its whole row, and if
//! the sum is close to a rounding boundary, a cut anywhere may change the rounding. In the corpus, boxes 16 pixels larger on
//! each side (ten deviations) still change such pixels, by one level of linear light. They are counted separately.

use crate::svg::{cover, whole_pixels};
use kurbo::Affine;
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8, Transform};
use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;
use treebounds_core::{Rect, Role, reference};
use treebounds_encoding::svg::{Drawing, encode_tree, usvg, with_large_stack};
use treebounds_report::Scene;
use usvg::filter::Kind;
use usvg::roxmltree::{Document, ParsingOptions};
use usvg::{Group, Node, Tree};

/// The maximum number of pixels in a painted picture.
const PIXELS_MAX: f32 = 4e6;

/// The maximum size of one level of linear light in levels of sRGB.
const LEVEL: u8 = 13;

/// resvg uses a recursive blur if both deviations are below this, in pixels.
const RECURSIVE_BELOW: f32 = 2.0;

/// A drawing painted with and without its cuts.
#[derive(Debug, Default)]
pub struct Cut {
    /// The number of paths, images and filtered groups with their own clip.
    pub pieces: usize,
    /// The number of painted pixels without the clips.
    pub painted: usize,
    /// The number of pixels changed by the clips.
    pub changed: usize,
    /// The number of pixels changed by at most one level of linear light, in a drawing with a recursive blur.
    pub rounded: usize,
    /// The drawing's filters.
    pub filters: Vec<Tightness>,
}

/// The number of pixels that a filter paints on its own, compared with its boxes, in canvas pixels.
#[derive(Debug)]
pub struct Tightness {
    /// The SVG element of the filter's primitives; `several` if they are of more than one kind.
    pub kind: &'static str,
    /// The number of painted pixels in the traced box.
    pub painted: usize,
    /// The number of pixels in the traced box.
    pub traced: usize,
    /// The number of pixels in the filter's region.
    pub region: usize,
}

/// Paints a drawing with and without its clips. Boxes are first enlarged by `grow` pixels on each side, or shrunk if
/// negative. `None` if the drawing has no filter, the picture is too large or the text cannot be parsed again.
///
/// # Panics
/// If the drawing is too deep for the stack.
pub fn cut(drawing: &Drawing, grow: f32) -> Option<Cut> {
    let size = drawing.tree.size();
    if drawing.tree.filters().is_empty() || size.width() * size.height() > PIXELS_MAX {
        return None;
    }
    with_large_stack(|| cut_tree(&drawing.tree, grow)).expect("a stack for the drawing")
}

fn cut_tree(tree: &Tree, grow: f32) -> Option<Cut> {
    let text = Pieces::of(tree.to_string(&usvg::WriteOptions::default()))?;
    let far = 8.0 * tree.size().width().max(tree.size().height()).max(16.0);
    let wide = Rect::new(-far, -far, far, far);
    let unlimited = text.parse(|_| clip_path(Affine::IDENTITY, wide, far))?;
    let places = Places::of(&unlimited);
    let clipped = |rect: &dyn Fn(&str) -> Rect| {
        text.parse(|id| clip_path(places.to_device(id).inverse(), rect(id), far))
    };
    let whole = clipped(&|_| wide)?;
    let boxes = contents(&encode_tree(&whole).ok()?);
    let needed = clipped(&|id| {
        let by = grow + if places.is_turned(id) { 1.0 } else { 0.0 };
        boxes.get(id).map_or(wide, |rect| inflate(whole_pixels(*rect), by))
    })?;
    let (before, after) = (paint(&whole)?, paint(&needed)?);
    let pairs = before.pixels().iter().zip(after.pixels());
    let (mut changed, mut rounded) = (0, 0);
    for by in pairs.map(|(before, after)| difference(*before, *after)).filter(|by| *by > 0) {
        let is_rounding = places.round && by <= LEVEL;
        *(if is_rounding { &mut rounded } else { &mut changed }) += 1;
    }
    Some(Cut {
        pieces: text.ranges.len(),
        painted: before.pixels().iter().filter(|pixel| pixel.alpha() > 0).count(),
        changed,
        rounded,
        filters: Places::of(&whole).filters(&boxes, before.width(), before.height()),
    })
}

fn difference(a: PremultipliedColorU8, b: PremultipliedColorU8) -> u8 {
    let channels = |of: PremultipliedColorU8| [of.red(), of.green(), of.blue(), of.alpha()];
    let pairs = channels(a).into_iter().zip(channels(b));
    pairs.map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0)
}

fn paint(tree: &Tree) -> Option<Pixmap> {
    let size = tree.size().to_int_size();
    let mut pixmap = Pixmap::new(size.width(), size.height())?;
    resvg::render(tree, Transform::identity(), &mut pixmap.as_mut());
    Some(pixmap)
}

/// A drawing as text, and the ranges of its pieces in the text.
struct Pieces {
    text: String,
    ranges: Vec<Range<usize>>,
}

impl Pieces {
    fn of(text: String) -> Option<Self> {
        let options = ParsingOptions { nodes_limit: u32::MAX, ..ParsingOptions::default() };
        let document = Document::parse_with_options(&text, options).ok()?;
        let is_piece = |node: &usvg::roxmltree::Node| match node.tag_name().name() {
            "path" | "image" => true,
            "g" => node.has_attribute("filter"),
            _ => false,
        };
        let painted = |node: &usvg::roxmltree::Node| {
            !node.ancestors().any(|around| around.has_tag_name((SVG, "defs")))
        };
        let found = document.descendants().filter(is_piece).filter(painted);
        let ranges = found.map(|node| node.range()).collect();
        Some(Self { text, ranges })
    }

    /// Parses the drawing with a group around each piece, and with `clip_path` for each group id.
    fn parse(&self, clip_path: impl Fn(&str) -> String) -> Option<Tree> {
        // At equal positions, ends sort before starts, because a piece ends where the next one starts.
        let mut marks: Vec<(usize, bool, usize)> = Vec::new();
        for (at, range) in self.ranges.iter().enumerate() {
            marks.extend([(range.start, true, at), (range.end, false, at)]);
        }
        marks.sort_unstable();
        let (mut out, mut done, mut clips) = (String::new(), 0, String::new());
        for (place, is_start, at) in marks {
            out.push_str(&self.text[done..place]);
            done = place;
            if is_start {
                let id = format!("cut-{at}");
                write!(out, "<g id='{id}' clip-path='url(#{id}-path)'>").ok()?;
                write!(clips, "<clipPath id='{id}-path' {}</clipPath>", clip_path(&id)).ok()?;
            } else {
                out.push_str("</g>");
            }
        }
        let end = self.text.rfind("</svg>")?;
        write!(out, "{}{clips}</svg>", self.text.get(done..end)?).ok()?;
        Tree::from_str(&out, &usvg::Options::default()).ok()
    }
}

const SVG: &str = "http://www.w3.org/2000/svg";

/// Returns the inner part of a clip path that shows a rect of whole device pixels. usvg moves a layer with the box of its
/// clip path: two specks far outside the picture make that box the same for all rects.
fn clip_path(from_device: Affine, rect: Rect, far: f32) -> String {
    let [a, b, c, d, e, f] = from_device.as_coeffs();
    let near = -far;
    let mut path = format!("M{near} {near}h1v1h-1zM{far} {far}h-1v-1h1z");
    if !rect.is_empty() {
        let [x0, y0, x1, y1] = rect.to_array().map(|edge| edge.clamp(near, far));
        path += &format!("M{x0} {y0}H{x1}V{y1}H{x0}z");
    }
    format!(
        "transform='matrix({a} {b} {c} {d} {e} {f})'><path shape-rendering='crispEdges' d='{path}'/>"
    )
}

fn inflate(rect: Rect, by: f32) -> Rect {
    if rect.is_empty() {
        return rect;
    }
    Rect::new(rect.x0 - by, rect.y0 - by, rect.x1 + by, rect.y1 + by).or_nothing()
}

/// Returns the content of the group around each piece. Several nodes may have the id of a piece, because a group
/// without an id takes its only child's; the last of them is the wrapper's content.
fn contents(scene: &Scene) -> HashMap<String, Rect> {
    let tags = scene.stream.tags().iter().map(|tag| tag.role());
    let all = tags.zip(&scene.origins).zip(reference::bounds(&scene.stream).boxes);
    let begins = all.filter(|((role, _), _)| *role == Role::Begin);
    let named = begins.filter_map(|((_, origin), rect)| Some((origin.id.clone()?, rect)));
    named.filter(|(id, _)| id.starts_with("cut-")).collect()
}

struct Places<'a> {
    /// The group around each piece, and whether it is in a rotated filter.
    groups: HashMap<&'a str, (&'a Node, &'a Group, bool)>,
    /// Whether a blur is recursive, so that its rounding depends on the whole input.
    round: bool,
}

impl<'a> Places<'a> {
    fn of(tree: &'a Tree) -> Self {
        let mut found = Self { groups: HashMap::new(), round: false };
        found.add(tree.root(), false);
        found
    }

    fn add(&mut self, around: &'a Group, is_turned: bool) {
        for node in around.children() {
            let Node::Group(group) = node else { continue };
            if group.id().starts_with("cut-") {
                self.groups.insert(group.id(), (node, group, is_turned));
            }
            self.round |= blurs_recursively(group);
            let by = group.abs_transform();
            let turns = (by.kx != 0.0 || by.ky != 0.0) && (by.sx != 0.0 || by.sy != 0.0);
            self.add(group, is_turned || (turns && !group.filters().is_empty()));
        }
    }

    fn is_turned(&self, id: &str) -> bool {
        self.groups.get(id).is_some_and(|(_, _, is_turned)| *is_turned)
    }

    /// Returns the transform from the piece's coordinates to device pixels. The identity if it has no inverse, because
    /// nothing is painted then.
    fn to_device(&self, id: &str) -> Affine {
        let by = self.groups.get(id).map(|(_, group, _)| group.abs_transform());
        let by = by.filter(|by| by.invert().is_some()).unwrap_or_default();
        Affine::new([by.sx, by.ky, by.kx, by.sy, by.tx, by.ty].map(f64::from))
    }

    fn filters(&self, boxes: &HashMap<String, Rect>, width: u32, height: u32) -> Vec<Tightness> {
        let found = self.groups.iter().filter_map(|(id, (node, around, _))| {
            let [Node::Group(group)] = around.children() else { return None };
            let kind = kind_of(group)?;
            let origin = node.abs_layer_bounding_box()?;
            let by = around.abs_transform().pre_translate(origin.x(), origin.y());
            let mut pixmap = Pixmap::new(width, height)?;
            resvg::render_node(node, by, &mut pixmap.as_mut())?;
            let region = group.filters_bounding_box()?.transform(group.abs_transform())?;
            let region = Rect::new(region.left(), region.top(), region.right(), region.bottom());
            let pixels = |rect| cover(width as usize, height as usize, &[rect]);
            let count = |pixels: &[bool]| pixels.iter().filter(|is_in| **is_in).count();
            let traced = pixels(*boxes.get(*id)?);
            let inside = pixmap.pixels().iter().zip(&traced);
            Some(Tightness {
                kind,
                painted: inside.filter(|(pixel, is_in)| **is_in && pixel.alpha() > 0).count(),
                traced: count(&traced),
                region: count(&pixels(region)),
            })
        });
        found.collect()
    }
}

/// Whether resvg computes a blur of the group recursively.
fn blurs_recursively(group: &Group) -> bool {
    let by = group.abs_transform();
    let (sx, sy) = (by.sx.hypot(by.ky), by.kx.hypot(by.sy));
    let mut all = group.filters().iter().flat_map(|filter| filter.primitives());
    all.any(|primitive| {
        let (x, y) = match primitive.kind() {
            Kind::GaussianBlur(fe) => (fe.std_dev_x(), fe.std_dev_y()),
            Kind::DropShadow(fe) => (fe.std_dev_x(), fe.std_dev_y()),
            _ => return false,
        };
        (x.get() * sx).max(y.get() * sy) < RECURSIVE_BELOW
    })
}

/// Returns the element name of the group's filter primitives: `several` if they differ, `None` if there are none.
fn kind_of(group: &Group) -> Option<&'static str> {
    let all = group.filters().iter().flat_map(|filter| filter.primitives());
    let mut names = all.map(|primitive| name(primitive.kind()));
    let first = names.next()?;
    Some(if names.all(|name| name == first) { first } else { "several" })
}

fn name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Blend(_) => "feBlend",
        Kind::ColorMatrix(_) => "feColorMatrix",
        Kind::ComponentTransfer(_) => "feComponentTransfer",
        Kind::Composite(_) => "feComposite",
        Kind::ConvolveMatrix(_) => "feConvolveMatrix",
        Kind::DiffuseLighting(_) => "feDiffuseLighting",
        Kind::DisplacementMap(_) => "feDisplacementMap",
        Kind::DropShadow(_) => "feDropShadow",
        Kind::Flood(_) => "feFlood",
        Kind::GaussianBlur(_) => "feGaussianBlur",
        Kind::Image(_) => "feImage",
        Kind::Merge(_) => "feMerge",
        Kind::Morphology(_) => "feMorphology",
        Kind::Offset(_) => "feOffset",
        Kind::SpecularLighting(_) => "feSpecularLighting",
        Kind::Tile(_) => "feTile",
        Kind::Turbulence(_) => "feTurbulence",
    }
}
