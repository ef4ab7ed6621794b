//! Parentheses matching on the CPU, by search and by scans.

use crate::{Outcome, naive};
use arbitrary::{Result, Unstructured};
use treebounds_core::{
    Bicyclic, BicyclicTree, Monoid, OpenPlace, StackMonoid, Tag, bicyclic_tree, reference, scan,
};

/// Words of the longest input: the oracle takes the square.
const MOST: usize = 80;

/// Any words, of which two bits are read.
pub fn matching(data: &[u8]) -> Outcome {
    let mut u = Unstructured::new(data);
    let Ok((tags, tiles)) = read(&mut u) else { return Outcome::REFUSED };
    let expected = naive::links(&tags);
    assert_eq!(reference::links(&tags), expected, "by a stack: {tags:?}");
    assert_eq!(bicyclic_tree::links(&tags), expected, "by search: {tags:?}");
    check_depths(&tags);
    check_scans(&tags.iter().map(|tag| Bicyclic::from(*tag)).collect::<Vec<_>>());
    check_tiles(&tiles);
    Outcome::ACCEPTED
}

/// Words, and closes and opens of tiles.
fn read(u: &mut Unstructured<'_>) -> Result<(Vec<Tag>, Vec<Bicyclic>)> {
    let (mut tags, mut tiles) = (Vec::new(), Vec::new());
    for _ in 0..u.arbitrary::<u8>()? % 24 {
        let [closes, opens] = u.arbitrary::<[u8; 2]>()?.map(|n| u32::from(n & 7));
        tiles.push(Bicyclic { closes, opens });
    }
    while !u.is_empty() && tags.len() < MOST {
        let word = match u.arbitrary::<u8>()? {
            255 => u.arbitrary()?,
            byte => u32::from(byte),
        };
        tags.push(bytemuck::cast(word));
    }
    Ok((tags, tiles))
}

/// Every open of the stack is found, from every place.
fn check_depths(tags: &[Tag]) {
    let tree = BicyclicTree::of_tags(tags);
    for from in 0..=tags.len() {
        let stack = naive::stack_before(tags, from);
        for depth in 0..stack.len() + 2 {
            let expected = stack.get(depth).map(|leaf| OpenPlace { leaf: *leaf, above: 0 });
            let found = tree.find_open(from, depth as u32);
            assert_eq!(found, expected, "{depth} deep from {from} in {tags:?}");
        }
    }
    assert_eq!(tree.find_open(tags.len() + 1, 0), None);
}

/// All scans are the products of prefixes.
fn check_scans(items: &[Bicyclic]) {
    let prefix = |end: usize| items[..end].iter().fold(Bicyclic::IDENTITY, |a, b| a.combine(b));
    let before: Vec<_> = (0..items.len()).map(prefix).collect();
    let through: Vec<_> = (1..=items.len()).map(prefix).collect();
    assert_eq!(scan::exclusive_scan(items), before, "{items:?}");
    assert_eq!(scan::inclusive_scan(items), through, "{items:?}");
    assert_eq!(scan::reduce(items), prefix(items.len()), "{items:?}");
    assert_eq!(scan::bottom_up_scan::<2, _>(items), before, "{items:?}");
    assert_eq!(scan::bottom_up_scan::<3, _>(items), before, "{items:?}");
    assert_eq!(scan::bottom_up_scan::<7, _>(items), before, "{items:?}");
    assert_eq!(BicyclicTree::new(items).total(), prefix(items.len()), "{items:?}");
}

/// Leaves may be tiles, which close and open several: a stack of tiles with one entry per open.
fn check_tiles(tiles: &[Bicyclic]) {
    let tree = BicyclicTree::new(tiles);
    let mut stack: Vec<OpenPlace> = Vec::new();
    let mut product = StackMonoid::IDENTITY;
    for (leaf, tile) in tiles.iter().enumerate() {
        stack.truncate(stack.len().saturating_sub(tile.closes as usize));
        stack.extend((0..tile.opens).rev().map(|above| OpenPlace { leaf, above }));
        let pops = (0..tile.closes).map(|_| StackMonoid::pop());
        let pushes =
            (0..tile.opens).rev().map(|above| StackMonoid::push(OpenPlace { leaf, above }));
        product = pops.chain(pushes).fold(product, |product, step| product.combine(&step));
        assert_eq!(product.pushed(), stack, "of {tiles:?}");
        for depth in 0..stack.len() + 2 {
            let expected = stack.iter().rev().nth(depth).copied();
            let found = tree.find_open(leaf + 1, depth as u32);
            assert_eq!(found, expected, "{depth} deep after {leaf} of {tiles:?}");
        }
    }
    assert_eq!(product.counts(), tree.total(), "of {tiles:?}");
}
