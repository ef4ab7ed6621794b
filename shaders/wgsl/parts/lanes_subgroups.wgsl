// Chunks: the elements that up to 32 lanes of a subgroup hold side by side. All lanes ask
// together.

// WebGPU promises as many. A chunk has as many elements or one, and workgroup memory no room
// for more: the less of it a workgroup takes, the more of them run side by side.
//
// Who doubles a distance from lane to lane counts the rounds, `firstTrailingBit(lanes)` of them: a compiler that knows the
// number of lanes unrolls those, and not a loop whose counter doubles.
//
// Nothing here branches: where many of these calls follow each other, SwiftShader takes ten seconds to
// compile what does.
const FEWEST_LANES = 4u;

// The chunk's first lane, and how many it has.
var<private> chunk_lane: u32;
var<private> chunk_size: u32;

// Every kernel with chunks begins with it; how many elements a chunk has: a power of two,
// which divides the workgroup's size; 1 where subgroups are not full, or of
// another size.
fn lanes_begin(thread: u32, lanes: u32) -> u32 {
    // Not through the private variable: a compiler must see that it is uniform.
    let size = select(1u, min(lanes, 32u), lanes >= FEWEST_LANES && lanes <= 64u);
    chunk_size = size;
    chunk_lane = (thread % lanes) & ~31u;
    return size;
}

// What another lane of the chunk has; where a chunk is one element, its own.
fn lane_word(value: u32, lane: u32) -> u32 {
    return select(lane_word_of_many(value, lane), value, chunk_size == 1u);
}

// The same of a chunk of several lanes: who has counted them need not ask.
fn lane_word_of_many(value: u32, lane: u32) -> u32 {
    return subgroupShuffle(value, chunk_lane + lane);
}

// What the lane `distance` before has, of a chunk of several lanes; of no meaning where there is none.
fn lane_word_before(value: u32, distance: u32) -> u32 {
    return subgroupShuffleUp(value, distance);
}

// The same of the lane `distance` after.
fn lane_word_after(value: u32, distance: u32) -> u32 {
    return subgroupShuffleDown(value, distance);
}

// A bit for each lane of the chunk.
fn lane_ballot(bit: bool) -> u32 {
    return select(lane_ballot_of_many(bit), u32(bit), chunk_size == 1u);
}

// The same of a chunk of several lanes.
fn lane_ballot_of_many(bit: bool) -> u32 {
    let ballot = subgroupBallot(bit);
    return select(ballot.y, ballot.x, chunk_lane == 0u);
}

// The bits that any lane of the chunk has, of a chunk of several lanes.
fn lane_or_of_many(bits: u32) -> u32 {
    let is_low = chunk_lane == 0u;
    let low = subgroupOr(select(0u, bits, is_low));
    return select(subgroupOr(select(bits, 0u, is_low)), low, is_low);
}

// The greatest of what all lanes of the subgroup have.
fn subgroup_most(value: u32) -> u32 {
    return subgroupMax(value);
}
