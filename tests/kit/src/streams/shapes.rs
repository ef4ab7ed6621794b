//! Generates shapes, which decide whether each element opens, closes or draws.
//!
//! | shape | stresses |
//! |---|---|
//! | walks | nothing: the usual case, mostly with near partners |
//! | all open, then close | small stacks; every link leaves its tile |
//! | comb, one open left per tile | walks over tiles: the closes need one open from each |
//! | saw teeth at a tile size, and one off | off-by-one errors at tile boundaries |
//! | deep, then many small | costs that depend on the depth of each element |
//! | only opens, only closes, closes then opens | assumptions about balance |

use super::dress;
use crate::Rng;
use treebounds_core::{Role, Role::Begin, Role::Draw, Role::End, Stream};

/// A named shape.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The name in failure messages.
    pub name: &'static str,
    roles: fn(&mut Rng, usize) -> Vec<Role>,
}

impl Shape {
    /// Returns the roles of `n` elements.
    pub fn roles(&self, n: usize, seed: u64) -> Vec<Role> {
        (self.roles)(&mut Rng::new(seed), n)
    }

    /// Returns a stream of this shape with exactly `n` elements.
    pub fn stream(&self, n: usize, seed: u64) -> Stream {
        let mut rng = Rng::new(seed);
        let roles = (self.roles)(&mut rng, n);
        dress(&mut rng, &roles)
    }

    const fn new(name: &'static str, roles: fn(&mut Rng, usize) -> Vec<Role>) -> Self {
        Self { name, roles }
    }
}

/// All shapes.
pub const SHAPES: &[Shape] = &[
    Shape::new("random walk", |rng, n| WALK.roles(rng, n)),
    Shape::new("walk that drifts deeper", |rng, n| Walk { opens: 55, ..WALK }.roles(rng, n)),
    Shape::new("walk that drifts out", |rng, n| Walk { opens: 45, ..WALK }.roles(rng, n)),
    Shape::new("unbalanced walk", |rng, n| Mixture([0, 1, 1]).roles(rng, n)),
    Shape::new("balanced walk", |rng, n| BALANCED.roles(rng, n)),
    Shape::new("balanced walk of depth 10", |rng, n| {
        Walk { deepest: 10, ..BALANCED }.roles(rng, n)
    }),
    Shape::new("50% draws", |rng, n| Walk { draws: 50, ..WALK }.roles(rng, n)),
    Shape::new("90% draws", |rng, n| Walk { draws: 90, ..WALK }.roles(rng, n)),
    Shape::new("98% draws", |rng, n| Walk { draws: 98, ..WALK }.roles(rng, n)),
    Shape::new("all open, then close", |_, n| saw_teeth(n, n)),
    Shape::new("flat ()()()", |_, n| saw_teeth(n, 2)),
    Shape::new("saw teeth 255", |_, n| saw_teeth(n, 255)),
    Shape::new("saw teeth 256", |_, n| saw_teeth(n, 256)),
    Shape::new("saw teeth 257", |_, n| saw_teeth(n, 257)),
    Shape::new("saw teeth 511", |_, n| saw_teeth(n, 511)),
    Shape::new("saw teeth 512", |_, n| saw_teeth(n, 512)),
    Shape::new("saw teeth 513", |_, n| saw_teeth(n, 513)),
    Shape::new("saw teeth 1023", |_, n| saw_teeth(n, 1023)),
    Shape::new("saw teeth 1024", |_, n| saw_teeth(n, 1024)),
    Shape::new("saw teeth 1025", |_, n| saw_teeth(n, 1025)),
    Shape::new("saw teeth 2047", |_, n| saw_teeth(n, 2047)),
    Shape::new("saw teeth 2048", |_, n| saw_teeth(n, 2048)),
    Shape::new("saw teeth 2049", |_, n| saw_teeth(n, 2049)),
    Shape::new("saw teeth 4097", |_, n| saw_teeth(n, 4097)),
    Shape::new("comb", |_, n| comb(n, 3)),
    Shape::new("one open left per 256, then pops", |_, n| comb(n, 256)),
    Shape::new("one open left per 1024, then pops", |_, n| comb(n, 1024)),
    Shape::new("deep, then many small", |_, n| deep_then_small(n)),
    Shape::new("deep, then draws", deep_then_draws),
    Shape::new("only opens", |_, n| vec![Begin; n]),
    Shape::new("only closes", |_, n| vec![End; n]),
    Shape::new("only draws", |_, n| vec![Draw; n]),
    Shape::new("closes, then opens", |_, n| closes_then_opens(n)),
    Shape::new("more closes than opens, then more opens", unbalanced_both_ways),
];

