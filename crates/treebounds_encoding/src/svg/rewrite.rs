//! The pass before usvg: one walk over a document that computes the declarations that hold for each element, and writes the
//! document anew with plain attributes in the words that usvg knows.
//!
//! The new document has no style sheets. Every element has an id of its own, its mark, so whatever usvg paints is
//! attributed to the right object even if the document repeats ids; references lead to the first element with an id, as in
//! browsers. Some values depend on the boxes of elements. Those are filled in after the walk, see [`super::boxes`].

mod attributes;
mod declared;

use super::boxes::{Boxes, Gap, Generated, Moves, Own};
use super::css::{Cascade, Declaration, Screen};
use super::objects::{Objects, is_definition, is_painted, is_shape};
use super::properties::place;
use super::values::{self, Environment, Whole};
use super::{SvgError, left_out};
use kurbo::{Affine, Rect};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use treebounds_report::{Ignored, Part};
use usvg::roxmltree::{Document, Node};
use usvg_guard::{Error, Limits};

use declared::substitute;

/// A document, rewritten for usvg.
pub(super) struct Rewritten {
    pub(super) objects: Objects,
    pub(super) text: String,
    pub(super) ignored: Vec<Ignored>,
    /// Whether the boxes of texts are needed, which only usvg can measure.
    pub(super) wants_texts: bool,
}

/// Rewrites a document. `texts` are the boxes of its texts, as far as they are known.
pub(super) fn rewrite(
    document: &Document,
    limits: &Limits,
    texts: &HashMap<u32, Rect>,
) -> Result<Rewritten, SvgError> {
    let (mut objects, nodes) = Objects::of(document);
    let root = Environment::of(100.0, 100.0);
    let (width, height) = page(document.root_element(), &root);
    let mut cascade = Cascade::new(document, Screen { width, height });
    let mut ignored = left_out::find(document, &nodes);
    for rule in std::mem::take(&mut cascade.skipped) {
        ignored.push(Ignored {
            object: 0,
            effect: left_out::rule(&rule).into(),
            what: rule.into(),
        });
    }
    let wants = ["-box", "(", "view-box"].iter().any(|word| document.input_text().contains(word));
    let mut writer = Writer {
        objects: &mut objects,
        cascade,
        limits,
        out: String::with_capacity(document.input_text().len() * 2),
        gaps: Vec::new(),
        generated: Vec::new(),
        boxes: wants.then(|| Boxes::new(nodes.len(), texts)),
        ignored,
        said: HashSet::new(),
        run: Run::default(),
    };
    let around = Context {
        environment: Environment::of(width, height),
        inherited: Rc::default(),
        custom: Rc::default(),
        part: Part::Painted,
        is_off: false,
        depth: 0,
        to_drawing: Affine::IDENTITY,
        in_clip: false,
        text: None,
        preserve: false,
    };
    writer.element(document.root_element(), &around)?;
    let Writer { out, gaps, generated, boxes, mut ignored, .. } = writer;
    let mut boxes = boxes.unwrap_or_else(|| Boxes::new(0, texts));
    let text = boxes.fill(&out, &gaps, &generated, &mut ignored);
    ignored.sort_by_key(|one| one.object);
    Ok(Rewritten { objects, text, ignored, wants_texts: boxes.wants_texts })
}

/// The size of the page, in pixels.
fn page(root: Node, environment: &Environment) -> (f64, f64) {
    let numbers = view_box(root);
    let side = |name, at: usize| {
        let value =
            root.attribute(name).and_then(|value| values::pixels(value.trim(), environment));
        value.or_else(|| numbers.map(|numbers| numbers[at])).unwrap_or(100.0)
    };
    (side("width", 2), side("height", 3))
}

fn view_box(node: Node) -> Option<[f64; 4]> {
    let numbers = node.attribute("viewBox")?.split([' ', ',', '\t', '\n']);
    let numbers: Vec<f64> = numbers.filter_map(|word| word.trim().parse().ok()).collect();
    numbers.try_into().ok().filter(|[_, _, width, height]: &[f64; 4]| *width > 0.0 && *height > 0.0)
}

