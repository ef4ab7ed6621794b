// Runs: a thread holds RUN consecutive elements, as the bits of a word, the first the lowest. RUNS of them
// are a tile, and PER_GROUP one of its groups.
//
// What a run opens is a stack too: a word of bits, of which the highest is the top.

const RUN = PER_THREAD;
const RUNS = TILE / RUN;
const ALL_OF_RUN = 0xffffffffu >> (32u - RUN);
const PER_GROUP = min(32u, TILE) / RUN;

// First what the runs of a tile that lie in a chunk do to the stack, and their nodes, by their first thread;
// then the bits of each run, of which a single one to a group is not asked for.
var<workgroup> run_words: array<array<u32, 3>, WORKGROUP_SIZE>;

// The thread's run, of those that begin at `first`. All threads together.
fn run_read(first: u32, thread: u32, lanes: u32) -> Group {
    var run = Group(0u, 0u, 0u, 0u);
    // A row of more lanes would be of several runs: each reads its own.
    if lanes == 1u || lanes > RUN {
        for (var i = 0u; i < RUN; i += 4u) {
            let four = roles_read(vec4<u32>(first + thread * RUN + i) + vec4<u32>(0u, 1u, 2u, 3u));
            let bits = vec4<u32>(1u, 2u, 4u, 8u) << vec4<u32>(i);
            run.opens |= dot(bits, vec4<u32>((four & vec4<u32>(ROLE_OPENS)) != vec4<u32>()));
            run.closes |= dot(bits, vec4<u32>((four & vec4<u32>(ROLE_CLOSES)) != vec4<u32>()));
            run.non_local |= dot(bits, vec4<u32>((four & vec4<u32>(ROLE_NON_LOCAL)) != vec4<u32>()));
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

// With the roles of a row of lanes that begins at the run's element `place`, or is in another run. All
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

// What the other runs of the tile do, and all; and how many nodes they have.
struct Runs {
    before: Value,
    after: Value,
    all: Value,
    nodes_before: u32,
    nodes: u32,
}

// Around the thread's run, of this value and so many nodes. All threads together. From lane to lane, then
// chunk by chunk where a tile has more: there are few, or each is a run.
fn runs_around(thread: u32, lanes: u32, own: Value, nodes: u32) -> Runs {
    let side = min(lanes, RUNS);
    let at = thread % side;
    let lane = thread % lanes;
    // With those before, and with those after.
    var left = own;
    var right = own;
    var count = nodes;
    for (var round = 0u; round < firstTrailingBit(side); round++) {
        let width = 1u << round;
        let before = select(lane, lane - width, at >= width);
        let after = select(lane, lane + width, at + width < side);
        let earlier = Value(lane_word(left.x, before), lane_word(left.y, before));
        let later = Value(lane_word(right.x, after), lane_word(right.y, after));
        if at >= width {
            left = combine(earlier, left);
        }
        if at + width < side {
            right = combine(right, later);
        }
        if COUNTS_NODES {
            let fewer = lane_word(count, before);
            count += select(0u, fewer, at >= width);
        }
    }
    let before = select(lane, lane - 1u, at > 0u);
    let after = select(lane, lane + 1u, at + 1u < side);
    let last = lane - at + side - 1u;
    var runs: Runs;
    runs.before = Value(lane_word(left.x, before), lane_word(left.y, before));
    runs.after = Value(lane_word(right.x, after), lane_word(right.y, after));
    runs.all = Value(lane_word(left.x, last), lane_word(left.y, last));
    if COUNTS_NODES {
        runs.nodes = lane_word(count, last);
    }
    runs.nodes_before = count - nodes;
    runs.before = select(runs.before, IDENTITY, at == 0u);
    runs.after = select(runs.after, IDENTITY, at == side - 1u);
    if side < RUNS {
        runs = runs_beyond(runs, thread, side);
    }
    return runs;
}

// The same, given what it is in the chunk.
fn runs_beyond(chunk: Runs, thread: u32, side: u32) -> Runs {
    if thread % side == 0u {
        run_words[thread] = array(chunk.all.x, chunk.all.y, chunk.nodes);
    }
    workgroupBarrier();
    let first = thread - thread % RUNS;
    var runs = chunk;
    runs.all = IDENTITY;
    runs.nodes = 0u;
    for (var other = first; other < first + RUNS; other += side) {
        let words = run_words[other];
        let value = Value(words[0], words[1]);
        if other == thread - thread % side {
            runs.before = combine(runs.all, runs.before);
            runs.nodes_before += runs.nodes;
        } else if other > thread {
            runs.after = combine(runs.after, value);
        }
        runs.all = combine(runs.all, value);
        runs.nodes += words[2];
    }
    return runs;
}

// Writes the groups of the tile that begin with the thread's run. All threads together; past the last
// tile nobody writes.
fn run_store(tile: u32, thread: u32, run: Group) {
    let first = thread % PER_GROUP;
    if PER_GROUP > 1u {
        let place = first * RUN;
        // All have read what the runs of chunks do.
        workgroupBarrier();
        run_words[thread] = array(run.opens << place, run.closes << place, run.non_local << place);
        workgroupBarrier();
    }
    if first != 0u || tile >= tiles_filled() {
        return;
    }
    var group = run;
    for (var other = 1u; other < PER_GROUP; other++) {
        let bits = run_words[thread + other];
        group.opens |= bits[0];
        group.closes |= bits[1];
        group.non_local |= bits[2];
    }
    group_store(tile * GROUPS + thread % RUNS / PER_GROUP, group);
}
