//! The pass before usvg: one walk over a document that computes the declarations that hold for each element, and writes the
//! document anew with plain attributes in the words that usvg knows.
//!
//! The new document has no style sheets. Every element has an id of its own, its mark, so whatever usvg paints is
//! attributed to the right object even if the document repeats ids; references lead to the first element with an id, as in
//! browsers. Some values depend on the boxes of elements. Those are filled in after the walk, see [`super::boxes`].

mod attributes;
mod custom;
mod declared;
mod elements;
mod letters;
mod markers;
mod places;
mod references;

use super::boxes::{Boxes, Gap};
use super::css::{Cascade, Declaration, Screen};
use super::fonts::Fonts;
use super::generated::Generated;
use super::images::{Linked, SvgImage};
use super::objects::{Objects, is_definition};
use super::properties::Values;
use super::values::{self, Environment, FONT_SIZE};
use super::{Media, SvgError, left_out};
use kurbo::{Affine, Rect};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::iter::successors;
use std::rc::Rc;
use treebounds_report::{Ignored, Part};
use usvg::roxmltree::{Document, Node, NodeId};
use usvg_guard::{Error, Limits};

pub(super) use attributes::{attribute, set};
use letters::Run;
use places::page;
pub(super) use references::whole_numbers;

/// A document, rewritten for usvg.
pub(super) struct Rewritten {
    pub(super) objects: Objects,
    pub(super) text: String,
    pub(super) ignored: Vec<Ignored>,
    /// Whether the boxes of texts are needed, which only usvg can measure.
    pub(super) wants_texts: bool,
    /// Its size, if it is an SVG image.
    pub(super) image: Option<SvgImage>,
}

/// The settings, fonts and images for rewriting a document.
pub(super) struct Source<'s> {
    pub(super) media: Media,
    pub(super) fonts: &'s Fonts,
    pub(super) images: &'s Linked<'s>,
    /// The boxes of its texts, from usvg's tree of an earlier pass.
    pub(super) texts: &'s HashMap<u32, Rect>,
}

/// Rewrites a document, which may be an SVG image inside of another.
pub(super) fn rewrite<'w>(
    document: &'w Document<'w>,
    limits: &'w Limits,
    source: &Source<'w>,
    is_image: bool,
) -> Result<Rewritten, SvgError> {
    let (mut writer, around) = Writer::of(document, limits, source, is_image);
    writer.element(document.root_element(), &around)?;
    writer.note_uses();
    let Writer { objects, out, gaps, generated, mut boxes, image, mut ignored, .. } = writer;
    let text = boxes.fill(&out, &gaps, &generated, &mut ignored);
    ignored.sort_by_key(|one| one.object);
    Ok(Rewritten { objects, text, ignored, wants_texts: boxes.wants_texts, image })
}

