// The effect of consecutive elements on the state of a parser: its segment, and the stack of the segment.
//
// A product pops `closes` opens, then pushes `opens` new ones, as in lib/bicyclic. A reset pops everything, so it is
// (ALL, 0): `closes` saturates, and ALL stays ALL in every product. Products represent functions on stacks, and composition
// is associative.

import package::lib::saturating;
import package::constants::{NONE, WORKGROUP_SIZE};

struct Brackets {
    resets: u32,
    // ALL if there is a reset. Other sums are smaller, because no capacity reaches 2^32 - 1.
    closes: u32,
    // The number of opens that the elements leave on the stack.
    opens: u32,
    // The lowest of these opens; NONE if there are none.
    bottom: u32,
}

const IDENTITY = Brackets(0u, 0u, 0u, NONE);
const ALL = 0xffffffffu;

// The roles in a word of `role`.
const OPEN = 1u;
const CLOSE = 2u;
const RESET = 3u;

fn role_of(word: u32) -> u32 {
    return word & 3u;
}

fn kind_of(word: u32) -> u32 {
    return word >> 2u;
}

// Returns the effect of one element.
fn single(word: u32, element: u32) -> Brackets {
    let role = role_of(word);
    let is_open = role == OPEN;
    let is_reset = role == RESET;
    let closes = select(select(0u, 1u, role == CLOSE), ALL, is_reset);
    return Brackets(u32(is_reset), closes, u32(is_open), select(NONE, element, is_open));
}

fn combine(left: Brackets, right: Brackets) -> Brackets {
    let pairs = min(left.opens, right.closes);
    let closes = select(right.closes - pairs, ALL, right.closes == ALL);
    return Brackets(
        left.resets + right.resets,
        saturating::add(left.closes, closes),
        left.opens - pairs + right.opens,
        // The stack is closed from the top, so the lowest open of the left side is the last one to be closed.
        select(right.bottom, left.bottom, left.opens > right.closes),
    );
}

var<workgroup> products: array<Brackets, WORKGROUP_SIZE>;

// Scans over the workgroup, inclusively, and leaves the results in products[..]. All threads call it together; a barrier
// must follow before the next call.
fn scan(thread: u32, own: Brackets) {
    var product = own;
    products[thread] = product;
    for (var width = 1u; width < WORKGROUP_SIZE; width *= 2u) {
        workgroupBarrier();
        var before = IDENTITY;
        if thread >= width {
            before = products[thread - width];
        }
        workgroupBarrier();
        product = combine(before, product);
        products[thread] = product;
    }
    workgroupBarrier();
}

// Returns the product of the threads before this one.
fn before(thread: u32) -> Brackets {
    var earlier = IDENTITY;
    if thread > 0u {
        earlier = products[thread - 1u];
    }
    return earlier;
}

// Returns the product of all threads.
fn total() -> Brackets {
    return products[WORKGROUP_SIZE - 1u];
}