/// What an element inherits.
#[derive(Clone)]
struct Context {
    environment: Environment,
    inherited: Rc<BTreeMap<&'static str, Rc<str>>>,
    custom: Rc<HashMap<Box<str>, Rc<str>>>,
    part: Part,
    /// Whether it is inside of `display: none`.
    is_off: bool,
    depth: u64,
    /// From the element's coordinates to the drawing's, where that is known.
    to_drawing: Affine,
    in_clip: bool,
    /// The text around.
    text: Option<u32>,
    /// Whether blanks of a text are kept.
    preserve: bool,
}

impl Context {
    fn get(&self, name: &str) -> &str {
        self.inherited.get(name).map_or("", |value| value)
    }
}

/// The letters of a text so far.
#[derive(Default)]
struct Run {
    /// Whether the next blank is left out.
    is_blank: bool,
    /// The place of the last blank, if nothing but blanks follows it.
    last: Option<usize>,
}

/// The values that hold for an element, by the places of their properties.
type Winners = BTreeMap<usize, (String, bool)>;

struct Writer<'w, 't> {
    objects: &'w mut Objects,
    cascade: Cascade,
    limits: &'w Limits,
    out: String,
    gaps: Vec<Gap>,
    generated: Vec<Generated>,
    boxes: Option<Boxes<'t>>,
    ignored: Vec<Ignored>,
    /// What was noted, with its object.
    said: HashSet<(u32, String)>,
    run: Run,
}

impl Writer<'_, '_> {
    /// Writes an element and everything inside of it.
    fn element(&mut self, node: Node, around: &Context) -> Result<(), SvgError> {
        let Some(object) = self.objects.of_node(node) else { return Ok(()) };
        if around.depth > self.limits.nesting {
            return Err(Error::TooNested(self.limits.nesting).into());
        }
        let tag = node.tag_name().name();
        let declared = self.cascade.declarations(node);
        let mut own = Context { depth: around.depth + 1, ..around.clone() };
        let winners = self.winners(object, node, &declared, around, &mut own);
        self.part(object, tag, &winners, around, &mut own);
        let space = node.attributes().find(|one| one.name() == "space");
        own.preserve = match (self.get(&winners, "white-space"), space) {
            (Some(value), _) => matches!(value, "pre" | "pre-wrap" | "break-spaces"),
            (None, Some(space)) => space.value() == "preserve",
            _ => around.preserve,
        };
        let is_skipped = match own.text {
            Some(_) => own.is_off || !matches!(tag, "tspan" | "textPath" | "a"),
            None => matches!(tag, "title" | "desc" | "metadata" | "script" | "foreignObject"),
        };
        let is_flat = tag == "svg"
            && ["width", "height"].iter().any(|side| {
                let value = winners.get(&place(side).unwrap_or_default());
                value.is_some_and(|(value, _)| value.parse() == Ok(0.0))
            });
        if is_skipped || (is_flat && object != 0) {
            return Ok(());
        }
        self.write(object, node, &winners, around, own)
    }

    /// Computes the part of the document that an object belongs to.
    fn part(
        &mut self,
        object: u32,
        tag: &str,
        winners: &Winners,
        around: &Context,
        own: &mut Context,
    ) {
        let is_none = self.get(winners, "display") == Some("none");
        own.is_off |= is_none && tag != "clipPath" && !is_definition(tag);
        own.part = match () {
            _ if around.part == Part::Definition || is_definition(tag) => Part::Definition,
            _ if own.is_off || matches!(own.get("visibility"), "hidden" | "collapse") => {
                Part::Hidden
            }
            _ => Part::Painted,
        };
        self.objects.all[object as usize].part = own.part;
    }

