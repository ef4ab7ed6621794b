//! The state of the rewriting walk, and the values that an element inherits.

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

/// Writes the new document, element by element.
pub(crate) struct Writer<'w> {
    pub(crate) elements: Elements,
    pub(crate) nodes: Vec<Node<'w, 'w>>,
    /// The definitions looked up so far, and whether they have `display: none`.
    pub(crate) off: HashMap<u32, bool>,
    pub(crate) images: &'w ReadPicture<'w>,
    /// Whether the document is an SVG image.
    pub(crate) is_image: bool,
    pub(crate) image: Option<SvgImage>,
    /// The elements with an image that only usvg can read, and the links to these images.
    pub(crate) pictured: Vec<(u32, String)>,
    pub(crate) cascade: Cascade,
    pub(crate) fonts: &'w Fonts,
    /// Whether a unit may depend on the font.
    pub(crate) needs_fonts: bool,
    pub(crate) limits: &'w Limits,
    pub(crate) out: String,
    /// Matrices that depend on boxes, from an earlier pass.
    pub(crate) matrices: &'w HashMap<u32, Affine>,
    /// The child elements and texts of each element.
    pub(crate) parts: HashMap<NodeId, Rc<[NodeId]>>,
    /// The number of visited elements, including the content of every use.
    pub(crate) visited: u64,
    /// The number of written elements, without empty groups.
    pub(crate) opened: u32,
    pub(crate) generated: Vec<Generated>,
    pub(crate) boxes: Boxes<'w>,
    pub(crate) notes: Vec<Note>,
    /// The notes so far, with their elements.
    pub(crate) said: HashSet<(u32, String)>,
    pub(crate) run: Run,
    /// Whether markers may use the paint of their shape.
    pub(crate) has_context: OnceCell<bool>,
}

/// The letters of a text so far.
#[derive(Default)]
pub(crate) struct Run {
    /// The position and font of the last letter, unless it is whitespace.
    pub(crate) letter: Option<(Range<usize>, Rc<str>)>,
    /// Whether the next whitespace is left out.
    pub(crate) is_blank: bool,
    /// The position of the last whitespace, if only whitespace follows it.
    pub(crate) last: Option<usize>,
}

impl Writer<'_> {
    /// Adds a note about an element, once.
    pub(crate) fn note(&mut self, element: u32, what: &str, effect: impl Into<Cow<'static, str>>) {
        let what: String = what.chars().take(100).collect();
        if self.said.insert((element, what.clone())) {
            self.notes.push(Note::new(element, what, effect));
        }
    }
}

/// The winning property values of an element, and whether they are declared in CSS.
pub(crate) type Winners = BTreeMap<&'static str, (String, bool)>;

/// The content of a `use`: a copy without ids and definitions.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub(crate) root: NodeId,
    pub(crate) host: NodeId,
    /// The content of the enclosing `use`.
    pub(crate) around: Option<Rc<Self>>,
    /// The width and height of the `use`.
    pub(crate) size: [Option<String>; 2],
    /// The fill and stroke of the `use`, for context paints in its content.
    pub(crate) paints: [Rc<str>; 2],
    pub(crate) mark: Option<String>,
}

/// The values that an element inherits.
#[derive(Clone, Default)]
pub(crate) struct Context {
    pub(crate) element: u32,
    pub(crate) environment: Environment,
    pub(crate) inherited: Rc<BTreeMap<&'static str, Rc<str>>>,
    /// All property values of the element.
    pub(crate) values: Rc<Winners>,
    pub(crate) custom: Rc<HashMap<Box<str>, Rc<str>>>,
    pub(crate) part: Part,
    /// Whether the element is inside `display: none`.
    pub(crate) is_off: bool,
    /// Whether the element is replaced by its content.
    pub(crate) is_replaced: bool,
    /// The keyword of the font size; empty for a fraction of a keyword size; `None` for a length.
    pub(crate) size_word: Option<Rc<str>>,
    /// Whether the element hides all of its content.
    pub(crate) is_empty: bool,
    pub(crate) depth: u64,
    /// The transform from the element's coordinates to the drawing's, if known.
    pub(crate) to_drawing: Affine,
    /// Whether `to_drawing` is known and independent of boxes.
    pub(crate) is_placed: bool,
    pub(crate) in_clip: bool,
    /// Whether the element is painted as content of a marker, mask or pattern.
    pub(crate) is_content: bool,
    /// The enclosing effect that refers to the box of its element.
    pub(crate) effect: Option<(u32, &'static str)>,
    pub(crate) text: Option<u32>,
    /// The enclosing copy of a `use`.
    pub(crate) shown: Option<Rc<Shown>>,
    /// The element's slot in the boxes.
    pub(crate) slot: u32,
}

impl Context {
    /// Returns the value of a non-inherited property, and whether it is declared in CSS.
    pub(crate) fn winner(&self, name: &str) -> Option<&(String, bool)> {
        self.values.get(name)
    }

    /// Returns the value of a non-inherited property.
    pub(crate) fn own(&self, name: &str) -> Option<&str> {
        self.winner(name).map(|(value, _)| value.as_str())
    }

    /// Returns the value of an inherited property.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.inherited.get(name).map_or("", |value| value)
    }

    /// Returns the value of an inherited property, unless it is missing or `none`.
    pub(crate) fn some(&self, name: &str) -> Option<&str> {
        Some(self.get(name)).filter(|value| !matches!(*value, "" | "none"))
    }

    /// Whether this element is the root of a `use` copy.
    pub(crate) fn is_shown(&self, node: Node) -> bool {
        self.shown.as_ref().is_some_and(|shown| shown.root == node.id())
    }

    /// Returns the root of the tree that selectors see.
    pub(crate) fn tree(&self) -> Option<NodeId> {
        self.shown.as_ref().map(|shown| shown.root)
    }

    /// Returns a property as a number, with a default if it is missing.
    pub(crate) fn number(&self, name: &str, default: f64) -> f64 {
        self.get(name).parse().unwrap_or(default)
    }

    /// Returns the properties that select a font.
    pub(crate) fn font(&self) -> [&str; 3] {
        ["font-family", "font-weight", "font-style"].map(|name| self.get(name))
    }
}
