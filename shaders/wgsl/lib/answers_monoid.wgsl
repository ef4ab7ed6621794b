// Results of a tree with the caller's monoid: see lib/answers_shared.wgsl. Values either flow down or grow up, never both.

import package::kernel::{Element, Flow, Survivor, inputs, outputs, plan, values};
import package::constants::NONE;
import package::lib::answers_shared::{Early, first_factor, load_early};
import package::lib::roles::CLOSES;
import package::value::{Value, up_identity};
import package::monoid::{product_load, product_store};

fn write_down(e: Element, flow: Flow, early: Early) {
    if !e.exists {
        return;
    }
    @if(flows) outputs[e.index] = product_store(flow.product);
    @if(grows) {
        if e.role == 0u {
            outputs[e.index] = product_store(product_load(inputs[e.index]));
        }
    }
}

// Every element except a close has a value.
fn leaf_of(e: Element, flow: Flow) -> Value {
    if !e.exists || (e.role & CLOSES) != 0u {
        return up_identity();
    }
    return product_load(inputs[e.index]);
}

// No bounds are stored.
fn write_non_local(e: Element, tile: u32, other: u32, leaf: Value) {}

fn write_up(e: Element, other: u32, content: Value, is_whole: bool) {
    if is_whole {
        outputs[e.index] = product_store(content);
    } else {
        values[plan.parts + e.index] = content;
    }
}

fn with_parts(survivor: Survivor, tile: u32, slot: u32) -> Survivor {
    var all = survivor;
    all.open_part = values[plan.parts + all.open];
    if all.close != NONE {
        all.close_part = values[plan.parts + all.close];
    }
    return all;
}

fn write_open(survivor: Survivor, content: Value) {
    outputs[survivor.open] = product_store(content);
}

fn write_close(survivor: Survivor, content: Value) {
    outputs[survivor.close] = product_store(content);
}
