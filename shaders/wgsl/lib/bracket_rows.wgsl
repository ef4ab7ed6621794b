// The elements of a tile of brackets, loaded in rows. A row has a vector of four elements per thread, so neighbouring threads load and store
// neighbouring vectors. A tile has TILE elements, as in matching, so it has PER_THREAD / 4 rows.

import package::kernel::tags4;
import package::lib::brackets::{Brackets, IDENTITY, combine, single};
import package::lib::match_tiles;
import package::role::role;
import package::constants::{PER_THREAD, TILE, WORKGROUP_SIZE};

const ROWS = PER_THREAD / 4u;

// Returns the first element of a thread in a row, always a multiple of four.
fn first_of(tile: u32, row: u32, thread: u32) -> u32 {
    return tile * TILE + (row * WORKGROUP_SIZE + thread) * 4u;
}

// Loads the words (role and kind) of four elements. Words past the count are 0, neither open nor close. In bounds: the
// buffer is padded to whole vectors.
fn load(first: u32) -> vec4<u32> {
    let count = match_tiles::element_count();
    var words = vec4<u32>(0u);
    if first < count {
        let tags = tags4[first / 4u];
        words = vec4<u32>(role(tags.x), role(tags.y), role(tags.z), role(tags.w));
        let is_used = vec4<u32>(first) + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>(count);
        words = select(vec4<u32>(0u), words, is_used);
    }
    return words;
}

// Loads the word of one element. The element must be below the count.
fn load_one(element: u32) -> u32 {
    return role(tags4[element / 4u][element % 4u]);
}

fn product(words: vec4<u32>, first: u32) -> Brackets {
    var all = IDENTITY;
    for (var i = 0u; i < 4u; i++) {
        all = combine(all, single(words[i], first + i));
    }
    return all;
}
