//! The cost of a drawing, every element measured once.
//!
//! An element costs one visit, what is inside it, and what it refers to. Fills,
//! strokes and markers are handed down to what is inside, and what a `use` shows
//! gets them from the `use`: so an element is measured once for every such
//! context it is met in.

use super::outline::{Element, HANDED_DOWN, Index, Links, Outline, Sort};
use super::templates::template;
use super::{COPIES_MAX, Cost, LEVELS_MAX, REFERENCE_LEVELS};
use crate::svg::SvgError;
use std::collections::{HashMap, HashSet};

/// By which property one element refers to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum By {
    Clip,
    Mask,
    Filter,
    HandedDown(usize),
}

/// What is handed down to an element.
type Context = [Option<Index>; HANDED_DOWN];

/// A definition, while it is measured and after.
#[derive(Clone, Copy)]
enum State {
    Open,
    Done(Cost),
}

/// Where an element is met: in which definition, with what handed down.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Place {
    owner: Option<Index>,
    context: Context,
}

/// Measures elements, and remembers.
pub(super) struct Costs<'a> {
    outline: &'a Outline,
    elements: HashMap<(Index, Place), Cost>,
    definitions: HashMap<Index, State>,
    /// The definitions that are being measured, outermost first.
    open: Vec<Index>,
    /// The uses that are being measured.
    uses: HashSet<Index>,
    /// What each definition refers to, from anywhere inside.
    references: HashMap<Index, HashSet<(By, Index)>>,
}

impl By {
    /// The sort of element that has an effect when referred to so.
    fn sort(self) -> Sort {
        match self {
            Self::Clip => Sort::ClipPath,
            Self::Mask => Sort::Mask,
            Self::Filter => Sort::Filter,
            Self::HandedDown(0 | 1) => Sort::Pattern,
            Self::HandedDown(_) => Sort::Marker,
        }
    }
}

impl Cost {
    const ONE: Self = Self { work: 1, copies: 0, text: 0, arcs: 0, depth: 1 };

    /// What an element costs by itself.
    fn of(element: &Element) -> Self {
        Self { text: element.text, arcs: element.arcs, ..Self::ONE }
    }

    /// Adds what is visited `times` times, `levels` further down.
    fn add(&mut self, inside: Self, times: u64, levels: u64) {
        self.work = self.work.saturating_add(inside.work.saturating_mul(times));
        self.copies = self.copies.saturating_add(inside.copies.saturating_mul(times));
        self.text = self.text.saturating_add(inside.text.saturating_mul(times));
        self.arcs = self.arcs.saturating_add(inside.arcs.saturating_mul(times));
        self.depth = self.depth.max(inside.depth.saturating_add(levels));
    }
}

impl<'a> Costs<'a> {
    pub(super) fn new(outline: &'a Outline) -> Self {
        Self {
            outline,
            elements: HashMap::new(),
            definitions: HashMap::new(),
            open: Vec::new(),
            uses: HashSet::new(),
            references: HashMap::new(),
        }
    }

    /// The cost of the whole drawing.
    pub(super) fn total(mut self) -> Result<Cost, SvgError> {
        let place = Place { owner: None, context: [None; HANDED_DOWN] };
        let cost = self.element(0, place, 0)?;
        self.limit(cost.depth)?;
        if cost.copies > COPIES_MAX {
            return Err(SvgError::TooManyCopies { max: COPIES_MAX });
        }
        Ok(cost)
    }

    fn limit(&self, depth: u64) -> Result<(), SvgError> {
        if depth > LEVELS_MAX { Err(SvgError::TooDeep { depth, max: LEVELS_MAX }) } else { Ok(()) }
    }

    fn element(&mut self, at: Index, mut place: Place, depth: u64) -> Result<Cost, SvgError> {
        let element = self.outline.element(at);
        let plain = place.context == [None; HANDED_DOWN];
        if plain && element.links.is_none() && element.children.is_empty() {
            return Ok(Cost::of(element));
        }
        let key = (at, place);
        if let Some(cost) = self.elements.get(&key) {
            return Ok(*cost);
        }
        self.limit(depth)?;
        let mut cost = Cost::of(element);
        if let Some(links) = &element.links {
            place.context = self.hand_down(place, links);
            self.effects(at, place.owner, links, depth, &mut cost)?;
        }
        if element.sort == Sort::Shape {
            self.paints(element, place.context, depth, &mut cost)?;
        }
        match (element.sort, element.links.as_ref().and_then(|links| links.href)) {
            (Sort::Use, Some(target)) if self.uses.insert(at) => {
                cost.add(self.element(target, place, depth + 2)?, 1, 2);
                self.uses.remove(&at);
            }
            (Sort::Use, _) => {}
            _ => self.children(element, place, depth, &mut cost)?,
        }
        self.elements.insert(key, cost);
        Ok(cost)
    }