    fn get<'x>(&self, winners: &'x Winners, name: &str) -> Option<&'x str> {
        winners.get(&place(name)?).map(|(value, _)| value.as_str())
    }

    fn note(&mut self, object: u32, what: &str, effect: &'static str) {
        let what: String = what.chars().take(100).collect();
        if self.said.insert((object, what.clone())) {
            self.ignored.push(Ignored { object, what: what.into(), effect: effect.into() });
        }
    }

    /// Writes an element whose values are known.
    fn write(
        &mut self,
        object: u32,
        node: Node,
        winners: &Winners,
        around: &Context,
        mut own: Context,
    ) -> Result<(), SvgError> {
        let tag = node.tag_name().name();
        let moves = self.moves(object, node, winners, &own);
        let mut attributes = self.attributes(object, node, winners, around, &own);
        if moves.is_some() {
            let own = transform_attribute(tag);
            attributes.retain(|(name, _)| *name != own && name != "transform-origin");
        }
        let is_in_text = node.parent().is_some_and(|outer| outer.has_tag_name("text"));
        let has_link = attributes.iter().any(|(name, _)| name == "href");
        if tag == "textPath" && !(is_in_text && has_link) {
            return Ok(());
        }
        let shape = is_shape(tag).then(|| Own::outline(tag, &attributes)).flatten();
        self.dashes(node, &own, shape.as_ref(), &mut attributes);
        self.defaults(object, tag, node, &own, &mut attributes);
        let inner = inner_transform(tag, object, node, &attributes, &own);
        let matrix = match &moves {
            Some(moves) => moves.now(&own.environment),
            None => self.get(winners, "transform").map_or(Some(Affine::IDENTITY), |value| {
                attribute_transform(value, &own.environment)
            }),
        };
        own.to_drawing = around.to_drawing * matrix.unwrap_or_default() * inner;
        if is_shape(tag) || tag == "text" {
            self.pen(object, winners, &own, &mut attributes);
        }
        let has_markers = matches!(tag, "path" | "line" | "polyline" | "polygon")
            && !own.in_clip
            && ["marker-start", "marker-mid", "marker-end"]
                .iter()
                .any(|name| !matches!(own.get(name), "" | "none"));
        if has_markers {
            self.mark_points(object, tag, winners, &mut attributes);
        }
        let tag = if tag == "a" && own.text.is_some() { "tspan" } else { tag };
        let mark = self.objects.mark(object).to_owned();
        if has_markers {
            // Parts of a shape with markers have no ids in usvg's tree.
            self.out += &format!("<g id=\"{mark}\"><{tag}");
        } else {
            self.out += &format!("<{tag} id=\"{mark}\"");
        }
        if object == 0 {
            self.out += " xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\"";
        }
        let mut style = String::new();
        for (name, value) in &attributes {
            match &**name {
                // usvg reads these in CSS alone.
                "mix-blend-mode" | "isolation" | "font-kerning" | "image-rendering" => {
                    style += &format!("{name}:{value};");
                }
                _ => write_attribute(&mut self.out, name, value),
            }
        }
        if !style.is_empty() {
            write_attribute(&mut self.out, "style", &style);
        }
        if let Some(moves) = moves {
            let name = transform_attribute(tag);
            self.gaps.push(Gap { at: self.out.len(), object, name, matrix });
            self.remember(object, node, &own, shape, None, Some(moves), inner);
        } else {
            self.remember(object, node, &own, shape, matrix, None, inner);
        }
        self.out.push('>');
        self.children(object, node, tag, &mut own)?;
        if object == 0 {
            self.gaps.push(Gap { at: self.out.len(), object: u32::MAX, name: "", matrix: None });
        }
        self.out += &format!("</{tag}>");
        if has_markers {
            self.out += "</g>";
        }
        Ok(())
    }

    fn children(
        &mut self,
        object: u32,
        node: Node,
        tag: &str,
        own: &mut Context,
    ) -> Result<(), SvgError> {
        own.in_clip |= tag == "clipPath";
        own.environment.view = match (tag, view_box(node)) {
            ("svg" | "symbol" | "pattern" | "marker", Some([_, _, width, height])) => {
                Some((width, height))
            }
            ("symbol" | "marker", None) => None,
            ("svg", None) if object != 0 => {
                let view = own.environment.view.unwrap_or(own.environment.page);
                let side = |name: &str, whole: f64| {
                    let value = node.attribute(name).unwrap_or("100%").trim();
                    values::length_in(value, &own.environment, Whole::Pixels(whole))
                };
                side("width", view.0).zip(side("height", view.1))
            }
            _ => own.environment.view,
        };
        if object == 0 {
            self.background(node, own);
        }
        let starts = tag == "text" && own.text.is_none();
        if starts {
            own.text = Some(object);
            self.run = Run { is_blank: true, last: None };
        }
        self.cascade.enter(node);
        for child in node.children() {
            if child.is_element() {
                self.element(child, own)?;
            } else if let (Some(text), Some(letters)) =
                (own.text, child.text().filter(|_| child.is_text()))
            {
                self.letters(text, object, letters, own);
            }
        }
        self.cascade.leave(node);
        if starts && let Some(at) = self.run.last.take() {
            // A blank at the end of a text is left out.
            self.out.remove(at);
            self.objects.drop_letter(object);
        }
        Ok(())
    }

    /// Writes letters of a text, with blanks as CSS collapses them.
    fn letters(&mut self, text: u32, object: u32, letters: &str, own: &Context) {
        let letters = match own.get("text-transform") {
            "uppercase" => Cow::Owned(letters.to_uppercase()),
            "lowercase" => Cow::Owned(letters.to_lowercase()),
            "capitalize" => {
                let mut is_inside = false;
                let words = letters.chars().flat_map(|letter| {
                    let first = !std::mem::replace(&mut is_inside, letter.is_alphanumeric());
                    let upper = if first { Some(letter.to_uppercase()) } else { None };
                    let same = if first { None } else { Some(letter) };
                    upper.into_iter().flatten().chain(same)
                });
                Cow::Owned(words.collect())
            }
            _ => Cow::Borrowed(letters),
        };
        let mut count = 0;
        for letter in letters.chars() {
            let letter = if matches!(letter, '\n' | '\r' | '\t') { ' ' } else { letter };
            if letter != ' ' || own.preserve {
                count += 1;
                write_letter(&mut self.out, letter);
                self.run = Run::default();
            } else if !self.run.is_blank {
                count += 1;
                self.run = Run { is_blank: true, last: Some(self.out.len()) };
                self.out.push(' ');
            }
        }
        self.objects.add_letters(text, object, count);
    }

    /// What CSS transforms an element with; `None` if only its attribute does, as usvg reads it.
    fn moves(
        &mut self,
        object: u32,
        node: Node,
        winners: &Winners,
        own: &Context,
    ) -> Option<Moves> {
        let tag = node.tag_name().name();
        let at = |name: &str| place(name).and_then(|at| winners.get(&at));
        let in_css = at("transform").is_some_and(|(_, in_css)| *in_css);
        let names = ["transform-origin", "transform-box", "translate", "rotate", "scale"];
        let is_odd = |(value, in_css): &(String, bool)| !in_css && usvg_transform(value).is_none();
        if !in_css
            && names.iter().all(|name| at(name).is_none())
            && !at("transform").is_some_and(is_odd)
        {
            return None;
        }
        if !is_painted(tag) && !is_definition(tag) {
            return None;
        }
        let text = |name: &str, default: &str| {
            at(name).map_or(default, |(value, _)| value.as_str()).to_owned()
        };
        let origin = if object == 0 { "50% 50%" } else { "0 0" };
        Some(Moves {
            in_css,
            transform: text("transform", "none"),
            origin: text("transform-origin", origin),
            area: text("transform-box", "view-box"),
            individual: ["translate", "rotate", "scale"].map(|name| text(name, "none")),
            environment: Environment {
                view: if object == 0 { Some(own.environment.page) } else { own.environment.view },
                ..own.environment
            },
        })
    }

    /// Keeps what the boxes of other elements need.
    #[expect(clippy::too_many_arguments, reason = "one call for each way to place an element")]
    fn remember(
        &mut self,
        object: u32,
        node: Node,
        own: &Context,
        shape: Option<kurbo::BezPath>,
        matrix: Option<Affine>,
        moves: Option<Moves>,
        inner: Affine,
    ) {
        let Some(boxes) = &mut self.boxes else { return };
        let tag = node.tag_name().name();
        let number = |name: &str, default: f64| own.get(name).parse().unwrap_or(default);
        let is_stroked = !matches!(own.get("stroke"), "" | "none") && !own.in_clip;
        let parent = node.parent().and_then(|outer| self.objects.of_node(outer));
        boxes.add(
            object,
            parent.filter(|_| !is_definition(tag) && tag != "defs" && !own.is_off),
            Own {
                is_text: tag == "text",
                shape,
                pen: is_stroked.then(|| {
                    let join = match own.get("stroke-linejoin") {
                        "round" => kurbo::Join::Round,
                        "bevel" => kurbo::Join::Bevel,
                        _ => kurbo::Join::Miter,
                    };
                    let cap = match own.get("stroke-linecap") {
                        "round" => kurbo::Cap::Round,
                        "square" => kurbo::Cap::Square,
                        _ => kurbo::Cap::Butt,
                    };
                    kurbo::Stroke::new(number("stroke-width", 1.0))
                        .with_join(join)
                        .with_caps(cap)
                        .with_miter_limit(number("stroke-miterlimit", 4.0))
                }),
                matrix,
                moves,
                inner,
            },
        );
    }

    /// Paints the background of the page.
    fn background(&mut self, node: Node, own: &Context) {
        let declared = self.cascade.declarations(node);
        let wanted = |one: &&Declaration| matches!(&*one.name, "background" | "background-color");
        let Some(one) = declared.iter().rfind(wanted) else { return };
        let value = substitute(&one.value, &own.custom).unwrap_or_default();
        let words = values::split_words(&value);
        let colour = words.iter().find_map(|word| values::colour(word, &own.environment));
        if words.iter().any(|word| word.contains("gradient(") || word.contains("url(")) {
            self.note(0, &format!("{}: {value}", one.name), "not painted; only its colour is");
        }
        let Some(colour) = colour else { return };
        let (width, height) = own.environment.page;
        let area = own.to_drawing.inverse().transform_rect_bbox(Rect::new(0.0, 0.0, width, height));
        if area.is_finite() {
            let (x, y, width, height) = (area.x0, area.y0, area.width(), area.height());
            self.out += &format!(
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{colour}\" stroke=\"none\"/>"
            );
        }
    }
}

