//! The objects of a document, and how they are found again in usvg's tree.
//!
//! usvg keeps the ids of shapes, groups and images, and nothing else about their origin. So before usvg reads the document,
//! every element that may be painted and has no id gets one that no document uses: the character [`SIGN`] and its number.

use super::css::Style;
use std::borrow::Cow;
use std::collections::HashMap;
use treebounds_core::{NONE, Rect};
use treebounds_report::{Object, Part};
use usvg::layout::Span;
use usvg::roxmltree::{Document, Node, NodeId};
use usvg::{Path, Text};
use usvg_guard::{Cascade, Edits, NAMESPACE, is_editable};

/// The first letter of an id that was added: a private-use character.
const SIGN: char = '\u{e000}';

/// The names of painted elements.
const PAINTED: [&str; 14] = [
    "a", "circle", "ellipse", "g", "image", "line", "path", "polygon", "polyline", "rect", "svg",
    "switch", "text", "use",
];

/// The names of elements whose children are only painted through references.
const DEFINITIONS: [&str; 12] = [
    "clipPath",
    "cursor",
    "defs",
    "filter",
    "font",
    "linearGradient",
    "marker",
    "mask",
    "metadata",
    "pattern",
    "radialGradient",
    "symbol",
];

/// The objects of a document, and their ids.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub(super) all: Vec<Object>,
    /// The document's ids and those that were added.
    names: HashMap<Box<str>, u32>,
    /// For each text that contains elements: the lengths of its runs of letters, without blanks.
    texts: HashMap<u32, Vec<Letters>>,
}

/// A run of letters that belong to one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Letters {
    pub(super) object: u32,
    pub(super) count: usize,
}

/// The objects of a document, with its nodes.
pub(super) struct Found<'a, 'input> {
    pub(super) objects: Objects,
    /// The node of each object.
    pub(super) nodes: Vec<Node<'a, 'input>>,
    /// The declarations of each object.
    pub(super) styles: Vec<Style<'a>>,
    /// The object of each node.
    pub(super) indices: HashMap<NodeId, u32>,
}

impl<'a, 'input> Found<'a, 'input> {
    /// Finds the objects, and adds ids to those without.
    pub(super) fn new(
        document: &'a Document<'input>,
        cascade: &Cascade<'a>,
        edits: &mut Edits,
    ) -> Self {
        let mut found = Self {
            objects: Objects::default(),
            nodes: Vec::new(),
            styles: Vec::new(),
            indices: HashMap::new(),
        };
        // A selector may match elements by whether they have an id.
        let asked = document.descendants().filter(usvg_guard::is_sheet);
        let gives =
            !asked.into_iter().any(|sheet| sheet.text().unwrap_or_default().contains("[id"));
        let mut open = vec![document.root_element()];
        let mut counts: HashMap<(u32, &str), u32> = HashMap::new();
        while let Some(node) = open.pop() {
            if !matches!(node.tag_name().namespace(), None | Some(NAMESPACE))
                || node.has_tag_name("style")
            {
                continue;
            }
            let index = found.nodes.len() as u32;
            let parent = node.parent().and_then(|around| found.indices.get(&around.id()).copied());
            let parent = parent.unwrap_or(NONE);
            let name = node.tag_name().name();
            let ordinal = counts.entry((parent, name)).or_default();
            *ordinal += 1;
            let style = Style::of(node, cascade);
            let object = Object {
                id: node.attribute("id").filter(|id| !id.is_empty()).map(Box::from),
                tag: tag(name),
                parent,
                ordinal: *ordinal,
                part: found.part(node, parent, &style),
                used: Rect::NOTHING,
            };
            found.objects.add(object, node, index, gives, edits);
            found.nodes.push(node);
            found.styles.push(style);
            found.indices.insert(node.id(), index);
            let children = node.children().rev().filter(Node::is_element);
            open.extend(children);
        }
        found.read_texts();
        found
    }

    /// Whether the element is painted, hidden or a definition.
    fn part(&self, node: Node<'a, 'input>, parent: u32, style: &Style<'a>) -> Part {
        let around = self.objects.all.get(parent as usize).map_or(Part::Painted, |one| one.part);
        if around == Part::Definition || DEFINITIONS.contains(&node.tag_name().name()) {
            return Part::Definition;
        }
        let off = |property, value| style.or_attribute(node, property) == Some(value);
        let is_hidden = off("visibility", "hidden") || off("visibility", "collapse");
        let is_shown_again = around == Part::Hidden && off("visibility", "visible");
        match () {
            _ if off("display", "none") || is_hidden => Part::Hidden,
            _ if is_shown_again => Part::Painted,
            _ => around,
        }
    }

