// damage_clear: marks all bins as undamaged.
//
//     workgroup  WORKGROUP_SIZE consecutive bins
//     thread     one bin
//
//     rects[bin] = the empty rect, the identity of union
//     every 32nd thread:  bits of 32 bins = 0
//
// In bounds: threads past the last bin return. There is one word of bits per 32 bins.
//
// Writes 16 bytes per bin, and 4 per 32 bins.

import package::lib::threads::{Local, Workgroup, thread_index, workgroup_index};
import package::layout::BinPlan;
import package::constants::WORKGROUP_SIZE;

@group(0) @binding(19) var<uniform> bin: BinPlan;
// One bit per bin.
@group(0) @binding(49) var<storage, read_write> damage_bits: array<u32>;
// The damaged pixels of each bin: x0, y0, x1, y1.
@group(0) @binding(50) var<storage, read_write> damage_rects: array<vec4<u32>>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let at = workgroup_index(workgroup) * WORKGROUP_SIZE + thread_index(workgroup, local);
    if at >= bin.columns * bin.rows {
        return;
    }
    damage_rects[at] = vec4<u32>(0xffffffffu, 0xffffffffu, 0u, 0u);
    if at % 32u == 0u {
        damage_bits[at / 32u] = 0u;
    }
}
