// Of the bundles after that of a tile there are no more than threads: a thread asks for one, that is for its tiles. All tiles
// of a workgroup are of one bundle.
//
//     the tiles from one to another = the rest of its bundle, the bundles between, the first tiles of the other's

// What the thread-th bundle after this tile's has.
fn range_load(tile: u32, thread: u32) -> Grow {
    let first = BUNDLE_TILES * (tile / BUNDLE_TILES + 1u + thread);
    return tiles_product(first, min(first + BUNDLE_TILES, tiles_filled()));
}

// All threads together.
fn range_build(tile: u32, thread: u32, lanes: u32, leaf: Grow) {
    let bundles = (tiles_filled() + BUNDLE_TILES - 1u) / BUNDLE_TILES;
    later_build(tile / BUNDLE_TILES, bundles, thread, lanes, leaf);
}

// The product over the tiles after this one, up to `end`.
fn range_of(tile: u32, end: u32) -> Grow {
    let own = tile / BUNDLE_TILES;
    let other = end / BUNDLE_TILES;
    if other == own {
        return tiles_product(tile + 1u, end);
    }
    let between = grow_combine(tiles_product(tile + 1u, BUNDLE_TILES * (own + 1u)), later_of(own, other));
    return grow_combine(between, tiles_product(BUNDLE_TILES * other, end));
}

// Over the tiles first .. end, which exist, eight loads at a time: what they bring is long on its way.
fn tiles_product(first: u32, end: u32) -> Grow {
    var all = grow_identity();
    for (var tile = first; tile < end; tile += 8u) {
        let a = tile_product(tile, end);
        let b = tile_product(tile + 1u, end);
        let c = tile_product(tile + 2u, end);
        let d = tile_product(tile + 3u, end);
        let e = tile_product(tile + 4u, end);
        let f = tile_product(tile + 5u, end);
        let g = tile_product(tile + 6u, end);
        let h = tile_product(tile + 7u, end);
        let early = grow_combine(grow_combine(a, b), grow_combine(c, d));
        let late = grow_combine(grow_combine(e, f), grow_combine(g, h));
        all = grow_combine(all, grow_combine(early, late));
    }
    return all;
}

// Nothing of a tile past the end; no load waits for a branch.
fn tile_product(tile: u32, end: u32) -> Grow {
    let product = unions_load(plan.union_tree_leaves + min(tile, end - 1u));
    if tile < end {
        return product;
    }
    return grow_identity();
}
