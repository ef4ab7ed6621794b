//! The objects of a document, and how they are found again in usvg's tree.
//!
//! usvg keeps the ids of shapes, groups and images, and nothing else about their origin. So usvg gets a document in which every
//! element has an id of its own, its mark: the id that the document gives it if no other element has that, else the character
//! [`MARK`] and a number.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use treebounds_core::{NONE, Rect};
use treebounds_report::{Object, Part};
use usvg::layout::Span;
use usvg::roxmltree::{Document, Node, NodeId};
use usvg::{Path, Text};
use usvg_guard::NAMESPACE;

/// The first letter of ids that the encoder makes up, in [`Drawing::tree`](super::Drawing::tree): a private-use character.
pub const MARK: char = '\u{e000}';

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

/// The objects of a document, and their marks.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub(super) all: Vec<Object>,
    /// The mark of each object.
    marks: Vec<Box<str>>,
    /// The node of each object.
    nodes: Vec<NodeId>,
    /// The object of each node, and [`NONE`] for a node without an object.
    indices: Vec<u32>,
    /// The first object with each id of the document.
    ids: HashMap<Box<str>, u32>,
    /// How many definitions were made.
    made: u32,
    /// For each text: its runs of letters.
    texts: HashMap<u32, Vec<Letters>>,
}

/// A run of letters that belong to one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Letters {
    pub(super) object: u32,
    pub(super) count: usize,
}

impl Objects {
    /// The objects of a document, with their nodes. Their parts are set later.
    pub(super) fn of<'a, 'i>(document: &'a Document<'i>) -> (Self, Vec<Node<'a, 'i>>) {
        let mut found = Self::default();
        let mut nodes = Vec::new();
        let root = document.root_element();
        // Elements without a namespace belong to SVG only if the root has none either.
        let spaces = [Some(NAMESPACE), root.tag_name().namespace()];
        let mut open = vec![root];
        let mut counts: HashMap<(u32, &str), u32> = HashMap::new();
        let mut repeated: HashSet<&str> = HashSet::new();
        while let Some(node) = open.pop() {
            if !spaces.contains(&node.tag_name().namespace()) || node.has_tag_name("style") {
                continue;
            }
            let index = found.all.len() as u32;
            let parent = node.parent().and_then(|around| found.of_node(around)).unwrap_or(NONE);
            let name = node.tag_name().name();
            let ordinal = counts.entry((parent, name)).or_default();
            *ordinal += 1;
            let around = found.all.get(parent as usize).map_or(Part::Painted, |one| one.part);
            let id = node.attribute("id").filter(|id| !id.is_empty());
            repeated
                .extend(id.filter(|id| *found.ids.entry((*id).into()).or_insert(index) != index));
            found.all.push(Object {
                id: id.map(Box::from),
                tag: tag(name),
                parent,
                ordinal: *ordinal,
                part: if is_definition(name) { Part::Definition } else { around },
                used: Rect::NOTHING,
                is_used: false,
            });
            let at = node.id().get_usize();
            found.indices.resize(found.indices.len().max(at + 1), NONE);
            found.indices[at] = index;
            found.nodes.push(node.id());
            nodes.push(node);
            open.extend(node.children().rev().filter(Node::is_element));
        }
        let is_usual =
            |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | ':');
        let is_own = |id: &&str| !repeated.contains(id) && id.chars().all(is_usual);
        let marks = found.all.iter().enumerate().map(|(index, object)| {
            let own = object.id.as_deref().filter(is_own);
            own.map_or_else(|| format!("{MARK}{index}").into(), Box::from)
        });
        found.marks = marks.collect();
        (found, nodes)
    }

    /// The mark of a definition that the document does not have.
    pub(super) fn generated_mark(&mut self) -> String {
        self.made += 1;
        format!("{MARK}{MARK}{}", self.made)
    }

    /// Whether an id in usvg's tree names a definition that the document does not have.
    pub(super) fn is_generated(id: &str) -> bool {
        let mut letters = id.chars();
        letters.next() == Some(MARK) && letters.next() == Some(MARK)
    }

    /// The object of a node.
    pub(super) fn of_node(&self, node: Node) -> Option<u32> {
        self.indices.get(node.id().get_usize()).copied().filter(|index| *index != NONE)
    }

    /// The element that an element links to.
    pub(super) fn linked<'a, 'i>(&self, node: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
        let link = node.attributes().find(|one| one.name() == "href")?.value().trim();
        node.document().get_node(self.nodes[self.index_of(link)? as usize])
    }

    /// The mark of an object.
    pub(super) fn mark(&self, object: u32) -> &str {
        &self.marks[object as usize]
    }

    /// The object that a link within the document leads to, such as `#dot`.
    pub(super) fn index_of(&self, link: &str) -> Option<u32> {
        let id = link.strip_prefix('#')?;
        self.ids.get(&*unescaped(id).unwrap_or_else(|| id.to_owned())).copied()
    }

    /// Follows a link to an element with one of these names, and returns its mark.
    pub(super) fn target(&mut self, link: &str, names: &[&str]) -> Option<String> {
        let index = self.index_of(link)?;
        let object = &mut self.all[index as usize];
        let is_good = names.is_empty() || names.contains(&&*object.tag);
        object.is_used |= is_good;
        is_good.then(|| self.mark(index).to_owned())
    }

    /// Adds letters to the end of a text.
    pub(super) fn add_letters(&mut self, text: u32, object: u32, count: usize) {
        let runs = self.texts.entry(text).or_default();
        match runs.last_mut() {
            // Anything between them was left out.
            Some(last) if last.object == object => last.count += count,
            _ => runs.push(Letters { object, count }),
        }
    }

    /// Takes the last letter of a text away.
    pub(super) fn drop_letter(&mut self, text: u32) {
        let runs = self.texts.get_mut(&text).into_iter().flatten();
        if let Some(run) = runs.rev().find(|run| run.count > 0) {
            run.count -= 1;
        }
    }

    /// The object with this id in usvg's tree.
    pub(super) fn find(&self, id: &str) -> Option<u32> {
        let object = match id.strip_prefix(MARK) {
            Some(number) => number.parse().ok()?,
            None => *self.ids.get(id)?,
        };
        (self.marks.get(object as usize).map(|mark| &**mark) == Some(id)).then_some(object)
    }

    /// The id in the document of an object with this id in usvg's tree: empty if it has none.
    pub(super) fn own_id<'n>(&'n self, id: &'n str) -> &'n str {
        if !id.starts_with(MARK) {
            return id;
        }
        let object = self.find(id).and_then(|object| self.all.get(object as usize));
        object.and_then(|object| object.id.as_deref()).unwrap_or_default()
    }

    /// The id of an element of an SVG image.
    pub(super) fn image_id(id: &str) -> &str {
        if id.starts_with(MARK) { "" } else { id }
    }

    /// The runs of letters of a text.
    pub(super) fn letters(&self, text: u32) -> Option<&[Letters]> {
        self.texts.get(&text).map(Vec::as_slice)
    }
}

