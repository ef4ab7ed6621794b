// bin_emit: the lists of all children.
//
// One workgroup a chunk of TILE items, WORKGROUP_SIZE of them at a time: a batch, an
// item a thread.
//
//     places[child] = where the chunk's first item goes, headers[bin] = where its list is
//         (bin_places_near.wgsl, bin_places_far.wgsl)
//     for each batch:
//         bitmaps of its items that touch each column and row (bin_sides.wgsl)
//         write them to the lists of the children that they touch (bin_batch.wgsl)
//         places[child] += items of the batch that touch it
//
// Every place is below the end of all lists, which fits: `needed` said so, and the
// lists of a level are no longer than those of the next.
//
// Reads 12 bytes an item (8 on the first level), and what places_build reads; writes
// a word an entry and two a bin.

// A cell may have as many children beside each other.
const BATCH_FAN = BIN_FAN;

// Of each item of the batch, its element.
var<workgroup> elements: array<u32, WORKGROUP_SIZE>;

fn kernel(group: u32, thread: u32, lanes: u32) {
    let chunk = emit_chunk(group, thread);
    if chunk.exists == 0u {
        return;
    }
    let corner = corner(chunk.parent);
    if !places_build(chunk, corner, thread, lanes) {
        return;
    }
    for (var batch = chunk.start; batch < chunk.end; batch += WORKGROUP_SIZE) {
        let item = batch + thread;
        var element = NONE;
        var cells = vec4<u32>(0u);
        if item < chunk.end {
            element = item_element(item);
            cells = children(load_range(element), corner);
        }
        elements[thread] = element;
        sides_clear(thread);
        wide_clear(thread);
        workgroupBarrier();
        sides_mark(thread, cells);
        if is_wide(cells) {
            wide_mark(thread);
        }
        workgroupBarrier();
        batch_emit(thread, cells);
        workgroupBarrier();
        if batch + WORKGROUP_SIZE < chunk.end {
            advance(thread);
            workgroupBarrier();
        }
    }
}

fn batch_element(item: u32) -> u32 {
    return elements[item];
}

// 32 of the items that touch a child.
fn touching(child: u32, word: u32) -> u32 {
    return sides_touching(child_place(child), word);
}

fn items_before(child: u32, end: u32) -> u32 {
    let at = child_place(child);
    var count = 0u;
    for (var word = 0u; word < end; word++) {
        count += countOneBits(sides_touching(at, word));
    }
    return count;
}

fn advance(thread: u32) {
    let all = fan().x * fan().y;
    for (var child = thread; child < all; child += WORKGROUP_SIZE) {
        atomicAdd(&places[child], items_before(child, BATCH_WORDS));
    }
}

fn store_entry(place: u32, element: u32) {
    if bin.is_last != 0u {
        bin_entries[place] = element;
    } else {
        words[bin.list_out + place] = element;
    }
}
