// Binning goes down a tree of cells. The root is all bins, each cell is cut into
// `fan` children, and the leaves are the bins. A level of it takes, for each cell of
// the level (a parent), the list of elements that touch it, and makes those lists of
// its children.
//
// A parent's list is cut into chunks of TILE items, and each has at least one chunk;
// chunks are numbered parent by parent. How many items of a chunk touch a child is
// an entry of a matrix, and the matrix lies in memory as
//
//     parent, child of it, chunk of it
//
// so that its exclusive prefix sums are just where each chunk writes, and the place
// of a child's first chunk is where its list begins. It has one entry more: the end.
//
// Where there is one level of few chunks, the matrix lies chunk by chunk instead, and nothing
// scans it (bin_places_near.wgsl).

// A chunk that a workgroup takes.
struct Chunk {
    // 0: there is no such chunk, or nothing is to be done.
    exists: u32,
    parent: u32,
    // Which chunk of the parent this is, of how many, and where its matrix begins.
    index: u32,
    chunks: u32,
    matrix: u32,
    // The items, half open.
    start: u32,
    end: u32,
}

// Loaded uniformly, so that a compiler sees that all threads go one way.
var<workgroup> shared_chunk: Chunk;
var<workgroup> shared_size: u32;

// At least one, and at most as many as the capacity was laid out for.
fn chunks_around(items: u32) -> u32 {
    return max((items + TILE - 1u) / TILE, 1u);
}

// Where the chunks of a parent begin; `parent` may be one past the last.
fn first_chunk(parent: u32) -> u32 {
    if bin.level == 0u {
        return select(chunks_around(element_count()), 0u, parent == 0u);
    }
    return words[bin.firsts + parent];
}

// Whether the entries do not fit. The status is that of this job from the end of the
// first level on: `settled` says that it is at least there.
fn has_failed(settled: bool) -> bool {
    return (settled || bin.level != 0u) && (bin_status.flags & ENTRIES_TOO_FEW) != 0u;
}

fn find_chunk(chunk: u32, thread: u32, settled: bool) -> Chunk {
    if thread == 0u {
        shared_chunk = Chunk();
        if !has_failed(settled) && chunk < first_chunk(bin.parents) {
            shared_chunk = chunk_of(chunk);
        }
    }
    return workgroupUniformLoad(&shared_chunk);
}

// The parent is the last that begins no later than the chunk.
fn chunk_of(chunk: u32) -> Chunk {
    var parent = 0u;
    var beyond = bin.parents;
    while beyond - parent > 1u {
        let middle = (parent + beyond) / 2u;
        if first_chunk(middle) <= chunk {
            parent = middle;
        } else {
            beyond = middle;
        }
    }
    let first = first_chunk(parent);
    let index = chunk - first;
    var start = 0u;
    var end = element_count();
    if bin.level != 0u {
        start = words[bin.starts + parent];
        end = words[bin.starts + parent + 1u];
    }
    start += index * TILE;
    let chunks = first_chunk(parent + 1u) - first;
    let matrix = first * fan().x * fan().y;
    return Chunk(1u, parent, index, chunks, matrix, start, min(start + TILE, end));
}

// Entries of the matrix, without its end; NONE where nothing is to be done.
fn matrix_size(thread: u32) -> u32 {
    if thread == 0u {
        shared_size = NONE;
        if !has_failed(false) {
            shared_size = first_chunk(bin.parents) * fan().x * fan().y;
        }
    }
    return workgroupUniformLoad(&shared_size);
}

// The prefix sum before an entry of the matrix, once it is scanned.
fn scanned(entry: u32) -> u32 {
    return words[bin.matrix + entry] + words[bin.sums + entry / TILE];
}

// The first bin of a parent, column and row.
fn corner(parent: u32) -> vec2<u32> {
    if bin.level == 0u {
        return vec2<u32>(0u);
    }
    let packed = words[bin.corners + parent];
    return vec2<u32>(packed & 0xffffu, packed >> 16u);
}

// Which element an item is. Items are below the length of the level's lists.
fn item_element(item: u32) -> u32 {
    if bin.level == 0u {
        return item;
    }
    return words[bin.list_in + item];
}

// The bins that an element touches: x0, y0, x1, y1, half open; all 0 for none.
fn load_range(element: u32) -> vec4<u32> {
    let low = words[bin.ranges + 2u * element];
    let high = words[bin.ranges + 2u * element + 1u];
    return vec4<u32>(low & 0xffffu, low >> 16u, high & 0xffffu, high >> 16u);
}
