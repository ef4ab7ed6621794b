// The items of a batch, one a thread, go to the lists of the children that they touch.
//
//     narrow items, a thread each:  for each child that it touches
//         list[places[child] + bits below its own in the child's bitmap] = element
//     a few wide items, one after the other:  the same, a thread each child
//     many wide items, a child to 32 threads: each has one bit of every word,
//         and does the same for a bit that is set and a wide item's
//
// Wide items would make one thread write for long. Paint order is the order of bits.
//
// A kernel says which items touch a child, as words of a bitmap (touching) and how many of them there
// are before each word (items_before); which element an item is, and where entries are stored.

const BATCH_WORDS = (WORKGROUP_SIZE + 31u) / 32u;
const LANES = min(WORKGROUP_SIZE, 32u);
// More children than this make an item wide.
const NARROW = 16u;

// Which items are wide, and how many.
var<workgroup> wide: array<atomic<u32>, BATCH_WORDS>;
var<workgroup> wide_count: atomic<u32>;
// Where the batch's first item goes that touches a child.
var<workgroup> places: array<atomic<u32>, BATCH_FAN * BATCH_FAN>;

fn is_wide(cells: vec4<u32>) -> bool {
    return (cells.z - cells.x) * (cells.w - cells.y) > NARROW;
}

fn wide_clear(thread: u32) {
    if thread < BATCH_WORDS {
        atomicStore(&wide[thread], 0u);
    }
    if thread == 0u {
        atomicStore(&wide_count, 0u);
    }
}

// Notes a wide item. A barrier must part it from wide_clear.
fn wide_mark(item: u32) {
    atomicOr(&wide[item / 32u], 1u << (item % 32u));
    atomicAdd(&wide_count, 1u);
}

// All threads together, each with the children that its item touches.
fn batch_emit(thread: u32, cells: vec4<u32>) {
    if !is_wide(cells) {
        emit_narrow(thread, cells);
    }
    let items = atomicLoad(&wide_count);
    // About where both cost the same.
    if items * 4u > fan().x * fan().y {
        emit_many_wide(thread);
    } else if items > 0u {
        emit_few_wide(items, thread);
    }
}

// Writes an item, by its place in the batch, to the list of a child that it touches.
fn emit(item: u32, child: u32) {
    let word = item / 32u;
    let below = extractBits(touching(child, word), 0u, item % 32u);
    let rank = items_before(child, word) + countOneBits(below);
    store_entry(atomicLoad(&places[child]) + rank, batch_element(item));
}

fn emit_narrow(item: u32, cells: vec4<u32>) {
    for (var y = cells.y; y < cells.w; y++) {
        for (var x = cells.x; x < cells.z; x++) {
            emit(item, child_at(x, y));
        }
    }
}

// There are as many bits as items.
fn emit_few_wide(items: u32, thread: u32) {
    let all = fan().x * fan().y;
    var left = items;
    for (var word = 0u; left > 0u; word++) {
        for (var rest = atomicLoad(&wide[word]); rest != 0u; rest &= rest - 1u) {
            let bit = firstTrailingBit(rest);
            for (var child = thread; child < all; child += WORKGROUP_SIZE) {
                if extractBits(touching(child, word), bit, 1u) != 0u {
                    emit(word * 32u + bit, child);
                }
            }
            left--;
        }
    }
}

fn emit_many_wide(thread: u32) {
    let lane = thread % LANES;
    let all = fan().x * fan().y;
    for (var child = thread / LANES; child < all; child += WORKGROUP_SIZE / LANES) {
        var place = atomicLoad(&places[child]);
        for (var word = 0u; word < BATCH_WORDS; word++) {
            let mask = touching(child, word);
            if extractBits(mask & atomicLoad(&wide[word]), lane, 1u) != 0u {
                let rank = countOneBits(extractBits(mask, 0u, lane));
                store_entry(place + rank, batch_element(word * 32u + lane));
            }
            place += countOneBits(mask);
        }
    }
}
