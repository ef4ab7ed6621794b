//! The reference itself, into memory that is used again.

use crate::cpu::ONE_CORE;
use treebounds_core::{Bounds, Stream, reference};

/// One core, one stack.
#[derive(Debug, Default)]
pub(crate) struct OneCore;

impl OneCore {
    pub(crate) const NAME: &'static str = ONE_CORE;

    pub(crate) fn run(&mut self, stream: &Stream, out: &mut Bounds) {
        reference::bounds_into(stream, out);
    }
}
