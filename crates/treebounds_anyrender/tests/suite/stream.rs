//! Display lists as element streams: the GPU gives the same bounds as the reference, bit for bit.
//!
//! Needs a Vulkan driver, a software one too: `apt-get install mesa-vulkan-drivers`.

use crate::support::lists::{list, viewport};
use treebounds_anyrender::stream;
use treebounds_core::{Rect, reference};

#[test]
fn two_hundred_lists_have_the_bounds_of_the_reference() {
    let gpu = pollster::block_on(treebounds::Gpu::request())
        .unwrap_or_else(|error| panic!("{error}. apt-get install mesa-vulkan-drivers"));
    let (mut elements, mut culled) = (0, 0);
    for seed in 0..200 {
        let stream = stream(&list(6_000_000 + seed), viewport()).unwrap();
        let computed = treebounds::compute(&gpu.device, &gpu.queue, &stream).unwrap();
        let expected = reference::bounds(&stream);
        assert_eq!(computed, expected, "list {seed}");
        elements += expected.boxes.len();
        culled += expected.boxes.iter().filter(|bounds| **bounds == Rect::NOTHING).count();
    }
    assert!((1_000..elements - 1_000).contains(&culled), "{culled} of {elements} are culled");
}
