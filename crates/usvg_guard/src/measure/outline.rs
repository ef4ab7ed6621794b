//! A document reduced to what matters to its cost: which elements are inside
//! which, which refer to which, and what each costs by itself.

use super::arcs;
use super::cost::Cost;
use super::links::{Property, Unclear, attribute, properties};
use super::numbers;
use super::sort::Sort;
use super::targets::{Ids, Links, links};
use super::text;
use super::text_path::Sight;
use crate::cascade::Cascade;
use crate::left_out::Cut;
use crate::refused::one_line;
use crate::{Limits, Refused};
use std::cell::OnceCell;
use usvg::roxmltree::{Document, Node, NodeId};

/// The index of an element in document order.
pub(super) type Index = u32;

/// An element.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) sort: Sort,
    pub(super) node: NodeId,
    pub(super) parent: Option<Index>,
    /// The last element inside, or the element.
    pub(super) last: Index,
    /// `None` where there are none.
    pub(super) links: Option<Box<Links>>,
    /// Whether all who refer to it share it, because it does not depend on them.
    pub(super) shared: bool,
    /// Whether a line is drawn with text inside, in the paint of this element.
    pub(super) decorated: bool,
    /// Whether usvg looks for it among the uses of what a use shows.
    pub(super) in_namespace: bool,
    /// How many stretches of text usvg makes of its children.
    pub(super) stretches: u32,
    /// How many letters of a text have places of their own that are given here or around.
    pub(super) places: u64,
    /// How many pieces of text usvg makes of its children, each painted by itself.
    pub(super) pieces: u64,
    /// What every shape inside costs in steps and bytes, because of properties that it takes from here.
    pub(super) handed_steps: u64,
    pub(super) handed_memory: u64,
    /// Where its id leads, if that is another element.
    pub(super) namesake: Option<Index>,
    /// What it costs by itself, as in [`Cost`].
    segments: u32,
    text: u64,
    arcs: u64,
    memory: u64,
    steps: u64,
}

/// The elements of a document, in document order.
pub(super) struct Outline<'a> {
    document: &'a Document<'a>,
    pub(super) elements: Vec<Element>,
    /// Whether any element takes an effect from the element around.
    pub(super) inherits: bool,
    /// The properties whose numbers are too large.
    pub(super) cuts: Vec<Cut>,
    /// The largest coordinate of a path, or step to the next.
    pub(super) largest: f64,
}

impl<'d> Outline<'d> {
    /// Reads the document.
    ///
    /// # Errors
    /// Style sheets that take too long, or that usvg reads unlike CSS.
    pub(super) fn new(document: &'d Document, limits: &Limits) -> Result<Self, Refused> {
        let nodes: Vec<Node> = document.descendants().filter(Node::is_element).collect();
        let cascade = Cascade::new(document, limits.style_steps)?;
        let mut out = Self::skeleton(document, &nodes);
        let read = out.read();
        out.check(&read, limits)?;
        cascade.foresee(read.iter().filter(|read| **read).count() as u64)?;
        let ids = out.ids(&nodes, &read);
        let mut all = Vec::new();
        let mut unclear = Unclear::default();
        for (at, node) in nodes.iter().enumerate() {
            if out.elements[at].sort != Sort::Unknown {
                let before = cascade.steps();
                properties(*node, &cascade, &mut all);
                cascade.check()?;
                unclear.check(&all)?;
                out.cuts.extend(numbers::cuts_of_styles(*node, &all));
                out.fill_in(at, *node, &all, &ids);
                out.elements[at].steps += 4 * (cascade.steps() - before);
            }
        }
        out.measure_texts(&nodes, &cascade);
        Ok(out)
    }

    /// The elements without their properties.
    fn skeleton(document: &'d Document, nodes: &[Node]) -> Self {
        let mut out = Self {
            document,
            elements: Vec::with_capacity(nodes.len()),
            inherits: false,
            cuts: vec![],
            largest: 0.0,
        };
        // The elements around, outermost first.
        let mut around: Vec<(NodeId, Index)> = Vec::new();
        for (node, index) in nodes.iter().zip(0..) {
            let outer = node.parent().map(|parent| parent.id());
            while around.last().is_some_and(|(id, _)| Some(*id) != outer) {
                around.pop();
            }
            let parent = around.last().map(|(_, index)| *index);
            around.push((node.id(), index));
            let namespace = node.tag_name().namespace();
            let around = parent.map(|parent| out.elements[parent as usize].sort);
            out.elements.push(Element {
                sort: Sort::of(*node, around),
                node: node.id(),
                parent,
                last: index,
                links: None,
                shared: false,
                decorated: false,
                in_namespace: namespace.is_some(),
                stretches: 0,
                places: 0,
                pieces: 0,
                handed_steps: 0,
                handed_memory: 0,
                namesake: None,
                segments: 0,
                text: 0,
                arcs: 0,
                memory: 0,
                steps: 0,
            });
        }
        for at in (0..out.elements.len()).rev() {
            let (parent, last) = (out.elements[at].parent, out.elements[at].last);
            if let Some(parent) = parent {
                let around = &mut out.elements[parent as usize].last;
                *around = last.max(*around);
            }
        }
        out
    }

