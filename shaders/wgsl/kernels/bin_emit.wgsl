// bin_emit: the lists of all children.
//
// One workgroup a chunk of TILE items, WORKGROUP_SIZE of them at a time: a batch, an
// item a thread. Which items of a batch touch a child is a bitmap, and since all
// boxes are upright, it is the bitmap of its column AND the bitmap of its row.
//
//     places[child] = where the chunk's first item goes, headers[bin] = where its list is
//         (bin_places_near.wgsl, bin_places_far.wgsl)
//     for each batch:
//         columns[x], rows[y] = bitmaps: bit t is set if thread t's item touches it
//         narrow items, a thread each:  for each child that it touches
//             list[places[child] + bits below its own in the child's bitmap] = element
//         a few wide items, one after the other:  the same, a thread each child
//         many wide items, a child to 32 threads: each has one bit of every word,
//             and does the same for a bit that is set and a wide item's
//         places[child] += bits in the child's bitmap
//
// Wide items would make one thread write for long. Paint order is the order of bits.
//
// Every place is below the end of all lists, which fits: `needed` said so, and the
// lists of a level are no longer than those of the next.
//
// Reads 12 bytes an item (8 on the first level), and what places_build reads; writes
// a word an entry and two a bin.

const BATCH_WORDS = (WORKGROUP_SIZE + 31u) / 32u;
const LANES = min(WORKGROUP_SIZE, 32u);
const ROWS = BIN_FAN * BATCH_WORDS;
// More children than this make an item wide.
const NARROW = 16u;

// Of each item of the batch: its element, and the columns and rows it touches.
var<workgroup> elements: array<u32, WORKGROUP_SIZE>;
var<workgroup> spans: array<vec2<u32>, WORKGROUP_SIZE>;
// Bitmaps of the columns, BATCH_WORDS each, and from ROWS on of the rows.
var<workgroup> masks: array<u32, 2u * ROWS>;
var<workgroup> places: array<atomic<u32>, BIN_FAN * BIN_FAN>;
// Which items are wide: bitmaps of this batch and of the one before, in turns. While
// one is used, the other is cleared.
var<workgroup> wide: array<atomic<u32>, 2u * BATCH_WORDS>;

fn kernel(group: u32, thread: u32, lanes: u32) {
    let chunk = emit_chunk(group, thread);
    if chunk.exists == 0u {
        return;
    }
    let corner = corner(chunk.parent);
    if !places_build(chunk, corner, thread, lanes) {
        return;
    }
    for (var word = thread; word < 2u * BATCH_WORDS; word += WORKGROUP_SIZE) {
        atomicStore(&wide[word], 0u);
    }
    workgroupBarrier();

    var turn = 0u;
    for (var batch = chunk.start; batch < chunk.end; batch += WORKGROUP_SIZE) {
        let item = batch + thread;
        var element = NONE;
        var cells = vec4<u32>(0u);
        if item < chunk.end {
            element = item_element(item);
            cells = children(load_range(element), corner);
        }
        elements[thread] = element;
        spans[thread] = vec2<u32>(bits(cells.x, cells.z), bits(cells.y, cells.w));
        if area(cells) > NARROW {
            atomicOr(&wide[turn + thread / 32u], 1u << (thread % 32u));
        }
        workgroupBarrier();
        turn_spans(thread);
        for (var word = thread; word < BATCH_WORDS; word += WORKGROUP_SIZE) {
            atomicStore(&wide[BATCH_WORDS - turn + word], 0u);
        }
        workgroupBarrier();
        if area(cells) <= NARROW {
            emit_narrow(thread, cells);
        }
        emit_wide(turn, thread);
        workgroupBarrier();
        if batch + WORKGROUP_SIZE < chunk.end {
            advance(thread);
        }
        turn = BATCH_WORDS - turn;
    }
}

// Bits from low to high, half open; at most BIN_FAN = 32 of them.
fn bits(low: u32, high: u32) -> u32 {
    return extractBits(0xffffffffu, 0u, high - low) << min(low, 31u);
}

fn area(cells: vec4<u32>) -> u32 {
    return (cells.z - cells.x) * (cells.w - cells.y);
}

