// Reads runs: of each thread RUN consecutive elements, as the bits of a word, the first the lowest.

const ALL_OF_RUN = 0xffffffffu >> (32u - RUN);

// The thread's run, of those that begin at `first`. All threads together.
fn run_read(first: u32, thread: u32, lanes: u32) -> Group {
    var run = Group(0u, 0u, 0u, 0u);
    // A row of more lanes would be of several runs: each reads its own.
    if lanes == 1u || lanes > RUN {
        for (var i = 0u; i < RUN; i += 4u) {
            let four = roles_read(vec4<u32>(first + thread * RUN + i) + vec4<u32>(0u, 1u, 2u, 3u));
            run = with_role(run, four.x, i);
            run = with_role(run, four.y, i + 1u);
            run = with_role(run, four.z, i + 2u);
            run = with_role(run, four.w, i + 3u);
        }
        return run;
    }
    // Lanes read side by side, and each keeps the rows that are in its own run. Eight loads at a time:
    // what they bring is long on its way. (Of a run of 4 the last four are of no run.)
    let lane = thread % lanes;
    let start = first + (thread - lane) * RUN + lane;
    for (var row = 0u; row < RUN; row += 8u) {
        let at = vec4<u32>(start + row * lanes) + lanes * vec4<u32>(0u, 1u, 2u, 3u);
        let low = roles_read(at);
        let high = roles_read(at + vec4<u32>(4u * lanes));
        let place = row * lanes - lane * RUN;
        run = with_row(run, low.x, place);
        run = with_row(run, low.y, place + lanes);
        run = with_row(run, low.z, place + 2u * lanes);
        run = with_row(run, low.w, place + 3u * lanes);
        run = with_row(run, high.x, place + 4u * lanes);
        run = with_row(run, high.y, place + 5u * lanes);
        run = with_row(run, high.z, place + 6u * lanes);
        run = with_row(run, high.w, place + 7u * lanes);
    }
    return run;
}

fn roles_read(at: vec4<u32>) -> vec4<u32> {
    return vec4<u32>(role_read(at.x), role_read(at.y), role_read(at.z), role_read(at.w));
}

// With the role of the run's element `at`.
fn with_role(run: Group, role: u32, at: u32) -> Group {
    let bit = 1u << at;
    let opens = select(0u, bit, (role & ROLE_OPENS) != 0u);
    let closes = select(0u, bit, (role & ROLE_CLOSES) != 0u);
    let non_local = select(0u, bit, (role & ROLE_NON_LOCAL) != 0u);
    return Group(run.opens | opens, run.closes | closes, run.non_local | non_local, 0u);
}

// With those of a row of lanes that begins at the run's element `place`, or is in another run. All
// lanes together.
fn with_row(run: Group, role: u32, place: u32) -> Group {
    let opens = lane_ballot((role & ROLE_OPENS) != 0u);
    let closes = lane_ballot((role & ROLE_CLOSES) != 0u);
    let non_local = lane_ballot((role & ROLE_NON_LOCAL) != 0u);
    // Shifted by 31 at most; what is of another run is left out.
    let mask = select(0u, ALL_OF_RUN, place < RUN);
    let at = place & 31u;
    return Group(
        run.opens | ((opens << at) & mask),
        run.closes | ((closes << at) & mask),
        run.non_local | ((non_local << at) & mask),
        0u,
    );
}
