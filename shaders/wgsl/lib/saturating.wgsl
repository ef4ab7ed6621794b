// Sums of numbers that stay at the largest number instead of starting again from 0. Capacities are below that number
// (check_capacity), so a sum that stays there never fits.

fn add(a: u32, b: u32) -> u32 {
    return a + min(b, ~a);
}

var<workgroup> sum_of_low: atomic<u32>;
var<workgroup> sum_of_high: atomic<u32>;

// The sum of what all threads of the workgroup have. All of them call it, once.
//
// Halves of 16 bits are added apart: 1,024 of them stay below 2^26.
fn workgroup_sum(thread: u32, own: u32) -> u32 {
    if thread == 0u {
        atomicStore(&sum_of_low, 0u);
        atomicStore(&sum_of_high, 0u);
    }
    workgroupBarrier();
    atomicAdd(&sum_of_low, own & 0xffffu);
    atomicAdd(&sum_of_high, own >> 16u);
    workgroupBarrier();
    let low = atomicLoad(&sum_of_low);
    let high = atomicLoad(&sum_of_high) + (low >> 16u);
    return select((high << 16u) | (low & 0xffffu), 0xffffffffu, high > 0xffffu);
}
