// Roles: what elements do to the stack, a bit an element, 32 elements a record.

import package::kernel::{plan, words};
import package::constants::{TILE, WORKGROUP_SIZE};
import package::layout::{ROLES_MARKERS, ROLES_MARKERS_BEFORE, ROLES_NON_LOCAL, ROLES_OPENS, ROLES_WORDS};
import package::lib::chunks::{Thread, ballot};

// The role of one element.
const OPENS = 1u;
const CLOSES = 2u;
// Of an element that opens a node: the blend changes pixels outside its source.
const NON_LOCAL = 4u;

// Records of a tile; the last may be short.
const RECORDS = (TILE + 31u) / 32u;

// The roles of 32 consecutive elements, the first the lowest bit; four words in scratch.
struct Roles {
    opens: u32,
    // Opens and closes.
    markers: u32,
    // Some of the opens.
    non_local: u32,
    // Nodes of the tile before these elements; of a stream whose nodes are counted first, of the whole stream.
    markers_before: u32,
}

fn role_in(roles: Roles, at: u32) -> u32 {
    let bit = at % 32u;
    let opens = (roles.opens >> bit) & 1u;
    let is_marker = (roles.markers >> bit) & 1u;
    return opens | ((is_marker ^ opens) << 1u) | (((roles.non_local >> bit) & 1u) << 2u);
}

// How many nodes come before an element.
fn rank_in(roles: Roles, at: u32) -> u32 {
    return roles.markers_before + countOneBits(roles.markers & ((1u << (at % 32u)) - 1u));
}

// Records are numbered over all tiles: tile * RECORDS + place in the tile / 32. In bounds: the buffer is sized for
// all tiles of the capacity.
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

// A record of the workgroup's tile while its threads collect it.
struct Noted {
    opens: atomic<u32>,
    markers: atomic<u32>,
    non_local: atomic<u32>,
}

var<workgroup> noted: array<Noted, RECORDS>;

// Clears the records. A barrier must follow before a thread adds to them.
fn note_clear(thread: u32) {
    for (var record = thread; record < RECORDS; record += WORKGROUP_SIZE) {
        atomicStore(&noted[record].opens, 0u);
        atomicStore(&noted[record].markers, 0u);
        atomicStore(&noted[record].non_local, 0u);
    }
}

// Adds bits to a record: below RECORDS.
fn note_bits(record: u32, opens: u32, markers: u32, non_local: u32) {
    if markers != 0u {
        atomicOr(&noted[record].opens, opens);
        atomicOr(&noted[record].markers, markers);
        atomicOr(&noted[record].non_local, non_local);
    }
}

// Notes the role of each thread's element, which is the thread's number. A barrier must follow.
fn note(t: Thread, role: u32) {
    note_clear(t.index);
    workgroupBarrier();
    let opens = ballot(t, (role & OPENS) != 0u);
    let closes = ballot(t, (role & CLOSES) != 0u);
    let non_local = ballot(t, (role & NON_LOCAL) != 0u);
    if t.lane == 0u {
        let bit = t.index % 32u;
        note_bits(t.index / 32u, opens << bit, (opens | closes) << bit, non_local << bit);
    }
}

fn noted_markers(record: u32) -> u32 {
    return atomicLoad(&noted[record].markers);
}

// The nodes that are noted in the records before one.
fn noted_before(record: u32) -> u32 {
    var markers = 0u;
    for (var earlier = 0u; earlier < record; earlier++) {
        markers += countOneBits(noted_markers(earlier));
    }
    return markers;
}

// The nodes that are noted before the tile's element `at`.
fn noted_rank(at: u32) -> u32 {
    return noted_before(at / 32u) + countOneBits(noted_markers(at / 32u) & ((1u << (at % 32u)) - 1u));
}

// One record as it was noted, with the number of nodes before it.
fn noted_record(record: u32, markers_before: u32) -> Roles {
    let opens = atomicLoad(&noted[record].opens);
    let non_local = atomicLoad(&noted[record].non_local);
    return Roles(opens, noted_markers(record), non_local, markers_before);
}
