//! Measures the sequential reference, in nanoseconds per element:
//! `cargo run --release -p treebounds_core --example reference_speed [elements]`.
//!
//! *Fresh* allocates its result, as [`reference::bounds`] does, and pays for new pages; *reused* writes into the result of the
//! run before. Each time is the best of several runs, and every result is compared with the first.

use std::hint::black_box;
use std::time::Instant;
use treebounds_core::{Bounds, Stream, reference};
use treebounds_testkit::streams::SHAPES;

const RUNS: usize = 15;
const TABLE: [&str; 8] = [
    "random walk",
    "all open, then close",
    "flat ()()()",
    "balanced walk of depth 10",
    "50% draws",
    "90% draws",
    "98% draws",
    "only draws",
];

fn main() {
    let asked = std::env::args().nth(1).and_then(|n| n.parse().ok());
    let n: usize = asked.unwrap_or(1_000_000).max(1);
    println!("{n} elements, ns per element\n");
    println!("| shape | fresh | reused | links alone |\n|---|---|---|---|");
    for shape in SHAPES.iter().filter(|shape| TABLE.contains(&shape.name)) {
        let stream = shape.stream(n, 1);
        let [fresh, reused, links] = [fresh(&stream), reused(&stream), links(&stream)]
            .map(|seconds| seconds * 1e9 / n as f64);
        println!("| {} | {fresh:.2} | {reused:.2} | {links:.2} |", shape.name);
    }
}

fn fresh(stream: &Stream) -> f64 {
    let expected = reference::bounds(stream);
    best(|| {
        assert!(black_box(reference::bounds(black_box(stream))).links.len() == expected.links.len())
    })
}

fn reused(stream: &Stream) -> f64 {
    let mut bounds = Bounds::default();
    let seconds = best(|| reference::bounds_into(black_box(stream), black_box(&mut bounds)));
    assert_eq!(bounds, reference::bounds(stream));
    seconds
}

fn links(stream: &Stream) -> f64 {
    best(|| drop(black_box(reference::links(black_box(stream.tags())))))
}

/// The shortest of some runs, in seconds.
fn best(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed().as_secs_f64()
    };
    (0..RUNS).map(time).fold(f64::INFINITY, f64::min)
}
