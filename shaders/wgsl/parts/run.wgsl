// Runs: a thread holds RUN consecutive elements of its tile, as bits of a word, the first the lowest.
//
// What a run opens is a stack too: a word of bits, of which the highest is the top.

// Divides 32: a run lies in one group of elements.
const RUN = PER_THREAD;

struct Run {
    opens: u32,
    closes: u32,
    // The opens that the run leaves open.
    left: u32,
    // How many closes of what it did not open: all of them before what it leaves open.
    taken: u32,
}

// The thread's part of its group.
fn run_of(group: Group, thread: u32) -> Run {
    let place = thread * RUN % 32u;
    var run: Run;
    run.opens = extractBits(group.opens, place, RUN);
    run.closes = extractBits(group.closes, place, RUN);
    for (var i = 0u; i < RUN; i++) {
        let bit = 1u << i;
        if (run.opens & bit) != 0u {
            run.left |= bit;
        } else if (run.closes & bit) != 0u {
            run.taken += u32(run.left == 0u);
            run.left = without_top(run.left);
        }
    }
    return run;
}

// Of none there is none to take.
fn without_top(bits: u32) -> u32 {
    return bits & ~(1u << (firstLeadingBit(bits) & 31u));
}

// What later closes leave of it.
fn without_tops(bits: u32, count: u32) -> u32 {
    var left = bits;
    for (var i = min(count, countOneBits(bits)); i > 0u; i--) {
        left = without_top(left);
    }
    return left;
}
