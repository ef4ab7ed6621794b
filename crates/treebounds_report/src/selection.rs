//! Which elements to speak of.

use crate::scene::{Document, Scene};
use treebounds_core::Role;

/// A set of elements of one scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// `None`: all of them.
    keep: Option<Vec<bool>>,
    /// The objects of the document that are named; `None`: all of them.
    objects: Option<Vec<bool>>,
}

impl Selection {
    /// Every element.
    pub fn all() -> Self {
        Self { keep: None, objects: None }
    }

    /// The elements whose source has this `id`, and the nodes around them, each
    /// with its begin and its end. `None` where no element has it.
    ///
    /// Cost: two passes, however many elements share the `id`.
    pub fn of_id(scene: &Scene, id: &str) -> Option<Self> {
        Self::of_elements(scene, scene.elements_of(id))
    }

    /// The object with this `id`, or all that have it, with all that is inside, and the nodes around it. `None` where
    /// there is no such object, and no element with that `id` either.
    ///
    /// Cost: three passes.
    pub fn of_object(scene: &Scene, document: &Document, id: &str) -> Option<Self> {
        let Some(objects) = document.inside(id) else { return Self::of_id(scene, id) };
        let is_inside = |object: u32| objects.get(object as usize) == Some(&true);
        let inside = (0..).zip(&document.sources).filter(|(_, object)| is_inside(**object));
        let elements = inside.map(|(element, _)| element).chain(scene.elements_of(id));
        let keep = Self::of_elements(scene, elements).and_then(|selection| selection.keep);
        let nothing = || vec![false; scene.stream.len()];
        Some(Self { keep: Some(keep.unwrap_or_else(nothing)), objects: Some(objects) })
    }

    /// The elements with these indices, those of nodes with their begins and ends, and the nodes around them. `None` where
    /// the scene has none of them.
    ///
    /// Cost: one pass, and one over the indices, in any order.
    pub fn of_elements(scene: &Scene, indices: impl IntoIterator<Item = u32>) -> Option<Self> {
        let tags = scene.stream.tags();
        let mut wanted = vec![false; tags.len()];
        for ix in indices {
            if let Some(wanted) = wanted.get_mut(ix as usize) {
                *wanted = true;
            }
        }
        let mut keep = vec![false; tags.len()];
        let mut open: Vec<usize> = Vec::new();
        for (ix, tag) in tags.iter().enumerate() {
            // A node is kept by its begin.
            let own = if tag.role() == Role::End { open.pop().unwrap_or(ix) } else { ix };
            if wanted[ix] && !keep[own] {
                keep[own] = true;
                keep_all(&mut keep, &open);
            }
            keep[ix] = keep[own];
            if tag.role() == Role::Begin {
                open.push(ix);
            }
        }
        wanted.contains(&true).then_some(Self { keep: Some(keep), objects: None })
    }

    /// Whether the element with this index is one of them.
    pub fn contains(&self, ix: u32) -> bool {
        match &self.keep {
            None => true,
            Some(keep) => keep.get(ix as usize).copied().unwrap_or(false),
        }
    }

    /// Whether the object of the document with this index is one of them.
    pub fn names(&self, object: u32) -> bool {
        let is_named = |objects: &Vec<bool>| objects.get(object as usize).copied().unwrap_or(false);
        self.objects.as_ref().is_none_or(is_named)
    }
}

/// Keeps the open nodes. Below one that is kept already, all are.
fn keep_all(keep: &mut [bool], open: &[usize]) {
    for &begin in open.iter().rev() {
        if keep[begin] {
            break;
        }
        keep[begin] = true;
    }
}
