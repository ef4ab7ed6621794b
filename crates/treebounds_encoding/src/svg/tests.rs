//! Whole files, and what is to come of them.

mod css;
mod effects;
mod hostile;
mod shapes;

use super::{Drawing, Options, SvgError, encode};
use treebounds_core::{Bounds, Rect, Tag, reference};
use treebounds_report::Scene;

/// A file of 100 by 100 pixels with this inside.
fn file(inside: &str) -> String {
    let xlink = "xmlns:xlink='http://www.w3.org/1999/xlink'";
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' {xlink} width='100' height='100'>{inside}</svg>"
    )
}

fn read(inside: &str) -> Result<Drawing, SvgError> {
    encode(file(inside).as_bytes(), &Options::default())
}

fn scene(inside: &str) -> (Scene, Bounds) {
    let scene = read(inside).expect("a good file").scene;
    let bounds = reference::bounds(&scene.stream);
    (scene, bounds)
}

/// The names of the elements, in order.
fn names(scene: &Scene) -> Vec<&'static str> {
    scene.stream.tags().iter().map(|tag| tag.name()).collect()
}

/// The rect in the stream of the first element with this id.
fn rect(scene: &Scene, id: &str) -> Rect {
    scene.stream.rects()[position(scene, id)]
}

fn position(scene: &Scene, id: &str) -> usize {
    scene.origins.iter().position(|origin| origin.id.as_deref() == Some(id)).expect("the id")
}

/// The rects of the draws.
fn draws(scene: &Scene) -> Vec<Rect> {
    let all = scene.stream.tags().iter().zip(scene.stream.rects());
    all.filter(|(tag, _)| **tag == Tag::DRAW).map(|(_, rect)| *rect).collect()
}

/// Whether the edges are as close as arithmetic in `f32` makes them.
fn near(a: Rect, b: Rect) -> bool {
    a.to_array().iter().zip(b.to_array()).all(|(a, b)| (a - b).abs() < 1e-3)
}
