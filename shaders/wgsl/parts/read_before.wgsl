// Reads the roles of all elements before a tile, RUN a thread, as the bits of two words, the first the lowest.

const RUN = NEAREST_RUN;

struct Run {
    opens: u32,
    closes: u32,
}

// The thread's run, of nothing if it is not before `end`, which is a multiple of RUN and no more than there are
// elements; there is at least one. All threads together.
fn run_before(end: u32, thread: u32, lanes: u32) -> Run {
    let last = max(end, 1u) - 1u;
    var run = Run(0u, 0u);
    if lanes == RUN {
        // Lanes read side by side, and each keeps the row that is its own run. Eight loads at a time: what they
        // bring is long on its way.
        let lane = thread % lanes;
        let start = (thread - lane) * RUN + lane;
        for (var row = 0u; row < RUN; row += 8u) {
            let at = vec4<u32>(start + row * lanes) + lanes * vec4<u32>(0u, 1u, 2u, 3u);
            let low = roles_before(at, last);
            let high = roles_before(at + vec4<u32>(4u * lanes), last);
            run = with_row(run, low.x, lane == row);
            run = with_row(run, low.y, lane == row + 1u);
            run = with_row(run, low.z, lane == row + 2u);
            run = with_row(run, low.w, lane == row + 3u);
            run = with_row(run, high.x, lane == row + 4u);
            run = with_row(run, high.y, lane == row + 5u);
            run = with_row(run, high.z, lane == row + 6u);
            run = with_row(run, high.w, lane == row + 7u);
        }
    } else {
        let start = thread * RUN;
        for (var i = 0u; i < RUN; i += 4u) {
            let four = roles_before(vec4<u32>(start + i) + vec4<u32>(0u, 1u, 2u, 3u), last);
            let bits = vec4<u32>(1u, 2u, 4u, 8u) << vec4<u32>(i);
            run.opens |= dot(bits, vec4<u32>(four == vec4<u32>(ROLE_OPENS)));
            run.closes |= dot(bits, vec4<u32>(four == vec4<u32>(ROLE_CLOSES)));
        }
    }
    if thread * RUN >= end {
        run = Run(0u, 0u);
    }
    return run;
}

fn roles_before(at: vec4<u32>, last: u32) -> vec4<u32> {
    let items = min(at, vec4<u32>(last));
    return vec4<u32>(role_of(items.x), role_of(items.y), role_of(items.z), role_of(items.w));
}

// With a row of lanes, if it is the run. All lanes together.
fn with_row(run: Run, role: u32, is_own: bool) -> Run {
    let opens = lane_ballot_of_many(role == ROLE_OPENS);
    let closes = lane_ballot_of_many(role == ROLE_CLOSES);
    return Run(select(run.opens, opens, is_own), select(run.closes, closes, is_own));
}
