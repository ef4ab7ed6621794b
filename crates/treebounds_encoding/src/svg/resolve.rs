//! Rewrites CSS that usvg does not read into attributes that it does.
//!
//! Some properties depend on boxes and scales that only usvg knows. So the document is first parsed without them, its
//! objects are measured in usvg's tree, and the result is written into the document that is parsed for good.

use super::css::{self, GEOMETRY, MOVES, Style, Unknown};
use super::objects::{Found, Objects, is_painted};
use super::pixels::affine;
use kurbo::{Affine, Rect};
use std::collections::HashMap;
use treebounds_report::{Ignored, Part};
use usvg::roxmltree::{Document, Node};
use usvg::{Group, Tree};
use usvg_guard::{Edits, is_editable};

/// Rewrites a document for usvg.
pub(super) struct Resolver<'f, 'a, 'input> {
    pub(super) found: &'f Found<'a, 'input>,
    pub(super) measures: &'f Measures,
    /// Whether strokes are rewritten too, which needs measures.
    pub(super) strokes: bool,
    pub(super) edits: Edits,
    pub(super) ignored: Vec<Ignored>,
    /// Whether anything depends on measures.
    pub(super) measured: bool,
    /// Whether CSS transforms anything.
    moves: bool,
}

/// The effect of a property that is not applied.
const IGNORED: &str = "left out; the box is that without it";

impl<'f, 'a, 'input> Resolver<'f, 'a, 'input> {
    pub(super) fn new(
        found: &'f Found<'a, 'input>,
        measures: &'f Measures,
        strokes: bool,
        edits: Edits,
    ) -> Self {
        let (ignored, measured, moves) = (Vec::new(), false, false);
        Self { found, measures, strokes, edits, ignored, measured, moves }
    }

    /// Rewrites everything.
    pub(super) fn run(&mut self, document: &Document) {
        for (object, node) in (0..).zip(&self.found.nodes) {
            let style = &self.found.styles[object as usize];
            self.geometry(object, *node, style);
            self.moves(object, *node, style);
            if style.or_attribute(*node, "vector-effect").is_some_and(|value| value != "none") {
                self.vector_effect(object, *node, style);
            }
        }
        if self.moves {
            self.silence(document);
        }
    }

    fn ignore(&mut self, object: u32, what: &str, effect: &'static str) {
        self.ignored.push(Ignored { object, what: what.into(), effect: effect.into() });
    }

    /// Turns sizes and positions into attributes.
    fn geometry(&mut self, object: u32, node: Node<'a, 'input>, style: &Style<'a>) {
        if !style.has_any(&GEOMETRY) {
            return;
        }
        for name in GEOMETRY {
            let Some(value) = style.get(name).map(str::trim) else { continue };
            let path = value.strip_prefix("path(").and_then(|value| value.strip_suffix(')'));
            let plain = path.map_or(value, |path| path.trim().trim_matches(['"', '\'']));
            let is_plain = |letter: char| {
                letter.is_ascii_alphanumeric()
                    || letter.is_ascii_whitespace()
                    || ".,%+-".contains(letter)
            };
            let is_of_root = object == 0;
            if is_of_root || !is_editable(node) || !plain.chars().all(is_plain) {
                // The size of the page around a drawing does not matter.
                let says_nothing = is_of_root && (value == "auto" || value.ends_with('%'));
                if !says_nothing {
                    self.ignore(object, &format!("{name}: {value}"), IGNORED);
                }
            } else if value != "auto" && has_geometry(node, name) {
                self.edits.set(node, name, plain);
            }
        }
    }

    /// Turns all transforms of an element into one matrix.
    fn moves(&mut self, object: u32, node: Node<'a, 'input>, style: &Style<'a>) {
        let in_css = style.has_any(&MOVES);
        self.moves |= in_css;
        let is_meant = in_css || node.has_attribute("transform-box");
        let can_move = is_painted(node) || node.has_tag_name("clipPath");
        if !is_meant || !can_move {
            return;
        }
        match self.matrix(object, node, style) {
            Ok(matrix) if is_editable(node) => {
                let [a, b, c, d, e, f] = matrix.as_coeffs();
                self.edits.set(node, "transform", &format!("matrix({a} {b} {c} {d} {e} {f})"));
                if node.has_attribute("transform-origin") || object == 0 {
                    self.edits.set(node, "transform-origin", "0 0");
                }
            }
            _ => {
                let all =
                    MOVES.iter().filter_map(|name| Some(format!("{name}: {}", style.get(name)?)));
                self.ignore(object, &all.collect::<Vec<_>>().join("; "), IGNORED);
            }
        }
    }

