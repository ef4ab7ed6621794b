// An entry of the stack before a tile: an open of an earlier tile, which an element of this tile has on top.

import package::lib::elements::root_value;
import package::constants::NONE;
@if(flows) import package::lib::value::Value;

struct Outer {
    // NONE where the stack has no such entry.
    element: u32,
    slot: u32,
    // What flows from it, from the root on; the root's own where there is no entry.
    @if(flows) value: Value,
    // What flows to it.
    @if(host) around: Value,
}

fn nothing() -> Outer {
    var outer: Outer;
    outer.element = NONE;
    @if(flows) outer.value = root_value();
    @if(host) outer.around = root_value();
    return outer;
}
