// The products of what grows over tiles and bundles, in scratch memory.

import package::kernel::{plan, values};
import package::constants::BUNDLE_TILES;
import package::lib::elements::tile_count;
import package::lib::value::{Value, up_combine, up_identity};

// Of one tile: resolve stores it.
fn of_tile(tile: u32) -> Value {
    return values[plan.tile_products + tile];
}

// Of the tiles first .. end, which exist: eight loads at a time, because memory answers late.
fn of_tiles(first: u32, end: u32) -> Value {
    var product = up_identity();
    for (var tile = first; tile < end; tile += 8u) {
        var eight: array<Value, 8>;
        for (var i = 0u; i < 8u; i++) {
            eight[i] = of_tile(min(tile + i, end - 1u));
        }
        for (var i = 0u; i < 8u; i++) {
            if tile + i < end {
                product = up_combine(product, eight[i]);
            }
        }
    }
    return product;
}

// Of all tiles of a bundle that exist: the identity past the last bundle.
fn of_bundle(bundle: u32) -> Value {
    let first = bundle * BUNDLE_TILES;
    return of_tiles(first, min(first + BUNDLE_TILES, tile_count()));
}

// Of a bundle, and of the bundles of its group up to it, once scan_groups has stored both.
@if(groups)
fn bundle_store(bundle: u32, product: Value, prefix: Value) {
    values[plan.bundle_products + 2u * bundle] = product;
    values[plan.bundle_products + 2u * bundle + 1u] = prefix;
}

@if(groups)
fn stored_bundle(bundle: u32) -> Value {
    return values[plan.bundle_products + 2u * bundle];
}

@if(groups)
fn stored_prefix(bundle: u32) -> Value {
    return values[plan.bundle_products + 2u * bundle + 1u];
}
