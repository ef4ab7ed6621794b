// Roles of elements: open, close or neither. A record contains the roles of 32 elements, one bit per element in each word.

import package::kernel::{plan, words};
import package::constants::{TILE, WORKGROUP_SIZE};
import package::layout::{ROLES_MARKERS, ROLES_MARKERS_BEFORE, ROLES_NON_LOCAL, ROLES_OPENS, ROLES_WORDS};
import package::lib::chunks::{Thread, ballot};

// The bits of the role of one element; 0 for a draw.
const OPENS = 1u;
const CLOSES = 2u;
// Set only for opens: the blend mode of the node changes pixels outside its source.
const NON_LOCAL = 4u;

// The number of records per tile; the last may have fewer elements.
const RECORDS = (TILE + 31u) / 32u;

// The roles of 32 consecutive elements, the first in the lowest bit: four words of scratch memory.
struct Roles {
    opens: u32,
    // Opens and closes.
    markers: u32,
    // The opens of non-local nodes.
    non_local: u32,
    // The number of markers before these elements: in the tile; after compact_markers, in the whole stream.
    markers_before: u32,
}

fn role_in(roles: Roles, at: u32) -> u32 {
    let bit = at % 32u;
    let opens = (roles.opens >> bit) & 1u;
    let is_marker = (roles.markers >> bit) & 1u;
    return opens | ((is_marker ^ opens) << 1u) | (((roles.non_local >> bit) & 1u) << 2u);
}

// Returns the number of markers before an element of the record.
fn rank_in(roles: Roles, at: u32) -> u32 {
    return roles.markers_before + countOneBits(roles.markers & ((1u << (at % 32u)) - 1u));
}

// The index of a record is tile * RECORDS + place in the tile / 32. In bounds: the buffer is sized for the records of all
// tiles of the capacity.
fn load(record: u32) -> Roles {
    let at = plan.roles + ROLES_WORDS * record;
    return Roles(
        words[at + ROLES_OPENS],
        words[at + ROLES_MARKERS],
        words[at + ROLES_NON_LOCAL],
        words[at + ROLES_MARKERS_BEFORE],
    );
}

fn store(record: u32, roles: Roles) {
    let at = plan.roles + ROLES_WORDS * record;
    words[at + ROLES_OPENS] = roles.opens;
    words[at + ROLES_MARKERS] = roles.markers;
    words[at + ROLES_NON_LOCAL] = roles.non_local;
    words[at + ROLES_MARKERS_BEFORE] = roles.markers_before;
}

// ---------------------------------------------------------------------------------------------------------------------
// Collecting the records of a tile in workgroup memory

struct Collected {
    opens: atomic<u32>,
    markers: atomic<u32>,
    non_local: atomic<u32>,
}

var<workgroup> collected: array<Collected, RECORDS>;

// A barrier must follow before a thread adds to the records.
fn clear_collected(thread: u32) {
    for (var record = thread; record < RECORDS; record += WORKGROUP_SIZE) {
        atomicStore(&collected[record].opens, 0u);
        atomicStore(&collected[record].markers, 0u);
        atomicStore(&collected[record].non_local, 0u);
    }
}

// Adds bits to a record; `record` is below RECORDS.
fn collect_bits(record: u32, opens: u32, markers: u32, non_local: u32) {
    if markers != 0u {
        atomicOr(&collected[record].opens, opens);
        atomicOr(&collected[record].markers, markers);
        atomicOr(&collected[record].non_local, non_local);
    }
}

// Collects the role of each thread's element, whose place in the tile is t.index. A barrier must follow.
fn collect(t: Thread, role: u32) {
    clear_collected(t.index);
    workgroupBarrier();
    let opens = ballot(t, (role & OPENS) != 0u);
    let closes = ballot(t, (role & CLOSES) != 0u);
    let non_local = ballot(t, (role & NON_LOCAL) != 0u);
    if t.lane == 0u {
        let bit = t.index % 32u;
        collect_bits(t.index / 32u, opens << bit, (opens | closes) << bit, non_local << bit);
    }
}

fn collected_markers(record: u32) -> u32 {
    return atomicLoad(&collected[record].markers);
}

// Returns the number of markers in the earlier records of the tile.
fn collected_before(record: u32) -> u32 {
    var markers = 0u;
    for (var earlier = 0u; earlier < record; earlier++) {
        markers += countOneBits(collected_markers(earlier));
    }
    return markers;
}

// Returns the number of markers before place `at` of the tile.
fn collected_rank(at: u32) -> u32 {
    return collected_before(at / 32u) + countOneBits(collected_markers(at / 32u) & ((1u << (at % 32u)) - 1u));
}

fn collected_record(record: u32, markers_before: u32) -> Roles {
    let opens = atomicLoad(&collected[record].opens);
    let non_local = atomicLoad(&collected[record].non_local);
    return Roles(opens, collected_markers(record), non_local, markers_before);
}
