// The values that chunks of resolve exchange in workgroup memory (lib/shared.wgsl) when values grow: the part of a node's
// content from each marker whose match is in another chunk, and the product of each chunk.
//
//     without filters     0 .. TILE               the parts, by thread
//                         TILE .. TILE * 5 / 4    the products, by chunk: a chunk has at least four lanes
//     with filters        outsides                the parts, one rect each
//                         insides                 the two rects of the product of each chunk: at most TILE / 2
//     one lane per chunk  0 .. TILE               the products, which are the leaves of the threads; there are no parts
//
// Parts and products do not overlap, so one barrier between the stores and the loads suffices.

import package::constants::TILE;
import package::lib::chunks::Thread;
import package::lib::shared;
import package::lib::shared::{filter_words, insides, outsides};
import package::value::{Content, Filtered, Value};

fn part_store(thread: u32, part: Content) {
    @if(filters) outsides[thread] = part;
    @else shared::store(thread, part);
}

fn part(thread: u32) -> Content {
    @if(filters) return outsides[thread];
    @else return shared::load(thread);
}

fn product_store(t: Thread, chunk: u32, product: Value) {
    @if(filters) {
        if t.lanes > 1u {
            insides[2u * chunk] = product.outside;
            insides[2u * chunk + 1u] = product.inside;
            filter_words[chunk] = product.word;
            return;
        }
    }
    shared::store(place_of(t, chunk), product);
}

fn product(t: Thread, chunk: u32) -> Value {
    @if(filters) {
        if t.lanes > 1u {
            return Filtered(insides[2u * chunk], insides[2u * chunk + 1u], filter_words[chunk]);
        }
    }
    return shared::load(place_of(t, chunk));
}

fn place_of(t: Thread, chunk: u32) -> u32 {
    return select(TILE, 0u, t.lanes == 1u) + chunk;
}
