//! All cores against the reference, on every shape.

use super::{AllCores, OneCore};
use crate::bounds::Scene;
use crate::inputs;
use treebounds_core::Bounds;

#[test]
fn agree_with_the_reference() {
    let mut strategies = [1, 7, 64, 4096].map(AllCores::with_chunks_of);
    // Answers are written into what larger and smaller scenes have left.
    let mut answer = Bounds::default();
    for input in inputs::ALL {
        for n in [0, 1, 2, 63, 64, 65, 1000, 50_001] {
            for percent in [100, 30] {
                let scene = Scene::new(input, percent, n, 64).unwrap();
                OneCore.run(&scene.stream, &mut answer);
                assert_eq!(answer, scene.bounds);
                for (ix, strategy) in strategies.iter_mut().enumerate() {
                    strategy.run(&scene.stream, &mut answer);
                    assert!(answer == scene.bounds, "{} at n = {n}: {ix}", scene.facts.input);
                }
            }
        }
    }
}