    /// Which elements usvg reads where they stand, uses aside.
    fn read(&self) -> Vec<bool> {
        let mut read = vec![false; self.elements.len()];
        for at in 0..self.elements.len() {
            let around = self.elements[at].parent;
            read[at] = self.elements[at].sort != Sort::Unknown
                && around.is_none_or(|around| {
                    read[around as usize] && self.is_read(around, at as Index)
                });
        }
        read
    }

    /// Refuses more elements and deeper nesting than usvg reads, before anything else is looked at.
    fn check(&self, read: &[bool], limits: &Limits) -> Result<(), Refused> {
        let mut depths = vec![0_u64; self.elements.len()];
        for at in (0..self.elements.len()).filter(|at| read[*at]) {
            depths[at] = self.elements[at].parent.map_or(0, |around| depths[around as usize] + 1);
        }
        let depth = depths.into_iter().max().unwrap_or_default();
        if depth > limits.nesting {
            return Err(Refused::TooNested { depth, max: limits.nesting });
        }
        let found = read.iter().filter(|read| **read).count() as u64;
        if found > limits.elements {
            return Err(Refused::TooManyElements { found, max: limits.elements });
        }
        Ok(())
    }

    /// Whether usvg reads the child where it stands, if it reads the element there.
    fn is_read(&self, element: Index, child: Index) -> bool {
        let child = self.element(child).sort;
        match self.element(element).sort {
            Sort::Use | Sort::Unknown => false,
            Sort::Text | Sort::Span => child == Sort::Span,
            _ => child != Sort::Unknown,
        }
    }

    /// Whether usvg reads the child there or where a use shows the element: a part of a text without the text is an
    /// element like others.
    fn is_followed(&self, element: Index, child: Index) -> bool {
        let is_alone = self.element(element).sort == Sort::Span;
        self.is_read(element, child) || is_alone && self.element(child).sort != Sort::Unknown
    }

    fn ids<'a>(&self, nodes: &[Node<'a, '_>], read: &[bool]) -> Ids<'a> {
        let mut ids = Ids::default();
        for (index, node) in (0..).zip(nodes) {
            let first = node.attribute("id");
            let last = attribute(*node, "id").filter(|_| read[index as usize]);
            ids.add(index, first, last);
        }
        ids
    }

    /// Adds what the properties of an element say.
    fn fill_in(&mut self, at: usize, node: Node, all: &[Property], ids: &Ids) {
        let links = links(self.elements[at].sort, all, ids);
        self.inherits |= links.as_ref().is_some_and(|links| links.inherits.contains(&true));
        let around = self.elements[at].parent.map_or(0, |around| self.element(around).places);
        let element = &mut self.elements[at];
        if matches!(element.sort, Sort::Text | Sort::Span) {
            let stretches = text::stretches(node);
            element.stretches = stretches as u32;
            element.places = around.saturating_add(text::positions(node));
            element.pieces = stretches + element.places.min(text::letters(node));
        }
        element.links = links;
        let last = attribute(node, "id").and_then(|id| ids.last(id));
        element.namesake = last.filter(|last| *last as usize != at);
        element.shared = element.sort.is_shared(node);
        let arcs = arcs::of(node);
        element.arcs = arcs.steps;
        self.largest = self.largest.max(arcs.largest);
        self.cuts.extend(numbers::cut_of_path(node, &arcs));
        let numbers = |name| attribute(node, name).map_or(0, count_numbers);
        let segments = arcs.numbers.saturating_add(6 * arcs.curves) + numbers("points");
        element.segments = u32::try_from(segments).unwrap_or(u32::MAX);
        for one in all {
            element.pay(one);
        }
    }

