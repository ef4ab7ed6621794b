//! An input at a size, with the answer of the sequential reference.

use crate::inputs::Input;
use rayon::prelude::*;
use treebounds_core::{Role, Tag, reference};

/// Tags, and their links.
#[derive(Debug)]
pub(crate) struct Puzzle {
    pub(crate) tags: Vec<u32>,
    /// A bit an element, from the lowest of the first word on: set opens, clear
    /// closes. `None` where an element does neither.
    pub(crate) bits: Option<Vec<u32>>,
    pub(crate) links: Vec<u32>,
}

impl Puzzle {
    /// `n` elements of an input, with teeth as long as `tile`.
    pub(crate) fn new(input: &Input, n: usize, tile: usize) -> Self {
        let tags = input.tags(n, tile);
        let roles = bytemuck::cast_slice::<u32, Tag>(&tags);
        let links = reference::links(roles);
        let bits = roles.par_chunks(32).map(word).collect();
        Self { tags, bits, links }
    }
}

/// The bits of up to 32 elements, if all of them open or close.
fn word(tags: &[Tag]) -> Option<u32> {
    tags.iter().rev().try_fold(0, |word, tag| match tag.role() {
        Role::Begin => Some(word << 1 | 1),
        Role::End => Some(word << 1),
        Role::Draw => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::ALL;

    #[test]
    fn bits_say_what_tags_say() {
        for n in [0, 1, 31, 32, 33, 1000] {
            for input in ALL {
                let puzzle = Puzzle::new(input, n, 64);
                let Some(bits) = puzzle.bits else { continue };
                assert_eq!(bits.len(), n.div_ceil(32));
                for (ix, tag) in puzzle.tags.iter().enumerate() {
                    let opens = tag & Tag::ROLE_MASK == Tag::ROLE_BEGIN;
                    assert_eq!(bits[ix / 32] >> (ix % 32) & 1 == 1, opens, "{ix} of {n}");
                }
            }
        }
    }

    #[test]
    fn only_what_draws_has_no_bits() {
        let without = |input: &&Input| Puzzle::new(input, 1000, 64).bits.is_none();
        let names: Vec<_> = ALL.iter().filter(without).map(|input| input.name).collect();
        assert_eq!(names, ["drawings, repeated"]);
    }
}
