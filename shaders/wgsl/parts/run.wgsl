// Runs: a thread holds RUN consecutive elements, as the bits of a word, the first the lowest. RUNS of them
// are a tile, and PER_GROUP one of its groups.
//
// What a run opens is a stack too: a word of bits, of which the highest is the top.

const RUN = PER_THREAD;
const RUNS = TILE / RUN;
const PER_GROUP = min(32u, TILE) / RUN;

// First what the runs of a tile that lie in a chunk do to the stack, and their nodes, by their first thread;
// then the bits of each run, of which a single one to a group is not asked for.
var<workgroup> run_words: array<array<u32, 3>, WORKGROUP_SIZE>;

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
    for (var width = 1u; width < side; width *= 2u) {
        let before = select(lane, lane - width, at >= width);
        let after = select(lane, lane + width, at + width < side);
        let earlier = Value(lane_word(left.x, before), lane_word(left.y, before));
        let later = Value(lane_word(right.x, after), lane_word(right.y, after));
        let fewer = lane_word(count, before);
        if at >= width {
            left = combine(earlier, left);
            count += fewer;
        }
        if at + width < side {
            right = combine(right, later);
        }
    }
    let before = select(lane, lane - 1u, at > 0u);
    let after = select(lane, lane + 1u, at + 1u < side);
    let last = lane - at + side - 1u;
    var runs: Runs;
    runs.before = Value(lane_word(left.x, before), lane_word(left.y, before));
    runs.after = Value(lane_word(right.x, after), lane_word(right.y, after));
    runs.all = Value(lane_word(left.x, last), lane_word(left.y, last));
    runs.nodes = lane_word(count, last);
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
