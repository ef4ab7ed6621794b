// Sums that saturate at 2^32 - 1 instead of wrapping. Every capacity is smaller (check_capacity), so a saturated sum always
// exceeds the capacity.

fn add(a: u32, b: u32) -> u32 {
    return a + min(b, ~a);
}

var<workgroup> sum_of_low: atomic<u32>;
var<workgroup> sum_of_high: atomic<u32>;

// Returns the sum over all threads of the workgroup. All threads call it, once.
//
// The upper and lower 16 bits are summed separately: with up to 1,024 threads, each sum stays below 2^26.
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
