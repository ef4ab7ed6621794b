//! The elements of a document, and their lookup in usvg's tree.
//!
//! usvg keeps the ids of shapes, groups and images, but nothing else about their origin. Therefore, usvg gets a
//! document in which every element has a unique id, its mark: the document's own id if no other element has it,
//! otherwise the character [`MARK`] and a number.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use usvg::roxmltree::{Document, Node, NodeId};
use usvg_guard::NAMESPACE;

/// The first letter of generated ids: a private-use character.
pub const MARK: char = '\u{e000}';

/// The names of elements that are painted at their place in the document.
const PAINTED: &str =
    "a circle ellipse g image line path polygon polyline rect svg switch text use";

/// The names of elements whose children are only painted through references.
const DEFINITIONS: &str = "clipPath cursor defs filter font linearGradient marker mask metadata \
                           pattern radialGradient symbol";

/// An element of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// The `id` of the element.
    pub id: Option<Box<str>>,
    /// The element name: `g`, `path`, `tspan`, `clipPath`, ...
    pub tag: Cow<'static, str>,
    /// The index of the parent element; `None` for the root.
    pub parent: Option<u32>,
    /// The number of this element among its siblings of the same name, from 1.
    pub ordinal: u32,
    /// The role of this element in the picture.
    pub part: Part,
    /// Whether another element refers to this one.
    pub is_used: bool,
}

/// The role of an element in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The element is painted at its place in the document.
    #[default]
    Painted,
    /// The element is painted only through references.
    Definition,
    /// The element is disabled by `display: none` or `visibility: hidden`.
    Hidden,
}

/// A run of letters in a text that belong to one element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Letters {
    /// The index of the element.
    pub element: u32,
    /// The number of letters.
    pub count: usize,
}

/// The elements of a document in document order, and their ids in usvg's tree.
#[derive(Debug, Default)]
pub struct Elements {
    /// All elements. The root is the first, and a parent precedes its children.
    pub all: Vec<Element>,
    marks: Vec<Box<str>>,
    nodes: Vec<NodeId>,
    indices: Vec<Option<u32>>,
    /// The first element with each id of the document.
    ids: HashMap<Box<str>, u32>,
    /// The number of generated definitions.
    made: u32,
    /// For each text, its runs of letters.
    texts: HashMap<u32, Vec<Letters>>,
}

