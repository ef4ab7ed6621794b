//! The cost of a drawing, every element measured once.
//!
//! An element costs one visit, what is inside it, and what it refers to. Fills,
//! strokes and markers are handed down to what is inside, and what a `use` shows
//! gets them from the `use`: so an element is measured once for every such
//! context it is met in.
//!
//! Definitions are measured first, in document order. A reference to one that is being measured closes a circle, and is
//! left out.

use super::REFERENCE_LEVELS;
use super::cost::Cost;
use super::outline::{Element, Index, Outline};
use super::place::Place;
use super::sort::Sort;
use super::targets::{CONTEXT, EFFECTS, HANDED_DOWN};
use super::templates::template;
use crate::left_out::{CIRCLE, Cut, Part};
use crate::{Limits, Refused};
use std::collections::{HashMap, HashSet};

/// A definition, while it is measured and after.
#[derive(Clone, Copy)]
enum State {
    Open,
    Done(Cost),
}

/// Measures elements, and remembers.
pub(super) struct Costs<'a> {
    outline: &'a Outline<'a>,
    limits: &'a Limits,
    /// Elements where nothing is taken from around, as most are, and others.
    plain: Vec<Option<Box<Cost>>>,
    elements: HashMap<(Index, Place), Cost>,
    definitions: HashMap<Index, State>,
    gradients: HashMap<Index, (u64, u64)>,
    /// The definitions that are being measured, outermost first.
    open: Vec<Index>,
    /// The elements that are being measured, outermost first.
    way: Vec<Index>,
    /// Where in that a definition began, and the element whose children are measured there.
    starts: Vec<(usize, Index)>,
    /// Steps and bytes that a shape costs for all around an element.
    around: Vec<(u64, u64)>,
    /// How many elements were measured.
    visits: u64,
    cuts: Vec<Cut>,
    cut: HashSet<(Index, &'static str)>,
    circle: Option<String>,
}

/// The circles that were found.
pub(super) struct Circles {
    pub(super) cuts: Vec<Cut>,
    pub(super) circle: Option<String>,
}

impl<'a> Costs<'a> {
    pub(super) fn new(outline: &'a Outline<'a>, limits: &'a Limits) -> Self {
        let mut around: Vec<(u64, u64)> = Vec::with_capacity(outline.elements.len());
        for element in &outline.elements {
            let above = element.parent.map_or((0, 0), |parent| {
                let (steps, memory) = around[parent as usize];
                let parent = outline.element(parent);
                (steps + parent.handed_steps, memory + parent.handed_memory)
            });
            around.push(above);
        }
        Self {
            outline,
            limits,
            plain: outline.elements.iter().map(|_| None).collect(),
            elements: HashMap::new(),
            definitions: HashMap::new(),
            gradients: HashMap::new(),
            open: vec![],
            way: vec![],
            starts: vec![(0, 0)],
            around,
            visits: 0,
            cuts: vec![],
            cut: HashSet::new(),
            circle: None,
        }
    }

    /// The cost of the whole drawing.
    pub(super) fn total(&mut self) -> Result<Cost, Refused> {
        for at in 0..self.outline.len() {
            let sort = self.outline.element(at).sort;
            if matches!(
                sort,
                Sort::ClipPath | Sort::Mask | Sort::Pattern | Sort::Marker | Sort::Filter
            ) {
                self.definition(at, 0)?;
            }
        }
        self.element(0, Place::default(), 0)
    }

    pub(super) fn finish(self) -> Circles {
        Circles { cuts: self.cuts, circle: self.circle }
    }

    fn limit(&mut self, depth: u64) -> Result<(), Refused> {
        self.visits += 1;
        if self.visits > 2 * self.limits.visits {
            return Err(Refused::TooMuch { max: self.limits.visits });
        }
        let max = self.limits.levels;
        if depth > max { Err(Refused::TooDeep { depth, max }) } else { Ok(()) }
    }

    fn element(&mut self, at: Index, mut place: Place, depth: u64) -> Result<Cost, Refused> {
        let outline = self.outline;
        let element = outline.element(at);
        let mut cost = element.cost();
        cost.shapes = match element.sort {
            Sort::Shape | Sort::Use => 1,
            Sort::Text | Sort::Span => 1 + element.pieces,
            _ => u64::from(outline.is_leaf(at)),
        };
        if place.context == [None; 5] && element.links.is_none() && outline.is_leaf(at) {
            cost.pay(cost.shapes, (element.handed_steps, element.handed_memory));
            return Ok(cost);
        }
        let key = (at, place);
        let known = match &self.plain[at as usize] {
            Some(known) if place == Place::default() => Some(**known),
            _ => self.elements.get(&key).copied(),
        };
        if let Some(cost) = known {
            return Ok(cost);
        }
        self.limit(depth)?;
        self.way.push(at);
        let sources = outline.links(at).map_or([None; 3], |links| place.sources(at, links));
        self.effects(at, sources, depth, &mut cost)?;
        place.effects = [None; 3];
        if let Some(links) = outline.links(at) {
            place.hand_down(links);
            if outline.inherits {
                place.effects = sources;
            }
        }
        self.inside(at, place, depth, &mut cost)?;
        self.paints(element, place.context, depth, &mut cost)?;
        cost.pay(cost.shapes, (element.handed_steps, element.handed_memory));
        self.way.pop();
        if key.1 == Place::default() {
            self.plain[at as usize] = Some(Box::new(cost));
        } else {
            self.elements.insert(key, cost);
        }
        Ok(cost)
    }

