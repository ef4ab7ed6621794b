// The bicyclic monoid: the effect of consecutive parentheses on a stack.
//
// (closes, opens) pops `closes` opens of the stack before it, then pushes `opens` new ones. Where two such sequences meet,
// the opens of the left one and the closes of the right one cancel in pairs. No sum exceeds the number of elements.

struct Bicyclic {
    closes: u32,
    opens: u32,
}

const IDENTITY = Bicyclic(0u, 0u);

fn combine(left: Bicyclic, right: Bicyclic) -> Bicyclic {
    let pairs = min(left.opens, right.closes);
    return Bicyclic(left.closes + right.closes - pairs, left.opens + right.opens - pairs);
}
