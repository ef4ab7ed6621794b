//! Both CPU strategies against the reference, on every shape.

use super::{AllCores, OneCore};
use crate::inputs;
use crate::matching::board::{CpuStrategy, Puzzle};

#[test]
fn agree_with_the_reference() {
    let mut strategies: [Box<dyn CpuStrategy>; 5] = [
        Box::new(OneCore::default()),
        Box::new(AllCores::default()),
        Box::new(AllCores::with_chunks_of(1)),
        Box::new(AllCores::with_chunks_of(7)),
        Box::new(AllCores::with_chunks_of(64)),
    ];
    for input in inputs::ALL {
        for n in [0, 1, 2, 63, 64, 65, 1000, 4095, 4096, 4097, 50_001] {
            let puzzle = Puzzle::new(input, n, 64);
            for strategy in &mut strategies {
                let mut links = vec![0xbad0_bad0; n];
                strategy.run(&puzzle.tags, &mut links);
                assert!(links == puzzle.links, "{} at n = {n}: {}", input.name, strategy.name());
            }
        }
    }
}

#[test]
fn draws_have_no_link() {
    let tags = [1, 0, 2, 0, 2, 1];
    let expected = [u32::MAX, u32::MAX, 0, u32::MAX, u32::MAX, u32::MAX];
    let mut links = [7; 6];
    OneCore::default().run(&tags, &mut links);
    assert_eq!(links, expected);
    AllCores::with_chunks_of(2).run(&tags, &mut links);
    assert_eq!(links, expected);
}
