// bin_status: writes the status of bin_pieces if one word cannot count both the entries and the workgroups.
//
//     workgroup  a single one
//     thread     only the first
//
// It runs after all workgroups of bin_pieces have added their entries, and resets the count to 0 for the next run.

import package::lib::bin_status::write_status;
import package::lib::threads::{Local, Workgroup, thread_index, workgroup_index};
import package::layout::{BinPlan, BinStatus, Params};
import package::constants::WORKGROUP_SIZE;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(19) var<uniform> bin: BinPlan;
@group(0) @binding(20) var<storage, read_write> bin_status: BinStatus;
// The number of entries that all workgroups of bin_pieces have added.
@group(0) @binding(23) var<storage, read_write> bin_total: atomic<u32>;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(workgroup: Workgroup, local: Local) {
    let group = workgroup_index(workgroup);
    let thread = thread_index(workgroup, local);
    if group == 0u && thread == 0u {
        write_status(atomicExchange(&bin_total, 0u));
    }
}
