// Gathers a bit an element into words of workgroup memory, a ballot at a time.

// All threads call it together; `at` is an element of the tile, of which bit `at % 32` goes
// to masks[word]. Lanes hold consecutive elements from a multiple of `lanes` on.
fn bits_note(word: u32, at: u32, lanes: u32, bit: bool) {
    if lanes == 1u {
        if bit {
            atomicOr(&masks[word], 1u << (at % 32u));
        }
        return;
    }
    let ballot = subgroupBallot(bit);
    let lane = at % lanes;
    if lane % 32u == 0u {
        atomicOr(&masks[word], ballot[lane / 32u] << (at % 32u));
    }
}
