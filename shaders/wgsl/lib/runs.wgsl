// Runs: RUN consecutive elements, a thread each, as the bits of words.

import package::constants::RUN;
import package::lib::chunks::{Thread, ballot, lanes};
import package::lib::elements;
import package::lib::roles::{CLOSES, NON_LOCAL, OPENS, Roles};

const ALL_OF_RUN = 0xffffffffu >> (32u - RUN);

// The roles of the thread's run. The lanes of a chunk read rows of elements side by side: row r of a chunk of l lanes
// is elements r * l .. r * l + l of the chunk, so a row lies in one run as long as l is at most RUN. Ballots then give
// all lanes the row's bits, and the lane whose run it is keeps them. Eight loads at a time: memory answers late.
fn run_of(t: Thread, first: u32) -> Roles {
    var run = Roles(0u, 0u, 0u, 0u);
    if lanes(t) == 1u || lanes(t) > RUN {
        return own_run(first + t.index * RUN);
    }
    let chunk_first = first + (t.index - t.lane) * RUN + t.lane;
    for (var row = 0u; row < RUN; row += 8u) {
        var read: array<u32, 8>;
        for (var i = 0u; i < 8u; i++) {
            read[i] = elements::role_at(chunk_first + (row + i) * t.lanes);
        }
        for (var i = 0u; i < 8u; i++) {
            run = with_row(t, run, read[i], (row + i) * t.lanes - t.lane * RUN);
        }
    }
    return run;
}

// A row of more lanes than RUN would be of several runs: each thread reads its own.
fn own_run(first: u32) -> Roles {
    var run = Roles(0u, 0u, 0u, 0u);
    for (var i = 0u; i < RUN; i++) {
        let role = elements::role_at(first + i);
        run.opens |= u32((role & OPENS) != 0u) << i;
        run.markers |= u32((role & (OPENS | CLOSES)) != 0u) << i;
        run.non_local |= u32((role & NON_LOCAL) != 0u) << i;
    }
    return run;
}

// With a row that begins at the run's element `place`, or lies in another run.
fn with_row(t: Thread, run: Roles, role: u32, place: u32) -> Roles {
    let opens = ballot(t, (role & OPENS) != 0u);
    let markers = ballot(t, (role & (OPENS | CLOSES)) != 0u);
    let non_local = ballot(t, (role & NON_LOCAL) != 0u);
    let mask = select(0u, ALL_OF_RUN, place < RUN);
    let shift = place % 32u;
    return Roles(
        run.opens | ((opens << shift) & mask),
        run.markers | ((markers << shift) & mask),
        run.non_local | ((non_local << shift) & mask),
        0u,
    );
}