    fn matrix(
        &mut self,
        object: u32,
        node: Node<'a, 'input>,
        style: &Style<'a>,
    ) -> Result<Affine, Unknown> {
        let is_own = matches!(
            style.or_attribute(node, "transform-box"),
            Some("fill-box" | "content-box" | "stroke-box" | "border-box")
        );
        let view = self.view(object);
        let reference = if is_own {
            self.measured = true;
            self.measures.get(object).map_or(view, |measure| measure.area)
        } else {
            view
        };
        let attribute = node.attribute("transform").unwrap_or("none");
        let transform = match style.get("transform") {
            Some(value) => css::transform(value, reference)?,
            None => css::transform(attribute, reference)?,
        };
        let translate = style.get("translate").unwrap_or("none");
        let translate = css::translate(translate, reference)?;
        let rotate = css::rotate(style.get("rotate").unwrap_or("none"))?;
        let scale = css::scale(style.get("scale").unwrap_or("none"))?;
        let default = if object == 0 { "50% 50%" } else { "0 0" };
        let origin = style.or_attribute(node, "transform-origin").unwrap_or(default);
        let origin = css::origin(origin, reference)?;
        let all = translate * rotate * scale * transform;
        Ok(Affine::translate(origin) * all * Affine::translate(-origin))
    }

    /// The nearest viewport around the object, at the origin.
    fn view(&self, object: u32) -> Rect {
        let mut at = self.found.objects.all.get(object as usize).map(|object| object.parent);
        while let Some(node) = at.and_then(|at| self.found.nodes.get(at as usize)) {
            if node.has_tag_name("svg") || node.parent_element().is_none() {
                return view_box(*node);
            }
            at = at.and_then(|at| self.found.objects.all.get(at as usize)).map(|one| one.parent);
        }
        self.found.nodes.first().map_or(Rect::ZERO, |root| view_box(*root))
    }

    /// Gives a stroke that does not scale the width that its scale turns into the right one.
    fn vector_effect(&mut self, object: u32, node: Node<'a, 'input>, style: &Style<'a>) {
        let value = style.or_attribute(node, "vector-effect").unwrap_or_default();
        let name = format!("vector-effect: {value}");
        if value != "non-scaling-stroke" {
            return self.ignore(object, &name, IGNORED);
        }
        self.measured = true;
        if !self.strokes {
            return;
        }
        let is_hidden = self.found.objects.all[object as usize].part != Part::Painted;
        match self.measures.get(object) {
            Some(Measure { stroke: Some(stroke), to_drawing, .. }) if is_editable(node) => {
                let (least, most) = scales(*to_drawing);
                if most > least * 1.001 {
                    let effect = "the drawing is scaled unevenly there; the box is as large as or larger than the stroke";
                    self.ignore(object, &name, effect);
                }
                if least > 0.0 {
                    self.stroke(node, stroke, 1.0 / least);
                }
            }
            // There is no stroke, or no paint.
            Some(_) if !node.has_tag_name("text") => {}
            None if !is_hidden => {}
            _ => self.ignore(object, &name, "left out; the box is that of a stroke that scales"),
        }
    }

    fn stroke(&mut self, node: Node, stroke: &Stroke, by: f64) {
        let mut style = format!("stroke-width:{}!important", stroke.width * by);
        if let Some(dashes) = &stroke.dashes {
            let dashes: Vec<_> = dashes.iter().map(|dash| (dash * by).to_string()).collect();
            style += &format!(";stroke-dasharray:{}!important", dashes.join(" "));
            style += &format!(";stroke-dashoffset:{}!important", stroke.offset * by);
        }
        match node.attribute_node("style") {
            None => self.edits.set(node, "style", &style),
            Some(attribute) => {
                let start = attribute.range_value().start;
                self.edits.replace(start..start, format!("{style};"));
            }
        }
    }

