//! The boxes of nodes as if nothing cut them.

use crate::scene::Scene;
use treebounds_core::{Rect, Role};

/// The box of a draw as if nothing cut it.
pub(crate) fn of_draw(scene: &Scene, ix: usize) -> Rect {
    let rect = scene.stream.rects()[ix];
    scene.origins[ix].own.unwrap_or(rect).or_nothing()
}

/// For each node the union of the draws in it, as if nothing cut them; an end repeats its begin's. Indices are those of
/// the node arrays of [`Bounds`](treebounds_core::Bounds).
pub(crate) fn of_nodes(scene: &Scene) -> Vec<Rect> {
    let mut out: Vec<Rect> = Vec::with_capacity(scene.stream.marker_count());
    let mut open: Vec<usize> = Vec::new();
    let close = |out: &mut Vec<Rect>, open: &mut Vec<usize>| {
        let rect = open.pop().map_or(Rect::NOTHING, |begin| out[begin]);
        if let Some(&around) = open.last() {
            out[around] = out[around].union(rect);
        }
        rect
    };
    for (ix, tag) in scene.stream.tags().iter().enumerate() {
        match tag.role() {
            Role::Draw => {
                if let Some(&around) = open.last() {
                    out[around] = out[around].union(of_draw(scene, ix));
                }
            }
            Role::Begin => {
                open.push(out.len());
                out.push(Rect::NOTHING);
            }
            Role::End => {
                let rect = close(&mut out, &mut open);
                out.push(rect);
            }
        }
    }
    while !open.is_empty() {
        close(&mut out, &mut open);
    }
    out
}
