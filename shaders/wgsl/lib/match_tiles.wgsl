// Tiles of matching, and the tree over them: level 0 has a node a tile, what the tile does to the stack; a node of each
// level above is the product of fan_out() consecutive nodes of the level below. The levels lie one after the other
// in the buffer `pyramid`.

import package::kernel::{params, plan, pyramid};
import package::lib::bicyclic::{Bicyclic, IDENTITY, combine};
import package::constants::{TILE, WORKGROUP_SIZE};

// Elements in the input. The count may come from another kernel, so it is never trusted beyond the capacity.
fn element_count() -> u32 {
    return min(params.elements, plan.element_capacity);
}

// Tiles that hold elements.
fn count() -> u32 {
    return tiles_of(element_count());
}

fn tiles_of(elements: u32) -> u32 {
    return (elements + TILE - 1u) / TILE;
}

// Children of a node, a power of two: a workgroup multiplies them, each thread a run of `plan.run`.
fn fan_out() -> u32 {
    return WORKGROUP_SIZE * plan.run;
}

// node / fan_out(): a shift, because a division by what a compiler does not know is slow.
fn parent(node: u32) -> u32 {
    return node >> firstTrailingBit(fan_out());
}

// Nodes of the level above a level of so many.
fn parents(nodes: u32) -> u32 {
    return parent(nodes + fan_out() - 1u);
}

// A node's place in `pyramid`. In bounds: the buffer holds every level over the tiles of the capacity, and
// callers pass nodes below the count of their level.
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

// The product of `plan.run` nodes from `start` on, of those before `end`; `end` is at most the count of the level.
fn load_run(level: u32, start: u32, end: u32) -> Bicyclic {
    var product = IDENTITY;
    for (var i = 0u; i < plan.run; i++) {
        if start + i < end {
            product = combine(product, load(level, start + i));
        }
    }
    return product;
}
