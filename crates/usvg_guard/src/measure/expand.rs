//! How many elements usvg makes of a document: it repeats what uses show.
//!
//! usvg does not follow a use that shows itself, or something with a use inside that shows either of the two. It follows
//! the uses of longer circles until it has too many elements: there the use that closes the circle is left out.

use super::outline::{Index, Outline};
use super::searches;
use super::sort::Sort;
use crate::left_out::{CIRCLE, Cut, Part};
use crate::{Limits, Refused};
use std::collections::HashMap;

/// The elements that a document is expanded to.
#[derive(Default)]
pub(super) struct Expansion {
    pub(super) cuts: Vec<Cut>,
    pub(super) circle: Option<String>,
    /// How many steps it takes usvg to look for circles.
    pub(super) steps: u64,
}

/// How many steps it takes to look whether an element is a use.
const LOOK: u64 = 4;

/// What an element is expanded to.
#[derive(Clone, Copy, Default)]
struct Size {
    /// Elements and stretches of text.
    nodes: u64,
    /// Levels below it.
    depth: u64,
    /// Elements that are searched for uses.
    searched: u64,
}

#[derive(Clone, Copy)]
enum State {
    Open,
    Done(Size),
}

struct Expander<'a> {
    outline: &'a Outline<'a>,
    limits: &'a Limits,
    states: Vec<Option<State>>,
    /// The uses that usvg looks for, by what they show.
    uses: HashMap<Index, Vec<Index>>,
    way: Vec<Index>,
    /// Uses that show nothing: left out by usvg, or to be left out.
    empty: Vec<(Index, Part)>,
    circle: Option<String>,
    /// How many elements are searched for uses, those that are shown again counted once.
    searched: u64,
}

impl Expansion {
    /// Expands the document; uses that show nothing refer to nothing afterwards.
    ///
    /// # Errors
    /// More elements or levels than usvg reads, or too long a search for circles.
    pub(super) fn of(outline: &mut Outline, limits: &Limits) -> Result<Self, Refused> {
        let mut expander = Expander {
            limits,
            states: vec![None; outline.elements.len()],
            uses: uses(outline),
            way: vec![],
            empty: vec![],
            circle: None,
            searched: 0,
            outline,
        };
        let all = expander.visit(0, 0)?;
        if all.nodes > limits.elements {
            return Err(Refused::TooManyUsed { max: limits.elements });
        }
        let sizes: Vec<u64> = expander.states.iter().map(|state| nodes(*state)).collect();
        let Expander { empty, circle, .. } = expander;
        let mut out = Self { circle, steps: all.searched.saturating_mul(LOOK), cuts: vec![] };
        for (at, part) in empty {
            let element = &mut outline.elements[at as usize];
            out.cuts.push(Cut { node: element.node, part, why: CIRCLE });
            if let Some(links) = &mut element.links {
                links.href = None;
            }
        }
        out.steps = out.steps.saturating_add(searches::steps(outline, &sizes, limits.steps));
        if out.steps > limits.steps {
            return Err(Refused::TooManySteps { max: limits.steps });
        }
        Ok(out)
    }
}

fn nodes(state: Option<State>) -> u64 {
    match state {
        Some(State::Done(size)) => size.nodes,
        _ => 0,
    }
}

/// The uses by what they show, in document order.
fn uses(outline: &Outline) -> HashMap<Index, Vec<Index>> {
    let mut uses: HashMap<Index, Vec<Index>> = HashMap::new();
    for at in 0..outline.len() {
        let element = outline.element(at);
        let is_found = element.sort == Sort::Use && element.in_namespace;
        let shown = outline.links(at).and_then(|links| links.href).filter(|_| is_found);
        if let Some(shown) = shown {
            uses.entry(shown).or_default().push(at);
        }
    }
    uses
}

impl Expander<'_> {
    fn visit(&mut self, at: Index, level: u64) -> Result<Size, Refused> {
        let known = self.states[at as usize];
        let depth = if let Some(State::Done(size)) = known { size.depth } else { 0 };
        if level + depth > self.limits.nesting {
            let max = self.limits.nesting;
            return Err(Refused::TooNested { depth: level + depth, max });
        }
        if let Some(State::Done(size)) = known {
            return Ok(size);
        }
        self.states[at as usize] = Some(State::Open);
        self.way.push(at);
        let element = self.outline.element(at);
        let mut size = Size { nodes: 1 + u64::from(element.stretches), depth: 0, searched: 0 };
        let is_use = element.sort == Sort::Use;
        for inside in self.outline.inside(at) {
            if is_use {
                let last = self.outline.element(inside).last;
                size.searched += u64::from(last - inside) + 1;
                self.search(u64::from(last - inside) + 1)?;
                if let Some(part) = self.why_empty(at, inside) {
                    self.empty.push((at, part));
                    continue;
                }
            }
            let step = if is_use { 2 } else { 1 };
            let one = self.visit(inside, level + step)?;
            size.nodes = size.nodes.saturating_add(one.nodes);
            size.depth = size.depth.max(one.depth + step);
            size.searched = size.searched.saturating_add(one.searched);
        }
        self.way.pop();
        self.states[at as usize] = Some(State::Done(size));
        Ok(size)
    }

    /// Refuses too long a search as soon as it is.
    fn search(&mut self, elements: u64) -> Result<(), Refused> {
        self.searched = self.searched.saturating_add(elements);
        let is_long = self.searched.saturating_mul(LOOK) > self.limits.steps;
        if is_long { Err(Refused::TooManySteps { max: self.limits.steps }) } else { Ok(()) }
    }

    /// Whether a use shows nothing, and what must be done for that.
    fn why_empty(&mut self, at: Index, shown: Index) -> Option<Part> {
        let last = self.outline.element(shown).last;
        let has_use = |of: Index| {
            let uses = self.uses.get(&of).map_or(&[][..], Vec::as_slice);
            let first = uses.partition_point(|one| *one <= shown);
            uses.get(first).is_some_and(|one| *one <= last)
        };
        if at == shown || has_use(at) || has_use(shown) {
            return Some(Part::Nothing);
        }
        if !matches!(self.states[shown as usize], Some(State::Open)) {
            return None;
        }
        let start = self.way.iter().position(|one| *one == shown).unwrap_or_default();
        let round = &self.way[start..];
        let after = round.iter().cycle().skip(1);
        let uses = round.iter().zip(after);
        let shown_by = uses.filter(|(at, _)| self.outline.element(**at).sort == Sort::Use);
        let names: Vec<Index> = shown_by.map(|(_, shown)| *shown).collect();
        let first = names.first().copied().unwrap_or(shown);
        self.circle.get_or_insert_with(|| self.outline.way(&names, first));
        Some(Part::Attribute("href".into()))
    }
}