/// An id without the escapes of addresses, such as `%20`.
fn unescaped(id: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = id.as_bytes();
    while let [first, after @ ..] = rest {
        let code = if *first == b'%' { std::str::from_utf8(after.get(..2)?).ok()? } else { "" };
        bytes.push(if code.is_empty() { *first } else { u8::from_str_radix(code, 16).ok()? });
        rest = &after[code.len()..];
    }
    String::from_utf8(bytes).ok()
}

/// The name of an element; a common name is not copied.
fn tag(name: &str) -> Cow<'static, str> {
    let mut all = PAINTED.iter().chain(&DEFINITIONS).copied();
    all.find(|known| *known == name).map_or_else(|| name.to_owned().into(), Cow::Borrowed)
}

/// Whether elements of this name may be painted in place.
pub(super) fn is_painted(name: &str) -> bool {
    PAINTED.contains(&name)
}

/// Whether children of elements of this name are only painted through references.
pub(super) fn is_definition(name: &str) -> bool {
    DEFINITIONS.contains(&name)
}

/// Whether elements of this name have an outline.
pub(super) fn is_shape(name: &str) -> bool {
    matches!(name, "rect" | "circle" | "ellipse" | "line" | "path" | "polygon" | "polyline")
}

/// The object of each child of the flattened text; `None` if that cannot be decided.
///
/// usvg lays a text out as spans, at least one for each run of letters of the document, in order. It paints each span as a
/// line above it, a line under it, its outlines, and a line through it, and does not say which element the letters were in.
/// But it drops no letter, so the letters of the spans are those that it was given.
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
            let count = chunk.text().get(span.start()..span.end())?.chars().count();
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