    fn children(
        &mut self,
        element: &Element,
        place: Place,
        depth: u64,
        cost: &mut Cost,
    ) -> Result<(), SvgError> {
        for child in &element.children {
            let sort = self.outline.element(*child).sort;
            if matches!(sort, Sort::Shape | Sort::Use | Sort::Group | Sort::FeImage) {
                cost.add(self.element(*child, place, depth + 1)?, 1, 1);
            }
        }
        Ok(())
    }

    /// The clip path, the mask and the filters of an element.
    fn effects(
        &mut self,
        at: Index,
        owner: Option<Index>,
        links: &Links,
        depth: u64,
        cost: &mut Cost,
    ) -> Result<(), SvgError> {
        let clip = links.clip.map(|target| (By::Clip, target));
        let mask = links.mask.map(|target| (By::Mask, target));
        let filters = links.filters.iter().map(|target| (By::Filter, *target));
        for (by, target) in clip.into_iter().chain(mask).chain(filters) {
            if !self.is_cut(owner, by, target) && !self.shows(by, target, at) {
                self.refer(by, target, 1, depth, cost)?;
            }
        }
        Ok(())
    }

    /// The patterns and markers of a shape.
    fn paints(
        &mut self,
        shape: &Element,
        context: Context,
        depth: u64,
        cost: &mut Cost,
    ) -> Result<(), SvgError> {
        for (at, target) in context.iter().enumerate() {
            if let Some(target) = *target {
                let times = if at == 3 { shape.vertices.into() } else { 1 };
                self.refer(By::HandedDown(at), target, times, depth, cost)?;
            }
        }
        Ok(())
    }

    fn hand_down(&mut self, place: Place, links: &Links) -> Context {
        let mut context = place.context;
        for (at, set) in links.handed_down.iter().enumerate() {
            if let Some(target) = *set {
                let by = By::HandedDown(at);
                context[at] = target.filter(|target| !self.is_cut(place.owner, by, *target));
            }
        }
        context
    }

    fn refer(
        &mut self,
        by: By,
        target: Index,
        times: u64,
        depth: u64,
        cost: &mut Cost,
    ) -> Result<(), SvgError> {
        if self.outline.element(target).sort == by.sort() {
            let inside = self.definition(target, depth + REFERENCE_LEVELS)?;
            cost.add(inside, times, REFERENCE_LEVELS);
        }
        Ok(())
    }

    /// The cost of a clip path, mask, pattern, marker or filter, each time it is
    /// used.
    fn definition(&mut self, at: Index, depth: u64) -> Result<Cost, SvgError> {
        match self.definitions.get(&at) {
            Some(State::Done(cost)) => return Ok(*cost),
            Some(State::Open) => return self.circle(at).map(|()| Cost::ONE),
            None => {}
        }
        self.limit(depth)?;
        self.definitions.insert(at, State::Open);
        self.open.push(at);
        let cost = self.define(at, depth)?;
        self.open.pop();
        self.definitions.insert(at, State::Done(cost));
        Ok(cost)
    }

    fn define(&mut self, at: Index, depth: u64) -> Result<Cost, SvgError> {
        let copies = u64::from(!self.outline.element(at).shared);
        let mut cost = Cost { copies, ..Cost::ONE };
        if let Some(links) = &self.outline.element(at).links {
            self.effects(at, Some(at), links, depth, &mut cost)?;
        }
        let mut content = at;
        while self.outline.element(content).children.is_empty() {
            match template(self.outline, content) {
                Some(next) if next != at => content = next,
                _ => break,
            }
        }
        let place = self.place(content, Some(at));
        for child in &self.outline.element(content).children {
            let element = self.outline.element(*child);
            let shown = element.links.as_ref().and_then(|links| links.href);
            match shown.filter(|_| element.sort == Sort::FeImage) {
                Some(shown) => {
                    let place = self.place_around(shown, None);
                    let inside = self.element(shown, place, depth + REFERENCE_LEVELS)?;
                    cost.add(inside, 1, REFERENCE_LEVELS);
                }
                None => cost.add(self.element(*child, place, depth + 1)?, 1, 1),
            }
        }
        Ok(cost)
    }

