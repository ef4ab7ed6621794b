// An entry by its place in the stream, below their count.
fn entry_load(item: u32) -> u32 {
    return words[plan.entries + item];
}
