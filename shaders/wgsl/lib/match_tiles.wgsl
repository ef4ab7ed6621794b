// The tiles of matching, and the pyramid over them. Level 0 has one node per tile: what the tile does to the stack. A
// node of each level above is the product of fan_out() consecutive nodes of the level below. The levels are stored one
// after the other in the buffer `pyramid`.

import package::kernel::{params, plan, pyramid};
import package::lib::bicyclic::{Bicyclic, IDENTITY, combine};
import package::constants::{TILE, WORKGROUP_SIZE};

// The number of elements. It may come from another kernel, so it is clamped to the capacity.
fn element_count() -> u32 {
    return min(params.elements, plan.element_capacity);
}

// The number of tiles that have elements.
fn count() -> u32 {
    return tiles_of(element_count());
}

fn tiles_of(elements: u32) -> u32 {
    return (elements + TILE - 1u) / TILE;
}

// The number of children of a node, a power of two: a workgroup multiplies them, and each thread has
// plan.children_per_thread.
fn fan_out() -> u32 {
    return WORKGROUP_SIZE * plan.children_per_thread;
}

// node / fan_out(), as a shift, because division by a number that the compiler does not know is slow.
fn parent(node: u32) -> u32 {
    return node >> firstTrailingBit(fan_out());
}

// The number of nodes of the level above a level of `nodes`.
fn parents(nodes: u32) -> u32 {
    return parent(nodes + fan_out() - 1u);
}

// A node's place in `pyramid`. In bounds: the buffer has every level over the tiles of the capacity, and callers pass
// nodes below the count of their level.
fn place(level: u32, node: u32) -> u32 {
    var first = 0u;
    var nodes = tiles_of(plan.element_capacity);
    for (var i = 0u; i < level; i++) {
        first += nodes;
        nodes = parents(nodes);
    }
    return first + node;
}

fn load(level: u32, node: u32) -> Bicyclic {
    let value = pyramid[place(level, node)];
    return Bicyclic(value.x, value.y);
}

fn store(level: u32, node: u32, value: Bicyclic) {
    pyramid[place(level, node)] = vec2<u32>(value.closes, value.opens);
}

// The product of plan.children_per_thread nodes from `start` on, without those from `end` on. `end` is at most the
// count of the level.
fn load_product(level: u32, start: u32, end: u32) -> Bicyclic {
    var product = IDENTITY;
    for (var i = 0u; i < plan.children_per_thread; i++) {
        if start + i < end {
            product = combine(product, load(level, start + i));
        }
    }
    return product;
}
