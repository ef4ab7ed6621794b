// Edges as words: those of numbers in the same order, so that the greatest is one atomic operation. Zero
// is no number.
fn edge_word(edge: f32) -> u32 {
    let bits = bitcast<u32>(edge);
    return select(bits | 0x80000000u, ~bits, bits >= 0x80000000u);
}

fn edge_of(word: u32) -> f32 {
    return bitcast<f32>(select(~word, word & 0x7fffffffu, word >= 0x80000000u));
}

// Low edges the other way round, so that of all edges the greatest word wins.
fn gap_words(box: vec4<f32>) -> vec4<u32> {
    return vec4<u32>(
        ~edge_word(box.x),
        ~edge_word(box.y),
        edge_word(box.z),
        edge_word(box.w),
    );
}

fn gap_box(words: vec4<u32>) -> vec4<f32> {
    if words.x == 0u {
        return NOTHING;
    }
    return vec4<f32>(
        edge_of(~words.x),
        edge_of(~words.y),
        edge_of(words.z),
        edge_of(words.w),
    );
}
