// Bundles of BUNDLE_TILES tiles, where no more of them are there than a workgroup has threads.
//
// A bundle has BUNDLE_WORDS words: its closes, opens and nodes; and a row, for each of its tiles how many elements of what the
// bundle leaves open are held by it or lie above, 16 bits each. The product of a tile, node_below, is what flows under
// what the tile holds of that, from the bundle's first element on.

fn bundle_words(bundle: u32) -> u32 {
    return plan.bundles + BUNDLE_WORDS * bundle;
}

fn bundle_store(bundle: u32, sum: NodeSum) {
    let at = bundle_words(bundle);
    words[at] = sum.value.x;
    words[at + 1u] = sum.value.y;
    words[at + 2u] = sum.nodes;
}

fn bundle_load(bundle: u32) -> Value {
    let at = bundle_words(bundle);
    return Value(words[at], words[at + 1u]);
}

// The ends of two tiles of the row, the pair-th.
fn bundle_row(bundle: u32, pair: u32) -> u32 {
    return bundle_words(bundle) + 3u + pair;
}
