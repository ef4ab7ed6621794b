//! How deep a recursion may go, and how much work it may do.

use super::SvgError;
use super::extent::Extent;
use super::objects::Objects;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;

/// How far masks and clip paths may be nested inside each other: their boxes
/// are found by recursion. The stack of [`with_large_stack`] holds this many.
///
/// [`with_large_stack`]: super::with_large_stack
pub(super) const DEPTH_MAX: u32 = 20_000;

/// How many nodes may be visited, each as often as it is reached: a few
/// references to references reach more nodes than a lifetime visits.
pub(super) const WORK_MAX: u64 = 20_000_000;

/// What all parts of a recursion share.
pub(super) struct Shared<'a> {
    /// How many nodes may still be visited.
    work: Cell<u64>,
    /// The objects of the document.
    pub(super) objects: &'a Objects,
    /// The boxes of clip paths, masks and what is in them, as far as they were met.
    pub(super) used: RefCell<HashMap<u32, Extent>>,
}

impl<'a> Shared<'a> {
    /// The whole budget.
    pub(super) fn new(objects: &'a Objects) -> Self {
        Self { work: Cell::new(WORK_MAX), objects, used: RefCell::default() }
    }

    /// A definition with this id, in the words of usvg, is used here.
    pub(super) fn uses(&self, id: &str, extent: Extent) {
        if let Some(object) = self.objects.find(id) {
            self.uses_object(object, extent);
        }
    }

    /// This object of a definition is used here.
    pub(super) fn uses_object(&self, object: u32, extent: Extent) {
        if !extent.is_empty() {
            let mut used = self.used.borrow_mut();
            let known = used.entry(object).or_insert(Extent::NOTHING);
            *known = known.union(extent);
        }
    }
}

/// Where a recursion is, and what is left of its budget.
#[derive(Clone, Copy)]
pub(super) struct Depth<'a> {
    level: u32,
    pub(super) shared: &'a Shared<'a>,
}

impl<'a> Depth<'a> {
    /// The top.
    pub(super) fn top(shared: &'a Shared<'a>) -> Self {
        Self { level: 0, shared }
    }

    /// One level down.
    pub(super) fn deeper(self) -> Result<Self, SvgError> {
        if self.level == DEPTH_MAX {
            return Err(SvgError::TooDeep {
                depth: u64::from(DEPTH_MAX) + 1,
                max: DEPTH_MAX.into(),
            });
        }
        Ok(Self { level: self.level + 1, ..self })
    }

    /// Pays for one node.
    pub(super) fn spend(self) -> Result<(), SvgError> {
        let work = &self.shared.work;
        work.set(work.get().checked_sub(1).ok_or(SvgError::TooMuch { max: WORK_MAX })?);
        Ok(())
    }
}