    /// Renames the transforms in style sheets and `style` attributes, which are attributes by now.
    fn silence(&mut self, document: &Document) {
        let text = document.input_text();
        let mut ranges = Vec::new();
        for sheet in document.descendants().filter(usvg_guard::is_sheet) {
            let texts = sheet.children().filter(|child| child.is_text() && is_inside(*child));
            ranges.extend(texts.map(|child| child.range()));
        }
        let styled = self.found.nodes.iter().filter(|node| is_editable(**node));
        let styles = styled.filter_map(|node| node.attribute_node("style"));
        ranges.extend(styles.map(|attribute| attribute.range_value()));
        for range in ranges {
            let part = text.get(range.clone()).unwrap_or_default();
            for (at, name) in part.match_indices("transform") {
                let before = part[..at].chars().next_back();
                let is_start = before.is_none_or(|letter| {
                    letter.is_whitespace() || matches!(letter, ';' | '{' | '/' | '"' | '\'')
                });
                let after = part[at + name.len()..].trim_start();
                let after = after.strip_prefix("-origin").unwrap_or(after).trim_start();
                if is_start && after.starts_with(':') {
                    let at = range.start + at;
                    self.edits.replace(at..at, "-told-");
                }
            }
        }
    }
}

/// Whether a text is part of the document itself, and not of an entity.
fn is_inside(text: Node) -> bool {
    text.range().start >= text.document().root_element().range().start
}

/// Whether the property is a geometry attribute of this element.
fn has_geometry(node: Node, name: &str) -> bool {
    let names: &[&str] = match node.tag_name().name() {
        "rect" => &["x", "y", "width", "height", "rx", "ry"],
        "image" | "use" | "svg" | "foreignObject" => &["x", "y", "width", "height"],
        "circle" => &["cx", "cy", "r"],
        "ellipse" => &["cx", "cy", "rx", "ry"],
        "path" => &["d"],
        _ => &[],
    };
    names.contains(&name)
}

/// The size of a viewport in its own coordinates.
fn view_box(node: Node) -> Rect {
    let numbers = node.attribute("viewBox").unwrap_or_default().split([' ', ',']);
    let numbers: Vec<f64> = numbers.filter_map(|word| word.trim().parse().ok()).collect();
    let side = |name| {
        let value = node.attribute(name).unwrap_or_default().trim().trim_end_matches("px");
        value.parse().unwrap_or(0.0)
    };
    match numbers[..] {
        [_, _, width, height] => Rect::new(0.0, 0.0, width, height),
        _ => Rect::new(0.0, 0.0, side("width"), side("height")),
    }
}

/// The least and the greatest factor by which a transform scales, over all directions.
fn scales(transform: Affine) -> (f64, f64) {
    let [a, b, c, d, ..] = transform.as_coeffs();
    let (sum, det) = (a * a + b * b + c * c + d * d, (a * d - b * c).abs());
    let most = ((sum + (sum * sum - 4.0 * det * det).max(0.0).sqrt()) / 2.0).sqrt();
    (if most > 0.0 { det / most } else { 0.0 }, most)
}

/// The stroke of a shape.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stroke {
    pub(super) width: f64,
    pub(super) dashes: Option<Vec<f64>>,
    pub(super) offset: f64,
}

/// An object in usvg's tree.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measure {
    /// Its box without stroke, in its own coordinates.
    pub(super) area: Rect,
    /// The transform from its own coordinates to the drawing's.
    pub(super) to_drawing: Affine,
    pub(super) stroke: Option<Stroke>,
}

/// The objects that usvg paints in place.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Measures(HashMap<u32, Measure>);

impl Measures {
    /// Measures a tree.
    pub(super) fn of(tree: &Tree, objects: &Objects) -> Self {
        let mut found = HashMap::new();
        let mut open: Vec<&Group> = vec![tree.root()];
        while let Some(group) = open.pop() {
            for node in group.children() {
                if let Some(object) = objects.find(node.id()) {
                    found.entry(object).or_insert_with(|| measure(node));
                }
                if let usvg::Node::Group(group) = node {
                    open.push(group);
                }
            }
        }
        Self(found)
    }

    pub(super) fn get(&self, object: u32) -> Option<&Measure> {
        self.0.get(&object)
    }
}

fn measure(node: &usvg::Node) -> Measure {
    let area = node.bounding_box();
    let edges = [area.left(), area.top(), area.right(), area.bottom()].map(f64::from);
    let stroke = match node {
        usvg::Node::Path(path) => path.stroke(),
        _ => None,
    };
    Measure {
        area: Rect::new(edges[0], edges[1], edges[2], edges[3]),
        to_drawing: affine(node.abs_transform()),
        stroke: stroke.map(|stroke| Stroke {
            width: stroke.width().get().into(),
            dashes: stroke.dasharray().map(|all| all.iter().map(|dash| f64::from(*dash)).collect()),
            offset: stroke.dashoffset().into(),
        }),
    }
}
