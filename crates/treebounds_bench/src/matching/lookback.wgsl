// Matching in a single pass with look-back: Levien, "The stack monoid revisited" (2021), made
// portable by decoupled fallback (Smith, Levien and Owens, SPAA 2025). Any size and any depth.
//
// One workgroup per partition of T = W K elements. A partition publishes three things on the `board`:
//
//     reduction   one word per partition: closes and opens
//     backlink    one word per partition: the slot of the open on which its slice lies
//     slice       one word per thread: which of its K elements the partition leaves open, and how
//                 many opens of earlier threads the partition leaves
//
// A slot is partition * T + height: the open at this height, counted from the bottom of the opens
// that the partition leaves.
//
//     part = the next ticket
//     reduce the partition; publish its reduction and its slice
//     look back: until closes + 1 opens of the stack before the partition are found,
//         read the reductions of up to W earlier partitions, nearest first;
//         the nearest is not there after some spins? reduce it from the input, and publish it
//         scan them: the slots of the opens that they leave on the stack
//         the farthest with a backlink says where to go on; without one, go on before all of them
//     publish the backlink: the slot of the open number `closes`
//     turn slots into elements by the words of the slices; a word is not there?
//         reduce that partition from the input
//     walk through the elements
//
// # Which guarantee each load relies on
//
// A word of the board is either 0 or final. The dispatch before this one sets every word to 0, and
// WebGPU orders whole dispatches (each is a usage scope of its own). Every store to a word in this
// dispatch stores the same value, because the value depends on the input alone. So a load returns 0
// or that value, in whatever order things happen. After a 0 the kernel does without the word.
//
// - tags, size: written before the dispatch, and read-only in it. No order within it is needed.
// - reductions, backlinks, slices: relaxed atomics. WGSL ("Atomic types", "Scoped operations") gives
//   atomics in the storage address space the scope QueueFamily, so accesses by different workgroups
//   are no data race, and stores to one word have one modification order. A load
//   returns a value that the clear or some store wrote, never a mixture. All that the reader needs is
//   in this one word, so it needs neither acquire nor release. A partition's words may become
//   visible in any order: the reader tests each of them by itself.
// - ticket: atomicAdd. These, too, have one modification order, so each number is drawn once. Tickets
//   make it likely that earlier partitions have begun. No answer depends on that.
// - workgroup variables: workgroupBarrier and workgroupUniformLoad are control barriers with
//   acquire and release at workgroup scope.
// - links are only written, each of them by one thread.
//
// After a fallback, the recomputed reduction and slice are read from workgroup memory, not from
// the board.
//
// # Why it ends without forward progress of other workgroups
//
// A thread loads a word at most SPINS times more, and then its workgroup computes it. Each round of
// `look_back` goes on to an earlier partition; each round of `locate` finishes one partition.
//
// # In bounds
//
// The board has the words that the `*_at` functions count. An open at a depth below nodes[0].y
// lies in a partition of the window, and the window begins at partition 0 or later. The argument for
// `stack` is beside `walk`.

const READY = 0x80000000u;
// A backlink: below the slice there is nothing. Other backlinks are a slot + 2.
const BOTTOM = 1u;

@group(0) @binding(2) var<storage, read_write> board: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> links: array<u32>;

fn partitions() -> u32 {
    return (size.x + T - 1u) / T;
}

fn slice_at(part: u32) -> u32 {
    return part * W;
}

fn reduction_at(part: u32) -> u32 {
    return partitions() * W + part;
}

fn backlink_at(part: u32) -> u32 {
    return partitions() * (W + 1u) + part;
}

fn ticket_at() -> u32 {
    return partitions() * (W + 2u);
}

// Tests keep words off the board: if the number of a partition is period - 1 modulo `period`, no
// workgroup publishes its words, and all have to do without.
fn muted(part: u32, period: u32) -> bool {
    return period != 0u && part % period == period - 1u;
}

// How often `part` looks again for a word: SPINS times, or at random up to SPINS in tests.
fn patience(part: u32) -> u32 {
    if SEED == 0u {
        return SPINS;
    }
    return (((part + 1u) * SEED) >> 8u) % (SPINS + 1u);
}

