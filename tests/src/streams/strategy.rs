//! Strategies for proptest: small streams that shrink.

use proptest::collection::vec;
use proptest::prelude::*;
use treebounds_core::{NodeKind, Rect, Stream, Tag};

/// Any canonical rect: on a small grid (so that edges meet), between the grid's
/// lines, half planes, huge, [`Rect::EVERYTHING`], [`Rect::NOTHING`].
pub fn rect() -> impl Strategy<Value = Rect> {
    prop_oneof![
        1 => Just(Rect::NOTHING),
        1 => Just(Rect::EVERYTHING),
        4 => rect_from((0_i32..9).prop_map(|x| x as f32)),
        2 => rect_from(-1.0_f32..9.0),
        1 => rect_from(prop_oneof![Just(-f32::MAX), Just(f32::MAX), -3.4e38_f32..3.4e38, 0.0_f32..8.0]),
    ]
}

fn rect_from(edge: impl Strategy<Value = f32> + Clone) -> impl Strategy<Value = Rect> {
    (edge.clone(), edge.clone(), edge.clone(), edge).prop_map(|(a, b, c, d)| {
        let rect = Rect::new(a.min(b), c.min(d), a.max(b), c.max(d));
        rect.canonical().expect("the edges are numbers")
    })
}

/// What a node can be.
pub fn node_kind() -> impl Strategy<Value = NodeKind> {
    prop_oneof![Just(NodeKind::Clip), Just(NodeKind::Blend), Just(NodeKind::ClipBlend)]
}

fn begin() -> impl Strategy<Value = Tag> {
    (node_kind(), prop::bool::weighted(0.2)).prop_map(|(kind, non_local)| {
        let tag = Tag::begin(kind);
        if non_local && kind != NodeKind::Clip { tag.non_local() } else { tag }
    })
}

/// Tags in these proportions of draws, begins and ends.
pub fn tag(draws: u32, begins: u32, ends: u32) -> impl Strategy<Value = Tag> {
    prop_oneof![
        draws => Just(Tag::DRAW),
        begins => begin(),
        ends => begin().prop_map(Tag::closing),
    ]
}

/// Up to `longest` tags: balanced on the whole, mostly begins, or mostly ends.
/// Every sequence is possible.
pub fn tags(longest: usize) -> impl Strategy<Value = Vec<Tag>> {
    prop_oneof![
        2 => vec(tag(1, 2, 2), 0..=longest),
        1 => vec(tag(3, 3, 1), 0..=longest),
        1 => vec(tag(1, 1, 3), 0..=longest),
    ]
}

/// Up to `longest` bits: as many set as not, mostly set, or mostly clear. They
/// shrink by losing bits and by clearing them.
pub fn bits(longest: usize) -> impl Strategy<Value = Vec<bool>> {
    let bits = |set| vec(prop::bool::weighted(set), 0..=longest);
    prop_oneof![2 => bits(0.5), 1 => bits(0.75), 1 => bits(0.25)]
}

/// Any stream of up to `longest` elements, balanced or not. It shrinks by losing
/// elements.
pub fn stream(longest: usize) -> impl Strategy<Value = Stream> {
    let element = |draws, begins, ends| vec((tag(draws, begins, ends), rect()), 0..=longest);
    let elements = prop_oneof![2 => element(2, 2, 2), 1 => element(3, 3, 1), 1 => element(1, 1, 3)];
    let viewport = prop_oneof![
        4 => Just(Rect::new(0.0, 0.0, 8.0, 8.0)),
        1 => rect(),
    ];
    (elements, viewport).prop_map(|(elements, viewport)| {
        let (tags, rects) = elements.into_iter().unzip();
        Stream::new(tags, rects, viewport).expect("the tags are valid and the rects are numbers")
    })
}
