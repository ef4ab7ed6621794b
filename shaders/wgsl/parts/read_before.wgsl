// Reads the roles of all elements before a tile, a run of them a thread, as the bits of two words, the first the
// lowest.

struct Run {
    opens: u32,
    closes: u32,
}

// Elements a run: a power of two, NEAREST_RUN at most, with which there are no more runs than threads.
var<private> run_size: u32;

// The thread's run, of nothing if it is not before the tile, which begins where a run does and has an element. All
// threads together.
fn run_before(tile: u32, thread: u32, lanes: u32) -> Run {
    // WORKGROUP_SIZE is TILE: as many as there are tiles before.
    var size = min(8u, NEAREST_RUN);
    if tile > size {
        size = min(2u << firstLeadingBit(tile - 1u), NEAREST_RUN);
    }
    run_size = size;
    var run = Run(0u, 0u);
    if tile == 0u {
        return run;
    }
    let last = tile * TILE - 1u;
    if lanes >= size {
        // Lanes read rows side by side, and each keeps what of a row is its own run. Eight loads at a time: what they
        // bring is long on its way.
        let lane = thread % lanes;
        let start = (thread - lane) * size + lane;
        let own = lane * size / lanes;
        for (var row = 0u; row < size; row += 8u) {
            let at = vec4<u32>(start + row * lanes) + lanes * vec4<u32>(0u, 1u, 2u, 3u);
            let low = roles_before(at, last);
            let high = roles_before(at + vec4<u32>(4u * lanes), last);
            run = with_row(run, low.x, own == row);
            run = with_row(run, low.y, own == row + 1u);
            run = with_row(run, low.z, own == row + 2u);
            run = with_row(run, low.w, own == row + 3u);
            run = with_row(run, high.x, own == row + 4u);
            run = with_row(run, high.y, own == row + 5u);
            run = with_row(run, high.z, own == row + 6u);
            run = with_row(run, high.w, own == row + 7u);
        }
        // Below 32, for `lanes` are at most so many.
        let place = lane * size % lanes;
        let mask = 0xffffffffu >> (32u - size);
        run = Run((run.opens >> place) & mask, (run.closes >> place) & mask);
    } else {
        let start = thread * size;
        for (var i = 0u; i < size; i += 4u) {
            let four = roles_before(vec4<u32>(start + i) + vec4<u32>(0u, 1u, 2u, 3u), last);
            let bits = vec4<u32>(1u, 2u, 4u, 8u) << vec4<u32>(i);
            run.opens |= dot(bits, vec4<u32>(four == vec4<u32>(ROLE_OPENS)));
            run.closes |= dot(bits, vec4<u32>(four == vec4<u32>(ROLE_CLOSES)));
        }
    }
    if thread * size >= tile * TILE {
        run = Run(0u, 0u);
    }
    return run;
}

fn roles_before(at: vec4<u32>, last: u32) -> vec4<u32> {
    let items = min(at, vec4<u32>(last));
    return vec4<u32>(role_of(items.x), role_of(items.y), role_of(items.z), role_of(items.w));
}

// With a row of lanes, if the run is in it. All lanes together.
fn with_row(run: Run, role: u32, is_own: bool) -> Run {
    let opens = lane_ballot_of_many(role == ROLE_OPENS);
    let closes = lane_ballot_of_many(role == ROLE_CLOSES);
    return Run(select(run.opens, opens, is_own), select(run.closes, closes, is_own));
}