/// The bits of a property's number.
type Number = (&'static str, u64);

/// The numbers that are written as in a definition, though its uses may have others.
const LEFT_TO_USES: [&str; 3] = ["font-size", "stroke-width", "stroke-miterlimit"];

/// How many elements that are used inside of each other are followed.
const USED: usize = 8;

const XHTML: &str = "http://www.w3.org/1999/xhtml";

/// What an element inherits.
#[derive(Clone, Default)]
struct Context {
    environment: Environment,
    inherited: Rc<Values<Rc<str>>>,
    /// All values of the element.
    values: Rc<Winners>,
    custom: Rc<HashMap<Box<str>, Rc<str>>>,
    part: Part,
    /// Whether it is inside of `display: none`.
    is_off: bool,
    /// Whether it is replaced by its contents.
    is_replaced: bool,
    /// The keyword of the font size, which is empty for a part of a keyword's size; `None` for a length.
    size_word: Option<Rc<str>>,
    /// Whether it shows nothing of its contents.
    is_empty: bool,
    depth: u64,
    /// From the element's coordinates to the drawing's, where that is known.
    to_drawing: Affine,
    in_clip: bool,
    /// Whether it is painted as content of a marker, mask or pattern.
    is_content: bool,
    /// An effect around that refers to the box of its object.
    effect: Option<(u32, &'static str)>,
    /// The text around.
    text: Option<u32>,
    /// The elements around that are both used and painted in place.
    used: Rc<[NodeId]>,
}

impl Context {
    /// The value of a property that it does not inherit, and whether it is declared in CSS.
    fn winner(&self, name: &str) -> Option<&(String, bool)> {
        self.values.get(name)
    }

    /// The value of a property that it does not inherit.
    fn own(&self, name: &str) -> Option<&str> {
        self.winner(name).map(|(value, _)| value.as_str())
    }

    /// The value of an inherited property.
    fn get(&self, name: &str) -> &str {
        self.inherited.get(name).map_or("", |value| value)
    }

    /// The value of an inherited property, if there is any but `none`.
    fn some(&self, name: &str) -> Option<&str> {
        Some(self.get(name)).filter(|value| !matches!(*value, "" | "none"))
    }

    /// A number that the contents of a `use` may inherit.
    fn number_of(&self, name: &'static str) -> Number {
        let number = match name {
            "font-size" => self.environment.font.size,
            "stroke-width" => self.number(name, 1.0),
            _ => self.number(name, 4.0),
        };
        (name, number.to_bits())
    }

    /// A number, and the default where there is none.
    fn number(&self, name: &str, default: f64) -> f64 {
        self.get(name).parse().unwrap_or(default)
    }

    /// The properties that choose a font.
    fn font(&self) -> [&str; 3] {
        ["font-family", "font-weight", "font-style"].map(|name| self.get(name))
    }
}

/// The attributes of an element for usvg.
pub(super) type Attributes = Vec<(Cow<'static, str>, String)>;

/// The values that hold for an element, and whether they are declared in CSS.
type Winners = Values<(String, bool)>;

struct Writer<'w> {
    objects: Objects,
    /// The element of each object.
    nodes: Vec<Node<'w, 'w>>,
    /// The definitions that were asked for, and whether they have `display: none`.
    off: HashMap<u32, bool>,
    images: &'w Linked<'w>,
    /// Whether the document is itself an SVG image, and its size.
    is_image: bool,
    image: Option<SvgImage>,
    /// The gradients that paint nothing.
    stopless: HashSet<u32>,
    cascade: Cascade,
    fonts: &'w Fonts,
    /// Whether a unit may depend on the font.
    needs_fonts: bool,
    limits: &'w Limits,
    out: String,
    gaps: Vec<Gap>,
    /// Whether there are viewports inside of the root.
    has_viewports: bool,
    /// How many elements were written, without empty groups.
    opened: u32,
    generated: Vec<Generated>,
    /// The values that may depend on the use: on custom properties, or on this number of a property.
    left_to_uses: Vec<(u32, String, Option<Number>)>,
    /// The numbers of properties of `use` elements.
    use_numbers: BTreeSet<Number>,
    /// Whether elements other than the root have custom properties of their own.
    has_custom: bool,
    boxes: Boxes<'w>,
    ignored: Vec<Ignored>,
    /// What was noted, with its object.
    said: HashSet<(u32, String)>,
    run: Run,
    /// Whether markers may take the paint of their shape.
    has_context: OnceCell<bool>,
}

impl<'w> Writer<'w> {
    /// A writer for a document, and what its root inherits.
    fn of(
        document: &'w Document<'w>,
        limits: &'w Limits,
        source: &Source<'w>,
        is_image: bool,
    ) -> (Self, Context) {
        let Source { media, fonts, images, texts } = *source;
        let needs_fonts = document.descendants().any(|node| match node.text() {
            Some(text) if node.is_text() => values::needs_font(text),
            _ => node.attributes().any(|one| {
                !matches!(one.name(), "d" | "points" | "href") && values::needs_font(one.value())
            }),
        });
        let mut environment = Environment::default();
        if needs_fonts {
            environment.font = fonts.metrics(["", "", ""], FONT_SIZE);
            environment.root_font = environment.font;
        }
        let root = document.root_element();
        let (width, height) = page(root, &environment, |name| root.attribute(name));
        (environment.page, environment.view) = ((width, height), Some((width, height)));
        let (objects, nodes) = Objects::of(document);
        let mut cascade = Cascade::new(document, Screen { width, height, media }, &objects, &nodes);
        let mut ignored = left_out::find(document, &nodes);
        ignored.extend(std::mem::take(&mut cascade.skipped).into_iter().map(|rule| {
            let effect = left_out::rule(&rule).into();
            Ignored { object: 0, effect, what: rule.into() }
        }));
        let writer = Self {
            images,
            is_image,
            stopless: references::without_stops(&objects, &nodes),
            image: None,
            fonts,
            needs_fonts,
            objects,
            cascade,
            limits,
            out: String::with_capacity(document.input_text().len() * 2),
            gaps: Vec::new(),
            has_viewports: nodes
                .iter()
                .skip(1)
                .any(|node| node.has_tag_name("svg") || node.has_tag_name("symbol")),
            opened: 0,
            generated: Vec::new(),
            left_to_uses: Vec::new(),
            use_numbers: BTreeSet::new(),
            has_custom: false,
            boxes: Boxes::new(nodes.len(), texts),
            nodes,
            off: HashMap::new(),
            ignored,
            said: HashSet::new(),
            run: Run::default(),
            has_context: OnceCell::new(),
        };
        let size_word = Some("medium".into());
        (writer, Context { environment, size_word, ..Context::default() })
    }

    /// Writes an element and everything inside of it.
    fn element(&mut self, node: Node, around: &Context) -> Result<(), SvgError> {
        self.choice(node);
        let Some(object) = self.objects.of_node(node) else { return Ok(()) };
        if around.depth > self.limits.nesting {
            return Err(Error::TooNested(self.limits.nesting).into());
        }
        let tag = node.tag_name().name();
        let declared = self.cascade.declarations(node);
        let mut own = Context { depth: around.depth + 1, is_replaced: false, ..around.clone() };
        self.in_uses(node, &declared, &mut own);
        own.values = Rc::new(self.winners(object, node, &declared, around, &mut own));
        if object == 0 {
            self.root(node, &mut own);
        }
        if tag == "use" {
            self.use_numbers.extend(LEFT_TO_USES.map(|name| own.number_of(name)));
        }
        self.part(object, tag, around, &mut own);
        own.is_empty = !own.is_replaced && self.is_flat(node, &own);
        if object != 0 && (is_skipped(node, &own) || own.is_empty) {
            return Ok(());
        }
        self.write(object, node, around, own)
    }

    /// Notes a declaration that an element does not have where it is used, or only there.
    fn in_uses(&mut self, node: Node, declared: &[Declaration], own: &mut Context) {
        if !self.cascade.uses(node.id()).is_empty() && own.used.len() < USED {
            own.used = own.used.iter().copied().chain([node.id()]).collect();
        }
        for used in Rc::clone(&own.used).iter() {
            let other = self.cascade.other_in_uses(node, *used, declared);
            let Some(Declaration { name, value, .. }) = other else { continue };
            for object in self.cascade.uses(*used).to_vec() {
                let effect = "of a selector that looks out of what the use shows; read as in place";
                self.note(object, &format!("{name}: {value}"), effect);
            }
        }
    }

    /// Computes the part of the document that an object belongs to.
    fn part(&mut self, object: u32, tag: &str, around: &Context, own: &mut Context) {
        let is_none = own.own("display") == Some("none");
        own.is_off |= is_none && object != 0 && tag != "clipPath" && !is_definition(tag);
        own.part = match () {
            _ if around.part == Part::Definition || is_definition(tag) => Part::Definition,
            _ if own.is_off || matches!(own.get("visibility"), "hidden" | "collapse") => {
                Part::Hidden
            }
            _ => Part::Painted,
        };
        self.objects.all[object as usize].part = own.part;
    }

    /// Notes the values that are others where a `use` shows their elements.
    fn note_uses(&mut self) {
        for (object, what, number) in std::mem::take(&mut self.left_to_uses) {
            let all = &self.objects.all;
            let mut around = successors(all.get(object as usize), |it| all.get(it.parent as usize));
            let is_other = number.map_or(self.has_custom, |number| {
                let mut used = self.use_numbers.iter();
                used.any(|used| used.0 == number.0 && *used != number)
            });
            if is_other && around.any(|one| one.is_used) {
                self.note(object, &what, "read as in the definition, and not as in its use");
            }
        }
    }

    fn note(&mut self, object: u32, what: &str, effect: &'static str) {
        let what: String = what.chars().take(100).collect();
        if self.said.insert((object, what.clone())) {
            self.ignored.push(Ignored { object, what: what.into(), effect: effect.into() });
        }
    }
}

/// Whether an element is not written.
fn is_skipped(node: Node, own: &Context) -> bool {
    let tag = node.tag_name().name();
    if own.text.is_none() {
        return matches!(tag, "title" | "desc" | "metadata" | "script" | "foreignObject");
    }
    let is_read = |language: &str| {
        let language = language.to_ascii_lowercase();
        language.split(',').any(|one| one.trim().starts_with("en"))
    };
    own.is_off
        || !matches!(tag, "tspan" | "textPath" | "a")
        || node.attribute("systemLanguage").is_some_and(|language| !is_read(language))
}

/// The attribute that holds the property `transform` of an element.
fn transform_attribute(tag: &str) -> &'static str {
    match tag {
        "pattern" => "patternTransform",
        "linearGradient" | "radialGradient" => "gradientTransform",
        _ => "transform",
    }
}

/// Takes attributes away, as text.
fn take(attributes: &mut Attributes, names: &[&str]) -> String {
    let mut out = String::new();
    for (name, value) in attributes.extract_if(.., |(name, _)| names.contains(&&**name)) {
        write_attribute(&mut out, &name, &value);
    }
    out
}

pub(super) fn write_attribute(out: &mut String, name: &str, value: &str) {
    out.extend([" ", name, "=\""]);
    let is_special = |byte| matches!(byte, b'<' | b'>' | b'&' | b'"' | b'\n' | b'\r' | b'\t');
    let mut rest = value;
    // Most values need no escapes, and are copied at once.
    while let Some(at) = rest.bytes().position(is_special) {
        let (plain, after) = rest.split_at(at);
        out.push_str(plain);
        write_letter(out, char::from(after.as_bytes()[0]));
        rest = &after[1..];
    }
    out.extend([rest, "\""]);
}

fn write_letter(out: &mut String, letter: char) {
    match letter {
        '<' => out.push_str("&lt;"),
        '>' => out.push_str("&gt;"),
        '&' => out.push_str("&amp;"),
        '"' => out.push_str("&quot;"),
        '\n' | '\r' | '\t' => *out += &format!("&#{};", letter as u32),
        _ => out.push(letter),
    }
}
