// bin_few: the lists of all bins, where few elements touch few bins.
//
// One workgroup a bin, which looks at all elements; a thread takes every WORKGROUP_SIZE-th.
//
//     for each element:
//         needed += the bins that it touches
//         start += those of them before the bin
//         a bit of hits, if it touches the bin
//     the bin's list begins at `start`, because the lists of all bins before it are as long
//     for each element that touches it:
//         entries[start + bits of hits below its own] = element
//     first bin: status
//
// Paint order is the order of bits, of which there are 32 a thread and elements no more than 16
// (Few, in binning.rs). Sums are below 2^32: there are at most BIN_FAN^2 bins, and 2^14 elements.
// Every place is below `needed`, which fits.
//
// Reads the box of each element for each bin, 16 bytes; writes a word an entry and two a bin.

var<workgroup> hits: array<atomic<u32>, WORKGROUP_SIZE>;
var<workgroup> all_start: atomic<u32>;
var<workgroup> all_needed: atomic<u32>;

fn kernel(group: u32, thread: u32, subgroup: u32) {
    if group >= bin.columns * bin.rows {
        return;
    }
    let lanes = lanes_begin(thread, subgroup);
    atomicStore(&hits[thread], 0u);
    if thread == 0u {
        atomicStore(&all_start, 0u);
        atomicStore(&all_needed, 0u);
    }
    workgroupBarrier();
    let sums = look(vec2<u32>(group % bin.columns, group / bin.columns), thread);
    add_to_all(sums, thread % lanes, lanes);
    workgroupBarrier();
    sums_build(thread, subgroup, countOneBits(atomicLoad(&hits[thread])));
    let start = atomicLoad(&all_start);
    let needed = atomicLoad(&all_needed);
    let fits = needed <= bin.entry_capacity;
    if thread == 0u {
        let count = hits_below(WORKGROUP_SIZE - 1u, 32u);
        bin_headers[group] = select(vec2<u32>(0u), vec2<u32>(start, count), fits);
        if group == 0u {
            write_status(needed, fits);
        }
    }
    if fits {
        emit(start, thread);
    }
}

// Of the thread's elements: how many bins before this one they touch, and how many in all.
fn look(place: vec2<u32>, thread: u32) -> vec2<u32> {
    var sums = vec2<u32>(0u);
    for (var element = thread; element < element_count(); element += WORKGROUP_SIZE) {
        let range = measure(box_of(element));
        let side = range.zw - range.xy;
        // Whole rows, and of the bin's own row what is left of it.
        let before = clamp(place, range.xy, range.zw) - range.xy;
        let is_inside = (place >= range.xy) & (place < range.zw);
        sums.x += before.y * side.x + select(0u, before.x, is_inside.y);
        sums.y += side.x * side.y;
        if all(is_inside) {
            atomicOr(&hits[element / 32u], 1u << (element % 32u));
        }
    }
    return sums;
}

// Lanes add theirs first.
fn add_to_all(own: vec2<u32>, lane: u32, lanes: u32) {
    var sums = own;
    for (var round = 0u; round < firstTrailingBit(lanes); round++) {
        let width = 1u << round;
        sums += vec2<u32>(lane_word_of_many(sums.x, lane ^ width), lane_word_of_many(sums.y, lane ^ width));
    }
    if lane == 0u {
        atomicAdd(&all_start, sums.x);
        atomicAdd(&all_needed, sums.y);
    }
}

// How many bits come before a bit of a word.
fn hits_below(word: u32, bit: u32) -> u32 {
    let below = extractBits(atomicLoad(&hits[word]), 0u, bit);
    return sums_before(word) + countOneBits(below);
}

fn emit(start: u32, thread: u32) {
    for (var element = thread; element < element_count(); element += WORKGROUP_SIZE) {
        let word = element / 32u;
        let bit = element % 32u;
        if extractBits(atomicLoad(&hits[word]), bit, 1u) != 0u {
            bin_entries[start + hits_below(word, bit)] = element;
        }
    }
}
