// Whole words of 32 elements: neighbouring lanes load neighbouring vectors, and pass
// the roles on through the subgroup.
//
// A word is 8 vectors; 8 lanes in a row load a vector each of 8 words, one word a
// load, so that each lane has 8 bytes, one a word. They transpose their 8 x 8 bytes
// in three exchanges:
//
//     lanes 4 apart swap words, 2 apart halves, 1 apart bytes
//
// The i-th load of the g-th 8 lanes is for thread i * (lanes / 8) + g of the
// subgroup, so lane l is left with the word of thread (l % 8) * (lanes / 8) + l / 8;
// one shuffle brings it there. A thread has one word here (see PAIRED).

fn input_items(tile: u32, thread: u32, lanes: u32) -> Items {
    let first = tile * TILE + thread * PER_THREAD;
    if lanes < 8u {
        return direct_items(tile, thread);
    }
    let lane = thread % lanes;
    let eighth = lanes / 8u;
    // Of each word the even vectors, then the odd ones.
    let place = lane / 8u * (PER_THREAD / 4u) + lane % 4u * 2u + lane % 8u / 4u;
    let vector = (first - lane * PER_THREAD) / 4u + place;
    var bytes = vec2<u32>(0u);
    for (var i = 0u; i < 4u; i++) {
        bytes.x |= load_roles(vector + i * eighth * (PER_THREAD / 4u)) << (8u * i);
    }
    for (var i = 0u; i < 4u; i++) {
        bytes.y |= load_roles(vector + (i + 4u) * eighth * (PER_THREAD / 4u)) << (8u * i);
    }
    bytes = transposed(bytes, lane);
    let source = (lane % eighth) * 8u + lane / eighth;
    let word = word_of_roles(
        vec2<u32>(subgroupShuffle(bytes.x, source), subgroupShuffle(bytes.y, source)),
    );
    return within_count(Items(vec2<u32>(word.x, 0u), vec2<u32>(word.y, 0u)), first);
}

// 8 lanes x 8 bytes, transposed.
fn transposed(rows: vec2<u32>, lane: u32) -> vec2<u32> {
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

    // x and y hold a byte each of the lanes 0, 0, 2, 2 and 4, 4, 6, 6 (or 1, 1, 3, 3
    // and 5, 5, 7, 7): even ones for the even lane of a pair, odd ones for the odd.
    let ones = (lane & 1u) != 0u;
    let even = vec2<u32>(x, y) & vec2<u32>(0x00ff00ffu);
    let odd = (vec2<u32>(x, y) >> vec2<u32>(8u)) & vec2<u32>(0x00ff00ffu);
    let out = select(odd, even, ones);
    let bytes = subgroupShuffleXor(out.x | (out.y << 8u), 1u);
    let taken = vec2<u32>(bytes & 0x00ff00ffu, (bytes >> 8u) & 0x00ff00ffu);
    let own = select(even, odd, ones);
    return select(own | (taken << vec2<u32>(8u)), taken | (own << vec2<u32>(8u)), ones);
}
