// The bicyclic monoid: what a run of parentheses does to a stack.
//
// `x` closes, then `y` opens: the run pops x nodes that were open before it and
// leaves y of its own open. Where two runs meet, the opens of the left and the
// closes of the right cancel in pairs. No sum exceeds the number of elements.

alias Value = vec2<u32>;

const IDENTITY = vec2<u32>(0u, 0u);

fn combine(a: Value, b: Value) -> Value {
    let met = min(a.y, b.x);
    return Value(a.x + b.x - met, a.y + b.y - met);
}

// What comes before a leaf of a tree, and what comes after it.
struct Sides {
    before: Value,
    after: Value,
}
