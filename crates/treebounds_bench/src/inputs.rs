//! The shapes that are measured: what usually happens, and what hurts.

use treebounds_core::Tag;

/// A family of inputs: for each size, what every element does.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Input {
    pub(crate) name: &'static str,
    /// Whether element `ix` of `n` opens, given the depth so far and a random
    /// number.
    opens: fn(ix: usize, n: usize, depth: usize, random: u64) -> bool,
}

/// The tile size that the saw teeth aim at.
const TILE: usize = 2048;

/// Every shape.
pub(crate) const ALL: &[Input] = &[
    Input { name: "random walk", opens: |_, _, depth, random| depth == 0 || random & 1 == 0 },
    Input { name: "open, then close", opens: |ix, n, _, _| ix < n / 2 },
    Input { name: "()()()", opens: |ix, _, _, _| ix % 2 == 0 },
    Input { name: "saw teeth, a tile", opens: |ix, _, _, _| ix % TILE < TILE / 2 },
    Input { name: "saw teeth, a tile - 1", opens: |ix, _, _, _| ix % (TILE - 1) < TILE / 2 },
    Input { name: "saw teeth, a tile + 1", opens: |ix, _, _, _| ix % (TILE + 1) <= TILE / 2 },
    Input { name: "deep, then small", opens: |ix, n, _, _| ix < n / 2 || ix % 2 == 0 },
    Input { name: "one left a tile, then pops", opens: one_left },
    Input { name: "JSON-like", opens: json_like },
    Input { name: "only closes", opens: |_, _, _, _| false },
    Input { name: "unbalanced walk", opens: |_, _, _, random| random & 1 == 0 },
];

fn one_left(ix: usize, n: usize, _: usize, _: u64) -> bool {
    let teeth = n / (TILE + 1);
    ix < teeth * TILE && (ix % TILE == TILE - 1 || ix % TILE % 2 == 0)
}

/// Never deeper than 10, as documents are.
fn json_like(_: usize, _: usize, depth: usize, random: u64) -> bool {
    depth == 0 || (depth < 10 && random & 1 == 0)
}

impl Input {
    /// The tags of `n` nodes, the same for every call.
    pub(crate) fn tags(&self, n: usize) -> Vec<u32> {
        let mut depth = 0_usize;
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        (0..n)
            .map(|ix| {
                state = xorshift(state);
                let opens = (self.opens)(ix, n, depth, state >> 40);
                depth = if opens { depth + 1 } else { depth.saturating_sub(1) };
                if opens { Tag::ROLE_BEGIN | Tag::CLIP } else { Tag::ROLE_END | Tag::CLIP }
            })
            .collect()
    }
}

/// Marsaglia's xorshift: a random number good enough for a coin.
pub(crate) fn xorshift(mut state: u64) -> u64 {
    state ^= state << 13;
    state ^= state >> 7;
    state ^ (state << 17)
}
