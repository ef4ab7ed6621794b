// Gathers a bit an element into words of workgroup memory.

// All threads call it together; `at` is an element of the tile, of which bit `at % 32` goes
// to masks[word].
fn bits_note(word: u32, at: u32, lanes: u32, bit: bool) {
    if bit {
        atomicOr(&masks[word], 1u << (at % 32u));
    }
}