// The opens of the stack before the partition, top first: slots, then elements. The elements before
// the last of a partition close at most T - 1 opens, so T entries are enough.
var<workgroup> stack: array<u32, T>;
// The words of the slice that was reduced last.
var<workgroup> slice: array<u32, W>;
// The partition's own backlink.
var<workgroup> below: u32;
// One value from one thread to all.
var<workgroup> told: u32;
var<workgroup> nearest_unknown: atomic<u32>;
var<workgroup> farthest_backlink: atomic<u32>;
var<workgroup> wanted: atomic<u32>;
var<workgroup> next: Cursor;

// How far the look-back is.
struct Cursor {
    // It goes on below the first `parts` partitions ...
    parts: u32,
    // ... of the last of which only the lowest `height` opens are left; and ...
    height: u32,
    // ... so many opens from there on are closed before the partition.
    pending: u32,
    // The opens that were found.
    found: u32,
}

@compute @workgroup_size(W)
fn main(@builtin(local_invocation_index) thread: u32) {
    if thread == 0u {
        told = atomicAdd(&board[ticket_at()], 1u);
        below = BOTTOM;
    }
    let part = workgroupUniformLoad(&told);
    // The grid may have more workgroups than there are partitions.
    if part >= partitions() {
        return;
    }
    let own = reduce(part, thread);
    let total = workgroupUniformLoad(&nodes[0]);
    let found = look_back(part, total.x, thread);
    if thread == 0u && !muted(part, MUTED_BACKLINKS) {
        atomicStore(&board[backlink_at(part)], below);
    }
    locate(min(total.x + 1u, T), found, thread);
    walk(part * T, thread, own);
}

// Reduces a partition, its own or another, and publishes it. Leaves the reduction in nodes[0].
fn reduce(part: u32, thread: u32) -> Thread {
    let own = load_thread(part * T + thread * K);
    scan_suffixes(thread, own.bic);
    let after = suffix_after(thread);
    let total = nodes[0];
    if thread == 0u && !muted(part, MUTED_REDUCTIONS) {
        atomicStore(&board[reduction_at(part)], packed(total));
    }
    // Later threads close the topmost after.x; `kept` are left.
    let kept = own.bic.y - min(own.bic.y, after.x);
    var bits = own.unmatched;
    for (var i = kept; i < own.bic.y; i++) {
        bits = without_top(bits);
    }
    let word = READY | ((total.y - after.y - kept) << 16u) | bits;
    slice[thread] = word;
    if !muted(part, MUTED_SLICES) {
        atomicStore(&board[slice_at(part) + thread], word);
    }
    workgroupBarrier();
    return own;
}

// T is at most 2^14, so both fit.
fn packed(total: Bic) -> u32 {
    return READY | (total.x << 15u) | total.y;
}

fn unpacked(word: u32) -> Bic {
    return Bic((word >> 15u) & 0x7fffu, word & 0x7fffu);
}

// Fills `stack` with slots and sets `below`. Returns how many opens were found: closes + 1, or all.
fn look_back(part: u32, closes: u32, thread: u32) -> u32 {
    // The window: this thread has the partition that is `back` before the nearest one.
    let back = W - 1u - thread;
    var at = Cursor(part, T, 0u, 0u);
    while at.parts != 0u {
        let word = reduction(part, at.parts, thread);
        if thread == 0u {
            atomicStore(&nearest_unknown, W);
            atomicStore(&farthest_backlink, W);
        }
        workgroupBarrier();
        if word == 0u {
            atomicMin(&nearest_unknown, back);
        }
        workgroupBarrier();
        let known = atomicLoad(&nearest_unknown);
        var own = Bic(0u, 0u);
        var pending = Bic(0u, 0u);
        if back < known {
            own = unpacked(word);
        }
        if back == 0u {
            own.y = min(own.y, at.height);
            pending.x = at.pending;
        }
        scan_suffixes(thread, join(own, pending));

        let enough = at.found + nodes[0].y > closes;
        var backlink = 0u;
        if back < known && !enough {
            backlink = atomicLoad(&board[backlink_at(at.parts - 1u - back)]);
            if backlink != 0u {
                atomicMin(&farthest_backlink, thread);
            }
        }
        workgroupBarrier();
        // The thread up to which the window is used.
        let farthest = atomicLoad(&farthest_backlink);
        let last = select(farthest, W - known, farthest == W);
        let count = select(nodes[last].y, closes + 1u - at.found, enough);
        for (var depth = thread; depth < count; depth += W) {
            let holder = thread_with(depth);
            let slot = (at.parts - (W - holder)) * T + nodes[holder].y - 1u - depth;
            if at.found + depth < T {
                stack[at.found + depth] = slot;
            }
            if at.found + depth == closes {
                below = slot + 2u;
            }
        }
        if thread == last {
            next = Cursor(0u, 0u, 0u, at.found + count);
            if !enough && backlink == 0u {
                next.parts = at.parts - known;
                next.height = T;
                next.pending = nodes[last].x;
            } else if !enough && backlink != BOTTOM {
                next.parts = (backlink - 2u) / T + 1u;
                next.height = (backlink - 2u) % T + 1u;
                // The backlink is below what this partition itself closes.
                next.pending = nodes[last].x - own.x;
            }
        }
        at = workgroupUniformLoad(&next);
    }
    return at.found;
}

