// Sums over the threads before each, in workgroup memory.
//
// Valid after: sums_build, in every thread.

var<workgroup> sums: array<u32, WORKGROUP_SIZE>;

// Each round adds what the thread `reach` before has summed so far.
fn sums_build(thread: u32, lanes: u32, own: u32) {
    var sum = own;
    for (var reach = 1u; reach < WORKGROUP_SIZE; reach *= 2u) {
        sums[thread] = sum;
        workgroupBarrier();
        if thread >= reach {
            sum += sums[thread - reach];
        }
        workgroupBarrier();
    }
    sums[thread] = sum - own;
    workgroupBarrier();
}

fn sums_before(thread: u32) -> u32 {
    return sums[thread];
}
