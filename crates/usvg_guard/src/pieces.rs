//! Drawings with more elements than usvg reads at once, as several documents.
//!
//! ```text
//! <svg> <defs>d</defs> <g> a b c d </g> e f </svg>       the drawing
//! <svg> <defs>d</defs> <g> a b     </g>     </svg>       a piece
//! <svg> <defs aside>d  <g> c d     </g> e   </svg>       another: its own elements, and what they refer to
//! ```
//!
//! What the pieces paint, one after the other, is what the drawing paints. For that
//!
//! - a drawing is cut between children of its root, and of groups that do nothing but group: those are opened in every piece
//!   again, around the elements of that piece ([`units`]);
//! - every element is a piece's *own* in one piece only. What own elements refer to, and style sheets, are repeated in
//!   every piece that needs them, in the order of the document, inside a `defs`, which paints nothing;
//! - where something else of the drawing could matter, it is refused: sheets that look at siblings, groups with effects, ids
//!   that are there twice ([`alone`]).
//!
//! A piece is a document as any other: what is made of it is checked as any other is.

mod alone;
mod references;
mod tags;
mod units;

use crate::measure::Cost;
use crate::read::check_attributes;
use crate::{Checked, Limits, Refused};
use std::collections::BTreeSet;
use std::ops::Range;
use tags::is_predefined;
use units::{Unit, Units, refuse};
use usvg::roxmltree::Node;

/// The attribute that tells what an element is in a piece.
const PART: &str = "guard-part";
/// The attribute of the element that holds what is repeated.
const ASIDE: &str = "aside";
/// The attribute of a group that was opened begins so; the group's number follows.
const OPEN: &str = "open-";

/// What an element is in a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PiecePart {
    /// The element holds what is repeated from other pieces, and is not in the drawing.
    Aside,
    /// The element is a group that was opened, and may be in several pieces: in all with the same number.
    Opened(u32),
    /// The element is referred to, or has a style sheet, and may be in several pieces: in all with the same number, in one as
    /// that piece's own, in the others inside of [`PiecePart::Aside`].
    Target(u32),
}

impl PiecePart {
    /// What the element is; `None`: the element is in this piece alone.
    pub fn of(node: Node) -> Option<Self> {
        let part = node.attribute(PART)?;
        match part.strip_prefix(OPEN) {
            Some(number) => number.parse().ok().map(Self::Opened),
            None if part == ASIDE => Some(Self::Aside),
            None => part.parse().ok().map(Self::Target),
        }
    }
}

/// About how many elements a text has: every tag, also those of elements that are not SVG's.
pub fn count_elements(text: &str) -> u64 {
    units::count(text)
}

/// A drawing, cut into documents that usvg reads one by one.
#[derive(Debug)]
pub struct Pieces<'t> {
    text: &'t str,
    units: Units<'t>,
    /// The units that are each piece's own.
    own: Vec<Range<usize>>,
    /// How many elements the drawing has.
    elements: u64,
    /// How many elements the pieces have so far, with what is repeated.
    read: u64,
    /// What all pieces cost so far.
    cost: Cost,
}

impl<'t> Pieces<'t> {
    /// Cuts a drawing into pieces of about so many elements each.
    ///
    /// # Errors
    /// [`Refused::NotInPieces`] says why it cannot be cut. Others say what is wrong with the text, or too much of it.
    pub fn of(text: &'t str, elements: u64, limits: &Limits) -> Result<Self, Refused> {
        check_attributes(text, limits)?;
        if text.contains(PART) {
            return Err(refuse(format!(
                "it has the word '{PART}', which marks the parts of pieces"
            )));
        }
        let units = Units::of(text, elements, limits.nesting)?;
        refuse_entities(text, &units.root)?;
        let mut own: Vec<Range<usize>> = Vec::new();
        let mut sum = u64::MAX;
        for (at, unit) in units.units.iter().enumerate() {
            sum = sum.saturating_add(unit.elements);
            match own.last_mut().filter(|_| sum <= elements) {
                Some(last) => last.end = at + 1,
                None => {
                    own.push(at..at + 1);
                    sum = unit.elements;
                }
            }
        }
        if own.is_empty() {
            own.push(0..0);
        }
        let elements = units.units.iter().map(|unit| unit.elements).sum();
        Ok(Self { text, units, own, elements, read: 0, cost: Cost::default() })
    }

    /// How many pieces there are: one at least.
    pub fn count(&self) -> usize {
        self.own.len()
    }

    /// A document that has the root and no elements of the drawing's own.
    pub fn frame(&self) -> String {
        self.text(self.count())
    }

    /// The document of a piece, by its number from 0.
    pub fn text(&self, piece: usize) -> String {
        let own = self.own.get(piece).cloned().unwrap_or_default();
        let mut out = self.text.get(..self.units.root.end()).unwrap_or_default().to_owned();
        let repeated = self.repeated(&own);
        let (before, after): (Vec<_>, Vec<_>) =
            repeated.into_iter().partition(|at| *at < own.start);
        self.write_aside(&before, &mut out);
        let mut at = None;
        for unit in own {
            self.write(unit, &mut at, &mut out);
        }
        self.go(&mut at, None, &mut out);
        self.write_aside(&after, &mut out);
        out.push_str(self.text.get(self.units.end..).unwrap_or_default());
        out
    }

