//! An input at a size, with the answer of the sequential reference.

use crate::inputs::Input;
use treebounds_core::{Tag, reference};

/// Tags, and their links.
#[derive(Debug)]
pub(crate) struct Puzzle {
    pub(crate) tags: Vec<u32>,
    pub(crate) links: Vec<u32>,
}

impl Puzzle {
    /// `n` elements of an input, with teeth as long as `tile`.
    pub(crate) fn new(input: &Input, n: usize, tile: usize) -> Self {
        let tags = input.tags(n, tile);
        let links = reference::links(bytemuck::cast_slice::<u32, Tag>(&tags));
        Self { tags, links }
    }
}
