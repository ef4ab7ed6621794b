//! Compares matching by search with the reference.

use proptest::prelude::*;
use treebounds_core::{Bicyclic, BicyclicTree, Monoid, Role, Tag, bicyclic_tree, reference};
use treebounds_testkit::streams::{SHAPES, strategy};

/// The effect of a section on a stack of indices: the number of pops before the section, and the pushed indices.
fn pops_and_pushes(tags: &[Tag], from: usize) -> (u32, Vec<u32>) {
    let (mut closes, mut pushed) = (0, Vec::new());
    for (index, tag) in (from as u32..).zip(tags) {
        match tag.role() {
            Role::Draw => {}
            Role::Begin => pushed.push(index),
            Role::End => closes += u32::from(pushed.pop().is_none()),
        }
    }
    (closes, pushed)
}

proptest! {
    #[test]
    fn search_links_equal_the_reference(tags in strategy::tags(200)) {
        prop_assert_eq!(bicyclic_tree::links(&tags), reference::links(&tags));
    }

    #[test]
    fn tree_finds_the_whole_stack_at_every_position(tags in strategy::tags(40)) {
        let tree = BicyclicTree::of_tags(&tags);
        prop_assert_eq!(tree.len(), tags.len());
        for from in 0..=tags.len() {
            let (_, stack) = pops_and_pushes(&tags[..from], 0);
            let found: Vec<_> = (0..).map_while(|depth| tree.find_open(from, depth)).collect();
            let indices: Vec<_> = found.iter().rev().map(|place| place.leaf as u32).collect();
            prop_assert_eq!(stack, indices);
            prop_assert!(found.iter().all(|place| place.above == 0));
            prop_assert_eq!(tree.find_open(from, u32::MAX), None);
        }
        prop_assert_eq!(tree.find_open(tags.len() + 1, 0), None);
    }

    #[test]
    fn tree_over_tiles_finds_the_tile_and_slice_index(tags in strategy::tags(80), tile in 1..9_usize) {
        let sections = tags.chunks(tile).enumerate();
        let tiles: Vec<_> = sections.map(|(at, tags)| pops_and_pushes(tags, at * tile)).collect();
        let counts = tiles.iter().map(|(closes, pushed)| Bicyclic { closes: *closes, opens: pushed.len() as u32 });
        let counts: Vec<Bicyclic> = counts.collect();
        let tree = BicyclicTree::new(&counts);
        prop_assert_eq!(tree.total(), counts.iter().fold(Bicyclic::IDENTITY, |all, one| all.combine(one)));
        for from in 0..=tiles.len() {
            let (_, stack) = pops_and_pushes(&tags[..tags.len().min(from * tile)], 0);
            for (depth, value) in stack.iter().rev().enumerate() {
                let place = tree.find_open(from, depth as u32).expect("the stack is that deep");
                let (_, slice) = &tiles[place.leaf];
                prop_assert_eq!(&slice[slice.len() - 1 - place.above as usize], value);
            }
            prop_assert_eq!(tree.find_open(from, stack.len() as u32), None);
        }
    }
}

#[test]
fn all_shapes_are_matched() {
    for shape in SHAPES {
        for n in [0, 1, 2, 255, 256, 257, 5000] {
            let stream = shape.stream(n, 1);
            let links = bicyclic_tree::links(stream.tags());
            assert_eq!(links, reference::links(stream.tags()), "{}, {n}", shape.name);
        }
    }
}
