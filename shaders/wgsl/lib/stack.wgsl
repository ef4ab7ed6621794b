// The stack inside a tile: which open is on top before each element, and what the tile leaves open. A thread has an
// element.
//
// Inside a chunk the top before an element is the last open before it that is one less deep:
//
//                (   (   )   (   (   )   )        what is on top before lane 5, of depth 3? opens of depth 2 before it:
//     depth      0   1   2   1   2   3   2        . . . . x .     the last one: lane 4
//
// (Had the stack dipped below between the two, the way up again would have passed a later open of that depth.) Five
// ballots, a bit of the depths each, tell every lane which lanes have a depth: five bits tell depths modulo 32.
// So a lane 31 deeper could pass for one less deep. Only lane 0 can be so much deeper, as lane 31 sees it, after 31 closes.
// Lane 0 is a close then, and no open.
//
// An element whose top is in an earlier chunk walks back over what the chunks do: there are few.

import package::constants::{NONE, WORKGROUP_SIZE};
import package::lib::bicyclic::{Bicyclic, IDENTITY, combine};
import package::lib::bits::place_from_top;
import package::lib::chunks::{Thread, any_of, ballot};
@if(host) import package::lib::chunks::word;
import package::lib::roles::{CLOSES, OPENS};

// A word an element, which serves twice:
//
//     from build() to the barrier after the last find()   word c: what chunk c does, closes | opens << 16; then,
//                                                         where chunks have two lanes or more, word chunks + c: the
//                                                         lanes that chunk c leaves open
//     after that                                          the kernel's own (resolve.wgsl keeps opens here)
//
// Atomic, because resolve.wgsl adds to a word that others read.
var<workgroup> shared_words: array<atomic<u32>, WORKGROUP_SIZE>;

// What the stack is for the thread's element, seen from its chunk.
struct Place {
    // Opens less closes of the chunk before the element, modulo 2^32.
    depth: u32,
    // The lane of the top before the element; NONE where that is in an earlier chunk, or nowhere.
    top: u32,
    // Of an end: the lane of the top before its begin, or NONE.
    @if(host) second: u32,
    // The lanes that the chunk leaves open, and those that close what the chunk did not open.
    left: u32,
    taken: u32,
}

// The top of the stack: a place in the tile; or NONE, and how far below the top of the stack before the tile it is.
struct Top {
    at: u32,
    depth: u32,
}

// All threads, with the role of their element. Ends with a barrier: find() and the sums may be asked then.
fn build(t: Thread, role: u32) -> Place {
    var place: Place;
    let is_open = (role & OPENS) != 0u;
    let is_close = (role & CLOSES) != 0u;
    let opens = ballot(t, is_open);
    let closes = ballot(t, is_close);
    let earlier = (1u << t.lane) - 1u;
    place.depth = countOneBits(opens & earlier) - countOneBits(closes & earlier);
    var tops = opens & earlier;
    tops &= agree_in_bit(t, place.depth, 1u);
    tops &= agree_in_bit(t, place.depth, 2u);
    tops &= agree_in_bit(t, place.depth, 4u);
    tops &= agree_in_bit(t, place.depth, 8u);
    tops &= agree_in_bit(t, place.depth, 16u);
    let has_top = tops != 0u;
    // firstLeadingBit(0) is NONE.
    place.top = firstLeadingBit(tops);
    @if(host) {
        let second = word(t, place.top, place.top % t.lanes);
        place.second = select(NONE, second, has_top);
    }
    place.left = opens & ~any_of(t, select(0u, 1u << (place.top % 32u), is_close && has_top));
    place.taken = closes & ~ballot(t, has_top);
    if t.lane == 0u {
        let sum = countOneBits(place.taken) | (countOneBits(place.left) << 16u);
        atomicStore(&shared_words[t.chunk], sum);
        if t.lanes > 1u {
            atomicStore(&shared_words[WORKGROUP_SIZE / t.lanes + t.chunk], place.left);
        }
    }
    workgroupBarrier();
    return place;
}

// The lanes that agree with the lane's depth less one in one bit.
fn agree_in_bit(t: Thread, depth: u32, bit: u32) -> u32 {
    let has = ballot(t, (depth & bit) != 0u);
    return select(~has, has, ((depth - 1u) & bit) != 0u);
}

// What a chunk of the tile does: at most 32 closes and opens.
fn chunk_sum(chunk: u32) -> Bicyclic {
    let sum = atomicLoad(&shared_words[chunk]);
    return Bicyclic(sum & 0xffffu, sum >> 16u);
}

// What the chunks first .. end do.
fn sum_of(first: u32, end: u32) -> Bicyclic {
    var sum = IDENTITY;
    for (var chunk = first; chunk < end; chunk++) {
        sum = combine(sum, chunk_sum(chunk));
    }
    return sum;
}

// The top before the thread's element.
fn top_of(t: Thread, place: Place) -> Top {
    return find(t, place.top, place.depth);
}

// Of an end: the top before its begin.
@if(host)
fn second_of(t: Thread, place: Place) -> Top {
    return find(t, place.second, place.depth - 1u);
}

// The top before an element at this depth of the chunk. `lane` is the top's, if it is in the chunk. Else it is in an earlier
// chunk, and `depth` is at most 0, because no earlier open of the chunk is less deep.
fn find(t: Thread, lane: u32, depth: u32) -> Top {
    if lane < t.lanes {
        return Top(t.chunk * t.lanes + lane, 0u);
    }
    // How far below the top of the stack before the chunk in hand.
    var below = 0u - depth;
    for (var chunk = t.chunk; chunk > 0u; chunk--) {
        let sum = chunk_sum(chunk - 1u);
        if below < sum.opens {
            return Top((chunk - 1u) * t.lanes + open_lane(t, chunk - 1u, below), 0u);
        }
        below = below - sum.opens + sum.closes;
    }
    return Top(NONE, below);
}

// The lane that has `above` others above it of those that a chunk leaves open.
fn open_lane(t: Thread, chunk: u32, above: u32) -> u32 {
    if t.lanes == 1u {
        return 0u;
    }
    return place_from_top(atomicLoad(&shared_words[WORKGROUP_SIZE / t.lanes + chunk]), above);
}