    /// Refuses a piece where something of the rest of the drawing could matter, and pieces that together cost too much.
    ///
    /// # Errors
    /// Why they are refused.
    pub fn check(&mut self, piece: &Checked, limits: &Limits) -> Result<(), Refused> {
        alone::check(piece, limits)?;
        let elements = piece.document.descendants().filter(Node::is_element);
        self.read = self.read.saturating_add(elements.count() as u64);
        let most = self.elements.max(limits.elements).saturating_mul(limits.in_pieces);
        if self.read > most {
            return Err(refuse(format!(
                "what several pieces need makes more than {most} elements of all pieces together"
            )));
        }
        self.pay(piece.cost, limits)
    }

    /// Adds what else a piece costs, such as its images.
    ///
    /// # Errors
    /// The limit that all pieces together pass.
    pub fn pay(&mut self, cost: Cost, limits: &Limits) -> Result<(), Refused> {
        // Memory is given back, and the stack, too.
        let cost = Cost { memory: 0, depth: 0, ..cost };
        self.cost.add(cost, 1, 0);
        limits.of_pieces().check(&self.cost)
    }

    /// The units that own ones refer to, on their own or through others, and those that all need; without own ones.
    fn repeated(&self, own: &Range<usize>) -> BTreeSet<usize> {
        let needed = self.units.needed.iter().map(|at| *at as usize);
        let mut open: Vec<usize> = own.clone().chain(needed).collect();
        let mut found: BTreeSet<usize> =
            open.iter().copied().filter(|at| !own.contains(at)).collect();
        while let Some(at) = open.pop() {
            let links = &self.units.links;
            let first = links.partition_point(|(from, _)| (*from as usize) < at);
            let to = links.iter().skip(first).take_while(|(from, _)| *from as usize == at);
            for to in to.map(|(_, to)| *to as usize).filter(|to| !own.contains(to)) {
                if found.insert(to) {
                    open.push(to);
                }
            }
        }
        found
    }

    /// Writes units where they paint nothing, each with the groups around it, whose properties it inherits.
    fn write_aside(&self, units: &[usize], out: &mut String) {
        if units.is_empty() {
            return;
        }
        let prefix = self.units.root.prefix();
        out.push_str(&format!("<{prefix}defs {PART}=\"{ASIDE}\">"));
        let mut at = None;
        units.iter().for_each(|unit| self.write(*unit, &mut at, out));
        self.go(&mut at, None, out);
        out.push_str(&format!("</{prefix}defs>"));
    }

    /// Writes a unit, with what opens and closes groups before it.
    fn write(&self, index: usize, at: &mut Option<u32>, out: &mut String) {
        let Some(Unit { range, inside, is_target, has_sheet, .. }) = self.units.units.get(index)
        else {
            return;
        };
        self.go(at, *inside, out);
        let text = self.text.get(range.clone()).unwrap_or_default();
        match tags::tags(text).next().filter(|_| *is_target || *has_sheet) {
            Some(tag) => write_marked(text, &tag, &index.to_string(), out),
            None => out.push_str(text),
        }
    }

    /// Closes and opens groups, to get from one to another.
    fn go(&self, at: &mut Option<u32>, to: Option<u32>, out: &mut String) {
        if *at == to {
            return;
        }
        let (from, to_way) = (self.way(*at), self.way(to));
        let same = from.iter().zip(&to_way).take_while(|(a, b)| a == b).count();
        let tag = |at: u32| self.units.opened[at as usize].tag;
        for at in from.into_iter().skip(same).rev() {
            out.push_str(&format!("</{}>", tag(at).name()));
        }
        for at in to_way.into_iter().skip(same) {
            let tag = tags::Tag { start: 0, ..tag(at) };
            write_marked(tag.text, &tag, &format!("{OPEN}{at}"), out);
        }
        *at = to;
    }

    /// The opened groups around what is in this group, the group included, outermost first.
    fn way(&self, mut at: Option<u32>) -> Vec<u32> {
        let mut way = Vec::new();
        while let Some(index) = at {
            way.push(index);
            at = self.units.opened[index as usize].around;
        }
        way.reverse();
        way
    }
}

/// Writes a text, one tag of which gets an attribute.
fn write_marked(text: &str, tag: &tags::Tag, value: &str, out: &mut String) {
    let end = tag.start + 1 + tag.name().len();
    let (before, after) = text.split_at_checked(end).unwrap_or((text, ""));
    out.push_str(before);
    out.push_str(&format!(" {PART}=\"{value}\""));
    out.push_str(after);
}

/// Refuses a document whose own entities are used, other than for the namespaces of its root: what they stand for is not
/// looked at.
fn refuse_entities(text: &str, root: &tags::Tag) -> Result<(), Refused> {
    if !text.get(..root.start).unwrap_or_default().contains("<!ENTITY") {
        return Ok(());
    }
    let mut attributes = root.attributes().filter(|(name, _)| !name.starts_with("xmlns"));
    if attributes.any(|(_, value)| value.contains('&')) {
        return Err(refuse("its outermost element uses entities that it declares"));
    }
    let below = text.get(root.end()..).unwrap_or_default();
    let mut names = below.split('&').skip(1).map(|rest| rest.split(';').next().unwrap_or_default());
    match names.find(|name| !name.starts_with('#') && is_predefined(name).is_none()) {
        Some(_) => Err(refuse("its elements use entities that it declares")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
