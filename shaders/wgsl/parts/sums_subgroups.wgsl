// Sums over the threads before each, in workgroup memory; subgroups sum their own
// without a barrier.
//
// Valid after: sums_build, in every thread.

var<workgroup> sums: array<u32, WORKGROUP_SIZE>;

// Lanes first; then each round adds what the subgroup `reach` before has summed so
// far. What the first lanes of a subgroup take from below it is undefined, but
// `lane >= width` never reads it.
fn sums_build(thread: u32, lanes: u32, own: u32) {
    let lane = thread % lanes;
    let subgroup = thread / lanes;
    var sum = own;
    for (var round = 0u; round < firstTrailingBit(lanes); round++) {
        let width = 1u << round;
        let below = subgroupShuffleUp(sum, width);
        sum += select(0u, below, lane >= width);
    }
    var earlier = 0u;
    if lane == lanes - 1u {
        earlier = sum;
    }
    for (var reach = 1u; reach < WORKGROUP_SIZE / lanes; reach *= 2u) {
        if lane == lanes - 1u {
            sums[subgroup] = earlier;
        }
        workgroupBarrier();
        if lane == lanes - 1u && subgroup >= reach {
            earlier += sums[subgroup - reach];
        }
        workgroupBarrier();
    }
    if lane == lanes - 1u {
        sums[subgroup] = earlier - sum;
    }
    workgroupBarrier();
    let before = sums[subgroup] + sum - own;
    workgroupBarrier();
    sums[thread] = before;
    workgroupBarrier();
}

fn sums_before(thread: u32) -> u32 {
    return sums[thread];
}