    fn inside(
        &mut self,
        at: Index,
        place: Place,
        depth: u64,
        cost: &mut Cost,
    ) -> Result<(), Refused> {
        let outline = self.outline;
        let is_use = outline.element(at).sort == Sort::Use;
        let levels = if is_use { 2 } else { 1 };
        for child in outline.inside(at) {
            use Sort::{FeImage, Group, Hidden, Shape, Span, Text, Use};
            let sort = outline.element(child).sort;
            let is_shown = matches!(sort, Shape | Text | Span | Use | Group | FeImage);
            if is_shown || (is_use && sort == Hidden) {
                cost.add(self.element(child, place, depth + levels)?, 1, levels);
            }
        }
        Ok(())
    }

    /// The clip path, the mask and the filters of an element, as the sources declare them.
    fn effects(
        &mut self,
        at: Index,
        sources: [Option<Index>; 3],
        depth: u64,
        cost: &mut Cost,
    ) -> Result<(), Refused> {
        let outline = self.outline;
        let [clip, mask, filter] = sources.map(|source| source.and_then(|at| outline.links(at)));
        if let Some(target) = clip.and_then(|links| links.clip) {
            self.refer((at, EFFECTS[0]), Sort::ClipPath, target, 1, depth, cost)?;
        }
        if let Some(target) = mask.and_then(|links| links.mask) {
            self.refer((at, EFFECTS[1]), Sort::Mask, target, 1, depth, cost)?;
        }
        for target in filter.map_or(&[][..], |links| &links.filters) {
            self.refer((at, EFFECTS[2]), Sort::Filter, *target, 1, depth, cost)?;
        }
        Ok(())
    }

    /// The patterns, gradients and markers of an element.
    fn paints(
        &mut self,
        element: &Element,
        context: [Option<Index>; 5],
        depth: u64,
        cost: &mut Cost,
    ) -> Result<(), Refused> {
        let is_context = matches!(element.sort, Sort::Shape | Sort::Use);
        let (slots, times) = match element.sort {
            Sort::Shape => (0..5, 1),
            Sort::Text | Sort::Span => (0..2, 1 + element.pieces),
            Sort::Use => (0..2, 1),
            _ if element.decorated => (0..2, cost.shapes),
            _ => return Ok(()),
        };
        for slot in slots {
            let times = if slot == 3 { element.vertices() } else { times };
            self.paint(slot, context[slot], times, depth, cost)?;
        }
        // usvg copies the paint of a shape or a use for all that is shown by it and painted alike.
        let contexts = cost.contexts;
        let own = |slot: &usize| context[*slot] != Some(CONTEXT);
        for slot in (0..2).filter(own).filter(|_| contexts > 0 && is_context) {
            self.paint(slot, context[slot], contexts, depth, cost)?;
        }
        Ok(())
    }

    /// So many times a pattern, a gradient or a marker.
    fn paint(
        &mut self,
        slot: usize,
        target: Option<Index>,
        times: u64,
        depth: u64,
        cost: &mut Cost,
    ) -> Result<(), Refused> {
        let Some(target) = target else { return Ok(()) };
        if target == CONTEXT {
            cost.contexts = cost.contexts.saturating_add(times);
            return Ok(());
        }
        if slot < 2 && self.outline.element(target).sort == Sort::Gradient {
            let one = self.gradient(target);
            cost.pay(times, one);
            return Ok(());
        }
        let sort = if slot < 2 { Sort::Pattern } else { Sort::Marker };
        let declares = |at: &Index| {
            self.outline.links(*at).is_some_and(|links| links.handed_down[slot].is_some())
        };
        let (start, base) = self.starts.last().copied().unwrap_or_default();
        let declaring = self.way[start..].iter().rfind(|at| declares(at)).copied();
        let by = (declaring.unwrap_or(base), HANDED_DOWN[slot]);
        self.refer(by, sort, target, times, depth, cost)
    }

    /// Steps and bytes that it costs to paint one shape with a gradient, with the stops of all that it takes from.
    fn gradient(&mut self, at: Index) -> (u64, u64) {
        const LINK: u64 = 16;
        const STOP: u64 = 24;
        if let Some(known) = self.gradients.get(&at) {
            return *known;
        }
        let (mut links, mut stops) = (0, 0);
        let mut next = Some(at);
        while let Some(from) = next.filter(|_| links < u64::from(self.outline.len())) {
            links += 1;
            stops += self.outline.children(from).count() as u64;
            next = template(self.outline, from).filter(|next| *next != at);
        }
        let cost = (links * LINK + stops, stops * STOP);
        self.visits += links;
        self.gradients.insert(at, cost);
        cost
    }

