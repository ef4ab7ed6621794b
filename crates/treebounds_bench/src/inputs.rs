//! Common and adversarial input shapes.

use crate::arguments::{check_wanted, wanted};
use rayon::prelude::*;
use treebounds_core::{NodeKind, Tag};

/// Separates the shape from the percentage of markers in the name of an input with draws.
pub(crate) const DRAWS: &str = ", markers ";

/// The random walk limited to the maximum depth of Vello's clip stage.
pub(crate) const WALK_FOR_VELLO: &str = "walk, depth <= 256";

/// A family of inputs: a rule for the elements at each size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub(crate) name: &'static str,
    rule: Rule,
}

/// The rule that selects whether an element opens or closes. Only some rules create draws.
#[derive(Clone, Copy, Debug)]
enum Rule {
    /// Depends on the index `ix` of `n` elements, with tiles of `tile` elements.
    Place(fn(ix: usize, n: usize, tile: usize) -> bool),
    /// Depends on the depth before the element and a coin.
    Walk(fn(depth: usize, coin: bool) -> bool),
    /// A random walk in which a tenth of the nodes are filters, without nested filters.
    Filters,
    /// Repeats a text of `(`, `)` and `.`.
    Text(&'static str),
}

/// The drawings in this repository's `assets`, in paint order. Dots are draws.
const SCENES: &str = include_str!("inputs/scenes.txt");

/// All shapes. The plots over n use the first one.
pub(crate) const ALL: &[Input] = &[
    Input { name: "random walk", rule: Rule::Walk(|depth, coin| depth == 0 || coin) },
    Input { name: "open, then close", rule: Rule::Place(|ix, n, _| ix < n / 2) },
    Input { name: "()()()", rule: Rule::Place(|ix, _, _| ix % 2 == 0) },
    Input { name: "saw teeth, a tile", rule: Rule::Place(|ix, _, tile| ix % tile < tile / 2) },
    Input {
        name: "saw teeth, a tile - 1",
        rule: Rule::Place(|ix, _, tile| ix % (tile - 1) < tile / 2),
    },
    Input {
        name: "saw teeth, a tile + 1",
        rule: Rule::Place(|ix, _, tile| ix % (tile + 1) <= tile / 2),
    },
    Input {
        name: "deep, then many small",
        rule: Rule::Place(|ix, n, _| ix < n / 2 || ix % 2 == 0),
    },
    Input { name: "one left a tile, then pops", rule: Rule::Place(one_left) },
    Input { name: "comb, then pops", rule: Rule::Place(|ix, n, _| ix < n - n / 4 && ix % 3 < 2) },
    Input {
        name: WALK_FOR_VELLO,
        rule: Rule::Walk(|depth, coin| depth == 0 || (depth < 256 && coin)),
    },
    Input {
        name: "JSON-like, depth <= 10",
        rule: Rule::Walk(|depth, coin| depth == 0 || (depth < 10 && coin)),
    },
    Input { name: "only opens", rule: Rule::Place(|_, _, _| true) },
    Input { name: "only closes", rule: Rule::Place(|_, _, _| false) },
    Input { name: "close, then open", rule: Rule::Place(|ix, n, _| ix >= n / 2) },
    Input { name: "unbalanced walk", rule: Rule::Walk(|_, coin| coin) },
    Input { name: "filters on a walk", rule: Rule::Filters },
    Input { name: "drawings, repeated", rule: Rule::Text(SCENES) },
];

/// The inputs whose name contains one of `parts`.
pub(crate) fn named(parts: &[String]) -> anyhow::Result<Vec<&'static Input>> {
    check_wanted("input", ALL.iter().map(|input| input.name), parts)?;
    Ok(ALL.iter().filter(|input| wanted(input.name, parts)).collect())
}

/// Tiles that leave one open each, then one close per such tile.
fn one_left(ix: usize, n: usize, tile: usize) -> bool {
    let teeth = n / (tile + 1);
    let place = ix % tile;
    ix < teeth * tile && (place == tile - 1 || place.is_multiple_of(2))
}

impl Input {
    /// Whether some elements are draws.
    pub(crate) fn draws(&self) -> bool {
        matches!(self.rule, Rule::Text(_))
    }

    /// Creates the reproducible tags of `n` elements. `tile` is the tile length, at least 2.
    pub(crate) fn tags(&self, n: usize, tile: usize) -> Vec<u32> {
        match self.rule {
            Rule::Place(opens) => {
                (0..n).into_par_iter().map(|ix| tag(opens(ix, n, tile))).collect()
            }
            Rule::Walk(opens) => {
                let mut depth = 0_usize;
                coins()
                    .take(n)
                    .map(|coin| {
                        let opens = opens(depth, coin);
                        depth = if opens { depth + 1 } else { depth.saturating_sub(1) };
                        tag(opens)
                    })
                    .collect()
            }
            Rule::Filters => walk_with_filters(n),
            Rule::Text(text) => {
                let period: Vec<u32> = text.bytes().filter_map(letter).collect();
                (0..n).into_par_iter().map(|ix| period[ix % period.len()]).collect()
            }
        }
    }
}

/// Creates the tags of [`Rule::Filters`].
fn walk_with_filters(n: usize) -> Vec<u32> {
    let (mut depth, mut opened) = (0_usize, 0_usize);
    // The depth of the open filter.
    let mut filter = None;
    let step = |coin: bool| {
        if depth > 0 && !coin {
            depth -= 1;
            filter = filter.filter(|at| *at < depth);
            return tag(false);
        }
        opened += 1;
        depth += 1;
        if filter.is_some() || !opened.is_multiple_of(10) {
            return tag(true);
        }
        filter = Some(depth - 1);
        Tag::begin(NodeKind::Spread).bits()
    };
    coins().take(n).map(step).collect()
}

const fn letter(letter: u8) -> Option<u32> {
    match letter {
        b'(' => Some(tag(true)),
        b')' => Some(tag(false)),
        b'.' => Some(Tag::DRAW.bits()),
        _ => None,
    }
}

const fn tag(opens: bool) -> u32 {
    if opens { Tag::ROLE_BEGIN | Tag::CLIP } else { Tag::ROLE_END | Tag::CLIP }
}

/// Random booleans, 32 per random number.
fn coins() -> impl Iterator<Item = bool> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut left = 0;
    std::iter::from_fn(move || {
        if left == 0 {
            (state, left) = (xorshift(state), 32);
        }
        left -= 1;
        Some((state >> (63 - left)) & 1 == 1)
    })
}

/// Marsaglia's xorshift, sufficient for random booleans.
pub(crate) fn xorshift(mut state: u64) -> u64 {
    state ^= state << 13;
    state ^= state >> 7;
    state ^ (state << 17)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_have_the_requested_length_and_are_reproducible() {
        for input in ALL {
            for n in [0, 1, 1000, 5003] {
                let tags = input.tags(n, 64);
                assert_eq!(tags.len(), n);
                assert_eq!(tags, input.tags(n, 64));
                assert!(tags.iter().all(|&bits| Tag::from_bits(bits).is_some()));
            }
        }
    }

    #[test]
    fn coins_are_fair() {
        let heads = coins().take(1 << 16).filter(|&coin| coin).count();
        assert!(heads.abs_diff(1 << 15) < 600, "{heads}");
    }
}
