//! Which elements to speak of.

use treebounds_core::{Origin, Role, Scene};

/// A set of elements of one scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// `None`: all of them.
    keep: Option<Vec<bool>>,
}

impl Selection {
    /// Every element.
    pub fn all() -> Self {
        Self { keep: None }
    }

    /// The elements whose source has this `id`, and the nodes around them, each
    /// with its begin and its end. `None` where no element has it.
    ///
    /// Cost: two passes, however many elements share the `id`.
    pub fn of_id(scene: &Scene, id: &str) -> Option<Self> {
        let has_it = |origin: &Origin| origin.id.as_deref() == Some(id);
        let found = (0..).zip(&scene.origins).filter(|(_, origin)| has_it(origin));
        Self::of_elements(scene, found.map(|(ix, _)| ix))
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
            match tag.role() {
                Role::Draw => {}
                Role::Begin => open.push(ix),
                Role::End => {
                    if let Some(begin) = open.pop() {
                        keep[begin] |= wanted[ix];
                        keep[ix] = keep[begin];
                    }
                }
            }
            if wanted[ix] && !keep[ix] {
                keep[ix] = true;
                keep_around(&mut keep, &open, ix);
            }
        }
        wanted.contains(&true).then_some(Self { keep: Some(keep) })
    }

    /// Whether the element with this index is one of them.
    pub fn contains(&self, ix: u32) -> bool {
        match &self.keep {
            None => true,
            Some(keep) => keep.get(ix as usize).copied().unwrap_or(false),
        }
    }
}

/// Keeps the open nodes around element `ix`. Below one that is kept already,
/// all are.
fn keep_around(keep: &mut [bool], open: &[usize], ix: usize) {
    for &begin in open.iter().rev().filter(|&&begin| begin != ix) {
        if keep[begin] {
            break;
        }
        keep[begin] = true;
    }
}
