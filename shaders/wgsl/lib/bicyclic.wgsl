// The bicyclic monoid: what a run of parentheses does to a stack.
//
// (closes, opens) pops `closes` entries that were there before the run, then pushes `opens` of its own. Where two
// runs meet, the opens of the left and the closes of the right cancel in pairs. No sum exceeds the number of
// elements.

struct Bicyclic {
    closes: u32,
    opens: u32,
}

const IDENTITY = Bicyclic(0u, 0u);

fn combine(left: Bicyclic, right: Bicyclic) -> Bicyclic {
    let pairs = min(left.opens, right.closes);
    return Bicyclic(left.closes + right.closes - pairs, left.opens + right.opens - pairs);
}