/// A random walk of the depth, which always opens at depth 0.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    /// The percentage of draws.
    pub draws: u32,
    /// The percentage of begins among the other elements.
    pub opens: u32,
    /// The maximum depth.
    pub deepest: usize,
    /// Whether every node is closed. If one element is left over, it becomes a draw.
    pub is_balanced: bool,
}

/// Begins and ends with equal probability; nodes may stay open.
pub const WALK: Walk = Walk { draws: 0, opens: 50, deepest: usize::MAX, is_balanced: false };

impl Walk {
    /// Returns the roles of `n` elements.
    pub fn roles(self, rng: &mut Rng, n: usize) -> Vec<Role> {
        let mut depth = 0_usize;
        let mut role = |ix| {
            // The number of remaining elements that are not needed to close the open nodes.
            let room = if self.is_balanced { n - ix - depth } else { usize::MAX };
            let role = match () {
                () if room == 0 => End,
                () if rng.percent(self.draws) || (depth == 0 && room == 1) => Draw,
                () if depth == 0 => Begin,
                () if depth == self.deepest || room == 1 || !rng.percent(self.opens) => End,
                () => Begin,
            };
            depth = depth.wrapping_add_signed(net(role));
            role
        };
        (0..n).map(&mut role).collect()
    }
}

/// The same walk with all nodes closed.
const BALANCED: Walk = Walk { is_balanced: true, ..WALK };

/// The proportions of draws, begins and ends, independent of open nodes.
#[derive(Clone, Copy, Debug)]
pub struct Mixture(pub [u32; 3]);

impl Mixture {
    /// Returns the role of one element.
    pub fn role(self, rng: &mut Rng) -> Role {
        let [draws, begins, ends] = self.0;
        match rng.below(draws + begins + ends) {
            x if x < draws => Draw,
            x if x < draws + begins => Begin,
            _ => End,
        }
    }

    /// Returns the roles of `n` elements.
    pub fn roles(self, rng: &mut Rng, n: usize) -> Vec<Role> {
        (0..n).map(|_| self.role(rng)).collect()
    }
}

/// Returns teeth of `period` elements each: up by half, down by the rest. If the period is odd, each tooth has
/// one close too many. A period of `n` is one large tooth.
pub fn saw_teeth(n: usize, period: usize) -> Vec<Role> {
    (0..n).map(|ix| if ix % period < period / 2 { Begin } else { End }).collect()
}

/// Returns a comb: in every `period` elements one open is left over and the rest is `()()`; the closes of the
/// leftover opens are at the end.
pub fn comb(n: usize, period: usize) -> Vec<Role> {
    let teeth = n / (period + 1);
    let mut roles = Vec::with_capacity(n);
    for _ in 0..teeth {
        roles.push(Begin);
        roles.extend(small(period - 1));
    }
    roles.extend(vec![End; teeth]);
    roles.extend(small(n - roles.len()));
    roles
}

/// Returns `n / 4` opens, then `()()` for half of the elements, and then the closes of the opens.
pub fn deep_then_small(n: usize) -> Vec<Role> {
    let deep = n / 4;
    let mut roles = vec![Begin; deep];
    roles.extend(small(n - 2 * deep));
    roles.extend(vec![End; deep]);
    roles
}

/// Returns `n / 4` opens, and then draws with a few nodes in between.
fn deep_then_draws(rng: &mut Rng, n: usize) -> Vec<Role> {
    let mut roles = vec![Begin; n / 4];
    roles.extend(Walk { draws: 95, ..WALK }.roles(rng, n - n / 4));
    roles
}

/// Returns `n / 2` closes followed by opens, so that nothing matches.
fn closes_then_opens(n: usize) -> Vec<Role> {
    let mut roles = vec![End; n / 2];
    roles.resize(n, Begin);
    roles
}

/// Returns mostly closes in the first half and mostly opens in the second, with draws in between.
fn unbalanced_both_ways(rng: &mut Rng, n: usize) -> Vec<Role> {
    let mut roles = Mixture([1, 3, 6]).roles(rng, n / 2);
    roles.extend(Mixture([1, 6, 3]).roles(rng, n - n / 2));
    roles
}

/// Returns `()()()`. A leftover element is a draw.
fn small(n: usize) -> impl Iterator<Item = Role> {
    (0..n).map(move |ix| match ix % 2 {
        1 => End,
        _ if ix + 1 == n => Draw,
        _ => Begin,
    })
}

/// Returns the change in depth caused by a role.
pub(super) fn net(role: Role) -> isize {
    match role {
        Draw => 0,
        Begin => 1,
        End => -1,
    }
}
