// What resolve stores of a tree with the caller's monoid: see lib/answers.wgsl. Values either flow down or grow up,
// never both.

import package::kernel::{Element, Flow, inputs, outputs, plan, values};
import package::lib::roles::CLOSES;
import package::lib::value::{Value, up_identity};
import package::monoid::{product_load, product_store};

// Nothing is loaded early.
alias Early = u32;

fn load_early(e: Element) -> Early {
    return 0u;
}

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

// Every element has a value except a close.
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
