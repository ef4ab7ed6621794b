// The survivors of a chunk's runs, shared out among its lanes: a row of as many at a time.

// Of one run: the opens that survive the tile as bits, the first element, how many of the tile survive
// below them; and its nodes, as bits, those of them that are non-local, and how many of the tile come before.
struct Kept {
    opens: u32,
    first: u32,
    rank: u32,
    nodes: u32,
    non_local: u32,
    nodes_before: u32,
}

// All threads together.
fn keep(kept: Kept, thread: u32, lanes: u32) {
    let lane = thread % lanes;
    // The survivors of earlier lanes, and of all.
    let count = countOneBits(kept.opens);
    var before = count;
    for (var round = 0u; round < firstTrailingBit(lanes); round++) {
        let width = 1u << round;
        let other = lane_word_before(before, width);
        before += select(other, 0u, lane < width);
    }
    let all = lane_word(before, lanes - 1u);
    before -= count;
    // What flows to the first of a row, if its tile begins before the row.
    var carry = flow_before(kept, thread, lanes);
    // As many rounds for all chunks of a subgroup, for values go from lane to lane.
    let most = subgroup_most(all);
    for (var row = 0u; row < most; row += lanes) {
        let at = row + lane;
        let source = lane_holding(before, at, lanes);
        let skip = at - lane_word(before, source);
        let run = kept_of(kept, source);
        var flow = flow_identity();
        let place = bit_from_bottom(run.opens, skip);
        if at < all {
            flow = flow_own(run.first + place);
        }
        // Among the survivors of a tile, which lie side by side.
        let rank = run.rank + skip;
        if FLOWS {
            flow = flow_along_chunk(lane, lanes, min(lane, rank), flow);
            if rank > lane {
                flow = flow_combine(carry, flow);
            }
            carry = lane_flow(flow, lanes - 1u);
        }
        if at < all {
            let slot = run.first / TILE * TILE + rank;
            words[plan.slices + slot] = run.first + place;
            if KEEPS_NODES {
                let earlier = run.nodes & ((1u << place) - 1u);
                let role = select(ROLE_OPENS, ROLE_OPENS | ROLE_NON_LOCAL, ((run.non_local >> place) & 1u) != 0u);
                let node = run.nodes_before + countOneBits(earlier);
                words[plan.slice_nodes + slot] = survivor_word(node, role);
            }
            if GROWS {
                words[plan.ends + slot] = NONE;
            }
            flow_store(plan.values + slot, flow);
            bundle_note(slot, flow);
        }
    }
}

// That of another lane.
fn kept_of(kept: Kept, lane: u32) -> Kept {
    var other: Kept;
    other.opens = lane_word(kept.opens, lane);
    other.first = lane_word(kept.first, lane);
    other.rank = lane_word(kept.rank, lane);
    if KEEPS_NODES {
        other.nodes = lane_word(kept.nodes, lane);
        other.non_local = lane_word(kept.non_local, lane);
        other.nodes_before = lane_word(kept.nodes_before, lane);
    }
    return other;
}

// The last lane with no more than `at` before it.
fn lane_holding(before: u32, at: u32, lanes: u32) -> u32 {
    var lane = 0u;
    for (var round = 0u; round < firstTrailingBit(lanes); round++) {
        let step = lanes >> (round + 1u);
        if lane_word(before, lane + step) <= at {
            lane += step;
        }
    }
    return lane;
}
