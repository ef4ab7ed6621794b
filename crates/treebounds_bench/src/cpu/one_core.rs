//! The loop of the reference, into memory that is used again.

use crate::strategy::CpuStrategy;
use treebounds_core::{NONE, Tag};

/// One core, one stack.
#[derive(Debug, Default)]
pub(crate) struct OneCore {
    stack: Vec<u32>,
}

impl CpuStrategy for OneCore {
    fn name(&self) -> &str {
        super::ONE_CORE
    }

    fn run(&mut self, tags: &[u32], links: &mut [u32]) {
        self.stack.clear();
        for (ix, (tag, link)) in (0..).zip(tags.iter().zip(links)) {
            *link = match tag & Tag::ROLE_MASK {
                Tag::ROLE_BEGIN => {
                    let around = self.stack.last().copied().unwrap_or(NONE);
                    self.stack.push(ix);
                    around
                }
                Tag::ROLE_END => self.stack.pop().unwrap_or(NONE),
                _ => NONE,
            };
        }
    }
}
