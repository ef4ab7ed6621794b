//! What an element takes from the elements around.

use super::outline::{Index, Outline};
use super::targets::Links;

/// What an element takes from around: what is handed down to it, and which element around declares the effects that it
/// may inherit.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) context: [Option<Index>; 5],
    pub(super) effects: [Option<Index>; 3],
}

impl Place {
    /// What is handed down to an element where it is defined, and how many elements are around.
    pub(super) fn around(outline: &Outline, at: Index) -> (Self, u64) {
        let mut context: [Option<Option<Index>>; 5] = Default::default();
        let mut effects: [Option<Option<Index>>; 3] = Default::default();
        let mut levels = 0;
        let mut next = outline.element(at).parent;
        while let Some(parent) = next {
            levels += 1;
            let links = outline.links(parent);
            for (at, context) in context.iter_mut().enumerate() {
                *context = context.or(links.and_then(|links| links.handed_down[at]));
            }
            for (at, effect) in effects.iter_mut().enumerate() {
                let declared = links.filter(|links| links.declared[at]);
                let goes_on = declared.is_some_and(|links| links.inherits[at]);
                if effect.is_none() && !goes_on {
                    *effect = Some(declared.map(|_| parent));
                }
            }
            next = outline.element(parent).parent;
        }
        let (context, effects) = (context.map(Option::flatten), effects.map(Option::flatten));
        (Self { context, effects }, levels)
    }

    /// What is handed down to the children of an element at this place. Effects are, where any element inherits one.
    pub(super) fn inside(mut self, outline: &Outline, at: Index) -> Self {
        if let Some(links) = outline.links(at) {
            self.hand_down(links);
            self.effects = self.sources(at, links);
        }
        if !outline.inherits {
            self.effects = [None; 3];
        }
        self
    }

    /// Hands down what an element says by these links.
    pub(super) fn hand_down(&mut self, links: &Links) {
        for (slot, set) in self.context.iter_mut().zip(links.handed_down) {
            if let Some(target) = set {
                *slot = target;
            }
        }
    }

    /// Which elements declare the effects of this one: itself, or one around it.
    pub(super) fn sources(&self, at: Index, links: &Links) -> [Option<Index>; 3] {
        std::array::from_fn(|effect| match (links.declared[effect], links.inherits[effect]) {
            (false, _) => None,
            (true, false) => Some(at),
            (true, true) => self.effects[effect],
        })
    }
}
