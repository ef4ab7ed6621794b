// The products of the values that grow up, over tiles and over bundles, in scratch memory.

import package::kernel::{plan, values};
import package::constants::BUNDLE_TILES;
import package::layout::{BUNDLE_PREFIX, BUNDLE_PRODUCT, BUNDLE_PRODUCTS};
import package::lib::elements::tile_count;
import package::value::{Value, up_combine, up_identity};

fn of_tile(tile: u32) -> Value {
    return values[plan.tile_products + tile];
}

fn of_tile_store(tile: u32, product: Value) {
    values[plan.tile_products + tile] = product;
}

// Returns the product over the tiles first .. end. All of them must exist. Eight loads at a time hide the memory latency.
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

// Returns the product over the existing tiles of a bundle; the identity past the last bundle.
fn of_bundle(bundle: u32) -> Value {
    let first = bundle * BUNDLE_TILES;
    return of_tiles(first, min(first + BUNDLE_TILES, tile_count()));
}

// Stores the product over a bundle, and the product over the bundles of its group up to and including it (scan_groups).
fn bundle_store(bundle: u32, product: Value, prefix: Value) {
    values[bundle_value(bundle, BUNDLE_PRODUCT)] = product;
    values[bundle_value(bundle, BUNDLE_PREFIX)] = prefix;
}

fn stored_bundle(bundle: u32) -> Value {
    return values[bundle_value(bundle, BUNDLE_PRODUCT)];
}

fn stored_prefix(bundle: u32) -> Value {
    return values[bundle_value(bundle, BUNDLE_PREFIX)];
}

fn bundle_value(bundle: u32, field: u32) -> u32 {
    return plan.bundle_products + BUNDLE_PRODUCTS * bundle + field;
}