    /// Texts come last, because they may be set on any path.
    fn measure_texts<'a>(&mut self, nodes: &[Node<'a, '_>], cascade: &Cascade<'a>) {
        let (all, sight) = (OnceCell::new(), OnceCell::new());
        for (at, node) in nodes.iter().enumerate() {
            if self.elements[at].sort == Sort::Text {
                let all = || *all.get_or_init(|| text::all(node.document()));
                let sight = || sight.get_or_init(|| Sight::of(nodes, cascade));
                let vertices = |on: Node| {
                    let on_index = nodes.binary_search_by_key(&on.id().get(), |one| one.id().get());
                    let href = on_index.ok().and_then(|at| self.elements[at].links.as_ref()?.href);
                    href.map_or(0, |path| {
                        let is_short = sight().is_short(on, nodes[path as usize]);
                        if is_short { self.element(path).vertices() } else { u64::MAX }
                    })
                };
                self.elements[at].text = text::steps(*node, &all, &vertices);
            }
        }
    }

    /// How many elements there are.
    pub(super) fn len(&self) -> Index {
        self.elements.len() as Index
    }

    /// The element.
    pub(super) fn element(&self, index: Index) -> &Element {
        &self.elements[index as usize]
    }

    /// What it refers to.
    pub(super) fn links(&self, index: Index) -> Option<&Links> {
        self.element(index).links.as_deref()
    }

    /// The elements directly inside the element, in order.
    pub(super) fn children(&self, at: Index) -> impl Iterator<Item = Index> {
        let last = self.element(at).last;
        let after = move |child: Index| Some(child).filter(|child| *child <= last);
        std::iter::successors(after(at + 1), move |child| after(self.element(*child).last + 1))
    }

    /// What is read inside the element, in order: its children, or what it shows.
    pub(super) fn inside(&self, at: Index) -> impl Iterator<Item = Index> {
        let shown = self.links(at).and_then(|links| links.href);
        let is_use = self.element(at).sort == Sort::Use;
        let shown = shown.filter(|shown| is_use && self.element(*shown).sort != Sort::Unknown);
        shown.into_iter().chain(self.children(at).filter(move |child| self.is_followed(at, *child)))
    }

    /// Whether there is nothing inside.
    pub(super) fn is_leaf(&self, at: Index) -> bool {
        self.element(at).last == at
    }

    /// Whether usvg reads nothing inside.
    pub(super) fn is_empty(&self, at: Index) -> bool {
        self.children(at).all(|child| self.element(child).sort == Sort::Unknown)
    }

    /// What people call it.
    pub(super) fn name(&self, index: Index) -> String {
        let node = self.document.get_node(self.element(index).node);
        let id = node.and_then(|node| node.attribute("id"));
        id.map_or("?".into(), |id| one_line(&format!("#{id}")))
    }

    /// The elements on the way, by id, and back to the first.
    pub(super) fn way(&self, round: &[Index], back: Index) -> String {
        let names: Vec<String> = round.iter().take(8).map(|at| self.name(*at)).collect();
        format!("{} -> {}", names.join(" -> "), self.name(back))
    }
}

impl Element {
    /// What it costs by itself.
    pub(super) fn cost(&self) -> Cost {
        Cost {
            work: 1 + self.pieces,
            text: self.text,
            arcs: self.arcs,
            segments: self.segments.into(),
            memory: self.memory,
            steps: self.steps,
            depth: 1,
            ..Cost::default()
        }
    }

    /// How many vertices its path has, or more.
    pub(super) fn vertices(&self) -> u64 {
        self.segments.max(8).into()
    }

    /// Pays for a property.
    fn pay(&mut self, one: &Property) {
        let length = one.value.len() as u64;
        self.steps += 8 + length;
        match one.name {
            "stroke-dasharray" => self.handed_memory += 8 * count_numbers(one.value),
            "font-family" | "font-variation-settings" => self.handed_memory += 4 * length,
            "id" => self.handed_memory += 4 * length,
            "filter" => self.memory += 512 * one.value.matches('(').count() as u64,
            "href" if one.value.len() > 1000 => self.memory += length,
            "text-decoration" => self.decorated = one.value != "none",
            "result" | "in" | "in2" => self.memory += 2 * length,
            "values" | "tableValues" | "kernelMatrix" | "x" | "y" | "dx" | "dy" | "rotate" => {
                self.memory += 4 * length;
            }
            _ => {}
        }
        let is_own = matches!(
            one.name,
            "d" | "points" | "href" | "transform" | "id" | "x" | "y" | "dx" | "dy" | "rotate"
        );
        // Each shape looks about so many properties up, and reads each about once.
        const LOOKUPS: u64 = 25;
        self.handed_steps += LOOKUPS + if is_own { 0 } else { length };
    }
}

/// About how many numbers are in a list.
fn count_numbers(list: &str) -> u64 {
    let mut count = 0;
    let mut before = b' ';
    for byte in list.bytes() {
        let begins = byte.is_ascii_digit() && !before.is_ascii_digit();
        // A fraction goes on with the number before, unless that has one.
        count += u64::from(begins && before != b'.') + u64::from(byte == b'.');
        before = byte;
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_counted_without_blanks() {
        assert_eq!(count_numbers(".1.1.1"), 3);
        assert!(count_numbers("1.5-2,3e1") >= 3, "no fewer than there are");
        assert_eq!(count_numbers(""), 0);
    }
}
