//! Tests that every id listed by usvg has a row, with the same box as in usvg wherever both define it the same way.
//!
//! Uses the drawings in `assets`. An ignored test uses 200 drawings from the folder `TREEBOUNDS_SVG_CORPUS`.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};
use treebounds_core::{Rect, reference};
use treebounds_encoding::svg::{self, Drawing, Options, usvg, with_large_stack};
use treebounds_report::{Findings, Part};
use usvg::tiny_skia_path::PathSegment;
use usvg::{Group, Node, Transform};

const DRAWINGS: usize = 200;

/// The tolerance for an edge: our hairlines are padded by a pixel, and `f32` rounds.
const HAIRLINE: f32 = 1.6;

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(extension) if extension == "svg" => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// usvg's result for an id.
#[derive(Clone, Copy)]
struct Theirs {
    /// The union of the boxes of all painted items, including strokes.
    rect: Rect,
    /// Whether all boxes are exact: none is rotated, dashed (usvg ignores dashes) or a text.
    is_exact: bool,
    /// Whether a path contains a subpath of a single point. usvg skips it, but a painter may paint a dot.
    has_points: bool,
    /// Whether a filter on the element, an ancestor or a descendant moves pixels.
    is_filtered: bool,
}

impl Theirs {
    const NOTHING: Self =
        Self { rect: Rect::NOTHING, is_exact: true, has_points: false, is_filtered: false };

    fn add(&mut self, other: Self) {
        self.rect = self.rect.union(other.rect);
        self.is_exact &= other.is_exact;
        self.has_points |= other.has_points;
        self.is_filtered |= other.is_filtered;
    }
}

/// The ids listed by usvg, each with its box, and the ids that occur more than once.
#[derive(Default)]
struct Listed {
    ids: BTreeMap<String, Theirs>,
    twice: Vec<String>,
}

impl Listed {
    fn of(tree: &usvg::Tree) -> Self {
        let mut listed = Self::default();
        listed.list(tree.root(), false);
        listed
    }

    /// Adds the ids below a group, as `resvg --query-all` lists them. Returns the group's content.
    fn list(&mut self, group: &Group, is_filtered: bool) -> Theirs {
        let mut all = Theirs::NOTHING;
        for node in group.children() {
            let is_exact = is_straight(node.abs_transform());
            let theirs = match node {
                Node::Group(inner) => {
                    let is_filtered = is_filtered || !inner.filters().is_empty();
                    let theirs = self.list(inner, is_filtered);
                    Theirs { is_filtered: theirs.is_filtered || is_filtered, ..theirs }
                }
                Node::Path(path) if !path.is_visible() => Theirs::NOTHING,
                Node::Image(image) if !image.is_visible() => Theirs::NOTHING,
                Node::Text(text) => {
                    let theirs = Self::default().list(text.flattened(), false);
                    Theirs { is_exact: false, ..theirs }
                }
                Node::Path(path) => Theirs {
                    rect: rect(path.abs_stroke_bounding_box()),
                    is_exact: is_exact && path.stroke().is_none_or(|one| one.dasharray().is_none()),
                    has_points: has_points(path.data()),
                    // usvg wraps a shape with a filter in a group without id, which may fill more than the shape.
                    is_filtered: group.id().is_empty() && !group.filters().is_empty(),
                },
                Node::Image(image) => {
                    Theirs { rect: rect(image.abs_bounding_box()), is_exact, ..Theirs::NOTHING }
                }
            };
            if !node.id().is_empty() && self.ids.insert(node.id().to_owned(), theirs).is_some() {
                self.twice.push(node.id().to_owned());
            }
            all.add(Theirs { is_filtered: theirs.is_filtered || is_filtered, ..theirs });
        }
        all
    }
}

/// Whether a subpath consists of a single point.
fn has_points(path: &usvg::tiny_skia_path::Path) -> bool {
    let mut start = None;
    let mut moves = false;
    let mut has = false;
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(point) => (start, moves) = (Some(point), false),
            PathSegment::LineTo(point) => moves |= Some(point) != start,
            PathSegment::Close => has |= !moves,
            _ => moves = true,
        }
    }
    has || !moves
}

/// Lists the ids of the SVG elements in a file, a superset of Inkscape's `--query-all`.
fn written(text: &str) -> Vec<String> {
    let options = usvg::roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = usvg::roxmltree::Document::parse_with_options(text, options).unwrap();
    let is_svg = |node: &usvg::roxmltree::Node| {
        let namespace = node.tag_name().namespace();
        let is_ours = matches!(namespace, None | Some("http://www.w3.org/2000/svg"));
        is_ours && !node.has_tag_name("style")
    };
    let nodes = document.descendants().filter(|node| {
        node.is_element()
            && node.ancestors().filter(|node| node.is_element()).all(|node| is_svg(&node))
    });
    let ids = nodes.filter_map(|node| node.attribute("id").filter(|id| !id.is_empty()));
    ids.map(str::to_owned).collect()
}

