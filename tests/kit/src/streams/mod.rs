//! Generates test streams of every adversarial shape.
//!
//! A stream is made in two steps. A *shape* decides whether each element opens, closes or draws ([`mod@shapes`]), and
//! thereby the difficulty of matching. *Dressing* gives each element its kind, flags and rect ([`mod@dress`]), so that the
//! bounds are neither empty nor equal everywhere. Both are functions of only the choices of an [`Rng`].
//!
//! The choices come from a seed or from bytes. The bytes come from a fuzzer ([`small_scene`]) or from proptest
//! ([`strategy`]), which shrinks them.

pub mod dress;
pub mod shapes;
#[cfg(feature = "proptest")]
pub mod strategy;

pub use crate::Rng;
pub use dress::{VIEWPORT, dress, filtered, unclipped};
pub use shapes::{SHAPES, Shape};

use dress::Dressing;
use shapes::{Mixture, WALK, Walk};
use treebounds_core::{Rect, Role, Stream, Tag};

/// Returns every shape, dressed, with exactly `n` elements each.
///
/// For a large `n` this takes a lot of memory: loop over [`SHAPES`] and call [`Shape::stream`] instead.
pub fn shapes(n: usize, seed: u64) -> Vec<(&'static str, Stream)> {
    SHAPES.iter().map(|shape| (shape.name, shape.stream(n, seed))).collect()
}

/// Returns a walk without draws. Each step opens or closes with equal probability, and opens if no node is open.
pub fn random_walk(seed: u64, n: usize) -> Stream {
    random_scene(seed, n, 0)
}

/// Returns a random walk with this percentage of draws.
pub fn random_scene(seed: u64, n: usize, draw_percent: u32) -> Stream {
    let mut rng = Rng::new(seed);
    let roles = Walk { draws: draw_percent, ..WALK }.roles(&mut rng, n);
    dress(&mut rng, &roles)
}

/// Returns the nodes of a shape with draws around and between them: none, a few, or up to `most`. In total there are at
/// least eight times as many elements as nodes, and at least `least`.
pub fn few_markers(shape: &Shape, nodes: usize, most: u32, least: usize, seed: u64) -> Stream {
    let mut rng = Rng::new(seed);
    let mut roles = Vec::new();
    let draw = |rng: &mut Rng, roles: &mut Vec<Role>| {
        let draws = match rng.below(4) {
            0 => 0,
            1 => rng.below(4),
            2 => rng.below(most.min(40) + 1),
            _ => rng.below(most + 1),
        };
        roles.extend((0..draws).map(|_| Role::Draw));
    };
    let shape = shape.roles(nodes, seed).into_iter().filter(|role| *role != Role::Draw);
    for (before, role) in shape.enumerate() {
        draw(&mut rng, &mut roles);
        while roles.len() < 7 * before {
            draw(&mut rng, &mut roles);
        }
        roles.push(role);
    }
    while roles.len() < least.max(8 * nodes) {
        roles.push(Role::Draw);
        draw(&mut rng, &mut roles);
    }
    dress(&mut rng, &roles)
}

/// Returns a random stream in which at most one in three elements, and at most `most` in total, are markers.
pub fn random_few_markers(seed: u64, n: usize, most: usize) -> Stream {
    let mut rng = Rng::new(seed);
    let (one_in, opens) = ([3, 8, 20, 60][rng.below(4) as usize], rng.below(5));
    let mut nodes = 0;
    let roles: Vec<Role> = (0..n)
        .map(|_| {
            if nodes == most || !rng.one_in(one_in) {
                return Role::Draw;
            }
            nodes += 1;
            if rng.below(4) < opens { Role::Begin } else { Role::End }
        })
        .collect();
    dress(&mut rng, &roles)
}

/// Returns an arbitrary sequence of opens, closes and draws: a random mixture for each seed, often far from balanced.
pub fn random_mixture(seed: u64, n: usize) -> Stream {
    let mut rng = Rng::new(seed);
    let mixture = Mixture([rng.below(5), 1 + rng.below(8), 1 + rng.below(8)]);
    let roles = mixture.roles(&mut rng, n);
    dress(&mut rng, &roles)
}

/// Returns an arbitrary stream of up to `most` elements, with arbitrary rects. Ends early if the bytes of `rng` are
/// exhausted.
pub fn small_scene(rng: &mut Rng, most: usize) -> Stream {
    let (mixture, viewport) = (*rng.pick(&MIXTURES), small_viewport(rng));
    let n = rng.below(most as u32 + 1);
    let mut scene = Dressing::default();
    for _ in 0..n {
        if !rng.is_spent() {
            scene.add_any(rng, mixture, dress::small_rect);
        }
    }
    scene.finish(viewport)
}

/// Mixtures that are balanced overall, mostly begins, or mostly ends. Each of them can produce every sequence.
const MIXTURES: [Mixture; 4] =
    [Mixture([2, 2, 2]), Mixture([2, 2, 2]), Mixture([3, 3, 1]), Mixture([1, 1, 3])];

/// Returns a viewport as large as the grid of [`dress::small_rect`], or an arbitrary rect.
fn small_viewport(rng: &mut Rng) -> Rect {
    if rng.one_in(5) { dress::small_rect(rng) } else { Rect::new(0.0, 0.0, 8.0, 8.0) }
}

/// Pads the tag words to a whole vector with opens, which must not affect the result.
pub fn padded(tags: &[u32]) -> Vec<u32> {
    let mut words = tags.to_vec();
    words.resize(tags.len().max(1).next_multiple_of(4), Tag::ROLE_BEGIN);
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use treebounds_core::reference;

    #[test]
    fn shapes_have_the_requested_length_and_are_deterministic() {
        for n in [0, 1, 2, 3, 7, 255, 256, 257, 4099] {
            for (shape, (name, stream)) in SHAPES.iter().zip(shapes(n, 7)) {
                assert_eq!(stream.len(), n, "{name}");
                assert_eq!(stream, shape.stream(n, 7), "{name}");
            }
        }
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = SHAPES.iter().map(|shape| shape.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SHAPES.len());
    }

    /// A test of bounds is worth little if nearly every box is empty.
    #[test]
    fn most_boxes_are_neither_empty_nor_equal() {
        for (name, stream) in shapes(20_000, 3) {
            let bounds = reference::bounds(&stream);
            let boxes = match name {
                "only closes" => continue,
                "only draws" => bounds.boxes,
                _ => bounds.clips,
            };
            let mut distinct: Vec<_> =
                boxes.iter().map(|r| r.to_array().map(f32::to_bits)).collect();
            distinct.sort_unstable();
            distinct.dedup();
            assert!(distinct.len() > 50, "{name}: {} distinct boxes", distinct.len());
        }
    }
}
