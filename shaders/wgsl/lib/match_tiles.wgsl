// The tiles of matching, and the pyramid over them. Level 0 has one node per tile, the tile's effect on the stack. On the
// levels above, a node is the product of fan_out() consecutive nodes of the level below. The levels are stored one after
// the other in the buffer `pyramid`.

import package::kernel::{params, plan, pyramid};
import package::lib::bicyclic::{Bicyclic, IDENTITY, combine};
import package::constants::{TILE, WORKGROUP_SIZE};

// Returns the number of elements. It may come from another kernel, so it is clamped to the capacity.
fn element_count() -> u32 {
    return min(params.elements, plan.element_capacity);
}

// Returns the number of tiles with elements.
fn count() -> u32 {
    return tiles_of(element_count());
}

fn tiles_of(elements: u32) -> u32 {
    return (elements + TILE - 1u) / TILE;
}

// Returns the number of children of a node, a power of two. A workgroup multiplies them, plan.children_per_thread per
// thread.
fn fan_out() -> u32 {
    return WORKGROUP_SIZE * plan.children_per_thread;
}

// Returns node / fan_out(), computed as a shift, because division by a variable is slow.
fn parent(node: u32) -> u32 {
    return node >> firstTrailingBit(fan_out());
}

// Returns the number of nodes of the level above a level with `nodes` nodes.
fn parents(nodes: u32) -> u32 {
    return parent(nodes + fan_out() - 1u);
}

// Returns a node's place in `pyramid`. In bounds: the buffer contains all levels over the tiles of the capacity, and callers
// pass nodes below the count of their level.
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

// Returns the product of plan.children_per_thread nodes from `start` on, without those from `end` on. `end` is at most the
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
