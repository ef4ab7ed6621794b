//! How deep a recursion may go, and how much work it may do.

use super::SvgError;
use std::cell::Cell;

/// How far masks and clip paths may be nested inside each other: their boxes
/// are found by recursion. The stack of [`with_large_stack`] holds this many.
///
/// [`with_large_stack`]: super::with_large_stack
pub(super) const DEPTH_MAX: u32 = 20_000;

/// How many nodes may be visited, each as often as it is reached: a few
/// references to references reach more nodes than a lifetime visits.
pub(super) const WORK_MAX: u64 = 20_000_000;

/// Where a recursion is, and what is left of its budget.
#[derive(Clone, Copy)]
pub(super) struct Depth<'a> {
    level: u32,
    work: &'a Cell<u64>,
}

impl<'a> Depth<'a> {
    /// The top, with this budget.
    pub(super) fn top(work: &'a Cell<u64>) -> Self {
        Self { level: 0, work }
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
        let left = self.work.get().checked_sub(1).ok_or(SvgError::TooMuch { max: WORK_MAX })?;
        self.work.set(left);
        Ok(())
    }
}