// Bits of items, one a column or row, become bits of columns and rows, one an item.
fn turn_spans(thread: u32) {
    let sides = fan().x + fan().y;
    for (var i = thread; i < sides * BATCH_WORDS; i += WORKGROUP_SIZE) {
        let word = i / sides;
        let side = i % sides;
        let is_row = side >= fan().x;
        let bit = select(side, side - fan().x, is_row);
        var mask = 0u;
        for (var lane = 0u; lane < LANES; lane++) {
            let span = spans[word * 32u + lane];
            mask |= extractBits(select(span.x, span.y, is_row), bit, 1u) << lane;
        }
        masks[select(0u, ROWS, is_row) + bit * BATCH_WORDS + word] = mask;
    }
}

// Which of 32 items touch a child.
fn touching(x: u32, y: u32, word: u32) -> u32 {
    return masks[x * BATCH_WORDS + word] & masks[ROWS + y * BATCH_WORDS + word];
}

// Writes an item, by its place in the batch, to the list of a child that it touches.
fn emit(item: u32, x: u32, y: u32) {
    let own = item / 32u;
    let below = (1u << (item % 32u)) - 1u;
    var rank = countOneBits(touching(x, y, own) & below);
    for (var word = 0u; word < own; word++) {
        rank += countOneBits(touching(x, y, word));
    }
    store_entry(atomicLoad(&places[y * fan().x + x]) + rank, elements[item]);
}

fn emit_narrow(item: u32, cells: vec4<u32>) {
    for (var y = cells.y; y < cells.w; y++) {
        for (var x = cells.x; x < cells.z; x++) {
            emit(item, x, y);
        }
    }
}

fn emit_wide(turn: u32, thread: u32) {
    var items = 0u;
    for (var word = 0u; word < BATCH_WORDS; word++) {
        items += countOneBits(atomicLoad(&wide[turn + word]));
    }
    // About where both cost the same.
    if items * 4u > fan().x * fan().y {
        emit_many_wide(thread);
    } else if items > 0u {
        emit_few_wide(turn, thread);
    }
}

fn emit_few_wide(turn: u32, thread: u32) {
    let all = fan().x * fan().y;
    for (var word = 0u; word < BATCH_WORDS; word++) {
        for (var rest = atomicLoad(&wide[turn + word]); rest != 0u; rest &= rest - 1u) {
            let item = word * 32u + firstTrailingBit(rest);
            let span = spans[item];
            for (var child = thread; child < all; child += WORKGROUP_SIZE) {
                let x = child % fan().x;
                let y = child / fan().x;
                if (extractBits(span.x, x, 1u) & extractBits(span.y, y, 1u)) != 0u {
                    emit(item, x, y);
                }
            }
        }
    }
}

fn emit_many_wide(thread: u32) {
    let lane = thread % LANES;
    let below = (1u << lane) - 1u;
    let all = fan().x * fan().y;
    for (var child = thread / LANES; child < all; child += WORKGROUP_SIZE / LANES) {
        let x = child % fan().x;
        let y = child / fan().x;
        var place = atomicLoad(&places[child]);
        for (var word = 0u; word < BATCH_WORDS; word++) {
            let mask = touching(x, y, word);
            let item = word * 32u + lane;
            if extractBits(mask, lane, 1u) != 0u && is_wide(spans[item]) {
                store_entry(place + countOneBits(mask & below), elements[item]);
            }
            place += countOneBits(mask);
        }
    }
}

fn is_wide(span: vec2<u32>) -> bool {
    return countOneBits(span.x) * countOneBits(span.y) > NARROW;
}

fn advance(thread: u32) {
    let all = fan().x * fan().y;
    for (var child = thread; child < all; child += WORKGROUP_SIZE) {
        var count = 0u;
        for (var word = 0u; word < BATCH_WORDS; word++) {
            count += countOneBits(touching(child % fan().x, child / fan().x, word));
        }
        atomicAdd(&places[child], count);
    }
}

fn store_entry(place: u32, element: u32) {
    if bin.is_last != 0u {
        bin_entries[place] = element;
    } else {
        words[bin.list_out + place] = element;
    }
}