    fn refer(
        &mut self,
        by: (Index, &'static str),
        sort: Sort,
        target: Index,
        times: u64,
        depth: u64,
        cost: &mut Cost,
    ) -> Result<(), Refused> {
        if self.outline.element(target).sort != sort || self.cut.contains(&by) {
            return Ok(());
        }
        match self.definition(target, depth + REFERENCE_LEVELS)? {
            Some(inside) => cost.add(inside, times, REFERENCE_LEVELS),
            None => self.leave_out(by, target),
        }
        Ok(())
    }

    /// A reference that leads back to a definition that is being measured is left out.
    fn leave_out(&mut self, by: (Index, &'static str), target: Index) {
        let (at, property) = by;
        if !self.cut.insert(by) {
            return;
        }
        let start = self.open.iter().position(|open| *open == target).unwrap_or_default();
        let outline = self.outline;
        self.circle.get_or_insert_with(|| outline.way(&self.open[start..], target));
        let is_fixed = outline.links(at).is_some_and(|links| links.important.contains(&property));
        let part = if is_fixed { Part::Whole } else { Part::Property(property) };
        self.cuts.push(Cut { node: outline.element(at).node, part, why: CIRCLE });
    }

    /// The cost of a clip path, mask, pattern, marker or filter, each time it is
    /// used. `None` while it is being measured.
    fn definition(&mut self, at: Index, depth: u64) -> Result<Option<Cost>, Refused> {
        match self.definitions.get(&at) {
            Some(State::Done(cost)) => return Ok(Some(*cost)),
            Some(State::Open) => return Ok(None),
            None => {}
        }
        self.limit(depth)?;
        self.definitions.insert(at, State::Open);
        self.open.push(at);
        let cost = self.define(at, depth)?;
        self.open.pop();
        self.definitions.insert(at, State::Done(cost));
        Ok(Some(cost))
    }

    fn define(&mut self, at: Index, depth: u64) -> Result<Cost, Refused> {
        let outline = self.outline;
        let mut cost = outline.element(at).cost();
        cost.copies = u64::from(!outline.element(at).shared);
        if let Some(links) = outline.links(at) {
            let around = self.place_around(at);
            let sources = around.sources(at, links);
            self.starts.push((self.way.len(), at));
            self.effects(at, sources, depth, &mut cost)?;
            self.starts.pop();
        }
        let content = self.content(at);
        if outline.element(at).sort == Sort::Filter {
            cost.steps = cost.steps.saturating_add(lookups(outline, content));
        }
        let place = self.place_around(content).inside(outline, content);
        self.starts.push((self.way.len(), content));
        for child in outline.children(content) {
            let element = outline.element(child);
            let shown = outline.links(child).and_then(|links| links.href);
            match (element.sort, shown) {
                (Sort::Unknown, _) => {}
                (Sort::FeImage, Some(shown)) => self.feature(shown, depth, &mut cost)?,
                _ => cost.add(self.element(child, place, depth + 1)?, 1, 1),
            }
        }
        self.starts.pop();
        cost.pay(cost.shapes, self.around[content as usize]);
        cost.shapes = 0;
        Ok(cost)
    }

    /// The element that a filter shows.
    fn feature(&mut self, shown: Index, depth: u64, cost: &mut Cost) -> Result<(), Refused> {
        let place = self.place_around(shown);
        self.starts.push((self.way.len(), shown));
        let mut inside = self.element(shown, place, depth + REFERENCE_LEVELS)?;
        self.starts.pop();
        inside.pay(inside.shapes, self.around[shown as usize]);
        inside.shapes = 0;
        cost.add(inside, 1, REFERENCE_LEVELS);
        Ok(())
    }

    /// The definition whose children are those of this one: it, or one that it takes from.
    fn content(&mut self, at: Index) -> Index {
        let mut content = at;
        let mut links = 0;
        while self.outline.is_empty(content) {
            match template(self.outline, content) {
                Some(next) if next != at && links < self.outline.len() => content = next,
                _ => break,
            }
            links += 1;
        }
        self.visits += u64::from(links);
        content
    }

    /// What is handed down to an element where it is defined.
    fn place_around(&mut self, at: Index) -> Place {
        let (place, levels) = Place::around(self.outline, at);
        self.visits += levels;
        place
    }
}

/// Steps to look up the inputs of a filter's primitives: each is compared with the name of every primitive before.
fn lookups(outline: &Outline, filter: Index) -> u64 {
    const COMPARE: u64 = 8;
    let primitives = outline.children(filter).count() as u64;
    // Two for each primitive, or one for each element in it.
    let inside = u64::from(outline.element(filter).last - filter);
    (2 * inside).saturating_mul(primitives).saturating_mul(COMPARE)
}
