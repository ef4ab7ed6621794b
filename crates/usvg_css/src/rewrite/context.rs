//! The state of a walk that writes the new document, and what an element inherits from those around it.

use super::definitions::Generated;
use crate::cascade::Cascade;
use crate::elements::{Elements, Part};
use crate::images::{ReadPicture, SvgImage};
use crate::measure::boxes::Boxes;
use crate::measure::fonts::Fonts;
use crate::notes::Note;
use crate::values::Environment;
use kurbo::Affine;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::rc::Rc;
use usvg::roxmltree::{Node, NodeId};
use usvg_guard::Limits;

/// Writes a document anew, element by element.
pub(crate) struct Writer<'w> {
    pub(crate) elements: Elements,
    /// The node of each element.
    pub(crate) nodes: Vec<Node<'w, 'w>>,
    /// The definitions that were asked for, and whether they have `display: none`.
    pub(crate) off: HashMap<u32, bool>,
    pub(crate) images: &'w ReadPicture<'w>,
    /// Whether the document is itself an SVG image, and its size.
    pub(crate) is_image: bool,
    pub(crate) image: Option<SvgImage>,
    /// The elements with an image that only usvg can read, and the links to those.
    pub(crate) pictured: Vec<(u32, String)>,
    pub(crate) cascade: Cascade,
    pub(crate) fonts: &'w Fonts,
    /// Whether a unit may depend on the font.
    pub(crate) needs_fonts: bool,
    pub(crate) limits: &'w Limits,
    pub(crate) out: String,
    /// Matrices that depend on boxes, of an earlier pass.
    pub(crate) matrices: &'w HashMap<u32, Affine>,
    /// The contents of the elements.
    pub(crate) parts: HashMap<NodeId, Rc<[NodeId]>>,
    /// How many elements were visited, counting what each use shows.
    pub(crate) visited: u64,
    /// How many elements were written, without empty groups.
    pub(crate) opened: u32,
    pub(crate) generated: Vec<Generated>,
    pub(crate) boxes: Boxes<'w>,
    pub(crate) notes: Vec<Note>,
    /// What was noted, with its element.
    pub(crate) said: HashSet<(u32, String)>,
    pub(crate) run: Run,
    /// Whether markers may take the paint of their shape.
    pub(crate) has_context: OnceCell<bool>,
}

/// The letters of a text so far.
#[derive(Default)]
pub(crate) struct Run {
    /// The place and the font of the last letter, unless that is a blank.
    pub(crate) letter: Option<(Range<usize>, Rc<str>)>,
    /// Whether the next blank is left out.
    pub(crate) is_blank: bool,
    /// The place of the last blank, if nothing but blanks follows it.
    pub(crate) last: Option<usize>,
}

impl Writer<'_> {
    /// Notes something about an element, once.
    pub(crate) fn note(&mut self, element: u32, what: &str, effect: impl Into<Cow<'static, str>>) {
        let what: String = what.chars().take(100).collect();
        if self.said.insert((element, what.clone())) {
            self.notes.push(Note::new(element, what, effect));
        }
    }
}

/// The values that hold for an element, and whether they are declared in CSS.
pub(crate) type Winners = BTreeMap<&'static str, (String, bool)>;

/// What a `use` shows in its place: a copy without ids and definitions.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// The element that is copied.
    pub(crate) root: NodeId,
    /// The `use`.
    pub(crate) host: NodeId,
    /// What a `use` around shows.
    pub(crate) around: Option<Rc<Self>>,
    /// The width and height of the `use`.
    pub(crate) size: [Option<String>; 2],
    /// The fill and the stroke of the `use`, which its contents may ask for.
    pub(crate) paints: [Rc<str>; 2],
    /// The id of the copy, if it has one.
    pub(crate) mark: Option<String>,
}

/// What an element inherits.
#[derive(Clone, Default)]
pub(crate) struct Context {
    /// Its index.
    pub(crate) element: u32,
    pub(crate) environment: Environment,
    pub(crate) inherited: Rc<BTreeMap<&'static str, Rc<str>>>,
    /// All values of the element.
    pub(crate) values: Rc<Winners>,
    pub(crate) custom: Rc<HashMap<Box<str>, Rc<str>>>,
    pub(crate) part: Part,
    /// Whether it is inside of `display: none`.
    pub(crate) is_off: bool,
    /// Whether it is replaced by its contents.
    pub(crate) is_replaced: bool,
    /// The keyword of the font size, which is empty for a part of a keyword's size; `None` for a length.
    pub(crate) size_word: Option<Rc<str>>,
    /// Whether it shows nothing of its contents.
    pub(crate) is_empty: bool,
    pub(crate) depth: u64,
    /// From the element's coordinates to the drawing's, where that is known.
    pub(crate) to_drawing: Affine,
    /// Whether it is known, and does not depend on boxes.
    pub(crate) is_placed: bool,
    pub(crate) in_clip: bool,
    /// Whether it is painted as content of a marker, mask or pattern.
    pub(crate) is_content: bool,
    /// An effect around that refers to the box of its element.
    pub(crate) effect: Option<(u32, &'static str)>,
    /// The text around.
    pub(crate) text: Option<u32>,
    /// The copy around that a `use` shows.
    pub(crate) shown: Option<Rc<Shown>>,
    /// Its slot among the boxes.
    pub(crate) slot: u32,
}

impl Context {
    /// The value of a property that it does not inherit, and whether it is declared in CSS.
    pub(crate) fn winner(&self, name: &str) -> Option<&(String, bool)> {
        self.values.get(name)
    }

    /// The value of a property that it does not inherit.
    pub(crate) fn own(&self, name: &str) -> Option<&str> {
        self.winner(name).map(|(value, _)| value.as_str())
    }

    /// The value of an inherited property.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.inherited.get(name).map_or("", |value| value)
    }

    /// The value of an inherited property, if there is any but `none`.
    pub(crate) fn some(&self, name: &str) -> Option<&str> {
        Some(self.get(name)).filter(|value| !matches!(*value, "" | "none"))
    }

    /// Whether a `use` shows this element itself.
    pub(crate) fn is_shown(&self, node: Node) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.root == node.id())
    }

    /// The root of the tree that selectors see.
    pub(crate) fn tree(&self) -> Option<NodeId> {
        self.shown.as_ref().map(|shown| shown.root)
    }

    /// A number, and the default where there is none.
    pub(crate) fn number(&self, name: &str, default: f64) -> f64 {
        self.get(name).parse().unwrap_or(default)
    }

    /// The properties that choose a font.
    pub(crate) fn font(&self) -> [&str; 3] {
        ["font-family", "font-weight", "font-style"].map(|name| self.get(name))
    }
}
