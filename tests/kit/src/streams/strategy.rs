//! Strategies for proptest: small streams that shrink.

use super::dress::{Dressing, small_rect};
use super::{MIXTURES, Rng, small_viewport};
use proptest::collection::vec;
use proptest::prelude::*;
use treebounds_core::{Rect, Stream, Tag};

/// Generates choices from this number of bytes, which shrink to the simplest choices.
pub fn choices(bytes: usize) -> impl Strategy<Value = Rng> {
    vec(any::<u8>(), bytes).prop_map(Rng::of_bytes)
}

/// The number of bytes per element.
const ELEMENT: usize = 24;

/// Generates canonical rects of small scenes ([`small_rect`]).
pub fn rect() -> impl Strategy<Value = Rect> {
    choices(ELEMENT)
        .prop_map(|mut rng| small_rect(&mut rng).canonical().expect("the edges are numbers"))
}

/// Generates up to `longest` tags, those of a [`stream()`].
pub fn tags(longest: usize) -> impl Strategy<Value = Vec<Tag>> {
    stream(longest).prop_map(|stream| stream.tags().to_vec())
}

/// Generates up to `longest` bits: balanced, mostly set, or mostly clear. They shrink by removing and clearing bits.
pub fn bits(longest: usize) -> impl Strategy<Value = Vec<bool>> {
    let bits = |set| vec(prop::bool::weighted(set), 0..=longest);
    prop_oneof![2 => bits(0.5), 1 => bits(0.75), 1 => bits(0.25)]
}

/// Generates streams of up to `longest` elements, balanced or not. They shrink by removing elements and simplifying
/// choices.
pub fn stream(longest: usize) -> impl Strategy<Value = Stream> {
    stream_of(longest, small_viewport, small_rect)
}

/// Generates a stream with custom viewport and rects.
pub fn stream_of(
    longest: usize,
    viewport: impl Fn(&mut Rng) -> Rect,
    rect: impl Fn(&mut Rng) -> Rect,
) -> impl Strategy<Value = Stream> {
    let elements = vec(choices(ELEMENT), 0..=longest);
    (prop::sample::select(&MIXTURES[..]), elements, choices(ELEMENT)).prop_map(
        move |(mixture, mut elements, mut last)| {
            let mut scene = Dressing::default();
            for rng in &mut elements {
                scene.add_any(rng, mixture, &rect);
            }
            scene.finish(viewport(&mut last))
        },
    )
}
