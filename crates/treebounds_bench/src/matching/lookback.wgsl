// Matching in a single pass with look-back: Levien, "The stack monoid revisited" (2021), made
// portable by decoupled fallback (Smith, Levien and Owens, SPAA 2025). For any size and depth.
//
// One workgroup per partition of T = W K elements. A partition publishes three values on the `board`:
//
//     reduction   one word per partition: closes and opens
//     backlink    one word per partition: the slot of the open below its slice
//     slice       one word per thread: which of its K elements the partition leaves open, and the
//                 number of opens of earlier threads that the partition leaves
//
// A slot is partition * T + height: the open at this height, counted from the lowest open that the
// partition leaves.
//
//     part = the next ticket
//     reduce the partition; publish its reduction and slice
//     look back: until closes + 1 opens of the stack before the partition are found,
//         read the reductions of up to W earlier partitions, nearest first;
//         if the nearest is missing after some spins, reduce it from the input and publish it
//         scan the reductions: the slots of the opens that they leave on the stack
//         continue at the backlink of the farthest partition that has one, or before all of them
//     publish the backlink: the slot of the open number `closes`
//     convert slots to elements with the slices; if a word is missing,
//         reduce its partition from the input
//     walk through the elements
//
// # Memory guarantees
//
// A word on the board is either 0 or final. The previous dispatch sets all words to 0, and WebGPU
// orders whole dispatches (each is a separate usage scope). All stores to a word in this dispatch store
// the same value, because the value depends only on the input. Therefore, a load returns 0 or this
// value, for any execution order. After a 0, the kernel computes the word itself.
//
// - tags, size: written before the dispatch, and read-only in it, so no ordering is needed.
// - reductions, backlinks, slices: relaxed atomics. In WGSL ("Atomic types", "Scoped operations"),
//   atomics in the storage address space have the scope QueueFamily, so accesses by different
//   workgroups are not data races, and stores to one word have a single modification order. A load
//   returns a value written by the clear or a store, never a mixture. The reader needs only this word,
//   so neither acquire nor release is needed. A partition's words may become visible in any order: the
//   reader tests each word separately.
// - ticket: atomicAdd, which also has a single modification order, so each number is drawn once.
//   Tickets make it likely that earlier partitions have started. No result depends on this.
// - workgroup variables: workgroupBarrier and workgroupUniformLoad are control barriers with
//   acquire and release at workgroup scope.
// - links: only written, each by one thread.
//
// After a fallback, the recomputed reduction and slice are read from workgroup memory, not from
// the board.
//
// # Termination without forward progress of other workgroups
//
// A thread reloads a word at most SPINS times, then its workgroup computes it. Each iteration of
// `look_back` moves to an earlier partition; each iteration of `locate` finishes one partition.
//
// # In bounds
//
// The board has the number of words counted by the `*_at` functions. An open at a depth below nodes[0].y
// is in a partition of the window, and the window begins at partition 0 or later. `walk.wgsl` explains why
// indices of `stack` are in bounds.

const READY = 0x80000000u;
// The backlink of a slice at the bottom of the stack. Other backlinks are a slot + 2.
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

// Whether a test suppresses the words of a partition: if `part` is period - 1 modulo `period`, no
// workgroup publishes them, and every workgroup that needs them computes them.
fn muted(part: u32, period: u32) -> bool {
    return period != 0u && part % period == period - 1u;
}

// The number of times that `part` reloads a word: SPINS, or a random number up to SPINS in tests.
fn patience(part: u32) -> u32 {
    if SEED == 0u {
        return SPINS;
    }
    return (((part + 1u) * SEED) >> 8u) % (SPINS + 1u);
}

// The opens of the stack before the partition, top first: slots, then elements. The elements before
// the last one of a partition close at most T - 1 opens, so T entries are sufficient.
var<workgroup> stack: array<u32, T>;
// The words of the last reduced slice.
var<workgroup> slice: array<u32, W>;
// The partition's own backlink.
var<workgroup> below: u32;
// A value that one thread broadcasts.
var<workgroup> told: u32;
var<workgroup> nearest_unknown: atomic<u32>;
var<workgroup> farthest_backlink: atomic<u32>;
var<workgroup> wanted: atomic<u32>;
var<workgroup> next: Cursor;

// The position of the look-back.
struct Cursor {
    // The look-back continues with the first `parts` partitions.
    parts: u32,
    // The number of remaining opens of the last of these partitions.
    height: u32,
    // The number of opens of these partitions that are closed before the current partition.
    pending: u32,
    // The number of opens found so far.
    found: u32,
}

@compute @workgroup_size(W)
fn main(@builtin(local_invocation_index) thread: u32) {
    if thread == 0u {
        told = atomicAdd(&board[ticket_at()], 1u);
        below = BOTTOM;
    }
    let part = workgroupUniformLoad(&told);
    // The grid may have more workgroups than partitions.
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

// Reduces any partition and publishes the result. Leaves the reduction in nodes[0].
fn reduce(part: u32, thread: u32) -> Thread {
    let own = load_thread(part * T + thread * K);
    scan_suffixes(thread, own.bic);
    let after = suffix_after(thread);
    let total = nodes[0];
    if thread == 0u && !muted(part, MUTED_REDUCTIONS) {
        atomicStore(&board[reduction_at(part)], packed(total));
    }
    // Later threads close the topmost after.x opens; `kept` remain.
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

// T is at most 2^14, so both counts fit 15 bits.
fn packed(total: Bic) -> u32 {
    return READY | (total.x << 15u) | total.y;
}

fn unpacked(word: u32) -> Bic {
    return Bic((word >> 15u) & 0x7fffu, word & 0x7fffu);
}

// Fills `stack` with slots and sets `below`. Returns the number of opens found: closes + 1, or all.
fn look_back(part: u32, closes: u32, thread: u32) -> u32 {
    // This thread handles the partition at distance `back` from the nearest partition in the window.
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
        // The last used thread of the window.
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
                // The backlink is already below the nodes that this partition closes.
                next.pending = nodes[last].x - own.x;
            }
        }
        at = workgroupUniformLoad(&next);
    }
    return at.found;
}

// The reduction of the thread's partition in the window, or 0 if unknown. The nearest is always known.
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

// The last thread t such that the partitions of t and all later threads together leave more than `depth`
// opens.
fn thread_with(depth: u32) -> u32 {
    var holder = 0u;
    for (var step = W / 2u; step > 0u; step /= 2u) {
        if nodes[holder + step].y > depth {
            holder += step;
        }
    }
    return holder;
}

// Converts the first `needed` slots of `stack` to elements. Entries beyond `found` become NONE.
fn locate(needed: u32, found: u32, thread: u32) {
    // The slots with missing slices: bit i for stack[thread + i * W].
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

// Finds the element in a slot with its partition's slice, on the board or in `slice`. Returns NONE if the
// board still lacks a required word.
fn element_of(slot: u32, is_reduced: bool) -> u32 {
    let part = slot / T;
    let height = slot % T;
    // The last thread with at most `height` remaining opens of earlier threads.
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
