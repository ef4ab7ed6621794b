//! The objects of a document, and how they are found again after usvg has read it.
//!
//! usvg keeps the ids of shapes, groups and images, and nothing else of where they came from. So before it reads the
//! document, every element that may be painted and has no id of its own is given one, which no document has: the sign
//! [`SIGN`] and its number.

use super::style::Style;
use std::borrow::Cow;
use std::collections::HashMap;
use treebounds_core::{NONE, Rect};
use treebounds_report::{Object, Part};
use usvg::roxmltree::{Document, Node, NodeId};
use usvg_guard::Cascade;
use usvg_guard::NAMESPACE;
use usvg_guard::{Edits, is_editable};

/// What begins an id that was given: a letter that is for private use.
const SIGN: char = '\u{e000}';

/// What painted elements are called.
const PAINTED: [&str; 14] = [
    "a", "circle", "ellipse", "g", "image", "line", "path", "polygon", "polyline", "rect", "svg",
    "switch", "text", "use",
];

/// Elements whose children are only painted where something refers to them.
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

/// The objects of a document, and their names.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub(super) all: Vec<Object>,
    /// Ids, those of the document and those that were given.
    names: HashMap<Box<str>, u32>,
    /// The texts with elements in them: the letters of each of their parts, blanks aside.
    texts: HashMap<u32, Vec<Letters>>,
}

/// So many letters in a row that belong to one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Letters {
    pub(super) object: u32,
    pub(super) count: usize,
}

/// The objects of one document, by its nodes.
pub(super) struct Found<'a, 'input> {
    pub(super) objects: Objects,
    /// The node of each object.
    pub(super) nodes: Vec<Node<'a, 'input>>,
    /// What is declared of each.
    pub(super) styles: Vec<Style<'a>>,
    /// The object of each node.
    pub(super) indices: HashMap<NodeId, u32>,
}

impl<'a, 'input> Found<'a, 'input> {
    /// Finds the objects, and gives ids to those without.
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
        // A selector may ask whether there is an id.
        let asked = document.descendants().filter(usvg_guard::is_sheet);
        let gives =
            !asked.into_iter().any(|sheet| sheet.text().unwrap_or_default().contains("[id"));
        let mut open = vec![document.root_element()];
        let mut counts: HashMap<(u32, &str), u32> = HashMap::new();
        while let Some(node) = open.pop() {
            if !matches!(node.tag_name().namespace(), None | Some(NAMESPACE)) || is_sheet(node) {
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

    /// How the element takes part.
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

    /// The letters of the texts that have elements in them.
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

    /// The object that usvg knows by this id.
    pub(super) fn find(&self, id: &str) -> Option<u32> {
        self.names.get(id).copied()
    }

    /// The id that the object has in the document, of one that usvg knows by this id: empty if none.
    pub(super) fn own_id(id: &str) -> &str {
        if id.starts_with(SIGN) { "" } else { id }
    }

    /// The letters of a text with elements in it.
    pub(super) fn letters(&self, text: u32) -> Option<&[Letters]> {
        self.texts.get(&text).map(Vec::as_slice)
    }
}

/// The name of an element, without a copy where it is a frequent one.
fn tag(name: &str) -> Cow<'static, str> {
    let mut all = PAINTED.iter().chain(&DEFINITIONS).copied();
    all.find(|known| *known == name).map_or_else(|| name.to_owned().into(), Cow::Borrowed)
}

/// Whether the element may be painted where it stands.
pub(super) fn is_painted(node: Node) -> bool {
    PAINTED.contains(&node.tag_name().name())
}

/// Whether what is inside is CSS.
fn is_sheet(node: Node) -> bool {
    node.has_tag_name("style")
}
