// Chunks of one element: without subgroups there are no other lanes.

// Every kernel with chunks begins with it; how many elements a chunk has.
fn lanes_begin(thread: u32, lanes: u32) -> u32 {
    return 1u;
}

fn lane_word(value: u32, lane: u32) -> u32 {
    return value;
}

fn lane_word_of_many(value: u32, lane: u32) -> u32 {
    return value;
}

fn lane_word_before(value: u32, distance: u32) -> u32 {
    return value;
}

fn lane_word_after(value: u32, distance: u32) -> u32 {
    return value;
}

fn lane_ballot(bit: bool) -> u32 {
    return u32(bit);
}

fn lane_ballot_of_many(bit: bool) -> u32 {
    return u32(bit);
}

fn lane_or_of_many(bits: u32) -> u32 {
    return bits;
}

fn subgroup_most(value: u32) -> u32 {
    return value;
}
