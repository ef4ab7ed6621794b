// Lane operations of matching, with which the threads of a subgroup exchange words. Those of the stage are in
// lib/chunks.wgsl. No other file has subgroup operations.
//
//     with subgroups     shuffles between the lanes of a subgroup, of any size
//     without            exchange() and swap_quads() use workgroup memory, with two barriers each, and the whole
//                        workgroup counts as one subgroup. The other operations only save barriers or memory accesses,
//                        and their callers have alternatives: the tree over the threads is built level by level
//                        (lib/thread_tree.wgsl), each thread loads its own vectors (match_reduce.wgsl), and the search
//                        for the incoming stack starts with the first window (lib/match_incoming.wgsl)
//
// All lanes of a subgroup call each operation together; without subgroups, all threads of the workgroup do.
//
// *Reconvergence.* Some operations follow a loop that lanes leave at different times. We assume that lanes have reconverged
// wherever WGSL's uniformity analysis assumes it: after a loop that is left by `break` or by its condition, and after a
// call. WGSL does not guarantee that hardware does this, and the diagnostic that would check it is off (lib/threads.wgsl).
// A comment at each such operation refers to this rule.
//
// *Memory.* As in lib/chunks.wgsl, no index and no loop bound relies on a result of this file:
//
//     from lanes                          bounded in
//     opens and closes of a thread        match_reduce.word_of_roles and below_count: bits of the thread's own elements
//     heights, from the tree              match_reduce.stage and store_slice
//     places in a slice                   match_incoming.open_of_slice
//     nodes of the pyramid                match_incoming.find_in_window and search_nearest
//     depths, from the tree               match_resolve.incoming_word
//     codes, from rows that lanes swap    match_incoming.load
//     links                               bracket_finish.four

import package::constants::WORKGROUP_SIZE;

@if(!subgroups)
var<workgroup> exchanged: array<vec2<u32>, WORKGROUP_SIZE>;

// Returns the number of threads that exchange values with each other, a power of two. `lanes` is lane_count() of
// lib/threads.
fn width(lanes: u32) -> u32 {
    @if(subgroups)
    return lanes;
    @else
    return WORKGROUP_SIZE;
}

// Returns the value of thread `thread ^ mask`; mask < width().
fn exchange(value: vec2<u32>, thread: u32, mask: u32) -> vec2<u32> {
    @if(subgroups)
    return subgroupShuffleXor(value, mask);
    @else {
        exchanged[thread] = value;
        workgroupBarrier();
        // Both are below WORKGROUP_SIZE, a power of two, so the index is too.
        let other = exchanged[thread ^ mask];
        workgroupBarrier();
        return other;
    }
}

// Returns the word of another lane.
@if(subgroups)
fn word_of(lane: u32, own: u32) -> u32 {
    return subgroupShuffle(own, lane);
}

// Returns the two words of another lane.
@if(subgroups)
fn pair_of(lane: u32, own: vec2<u32>) -> vec2<u32> {
    return subgroupShuffle(own, lane);
}

// Returns the two words of the lane `width` before this one; unspecified in the first `width` lanes.
@if(subgroups)
fn pair_of_earlier(width: u32, own: vec2<u32>) -> vec2<u32> {
    return subgroupShuffleUp(own, width);
}

// Returns the two words of the lane `width` after this one; unspecified in the last `width` lanes.
@if(subgroups)
fn pair_of_later(width: u32, own: vec2<u32>) -> vec2<u32> {
    return subgroupShuffleDown(own, width);
}

// Performs one step of a transposition of quads, each of four 16-bit codes. Threads t and t ^ apart have two quads each.
// The lower thread keeps its first quad and receives its partner's first; the upper thread keeps its second quad and
// receives its partner's second. Returns both quads, in the order of the threads that they come from.
fn swap_quads(first: vec2<u32>, second: vec2<u32>, thread: u32, apart: u32) -> vec4<u32> {
    let is_upper = (thread & apart) != 0u;
    let other = exchange(select(second, first, is_upper), thread, apart);
    return vec4<u32>(select(first, other, is_upper), select(other, second, is_upper));
}

// Transposes 8 x 8 bytes over 8 lanes: byte i of lane j becomes byte j of lane i. Bytes 0 to 3 are x, 4 to 7 are y.
// Lanes 4 apart swap words, lanes 2 apart halves, lanes 1 apart bytes.
@if(subgroups)
fn transpose_bytes(rows: vec2<u32>, lane: u32) -> vec2<u32> {
    let fours = (lane & 4u) != 0u;
    let word = subgroupShuffleXor(select(rows.y, rows.x, fours), 4u);
    var x = select(rows.x, word, fours);
    var y = select(word, rows.y, fours);

    let twos = (lane & 2u) != 0u;
    let high = (x >> 16u) | (y & 0xffff0000u);
    let low = (x & 0x0000ffffu) | (y << 16u);
    let halves = subgroupShuffleXor(select(high, low, twos), 2u);
    x = select((x & 0x0000ffffu) | (halves << 16u), (halves & 0x0000ffffu) | (x & 0xffff0000u), twos);
    y = select((y & 0x0000ffffu) | (halves & 0xffff0000u), (halves >> 16u) | (y & 0xffff0000u), twos);

    // Now the bytes of x and y come from lanes 0, 0, 2, 2 and 4, 4, 6, 6 (or 1, 1, 3, 3 and 5, 5, 7, 7). The even bytes
    // belong to the even lane of a pair, the odd bytes to the odd lane.
    let ones = (lane & 1u) != 0u;
    let even = vec2<u32>(x, y) & vec2<u32>(0x00ff00ffu);
    let odd = (vec2<u32>(x, y) >> vec2<u32>(8u)) & vec2<u32>(0x00ff00ffu);
    let out = select(odd, even, ones);
    let bytes = subgroupShuffleXor(out.x | (out.y << 8u), 1u);
    let taken = vec2<u32>(bytes & 0x00ff00ffu, (bytes >> 8u) & 0x00ff00ffu);
    let own = select(even, odd, ones);
    return select(own | (taken << vec2<u32>(8u)), taken | (own << vec2<u32>(8u)), ones);
}