/// A transform of an attribute, as usvg reads it.
fn usvg_transform(value: &str) -> Option<Affine> {
    let found: svgtypes::Transform = value.parse().ok()?;
    Some(Affine::new([found.a, found.b, found.c, found.d, found.e, found.f]))
}

/// A transform of an attribute, as browsers read it.
pub(super) fn attribute_transform(value: &str, environment: &Environment) -> Option<Affine> {
    usvg_transform(value).or_else(|| values::transform(value, environment, Rect::ZERO))
}

/// The attribute that holds the property `transform` of an element.
fn transform_attribute(tag: &str) -> &'static str {
    match tag {
        "pattern" => "patternTransform",
        "linearGradient" | "radialGradient" => "gradientTransform",
        _ => "transform",
    }
}

/// The transform from the contents of an element to its own coordinates.
fn inner_transform(
    tag: &str,
    object: u32,
    node: Node,
    attributes: &[(Cow<'static, str>, String)],
    own: &Context,
) -> Affine {
    let environment = &own.environment;
    let (wide, high) =
        if object == 0 { environment.page } else { environment.view.unwrap_or(environment.page) };
    let side = |name: &str, whole: f64, default: f64| {
        let value = attributes.iter().find(|(known, _)| known == name);
        let value = value
            .and_then(|(_, value)| values::length_in(value, environment, Whole::Pixels(whole)));
        value.unwrap_or(default)
    };
    let place = if object == 0 || !matches!(tag, "svg" | "use") {
        Affine::IDENTITY
    } else {
        Affine::translate((side("x", wide, 0.0), side("y", high, 0.0)))
    };
    if tag != "svg" {
        return place;
    }
    let Some([x, y, width, height]) = view_box(node) else { return place };
    let by = (side("width", wide, wide) / width, side("height", high, high) / height);
    let aspect = node.attribute("preserveAspectRatio").unwrap_or_default();
    if aspect.contains("none") {
        return place * Affine::scale_non_uniform(by.0, by.1) * Affine::translate((-x, -y));
    }
    let scale = if aspect.contains("slice") { by.0.max(by.1) } else { by.0.min(by.1) };
    let share = |least: &str, most: &str| {
        if aspect.contains(least) {
            0.0
        } else if aspect.contains(most) {
            1.0
        } else {
            0.5
        }
    };
    let dx = (by.0 - scale) * width * share("xMin", "xMax");
    let dy = (by.1 - scale) * height * share("YMin", "YMax");
    place * Affine::translate((dx, dy)) * Affine::scale(scale) * Affine::translate((-x, -y))
}

fn write_attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    for letter in value.chars() {
        match letter {
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\t' => out.push_str("&#9;"),
            _ => write_letter(out, letter),
        }
    }
    out.push('"');
}

fn write_letter(out: &mut String, letter: char) {
    match letter {
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '&' => out.push_str("&amp;"),
        _ => out.push(letter),
    }
}
