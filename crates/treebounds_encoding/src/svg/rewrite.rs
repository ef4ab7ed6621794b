//! The pass before usvg: one walk over a document that computes the declarations that hold for each element, and writes the
//! document anew with plain attributes in the words that usvg knows.
//!
//! The new document has no style sheets. Every element has an id of its own, its mark, so whatever usvg paints is
//! attributed to the right object even if the document repeats ids; references lead to the first element with an id, as in
//! browsers. Some values depend on the boxes of elements. Those are filled in after the walk, see [`super::boxes`].

use super::boxes::{Boxes, Gap, Generated, Moves, Own, least_scale, plain_miter};
use super::css::{Cascade, Declaration, Screen};
use super::objects::{Objects, is_definition, is_painted, is_shape};
use super::properties::{
    IGNORED, Kind, LEFT_OUT, PROPERTIES, is_geometry, is_geometry_of, is_length, is_property_of,
    place,
};
use super::values::{self, Effect, Environment, FONT_SIZE, Whole};
use super::{SvgError, left_out};
use kurbo::{Affine, Rect};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::rc::Rc;
use treebounds_report::{Ignored, Part};
use usvg::roxmltree::{Document, Node};
use usvg_guard::{Error, Limits};

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

    /// The value of each property, and whether it was declared in CSS.
    fn winners(
        &mut self,
        object: u32,
        node: Node,
        declared: &[Declaration],
        around: &Context,
        own: &mut Context,
    ) -> Winners {
        let tag = node.tag_name().name();
        if declared.iter().any(|one| one.name.starts_with("--")) {
            let custom = Rc::make_mut(&mut own.custom);
            for one in declared.iter().filter(|one| one.name.starts_with("--")) {
                custom.insert(one.name.clone(), (&*one.value).into());
            }
        }
        // The candidates, least important first.
        let mut all: Vec<(usize, Cow<str>, bool)> = Vec::new();
        for one in node.attributes().filter(|one| one.namespace().is_none()) {
            let name = one.name();
            if let Some(at) = place(name).filter(|_| is_property_of(tag, name)) {
                all.push((at, one.value().trim().into(), false));
            }
        }
        for one in declared {
            self.expand(object, tag, &one.name, &one.value, &own.custom, &mut all);
        }
        let mut winners = Winners::new();
        for (at, &(name, kind, inherits)) in PROPERTIES.iter().enumerate() {
            for (_, value, in_css) in all.iter().rev().filter(|one| one.0 == at) {
                let value = match substitute(value, &own.custom) {
                    Some(value) => value,
                    // The value is invalid only now, so no other declaration takes its place.
                    None => break,
                };
                match &*value.to_ascii_lowercase() {
                    "inherit" if !inherits => {
                        winners.insert(at, (value.into_owned(), *in_css));
                        break;
                    }
                    "initial" if inherits => {
                        winners.insert(at, (initial(name).to_owned(), *in_css));
                        break;
                    }
                    "inherit" | "initial" | "unset" | "revert" | "revert-layer" => break,
                    _ => {}
                }
                let environment =
                    if name == "font-size" { &around.environment } else { &own.environment };
                match self.lower(object, name, kind, &value, environment, *in_css) {
                    Some(lowered) => {
                        if name == "font-variant" && lowered != "normal" {
                            self.note(
                                object,
                                &format!("{name}: {lowered}"),
                                "not as browsers draw it; the letters may be larger or smaller",
                            );
                        }
                        winners.insert(at, (lowered, *in_css));
                        break;
                    }
                    None if value.contains('(') => {
                        let what = format!("{name}: {value}");
                        self.note(object, &what, "not understood; the value is left out");
                    }
                    None => {}
                }
            }
            if let Some((value, _)) = winners.get(&at) {
                match name {
                    "font-size" => own.environment.font_size = value.parse().unwrap_or(FONT_SIZE),
                    "color-scheme" => {
                        own.environment.is_dark =
                            value.contains("dark") && !value.contains("light");
                    }
                    _ => {}
                }
                if inherits {
                    Rc::make_mut(&mut own.inherited).insert(name, value.as_str().into());
                }
            }
        }
        if object == 0 {
            own.environment.root_font_size = own.environment.font_size;
        }
        winners
    }

    /// Splits a declaration into the properties that it stands for.
    fn expand<'v>(
        &mut self,
        object: u32,
        tag: &str,
        name: &str,
        value: &'v str,
        custom: &HashMap<Box<str>, Rc<str>>,
        all: &mut Vec<(usize, Cow<'v, str>, bool)>,
    ) {
        match name {
            "marker" => {
                for name in ["marker-start", "marker-mid", "marker-end"] {
                    all.extend(place(name).map(|at| (at, value.into(), true)));
                }
            }
            "font" => {
                let value = substitute(value, custom).unwrap_or_default();
                for (name, value) in values::font(&value).into_iter().flatten() {
                    all.extend(place(name).map(|at| (at, value.into(), true)));
                }
            }
            "text-decoration-line" => {
                all.extend(place("text-decoration").map(|at| (at, value.into(), true)));
            }
            "font-variant-caps" => {
                all.extend(place("font-variant").map(|at| (at, value.into(), true)));
            }
            "overflow-x" => all.extend(place("overflow").map(|at| (at, value.into(), true))),
            "d" if value.starts_with("path(") => {
                let inner = value.trim_start_matches("path(").trim_end_matches(')').trim();
                let inner = inner.trim_matches(['"', '\'']);
                all.extend(place("d").map(|at| (at, inner.into(), true)));
            }
            _ => match place(name) {
                Some(at) if !is_geometry(name) || is_geometry_of(tag, name) => {
                    all.push((at, value.into(), true));
                }
                Some(_) => {}
                None => {
                    let plain =
                        ["none", "auto", "normal", "1", "100%", "initial", "inherit", "unset"];
                    let known = LEFT_OUT.iter().find(|(known, _)| *known == name);
                    if let Some((_, effect)) = known.filter(|_| !plain.contains(&value)) {
                        self.note(object, &format!("{name}: {value}"), effect);
                    }
                }
            },
        }
    }

    /// The value of a property in usvg's words; `None` if it is invalid.
    fn lower(
        &mut self,
        object: u32,
        name: &'static str,
        kind: Kind,
        value: &str,
        environment: &Environment,
        in_css: bool,
    ) -> Option<String> {
        let lower = value.to_ascii_lowercase();
        match kind {
            Kind::Paint => self.paint(value, environment),
            Kind::Colour => values::colour(value, environment),
            Kind::Alpha => values::plain(values::number(value, environment)?.clamp(0.0, 1.0)),
            Kind::Length { whole, negative, bare } => {
                let word = matches!(
                    (name, &*lower),
                    ("letter-spacing" | "word-spacing", "normal")
                        | ("width" | "height" | "rx" | "ry", "auto")
                );
                if word {
                    return Some(lower);
                }
                // The size of the root is relative to the window, which does not matter.
                let whole = if object == 0 { Whole::Unknown } else { whole };
                if object == 0 && in_css && lower.ends_with('%') {
                    return None;
                }
                let length = values::length(value, environment, whole, bare || !in_css)?;
                (negative || !length.starts_with('-') || length.parse() == Ok(0.0))
                    .then_some(length)
            }
            Kind::Dashes if lower == "none" => Some(lower),
            Kind::Dashes => {
                let all = values::lengths(value, environment, Whole::Diagonal)?;
                let all: Option<Vec<String>> =
                    all.iter().map(|one| values::plain(*one).filter(|_| *one >= 0.0)).collect();
                all.map(|all| all.join(" "))
            }
            Kind::Miter => {
                let limit = values::number(value, environment).filter(|limit| *limit >= 1.0)?;
                Some(plain_miter(limit as f32).to_string())
            }
            Kind::Words(words) if words.contains(&&*lower) => {
                Some(if lower == "clip" { "hidden".to_owned() } else { lower })
            }
            Kind::Words(_) => None,
            Kind::Reference(_) if lower == "none" => Some(lower),
            Kind::Reference(kind) => match values::url(value) {
                Some((link, _)) => match self.objects.target(&link, &[kind]) {
                    Some(mark) => Some(format!("url(#{mark})")),
                    None => Some("none".to_owned()),
                },
                None if kind == "clipPath" && value.contains('(') => {
                    let mark = self.objects.generated_mark();
                    let found = format!("url(#{mark})");
                    let shape = value.to_owned();
                    let environment = *environment;
                    self.generated.push(Generated::Clip { mark, object, shape, environment });
                    Some(found)
                }
                None => None,
            },
            Kind::Filter if lower == "none" => Some(lower),
            Kind::Filter => self.filter(object, value, environment),
            Kind::FontSize => values::plain(values::font_size(value, environment, !in_css)?),
            Kind::Transform | Kind::Text if name == "font-family" || name == "d" => {
                Some(value.to_owned())
            }
            Kind::Transform if name == "transform" => {
                let is_good = if in_css {
                    values::transform(value, environment, Rect::ZERO).is_some()
                } else {
                    attribute_transform(value, environment).is_some()
                };
                is_good.then(|| value.to_owned())
            }
            Kind::Transform | Kind::Text => Some(lower),
        }
    }

    fn paint(&mut self, value: &str, environment: &Environment) -> Option<String> {
        let lower = value.to_ascii_lowercase();
        if matches!(&*lower, "none" | "context-fill" | "context-stroke") {
            return Some(lower);
        }
        let Some((link, rest)) = values::url(value) else {
            return values::colour(value, environment);
        };
        let rest = if rest.is_empty() { None } else { Some(self.paint(&rest, environment)?) };
        let kinds = ["linearGradient", "radialGradient", "pattern"];
        Some(match self.objects.target(&link, &kinds) {
            Some(mark) => format!("url(#{mark}) {}", rest.unwrap_or_default()).trim().to_owned(),
            None => rest.unwrap_or_else(|| "none".to_owned()),
        })
    }

    fn filter(&mut self, object: u32, value: &str, environment: &Environment) -> Option<String> {
        let effects = values::effects(value, environment)?;
        let mut found = Vec::new();
        for effect in effects {
            match effect {
                Effect::Link(link) => {
                    let mark = self.objects.target(&link, &["filter"]);
                    found.extend(mark.map(|mark| format!("url(#{mark})")));
                }
                effect => {
                    if let Some(Generated::Filter { object: known, effects, is_open: true, .. }) =
                        self.generated.last_mut().filter(|_| !found.is_empty())
                        && *known == object
                    {
                        effects.push(effect);
                        continue;
                    }
                    let mark = self.objects.generated_mark();
                    found.push(format!("url(#{mark})"));
                    let effects = vec![effect];
                    self.generated.push(Generated::Filter { mark, object, effects, is_open: true });
                    continue;
                }
            }
            if let Some(Generated::Filter { is_open, .. }) = self.generated.last_mut() {
                *is_open = false;
            }
        }
        if let Some(Generated::Filter { is_open, .. }) = self.generated.last_mut() {
            *is_open = false;
        }
        Some(if found.is_empty() { "none".to_owned() } else { found.join(" ") })
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
            attributes.retain(|(name, _)| !matches!(&**name, "transform" | "transform-origin"));
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
            let name = match tag {
                "pattern" => "patternTransform",
                "linearGradient" | "radialGradient" => "gradientTransform",
                _ => "transform",
            };
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

    /// The attributes of an element: those that are no properties as they are, and the values that hold.
    fn attributes(
        &mut self,
        object: u32,
        node: Node,
        winners: &Winners,
        around: &Context,
        own: &Context,
    ) -> Vec<(Cow<'static, str>, String)> {
        let tag = node.tag_name().name();
        let mut out: Vec<(Cow<'static, str>, String)> = Vec::new();
        for one in node.attributes() {
            let name = one.name();
            let is_plain = one.namespace().is_none();
            let is_property = place(name).is_some() && is_property_of(tag, name);
            match name {
                "id" | "class" | "style" | "space" | "requiredFeatures" | "href" => {}
                "systemLanguage" | "requiredExtensions" if object == 0 => {}
                _ if !is_plain || is_property => {}
                _ if is_length(name) => {
                    let value = self.length_list(tag, name, one.value(), own);
                    out.push((name.to_owned().into(), value));
                }
                _ => out.push((name.to_owned().into(), one.value().to_owned())),
            }
        }
        out.extend(self.href(object, node));
        for (at, (value, _)) in winners {
            let (name, ..) = PROPERTIES[*at];
            match name {
                "transform-box" | "translate" | "rotate" | "scale" | "vector-effect"
                | "white-space" | "text-transform" | "color-scheme" | "direction" => {}
                _ if value == "auto" && is_geometry(name) => {}
                _ => out.push((name.into(), value.clone())),
            }
        }
        if matches!(own.get("direction"), "rtl")
            && (tag == "text"
                || self.get(winners, "text-anchor").is_some() && around.text.is_some())
        {
            let swapped = match own.get("text-anchor") {
                "middle" => "middle",
                "end" => "start",
                _ => "end",
            };
            out.retain(|(name, _)| name != "text-anchor");
            out.push(("text-anchor".into(), swapped.to_owned()));
        }
        out
    }

    /// A length, or a list of them, of an attribute that is no property.
    fn length_list(&self, tag: &str, name: &str, value: &str, own: &Context) -> String {
        let is_usual = |byte: u8| byte.is_ascii_digit() || b" .,-%\n\t".contains(&byte);
        let value = value.trim();
        let whole = match name {
            _ if !matches!(tag, "line" | "text" | "tspan") => Whole::Unknown,
            "x" | "dx" | "x1" | "x2" => Whole::X,
            "y" | "dy" | "y1" | "y2" => Whole::Y,
            _ => Whole::Diagonal,
        };
        if value.bytes().all(is_usual) && (whole == Whole::Unknown || !value.contains('%')) {
            return value.to_owned();
        }
        let words = values::split(value, ',').into_iter().flat_map(values::split_words);
        let words: Vec<String> = words
            .map(|word| {
                let found = values::length(word, &own.environment, whole, true);
                found.unwrap_or_else(|| word.to_owned())
            })
            .collect();
        words.join(" ")
    }

    /// The reference of an element.
    fn href(&mut self, object: u32, node: Node) -> Option<(Cow<'static, str>, String)> {
        let tag = node.tag_name().name();
        let mut all = node.attributes().filter(|one| one.name() == "href");
        let plain = all.clone().find(|one| one.namespace().is_none());
        let value = plain.or_else(|| all.next())?.value();
        let kinds: &[&str] = match tag {
            "image" => return Some(("xlink:href".into(), value.to_owned())),
            "a" => return None,
            "linearGradient" | "radialGradient" => &["linearGradient", "radialGradient"],
            "pattern" | "filter" => &[tag],
            "feImage" if !value.starts_with('#') => {
                return Some(("xlink:href".into(), value.to_owned()));
            }
            _ => &[],
        };
        let kinds: Vec<&'static str> = kinds
            .iter()
            .filter_map(|kind| {
                ["linearGradient", "radialGradient", "pattern", "filter"]
                    .into_iter()
                    .find(|one| one == kind)
            })
            .collect();
        let mark = self.objects.target(value.trim(), &kinds)?.to_owned();
        if tag == "use"
            && let Some(boxes) = &mut self.boxes
        {
            boxes.link(object, self.objects.index_of(value.trim()));
        }
        Some(("href".into(), format!("#{mark}")))
    }

    /// Sizes that browsers take if there is no attribute.
    fn defaults(
        &mut self,
        object: u32,
        tag: &str,
        node: Node,
        own: &Context,
        attributes: &mut Vec<(Cow<'static, str>, String)>,
    ) {
        let has = |attributes: &[(Cow<'static, str>, String)], name: &str| {
            attributes.iter().any(|(known, _)| known == name)
        };
        match tag {
            "svg" if object != 0 => {
                for side in ["width", "height"] {
                    if !has(attributes, side) {
                        attributes.push((side.into(), "100%".to_owned()));
                    }
                }
            }
            "use" => {
                let link = node.attributes().find(|one| one.name() == "href");
                let target = link.and_then(|link| self.objects.index_of(link.value().trim()));
                let target =
                    target.and_then(|target| node.document().get_node(self.objects.node(target)));
                if let Some(symbol) = target.filter(|target| target.has_tag_name("symbol")) {
                    for side in ["width", "height"] {
                        if let Some(value) =
                            symbol.attribute(side).filter(|_| !has(attributes, side))
                        {
                            let value = self.length_list(tag, side, value, own);
                            attributes.push((side.into(), value));
                        }
                    }
                }
            }
            "text" => attributes.push(("xml:space".into(), "preserve".to_owned())),
            "rect" | "circle" | "ellipse" => {
                for name in ["marker-start", "marker-mid", "marker-end"] {
                    attributes.retain(|(known, _)| known != name);
                    if !matches!(own.get(name), "" | "none") {
                        attributes.push((name.into(), "none".to_owned()));
                    }
                }
            }
            _ => {}
        }
    }

    /// Scales dashes by `pathLength`.
    fn dashes(
        &mut self,
        node: Node,
        own: &Context,
        shape: Option<&kurbo::BezPath>,
        attributes: &mut Vec<(Cow<'static, str>, String)>,
    ) {
        let length =
            node.attribute("pathLength").and_then(|value| value.trim().parse::<f64>().ok());
        let Some((length, shape)) = length.filter(|length| *length > 0.0).zip(shape) else {
            return;
        };
        if matches!(own.get("stroke-dasharray"), "" | "none") {
            return;
        }
        let by = kurbo::Shape::perimeter(shape, 0.01) / length;
        for name in ["stroke-dasharray", "stroke-dashoffset"] {
            let all = own.get(name).split(' ').filter_map(|dash| dash.parse::<f64>().ok());
            let all: Vec<String> = all.filter_map(|dash| values::plain(dash * by)).collect();
            attributes.retain(|(known, _)| known != name);
            if !all.is_empty() {
                attributes.push((name.into(), all.join(" ")));
            }
        }
    }

    /// Writes a stroke that does not scale so that the walk over usvg's tree can tell.
    fn pen(
        &mut self,
        object: u32,
        winners: &Winners,
        own: &Context,
        attributes: &mut Vec<(Cow<'static, str>, String)>,
    ) {
        match self.get(winners, "vector-effect") {
            Some("non-scaling-stroke") => {}
            None | Some("none" | "inherit") => return,
            Some(other) => {
                let what = format!("vector-effect: {other}");
                return self.note(object, &what, IGNORED);
            }
        }
        if matches!(own.get("stroke"), "" | "none") {
            return;
        }
        let by = 1.0 / least_scale(own.to_drawing).max(1e-9);
        let number = |name: &str, default: f64| own.get(name).parse().unwrap_or(default);
        let limit = number("stroke-miterlimit", 4.0) as f32;
        let Some(limit) = self.objects.pens.add(by, limit) else {
            return self.note(object, "vector-effect: non-scaling-stroke", IGNORED);
        };
        let mut set = |name: &'static str, value: String| {
            attributes.retain(|(known, _)| known != name);
            attributes.push((name.into(), value));
        };
        set("stroke-width", values::plain(number("stroke-width", 1.0) * by).unwrap_or_default());
        set("stroke-miterlimit", limit.to_string());
        if !matches!(own.get("stroke-dasharray"), "" | "none") {
            let all = own.get("stroke-dasharray").split(' ');
            let all = all.filter_map(|dash| values::plain(dash.parse::<f64>().ok()? * by));
            set("stroke-dasharray", all.collect::<Vec<_>>().join(" "));
            let offset = number("stroke-dashoffset", 0.0) * by;
            set("stroke-dashoffset", values::plain(offset).unwrap_or_default());
        }
    }

    /// Makes usvg paint the markers of a path with one point, and notes what their boxes change.
    fn mark_points(
        &mut self,
        object: u32,
        tag: &str,
        winners: &Winners,
        attributes: &mut [(Cow<'static, str>, String)],
    ) {
        for name in ["clip-path", "filter", "mask"] {
            let value = self.get(winners, name).filter(|value| *value != "none");
            if value.is_some() {
                let what = format!("{name} of a shape with markers");
                self.note(object, &what, "its markers count as part of the box that it refers to");
            }
        }
        let name = if tag == "path" { "d" } else { "points" };
        let found = attributes.iter_mut().find(|(known, _)| known == name);
        let Some((_, value)) = found.filter(|_| tag != "line") else { return };
        let letters = value.bytes().filter(u8::is_ascii_alphabetic).count();
        let numbers = value.split(|letter: char| !"0123456789.-+eE".contains(letter));
        let numbers = numbers.filter(|word| !word.is_empty()).take(3).count();
        match tag {
            "path" if letters == 1 && numbers == 2 => value.push_str("h0"),
            "path" if letters == 2 && numbers == 2 && value.trim_end().ends_with(['z', 'Z']) => {
                let start = value.trim_end().len() - 1;
                value.replace_range(start.., "h0z");
            }
            "polyline" | "polygon" if numbers == 2 => *value = format!("{value} {value}"),
            _ => {}
        }
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

/// The initial value of an inherited property.
fn initial(name: &str) -> &'static str {
    match name {
        "fill" | "color" => "#000000",
        "fill-opacity" | "stroke-opacity" | "stroke-width" => "1",
        "stroke-dashoffset" => "0",
        "stroke" | "stroke-dasharray" | "text-transform" => "none",
        "marker-start" | "marker-mid" | "marker-end" => "none",
        "stroke-linecap" => "butt",
        "stroke-linejoin" => "miter",
        "stroke-miterlimit" => "4",
        "fill-rule" | "clip-rule" => "nonzero",
        "font-size" => "16",
        "text-anchor" => "start",
        "direction" => "ltr",
        "visibility" => "visible",
        "color-interpolation-filters" => "linearRGB",
        "font-family" => "serif",
        "writing-mode" => "horizontal-tb",
        "letter-spacing" | "word-spacing" | "font-style" | "font-variant" | "font-weight"
        | "font-stretch" | "white-space" | "paint-order" | "color-scheme" => "normal",
        _ => "auto",
    }
}

/// How deep custom properties may refer to each other, and how long a value may become.
const CUSTOM_DEPTH: u32 = 16;
const CUSTOM_LENGTH: usize = 1 << 14;

/// A value with its custom properties filled in; `None` if one has no value.
fn substitute<'v>(value: &'v str, custom: &HashMap<Box<str>, Rc<str>>) -> Option<Cow<'v, str>> {
    if !value.contains("var(") {
        return Some(Cow::Borrowed(value));
    }
    let mut left = CUSTOM_LENGTH;
    fill_in(value, custom, CUSTOM_DEPTH, &mut left).map(Cow::Owned)
}

fn fill_in(
    value: &str,
    custom: &HashMap<Box<str>, Rc<str>>,
    depth: u32,
    left: &mut usize,
) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    *left = left.checked_sub(value.len())?;
    let Some((before, rest)) = value.split_once("var(") else { return Some(value.to_owned()) };
    let mut open = 1_u32;
    let end = rest.find(|letter| {
        match letter {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        open == 0
    })?;
    let (inner, after) = (&rest[..end], &rest[end + 1..]);
    let (name, fallback) = inner.split_once(',').map_or((inner, None), |(a, b)| (a, Some(b)));
    let found =
        custom.get(name.trim()).and_then(|found| fill_in(found.trim(), custom, depth, left));
    let found = match found {
        Some(found) => found,
        None => fill_in(fallback?.trim(), custom, depth, left)?,
    };
    let mut out = before.to_owned() + &found;
    // Values with many references are not nested in each other.
    out += &fill_in(after, custom, depth.max(1), left)?;
    Some(out)
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