    /// Counts the letters of texts that contain elements.
    fn read_texts(&mut self) {
        for (node, object) in self.nodes.iter().zip(0..) {
            let is_text = node.tag_name().name() == "text";
            if !is_text || !node.children().any(|child| child.is_element()) {
                continue;
            }
            let letters = node.descendants().filter(Node::is_text).filter_map(|letters| {
                let object = *self.indices.get(&letters.parent()?.id())?;
                let text = letters.text().unwrap_or_default();
                let count = text.chars().filter(|letter| !letter.is_whitespace()).count();
                Some(Letters { object, count })
            });
            self.objects.texts.insert(object, letters.collect());
        }
    }
}

impl Objects {
    fn add(&mut self, object: Object, node: Node, index: u32, gives: bool, edits: &mut Edits) {
        let is_new = object.id.as_ref().is_some_and(|id| !self.names.contains_key(id));
        if let (true, Some(id)) = (is_new, &object.id) {
            self.names.insert(id.clone(), index);
        }
        if object.id.is_none() && is_painted(node) && gives && is_editable(node) {
            let id = format!("{SIGN}{index}");
            edits.set(node, "id", &id);
            self.names.insert(id.into(), index);
        }
        self.all.push(object);
    }

    /// The object with this id in usvg's tree.
    pub(super) fn find(&self, id: &str) -> Option<u32> {
        self.names.get(id).copied()
    }

    /// The id in the document of an object with this id in usvg's tree: empty if it has none.
    pub(super) fn own_id(id: &str) -> &str {
        if id.starts_with(SIGN) { "" } else { id }
    }

    /// The runs of letters of a text that contains elements.
    pub(super) fn letters(&self, text: u32) -> Option<&[Letters]> {
        self.texts.get(&text).map(Vec::as_slice)
    }
}

/// The name of an element; a common name is not copied.
fn tag(name: &str) -> Cow<'static, str> {
    let mut all = PAINTED.iter().chain(&DEFINITIONS).copied();
    all.find(|known| *known == name).map_or_else(|| name.to_owned().into(), Cow::Borrowed)
}

/// Whether the element may be painted in place.
pub(super) fn is_painted(node: Node) -> bool {
    PAINTED.contains(&node.tag_name().name())
}

/// The object of each child of the flattened text; `None` if that cannot be decided.
///
/// usvg lays a text out as spans, at least one for each run of letters of the document, in order. It paints each span as a
/// line above it, a line under it, its outlines, and a line through it, and does not say which element the letters were in.
/// But it drops no letter, so the letters of the spans, not counting blanks, are the letters of the document.
pub(super) fn text_objects(text: &Text, letters: &[Letters]) -> Option<Vec<u32>> {
    let spans = span_objects(text, letters)?;
    let layout = text.layouted();
    if layout.len() != spans.len() {
        return None;
    }
    let mut children = text.flattened().children().iter().peekable();
    let mut out = Vec::new();
    for (span, object) in layout.iter().zip(spans) {
        let mut take = |is_wanted: bool, is_it: &dyn Fn(&Path) -> bool| {
            if is_wanted
                && children
                    .next_if(|node| matches!(node, usvg::Node::Path(path) if is_it(path)))
                    .is_some()
            {
                out.push(object);
            }
        };
        let lines = [&span.overline, &span.underline];
        for line in lines.into_iter().flatten() {
            take(true, &|path| is_same(path, line));
        }
        let is_line = |path: &Path| span.line_through.iter().any(|line| is_same(path, line));
        take(has_ink(span), &|path| !is_line(path));
        if let Some(line) = &span.line_through {
            take(true, &|path| is_same(path, line));
        }
    }
    children.next().is_none().then_some(out)
}

/// Whether both share their data: lines are painted as they were laid out.
fn is_same(a: &Path, b: &Path) -> bool {
    std::ptr::eq(a.data(), b.data())
}

/// Whether the span has visible letters.
fn has_ink(span: &Span) -> bool {
    let is_blank = |text: &str| text.chars().all(char::is_whitespace);
    !span.positioned_glyphs.iter().all(|glyph| is_blank(&glyph.text))
}

/// The object of each span.
fn span_objects(text: &Text, letters: &[Letters]) -> Option<Vec<u32>> {
    let mut left = letters.iter().copied();
    let mut now = Letters { object: letters.first()?.object, count: 0 };
    let mut out = Vec::new();
    for chunk in text.chunks() {
        for span in chunk.spans() {
            let own = chunk.text().get(span.start()..span.end())?;
            let count = own.chars().filter(|letter| !letter.is_whitespace()).count();
            while count > 0 && now.count == 0 {
                now = left.next()?;
            }
            out.push(now.object);
            // A span never covers two runs of letters.
            now.count = now.count.checked_sub(count)?;
        }
    }
    (now.count == 0 && left.all(|rest| rest.count == 0)).then_some(out)
}