impl Elements {
    /// Collects the elements of a document and their nodes. Each element's `part` is set later.
    pub(crate) fn of<'a, 'i>(document: &'a Document<'i>) -> (Self, Vec<Node<'a, 'i>>) {
        let mut found = Self::default();
        let mut nodes = Vec::new();
        let root = document.root_element();
        // Elements without a namespace belong to SVG only if the root has none either.
        let spaces = [Some(NAMESPACE), root.tag_name().namespace()];
        let mut open = vec![root];
        let mut counts: HashMap<(Option<u32>, &str), u32> = HashMap::new();
        let mut repeated: HashSet<&str> = HashSet::new();
        while let Some(node) = open.pop() {
            if node.has_tag_name("style") {
                continue;
            }
            open.extend(node.children().rev().filter(Node::is_element));
            if !spaces.contains(&node.tag_name().namespace()) {
                continue;
            }
            let index = found.all.len() as u32;
            let parent = node.ancestors().skip(1).find_map(|around| found.of_node(around));
            // Only references can reach elements inside an element of another namespace.
            let is_apart = node.parent_element().is_some_and(|it| found.of_node(it).is_none());
            let name = node.tag_name().name();
            let ordinal = counts.entry((parent, name)).or_default();
            *ordinal += 1;
            let around = parent.map_or(Part::Painted, |around| found.all[around as usize].part);
            let id = node.attribute("id").filter(|id| !id.is_empty());
            repeated
                .extend(id.filter(|id| *found.ids.entry((*id).into()).or_insert(index) != index));
            found.all.push(Element {
                id: id.map(Box::from),
                tag: tag(name),
                parent,
                ordinal: *ordinal,
                part: if is_definition(name) || is_apart { Part::Definition } else { around },
                is_used: false,
            });
            let at = node.id().get_usize();
            found.indices.resize(found.indices.len().max(at + 1), None);
            found.indices[at] = Some(index);
            found.nodes.push(node.id());
            nodes.push(node);
        }
        let is_usual =
            |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | ':');
        let is_own = |id: &&str| !repeated.contains(id) && id.chars().all(is_usual);
        let marks = found.all.iter().enumerate().map(|(index, element)| {
            let own = element.id.as_deref().filter(is_own);
            own.map_or_else(|| format!("{MARK}{index}").into(), Box::from)
        });
        found.marks = marks.collect();
        (found, nodes)
    }

    /// Returns a new mark for a generated definition.
    pub(crate) fn generated_mark(&mut self) -> String {
        self.made += 1;
        format!("{MARK}{MARK}{}", self.made)
    }

    pub(crate) fn of_node(&self, node: Node) -> Option<u32> {
        self.indices.get(node.id().get_usize()).copied().flatten()
    }

    /// Returns the target of an element's link.
    pub(crate) fn linked<'a, 'i>(&self, node: Node<'a, 'i>) -> Option<Node<'a, 'i>> {
        let link = node.attributes().find(|one| one.name() == "href")?.value().trim();
        node.document().get_node(self.nodes[self.index_of(link)? as usize])
    }

    pub(crate) fn mark(&self, element: u32) -> &str {
        &self.marks[element as usize]
    }

    /// Returns the target of a link within the document, such as `#dot`.
    pub(crate) fn index_of(&self, link: &str) -> Option<u32> {
        let id = link.strip_prefix('#')?;
        self.ids.get(&*unescaped(id).unwrap_or_else(|| id.to_owned())).copied()
    }

    /// Follows a link to an element with one of these names, and returns its mark.
    pub(crate) fn target(&mut self, link: &str, names: &[&str]) -> Option<String> {
        let index = self.index_of(link)?;
        let element = &mut self.all[index as usize];
        let is_good = names.is_empty() || names.contains(&&*element.tag);
        element.is_used |= is_good;
        is_good.then(|| self.mark(index).to_owned())
    }

    pub(crate) fn add_letters(&mut self, text: u32, element: u32, count: usize) {
        let runs = self.texts.entry(text).or_default();
        match runs.last_mut() {
            // Elements between the two runs have no letters.
            Some(last) if last.element == element => last.count += count,
            _ => runs.push(Letters { element, count }),
        }
    }

    pub(crate) fn drop_letter(&mut self, text: u32) {
        let runs = self.texts.get_mut(&text).into_iter().flatten();
        if let Some(run) = runs.rev().find(|run| run.count > 0) {
            run.count -= 1;
        }
    }

    /// Returns the element with this id in usvg's tree.
    pub fn find(&self, id: &str) -> Option<u32> {
        let element = match id.strip_prefix(MARK) {
            Some(number) => number.parse().ok()?,
            None => *self.ids.get(id)?,
        };
        (self.marks.get(element as usize).map(|mark| &**mark) == Some(id)).then_some(element)
    }

    /// Returns the document's id of an element with this id in usvg's tree. Empty if the element has no id.
    pub fn own_id<'n>(&'n self, id: &'n str) -> &'n str {
        if !id.starts_with(MARK) {
            return id;
        }
        let element = self.find(id).and_then(|element| self.all.get(element as usize));
        element.and_then(|element| element.id.as_deref()).unwrap_or_default()
    }

    /// Returns the id of an element of an SVG image.
    pub fn image_id(id: &str) -> &str {
        if id.starts_with(MARK) { "" } else { id }
    }

    /// Returns the path from the root to an element, such as `svg/g[3]/rect[2]`. Each name has its number among the
    /// siblings of the same name, from 1.
    pub(crate) fn path(&self, element: u32) -> String {
        let mut names = Vec::new();
        let mut next = self.all.get(element as usize);
        while let Some(Element { tag, ordinal, parent, .. }) = next {
            names.push(parent.map_or_else(|| tag.to_string(), |_| format!("{tag}[{ordinal}]")));
            next = parent.and_then(|parent| self.all.get(parent as usize));
        }
        names.reverse();
        names.join("/")
    }

    /// Returns the element's display name: `#id`, or the path if it has no id.
    pub(crate) fn name(&self, element: u32) -> String {
        let id = self.all.get(element as usize).and_then(|one| one.id.as_ref());
        id.map_or_else(|| self.path(element), |id| format!("#{id}"))
    }

    /// Returns the runs of letters of a text.
    pub fn letters(&self, text: u32) -> Option<&[Letters]> {
        self.texts.get(&text).map(Vec::as_slice)
    }
}

/// Whether an id in usvg's tree names a generated definition.
pub fn is_generated(id: &str) -> bool {
    let mut letters = id.chars();
    letters.next() == Some(MARK) && letters.next() == Some(MARK)
}

/// Decodes the URL escapes of an id, such as `%20`.
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

/// Returns the name of an element, without copying common names.
fn tag(name: &str) -> Cow<'static, str> {
    let mut all = PAINTED.split(' ').chain(DEFINITIONS.split(' '));
    all.find(|known| *known == name).map_or_else(|| name.to_owned().into(), Cow::Borrowed)
}

/// Whether elements of this name are painted at their place in the document.
pub(crate) fn is_painted(name: &str) -> bool {
    PAINTED.split(' ').any(|known| known == name)
}

/// Whether children of elements of this name are only painted through references.
pub(crate) fn is_definition(name: &str) -> bool {
    DEFINITIONS.split(' ').any(|known| known == name)
}

/// Whether elements of this name have an outline.
pub(crate) fn is_shape(name: &str) -> bool {
    matches!(name, "rect" | "circle" | "ellipse" | "line" | "path" | "polygon" | "polyline")
}

/// Returns the attribute for the property `transform` of an element.
pub(crate) fn transform_attribute(tag: &str) -> &'static str {
    match tag {
        "pattern" => "patternTransform",
        "linearGradient" | "radialGradient" => "gradientTransform",
        _ => "transform",
    }
}
