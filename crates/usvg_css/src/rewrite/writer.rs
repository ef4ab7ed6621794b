//! The state of a walk that writes the new document.

use super::definitions::Generated;
use crate::cascade::Cascade;
use crate::elements::Elements;
use crate::images::{ReadPicture, SvgImage};
use crate::measure::boxes::Boxes;
use crate::measure::fonts::Fonts;
use crate::notes::Note;
use kurbo::Affine;
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};
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
