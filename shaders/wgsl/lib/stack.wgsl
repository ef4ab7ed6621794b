// The stack inside one tile: the link of each element, and the opens that the tile leaves. Each thread has one element.
//
// The *link* of an element is the open on top of the stack before it: the parent of an open or a draw, the matching
// open of a close. Inside a chunk, it is the last earlier open whose height is one less. The *height* of an element is
// the number of opens minus closes before it in its chunk:
//
//                (   (   )   (   (   )   )        lane 5 has height 3; which opens before it have height 2?
//     height     0   1   2   1   2   3   2        . . . . x .     only lane 4, so lane 4 is its link
//
// (If the stack had dipped below that open in between, it would have passed a later open of the same height on its way up.)
// Five ballots, one per bit of the height, tell every lane which other lanes have a given height. Five bits store a height
// modulo 32, so a height that is greater by 31 is indistinguishable from one that is less by one. This happens only for lane
// 31 after 31 closes, and then no lane is a candidate, because candidates are opens.
//
// If the link is in an earlier chunk, the element walks back over the sums of the chunks. There are few chunks.

import package::constants::{NONE, WORKGROUP_SIZE};
import package::lib::bicyclic::{Bicyclic, IDENTITY, combine};
import package::lib::bits::place_from_top;
import package::lib::chunks::{Thread, any_of, ballot, word};
import package::lib::roles::{CLOSES, OPENS};

// One word per element, used twice:
//
//     from build() to the barrier after the last search   word c is the sum of chunk c, closes | opens << 16; if chunks
//                                                         have two lanes or more, word chunks + c contains the lanes
//                                                         that chunk c leaves open, as bits
//     after that                                          free for the kernel (lib/tile_opens.wgsl)
//
// The words are atomic because resolve adds to a word while other threads read it.
var<workgroup> shared_words: array<atomic<u32>, WORKGROUP_SIZE>;

// The position of an element on the stack, as far as its own chunk determines it.
struct Place {
    // Opens minus closes before the element in its chunk, modulo 2^32.
    height: u32,
    // The lane of the element's link; NONE if the link is in an earlier chunk, or if there is no link.
    link: u32,
    // For a close: the lane of the link of its matching open, or NONE.
    @if(adapter) match_link: u32,
    // As bits: the lanes that the chunk leaves open, and the lanes that close an open of an earlier chunk.
    left: u32,
    unmatched: u32,
}

// A link: either a place in the tile, or NONE and the number of opens above the link on the incoming stack.
struct Link {
    at: u32,
    depth: u32,
}

// Builds the stack of the tile. All threads call it with the role of their element. It ends with a barrier, after which the
// searches and sums may be called.
fn build(t: Thread, role: u32) -> Place {
    var place: Place;
    let is_open = (role & OPENS) != 0u;
    let is_close = (role & CLOSES) != 0u;
    let opens = ballot(t, is_open);
    let closes = ballot(t, is_close);
    let earlier = (1u << t.lane) - 1u;
    place.height = countOneBits(opens & earlier) - countOneBits(closes & earlier);
    var candidates = opens & earlier;
    candidates &= agree_in_bit(t, place.height, 1u);
    candidates &= agree_in_bit(t, place.height, 2u);
    candidates &= agree_in_bit(t, place.height, 4u);
    candidates &= agree_in_bit(t, place.height, 8u);
    candidates &= agree_in_bit(t, place.height, 16u);
    let has_link = candidates != 0u;
    // firstLeadingBit(0) is NONE.
    place.link = firstLeadingBit(candidates);
    @if(adapter) {
        let match_link = word(t, place.link, place.link % t.lanes);
        place.match_link = select(NONE, match_link, has_link);
    }
    place.left = opens & ~any_of(t, select(0u, 1u << (place.link % 32u), is_close && has_link));
    place.unmatched = closes & ~ballot(t, has_link);
    if t.lane == 0u {
        let sum = countOneBits(place.unmatched) | (countOneBits(place.left) << 16u);
        atomicStore(&shared_words[t.chunk], sum);
        if t.lanes > 1u {
            atomicStore(&shared_words[WORKGROUP_SIZE / t.lanes + t.chunk], place.left);
        }
    }
    workgroupBarrier();
    return place;
}

// Returns the lanes whose height agrees in one bit with this lane's height minus one.
fn agree_in_bit(t: Thread, height: u32, bit: u32) -> u32 {
    let has = ballot(t, (height & bit) != 0u);
    return select(~has, has, ((height - 1u) & bit) != 0u);
}

// Returns the sum of one chunk of the tile: at most 32 closes and 32 opens.
fn chunk_sum(chunk: u32) -> Bicyclic {
    let sum = atomicLoad(&shared_words[chunk]);
    return Bicyclic(sum & 0xffffu, sum >> 16u);
}

// Returns the product of the chunks first .. end.
fn sum_of(first: u32, end: u32) -> Bicyclic {
    var sum = IDENTITY;
    for (var chunk = first; chunk < end; chunk++) {
        sum = combine(sum, chunk_sum(chunk));
    }
    return sum;
}

fn link_of(t: Thread, place: Place) -> Link {
    return find(t, place.link, place.height);
}

// Returns, for a close, the link of its matching open, which is the parent of their node.
@if(adapter)
fn link_of_match(t: Thread, place: Place) -> Link {
    return find(t, place.match_link, place.height - 1u);
}

// Finds the open on top of the stack at this height of the chunk. `lane` is its lane if it is in the chunk. Otherwise
// `height` is at most 0, because no earlier open of the chunk has a lower height, and the search walks back through the
// earlier chunks.
fn find(t: Thread, lane: u32, height: u32) -> Link {
    if lane < t.lanes {
        return Link(t.chunk * t.lanes + lane, 0u);
    }
    // The number of opens above the link on the stack before `chunk`.
    var above = 0u - height;
    for (var chunk = t.chunk; chunk > 0u; chunk--) {
        let sum = chunk_sum(chunk - 1u);
        if above < sum.opens {
            return Link((chunk - 1u) * t.lanes + open_lane(t, chunk - 1u, above), 0u);
        }
        above = above - sum.opens + sum.closes;
    }
    return Link(NONE, above);
}

// Among the lanes that a chunk leaves open, returns the one with `above` others above it. The result is less than t.lanes,
// whatever the word contains.
fn open_lane(t: Thread, chunk: u32, above: u32) -> u32 {
    if t.lanes == 1u {
        return 0u;
    }
    return min(place_from_top(atomicLoad(&shared_words[WORKGROUP_SIZE / t.lanes + chunk]), above), t.lanes - 1u);
}
