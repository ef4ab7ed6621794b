// Rows of codes through the subgroup: QUADS lanes in a row hold as many rows of
// QUADS quads; they transpose them, and store a row together, so that what goes to
// global memory at once is in pieces of 16 * QUADS bytes.
//
//     lane   holds              after 1 apart      after 2 apart
//     0      a0 b0 c0 d0        a0 a1 c0 c1        a0 a1 a2 a3
//     1      a1 b1 c1 d1        b0 b1 d0 d1        b0 b1 b2 b3
//     2      a2 b2 c2 d2        a2 a3 c2 c3        c0 c1 c2 c3
//     3      a3 b3 c3 d3        b2 b3 d2 d3        d0 d1 d2 d3

fn store_row(tile: u32, thread: u32, lanes: u32, start: u32, row: Row) {
    if QUADS == 1u || lanes < QUADS {
        let element = tile * TILE + thread * PER_THREAD + start;
        store_four(tile, element, start, row.a);
        if QUADS > 1u {
            store_four(tile, element + 4u, start + 4u, row.b);
        }
        if QUADS > 2u {
            store_four(tile, element + 8u, start + 8u, row.c);
            store_four(tile, element + 12u, start + 12u, row.d);
        }
        return;
    }
    let odd = thread % 2u != 0u;
    var rows = swapped(row.a, row.b, odd, 1u);
    let lane = thread % QUADS;
    let column = start + 4u * lane;
    let element = tile * TILE + (thread - lane) * PER_THREAD + column;
    if QUADS > 2u {
        let more = swapped(row.c, row.d, odd, 1u);
        let high = thread % 4u >= 2u;
        let even_rows = swapped(rows.xy, more.xy, high, 2u);
        let odd_rows = swapped(rows.zw, more.zw, high, 2u);
        store_four(tile, element + 2u * PER_THREAD, column, even_rows.zw);
        store_four(tile, element + 3u * PER_THREAD, column, odd_rows.zw);
        rows = vec4<u32>(even_rows.xy, odd_rows.xy);
    }
    store_four(tile, element, column, rows.xy);
    store_four(tile, element + PER_THREAD, column, rows.zw);
}

// Of two quads, the lower lane of a pair keeps the first and takes its partner's
// first; the upper one keeps the second and takes its partner's second. In order
// of the lanes that they come from.
fn swapped(first: vec2<u32>, second: vec2<u32>, upper: bool, apart: u32) -> vec4<u32> {
    let other = subgroupShuffleXor(select(second, first, upper), apart);
    return vec4<u32>(select(first, other, upper), select(other, second, upper));
}
