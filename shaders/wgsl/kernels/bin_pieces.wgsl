// bin_pieces: the lists of all bins, each in a piece for each WORKGROUP_SIZE elements.
//
// One workgroup a batch of WORKGROUP_SIZE elements and a window of fan_x * fan_y bins, of which there
// is mostly but one; one thread an element.
//
//     bitmaps of the elements that touch each bin of the window
//     a thread a bin:
//         count = bits of its bitmap
//         place = atomicAdd(needed, count)
//         headers[batch, bin] = (place, count), or nothing where they do not fit
//     entries[place + ...] = the elements that touch it (bin_batch.wgsl)
//     the last workgroup:  status = needed, and the totals are 0 again for the next run
//
// The last is who counts as many workgroups as there are. WGSL orders no two atomics of different
// words, so this rests on what a value needs: a workgroup's places are known before the barrier that
// hands them on, and it counts itself by a number that is made of one of them. (Were an addition to
// come after all, that many entries would be left out and counted in the next run, which leaves 0.)
//
// `needed` is below 2^32: so says BinPieces of elements * bins. What does not fit is placed at the
// capacity, which is at least WORKGROUP_SIZE below 2^32, and not stored. A last piece of no count
// may be placed at the capacity, and has nothing to store.
//
// Reads the box of an element for each window, 16 bytes; writes a word an entry and two a bin of each
// batch.

// What all workgroups add to: entries, and workgroups that have added theirs. All 0 between runs.
struct BinTotals {
    needed: atomic<u32>,
    done: atomic<u32>,
}

const BATCH_FAN = PIECE_FAN;
const WINDOW = BATCH_FAN * BATCH_FAN;
const BATCH_PAIRS = (BATCH_WORDS + 1u) / 2u;

// Which items touch each bin of the window: words of bitmaps, side by side for all bins.
var<workgroup> hits: array<atomic<u32>, WINDOW * BATCH_WORDS>;
// For each word of each bitmap how many bits come before it: two of them in a word.
var<workgroup> earlier: array<u32, WINDOW * BATCH_PAIRS>;
var<private> batch: u32;

fn kernel(group: u32, thread: u32, lanes: u32) {
    let part = part_of(group);
    let batches = (bin.element_capacity + WORKGROUP_SIZE - 1u) / WORKGROUP_SIZE;
    if part.batch >= batches {
        // Without any batch there is one workgroup all the same.
        if batches == 0u && thread == 0u {
            write_status(0u, true);
        }
        return;
    }
    batch = part.batch;
    let corner = part.corner;
    let element = batch_element(thread);
    var rect = vec4<f32>(0.0);
    if element < element_count() {
        rect = box_of(element);
    }
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
            place(corner, thread);
        }
    } else {
        for (var child = thread; child < all; child += WORKGROUP_SIZE) {
            place(corner, child);
        }
    }
    workgroupBarrier();
    // Counted before the entries are written, looked at after. No place is past the capacity.
    var order = 0u;
    if thread == 0u {
        let one = u32(atomicLoad(&places[0]) <= bin.entry_capacity);
        order = atomicAdd(&bin_totals.done, one) + one;
    }
    batch_emit(thread, cells);
    if order == batches * windows().x * windows().y {
        finish();
    }
}

// By one thread, when nobody adds any more.
fn finish() {
    let needed = atomicExchange(&bin_totals.needed, 0u);
    atomicStore(&bin_totals.done, 0u);
    write_status(needed, needed <= bin.entry_capacity);
}

// A batch, and the first bin of a window.
struct Part {
    batch: u32,
    corner: vec2<u32>,
}

// Batch by batch all windows.
fn part_of(group: u32) -> Part {
    let all = windows().x * windows().y;
    if all == 1u {
        return Part(group, vec2<u32>(0u));
    }
    let window = group % all;
    return Part(group / all, vec2<u32>(window % windows().x, window / windows().x) * fan());
}

// How many windows lie side by side, and below each other.
fn windows() -> vec2<u32> {
    return (vec2<u32>(bin.columns, bin.rows) + fan() - 1u) >> firstTrailingBit(fan());
}

fn batch_element(item: u32) -> u32 {
    return batch * WORKGROUP_SIZE + item;
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
fn place(corner: vec2<u32>, child: u32) {
    let at = child_place(child);
    if atomicLoad(&wide_count) > 0u {
        add_wide(child, at);
    }
    let count = count_items(child);
    let start = atomicAdd(&bin_totals.needed, count);
    let fits = start + count <= bin.entry_capacity;
    atomicStore(&places[child], select(bin.entry_capacity, start, fits));
    let bin_at = corner + at;
    if bin_at.x < bin.columns && bin_at.y < bin.rows {
        let slot = (batch * bin.rows + bin_at.y) * bin.columns + bin_at.x;
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
