// Chunks: the elements that up to 32 lanes of a subgroup hold side by side. All lanes ask
// together.

// The chunk's first lane, and how many it has.
var<private> chunk_lane: u32;
var<private> chunk_size: u32;

// Every kernel with chunks begins with it; how many elements a chunk has: a power of two,
// which divides the workgroup's size; 1 where subgroups are not full.
fn lanes_begin(thread: u32, lanes: u32) -> u32 {
    chunk_size = min(lanes, 32u);
    chunk_lane = (thread % lanes) & ~31u;
    return chunk_size;
}

// What another lane of the chunk has. Of no meaning where a chunk is one element.
fn lane_word(value: u32, lane: u32) -> u32 {
    return subgroupShuffle(value, chunk_lane + lane);
}

// A bit for each lane of the chunk.
fn lane_ballot(bit: bool) -> u32 {
    if chunk_size == 1u {
        return u32(bit);
    }
    return subgroupBallot(bit)[chunk_lane / 32u];
}
