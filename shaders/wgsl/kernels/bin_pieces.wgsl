// bin_pieces: the lists of all bins, each in a piece for each WORKGROUP_SIZE elements.
//
// One workgroup a batch of WORKGROUP_SIZE elements, one thread an element.
//
//     range = the bins that the element's box touches
//     for each window of fan_x * fan_y bins (mostly there is but one):
//         bitmaps of the elements that touch each bin
//         a thread a bin:
//             count = bits of its bitmap
//             place = atomicAdd(needed, count)
//             headers[batch, bin] = (place, count), or nothing where they do not fit
//         entries[place + ...] = the elements that touch it (bin_batch.wgsl)
//
// `needed` is below 2^32: so says BinPieces of elements * bins. What does not fit is placed at the
// capacity, which is at least WORKGROUP_SIZE below 2^32, and not stored. A last piece of no count
// may be placed past the capacity, and has nothing to store.
//
// Reads the box of an element, 16 bytes; writes a word an entry and two a bin of each batch.

// BinStatus, to which all workgroups add.
struct BinTotals {
    needed: atomic<u32>,
    written: atomic<u32>,
    flags: atomic<u32>,
    elements: u32,
}

const BATCH_FAN = PIECE_FAN;
const WINDOW = BATCH_FAN * BATCH_FAN;
const BATCH_PAIRS = (BATCH_WORDS + 1u) / 2u;

// Which items touch each bin of the window: words of bitmaps, side by side for all bins.
var<workgroup> hits: array<atomic<u32>, WINDOW * BATCH_WORDS>;
// For each word of each bitmap how many bits come before it: two of them in a word.
var<workgroup> earlier: array<u32, WINDOW * BATCH_PAIRS>;
var<private> batch_first: u32;

fn kernel(group: u32, thread: u32, lanes: u32) {
    batch_first = group * WORKGROUP_SIZE;
    if group >= (bin.element_capacity + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE {
        return;
    }
    let element = batch_element(thread);
    var rect = vec4<f32>(0.0);
    if element < element_count() {
        rect = box_of(element);
    }
    for (var y = 0u; y < bin.rows; y += bin.fan_y) {
        for (var x = 0u; x < bin.columns; x += bin.fan_x) {
            emit_window(vec2<u32>(x, y), rect, group, thread);
        }
    }
}

fn batch_element(item: u32) -> u32 {
    return batch_first + item;
}

fn emit_window(corner: vec2<u32>, rect: vec4<f32>, group: u32, thread: u32) {
    // Nothing waits for the box yet.
    clear(thread);
    let cells = in_window(measure(rect), corner);
    workgroupBarrier();
    mark(thread, cells);
    workgroupBarrier();
    // Drivers write out a loop of known length: here it has one round, or no known length.
    let all = fan().x * fan().y;
    if WORKGROUP_SIZE >= WINDOW {
        if thread < all {
            place(corner, thread, group);
        }
    } else {
        for (var child = thread; child < all; child += WORKGROUP_SIZE) {
            place(corner, child, group);
        }
    }
    workgroupBarrier();
    batch_emit(thread, cells);
    workgroupBarrier();
}

fn clear(thread: u32) {
    for (var i = 0u; i < WINDOW * BATCH_WORDS / WORKGROUP_SIZE; i++) {
        atomicStore(&hits[i * WORKGROUP_SIZE + thread], 0u);
    }
    wide_clear(thread);
    sides_clear(thread);
}

// A wide item touches too many bins: it has its columns and rows noted.
fn mark(item: u32, cells: vec4<u32>) {
    if is_wide(cells) {
        wide_mark(item);
        sides_mark(item, cells);
        return;
    }
    let word = item / 32u;
    let bit = 1u << (item % 32u);
    for (var y = cells.y; y < cells.w; y++) {
        for (var x = cells.x; x < cells.z; x++) {
            atomicOr(&hits[word * WINDOW + child_at(x, y)], bit);
        }
    }
}

// Finds room for what touches a bin. (Lanes that ask side by side are served by one request: so
// drivers see to it.)
fn place(corner: vec2<u32>, child: u32, group: u32) {
    let at = child_place(child);
    if atomicLoad(&wide_count) > 0u {
        add_wide(child, at);
    }
    let count = count_items(child);
    let start = atomicAdd(&bin_totals.needed, count);
    let fits = start + count <= bin.entry_capacity;
    if !fits {
        atomicOr(&bin_totals.flags, ENTRIES_TOO_FEW);
    }
    atomicStore(&places[child], select(bin.entry_capacity, start, fits));
    let bin_at = corner + at;
    if bin_at.x < bin.columns && bin_at.y < bin.rows {
        let slot = (group * bin.rows + bin_at.y) * bin.columns + bin_at.x;
        bin_headers[slot] = select(vec2<u32>(0u), vec2<u32>(start, count), fits);
    }
}

// Nobody else has this bin's bitmap yet.
fn add_wide(child: u32, at: vec2<u32>) {
    for (var word = 0u; word < BATCH_WORDS; word++) {
        let all = touching(child, word) | sides_touching(at, word);
        atomicStore(&hits[word * WINDOW + child], all);
    }
}

// 32 of the items that touch a bin.
fn touching(child: u32, word: u32) -> u32 {
    return atomicLoad(&hits[word * WINDOW + child]);
}

// How many items touch a bin; and notes how many of them come before each word.
fn count_items(child: u32) -> u32 {
    var count = 0u;
    for (var word = 0u; word < BATCH_WORDS; word += 2u) {
        let first = count;
        count += countOneBits(touching(child, word));
        earlier[word / 2u * WINDOW + child] = first | (count << 16u);
        if word + 1u < BATCH_WORDS {
            count += countOneBits(touching(child, word + 1u));
        }
    }
    return count;
}

fn items_before(child: u32, word: u32) -> u32 {
    return extractBits(earlier[word / 2u * WINDOW + child], word % 2u * 16u, 16u);
}

fn store_entry(place: u32, element: u32) {
    if place < bin.entry_capacity {
        bin_entries[place] = element;
    }
}