fn rect(rect: usvg::Rect) -> Rect {
    Rect::new(rect.left(), rect.top(), rect.right(), rect.bottom()).or_nothing()
}

fn is_straight(to: Transform) -> bool {
    (to.kx == 0.0 && to.ky == 0.0) || (to.sx == 0.0 && to.sy == 0.0)
}

fn inflated(rect: Rect, by: f32) -> Rect {
    if rect.is_empty() {
        rect
    } else {
        Rect::new(rect.x0 - by, rect.y0 - by, rect.x1 + by, rect.y1 + by)
    }
}

/// Returns the tolerance for an edge: a hairline, plus the rounding of large numbers in single precision.
fn tolerance(rect: Rect) -> f32 {
    HAIRLINE + rect.to_array().iter().fold(0.0, |most: f32, edge| most.max(edge.abs())) * 1e-5
}

/// Compares the boxes of a drawing with usvg's boxes, records mismatches, and returns the number of comparisons.
///
/// Skips boxes with a different meaning: repeated ids, definitions, filtered content, paths with single points, and
/// elements that usvg reads differently because of CSS.
fn compare(
    about: &str,
    text: &str,
    drawing: &Drawing,
    plain: &usvg::Tree,
    wrong: &mut Vec<String>,
) -> usize {
    let bounds = reference::bounds(&drawing.scene.stream);
    let findings = Findings::new(&drawing.scene, &bounds).unwrap();
    let findings = findings.of(&drawing.document).unwrap();
    let ours = findings.objects();
    let rows =
        |id: &str| ours.iter().filter(|row| row.id.as_deref() == Some(id)).collect::<Vec<_>>();
    let (plain, listed) = (Listed::of(plain), Listed::of(&drawing.tree));
    let lost = written(text).into_iter().chain(plain.ids.keys().cloned());
    let lost = lost.filter(|id| rows(id).is_empty());
    wrong.extend(lost.map(|id| format!("{about}: #{id} has no row")));
    let mut compared = 0;
    for id in plain.ids.keys().filter(|id| !listed.twice.contains(id)) {
        let ([row], Some(theirs)) = (&rows(id)[..], listed.ids.get(id)) else { continue };
        if theirs.is_filtered || theirs.has_points || row.part == Part::Definition {
            continue;
        }
        compared += 1;
        let (a, b) = (row.unclipped, theirs.rect);
        let tolerance = tolerance(a).max(tolerance(b));
        let is_inside = a.is_empty() || inflated(b, tolerance).contains(a);
        let is_around = b.is_empty() || inflated(a, tolerance).contains(b);
        if !is_inside || (theirs.is_exact && !is_around) {
            wrong.push(format!("{about}: #{id} is {a:?}, and usvg's {b:?}"));
        }
    }
    compared
}

#[test]
fn ids_in_the_assets_have_the_boxes_of_usvg() {
    check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets"));
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn ids_in_a_corpus_have_the_boxes_of_usvg() {
    let folder = std::env::var_os("TREEBOUNDS_SVG_CORPUS")
        .expect("set TREEBOUNDS_SVG_CORPUS to a folder of SVG files");
    check(Path::new(&folder));
}

/// Compares drawings spread evenly over the folder.
fn check(folder: &Path) {
    let files = files(folder);
    assert!(!files.is_empty(), "there is no SVG file in {}", folder.display());
    let count = files.len().min(DRAWINGS);
    let (mut compared, mut wrong) = (0, Vec::new());
    for file in (0..count).map(|at| &files[at * files.len() / count]) {
        let data = std::fs::read(file).unwrap();
        let mut options = Options::default();
        options.resources_dir = file.parent().map(Path::to_owned);
        let Ok(drawing) = svg::encode(&data, &options) else { continue };
        let mut theirs =
            usvg::Options { resources_dir: options.resources_dir, ..Default::default() };
        theirs.fontdb_mut().load_system_fonts();
        let wrong = &mut wrong;
        compared += with_large_stack(move || {
            let plain = usvg::Tree::from_data(&data, &theirs).unwrap();
            let text = str::from_utf8(&data).unwrap();
            compare(&file.display().to_string(), text, &drawing, &plain, wrong)
        })
        .unwrap();
    }
    eprintln!("{compared} boxes compared");
    assert!(compared > 0 && wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