    /// What is handed down to the children of an element where it is defined.
    fn place(&mut self, at: Index, owner: Option<Index>) -> Place {
        let mut place = self.place_around(at, owner);
        if let Some(links) = &self.outline.element(at).links {
            place.context = self.hand_down(place, links);
        }
        place
    }

    /// What is handed down to an element where it is defined.
    fn place_around(&mut self, at: Index, owner: Option<Index>) -> Place {
        let mut context: [Option<Option<Index>>; HANDED_DOWN] = Default::default();
        let mut next = self.outline.element(at).parent;
        while let Some(parent) = next {
            let parent = self.outline.element(parent);
            for (at, context) in context.iter_mut().enumerate() {
                let set = parent.links.as_ref().and_then(|links| links.handed_down[at]);
                *context = context.or(set);
            }
            next = parent.parent;
        }
        Place { owner, context: context.map(Option::flatten) }
    }

    /// A definition was met inside itself. usvg ends that by itself where a
    /// marker is on the way round, if not cheaply; otherwise it never ends.
    fn circle(&self, at: Index) -> Result<(), SvgError> {
        let start = self.open.iter().position(|open| *open == at).unwrap_or_default();
        let round = &self.open[start..];
        let marker = round.iter().any(|at| self.outline.element(*at).sort == Sort::Marker);
        if marker && round.len() <= 3 {
            return Ok(());
        }
        let names: Vec<String> = round.iter().take(8).map(|at| self.outline.name(*at)).collect();
        Err(SvgError::Circle {
            path: format!("{} -> {}", names.join(" -> "), self.outline.name(at)),
        })
    }

    /// Whether usvg drops this reference from inside `owner`: because it leads
    /// back to the owner, or to a definition that comes first and itself refers
    /// to the owner in the same way.
    fn is_cut(&mut self, owner: Option<Index>, by: By, target: Index) -> bool {
        let Some(owner) = owner.filter(|_| !matches!(by, By::HandedDown(2..))) else {
            return false;
        };
        let same = self.outline.element(target).sort == by.sort();
        same && (owner == target || (target < owner && self.refers(target, by, owner)))
    }

    /// Whether the filter shows the element, which usvg then does not filter.
    fn shows(&self, by: By, filter: Index, element: Index) -> bool {
        by == By::Filter
            && self.outline.element(filter).children.iter().any(|child| {
                let child = self.outline.element(*child);
                let href = child.links.as_ref().and_then(|links| links.href);
                child.sort == Sort::FeImage && href == Some(element)
            })
    }

    /// Whether anything inside the definition refers to the other.
    fn refers(&mut self, definition: Index, by: By, other: Index) -> bool {
        let outline = self.outline;
        let references =
            self.references.entry(definition).or_insert_with(|| references(outline, definition));
        references.contains(&(by, other))
    }
}

/// Every reference from the element and all inside it, through uses.
fn references(outline: &Outline, at: Index) -> HashSet<(By, Index)> {
    let mut found = HashSet::new();
    let mut seen = HashSet::from([at]);
    let mut open = vec![at];
    while let Some(at) = open.pop() {
        let element = outline.element(at);
        let mut inside = element.children.clone();
        if let Some(links) = &element.links {
            found.extend(links.clip.map(|target| (By::Clip, target)));
            found.extend(links.mask.map(|target| (By::Mask, target)));
            found.extend(links.filters.iter().map(|target| (By::Filter, *target)));
            for (at, target) in links.handed_down.iter().enumerate() {
                found.extend(target.flatten().map(|target| (By::HandedDown(at), target)));
            }
            inside.extend(links.href.filter(|_| element.sort == Sort::Use));
        }
        open.extend(inside.into_iter().filter(|at| seen.insert(*at)));
    }
    found
}
