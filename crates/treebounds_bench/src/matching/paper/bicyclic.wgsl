// Shared by all kernels of the paper's algorithms.
//
// A run of parentheses pops x earlier nodes, then pushes y nodes (section 3: the
// bicyclic semigroup). W threads per workgroup, K elements per thread, T = W * K
// elements per partition.

alias Bic = vec2<u32>;

const NONE = 0xffffffffu;
const T = W * K;

@group(0) @binding(0) var<uniform> size: vec4<u32>;
@group(0) @binding(1) var<storage, read> tags: array<u32>;

fn join(a: Bic, b: Bic) -> Bic {
    let met = min(a.y, b.x);
    return Bic(a.x + b.x - met, a.y + b.y - met);
}

// K consecutive elements, as bits.
struct Thread {
    opens: u32,
    closes: u32,
    // The opens that the K elements leave open: the thread's stack monoid.
    // The highest bit is the top of the stack.
    unmatched: u32,
    bic: Bic,
}

fn load_thread(first: u32) -> Thread {
    var own = Thread(0u, 0u, 0u, Bic(0u, 0u));
    for (var j = 0u; j < K && first + j < size.x; j++) {
        let role = tags[first + j] & 3u;
        let bit = 1u << j;
        if role == 1u {
            own.opens |= bit;
            own.unmatched |= bit;
        } else if role == 2u {
            own.closes |= bit;
            if own.unmatched == 0u {
                own.bic.x++;
            } else {
                own.unmatched = without_top(own.unmatched);
            }
        }
    }
    own.bic.y = countOneBits(own.unmatched);
    return own;
}

// Clears the highest bit. At least one bit must be set.
fn without_top(bits: u32) -> u32 {
    return bits & ~(1u << firstLeadingBit(bits));
}

// The tree of a partition. Before it is built, the first W nodes contain the product
// of each thread and all later threads.
var<workgroup> nodes: array<Bic, NODES>;

// An inclusive scan from the right, by doubling.
fn scan_suffixes(thread: u32, own: Bic) {
    var value = own;
    nodes[thread] = value;
    for (var step = 1u; step < W; step *= 2u) {
        workgroupBarrier();
        if thread + step < W {
            value = join(value, nodes[thread + step]);
        }
        workgroupBarrier();
        nodes[thread] = value;
    }
    workgroupBarrier();
}

// The product of all later threads. Valid after scan_suffixes.
fn suffix_after(thread: u32) -> Bic {
    if thread + 1u < W {
        return nodes[thread + 1u];
    }
    return Bic(0u, 0u);
}