// The reduction of the thread's partition of the window; 0: not known. The nearest one is known.
fn reduction(part: u32, parts: u32, thread: u32) -> u32 {
    let back = W - 1u - thread;
    var word = 0u;
    if back < parts {
        let place = reduction_at(parts - 1u - back);
        word = atomicLoad(&board[place]);
        for (var spin = patience(part); word == 0u && spin > 0u; spin--) {
            word = atomicLoad(&board[place]);
        }
    }
    if back == 0u {
        told = word;
    }
    if workgroupUniformLoad(&told) == 0u {
        _ = reduce(parts - 1u, thread);
        if back == 0u {
            word = packed(nodes[0]);
        }
    }
    return word;
}

// The last thread up to whose partition the stack has more than `depth` opens.
fn thread_with(depth: u32) -> u32 {
    var holder = 0u;
    for (var step = W / 2u; step > 0u; step /= 2u) {
        if nodes[holder + step].y > depth {
            holder += step;
        }
    }
    return holder;
}

// Turns the first `needed` slots of `stack` into elements. Beyond `found` there are none.
fn locate(needed: u32, found: u32, thread: u32) {
    // The slots whose slices are not there: bit i for stack[thread + i * W].
    var missing = 0u;
    for (var i = 0u; thread + i * W < needed; i++) {
        let depth = thread + i * W;
        var element = NONE;
        if depth < found {
            element = element_of(stack[depth], false);
            if element == NONE {
                missing |= 1u << i;
                continue;
            }
        }
        stack[depth] = element;
    }
    loop {
        if thread == 0u {
            atomicStore(&wanted, 0u);
        }
        workgroupBarrier();
        if missing != 0u {
            atomicMax(&wanted, stack[thread + firstTrailingBit(missing) * W] / T + 1u);
        }
        workgroupBarrier();
        if thread == 0u {
            told = atomicLoad(&wanted);
        }
        let parts = workgroupUniformLoad(&told);
        if parts == 0u {
            break;
        }
        _ = reduce(parts - 1u, thread);
        for (var rest = missing; rest != 0u; rest &= rest - 1u) {
            let i = firstTrailingBit(rest);
            let slot = stack[thread + i * W];
            if slot / T == parts - 1u {
                stack[thread + i * W] = element_of(slot, true);
                missing &= ~(1u << i);
            }
        }
    }
}

// The element in a slot, by its partition's slice on the board, or by `slice`; NONE: a word that
// it takes is not on the board.
fn element_of(slot: u32, is_reduced: bool) -> u32 {
    let part = slot / T;
    let height = slot % T;
    // The last thread before which the partition leaves at most `height` opens.
    var holder = 0u;
    for (var step = W / 2u; step > 0u; step /= 2u) {
        let word = slice_word(part, holder + step, is_reduced);
        if word == 0u {
            return NONE;
        }
        if before(word) <= height {
            holder += step;
        }
    }
    let word = slice_word(part, holder, is_reduced);
    if word == 0u {
        return NONE;
    }
    var bits = word & 0xffffu;
    for (var i = before(word); i < height; i++) {
        bits &= bits - 1u;
    }
    return part * T + holder * K + firstTrailingBit(bits);
}

fn slice_word(part: u32, thread: u32, is_reduced: bool) -> u32 {
    if is_reduced {
        return slice[thread];
    }
    return atomicLoad(&board[slice_at(part) + thread]);
}

fn before(word: u32) -> u32 {
    return (word >> 16u) & 0x7fffu;
}
