// bin_count: how many items of each chunk touch each child of its parent?
//
// One workgroup a chunk of TILE items; a thread takes every WORKGROUP_SIZE-th.
//
//     first level: range = the bins that the element's box touches; keep it
//                  needed += how many they are
//     steps = 0
//     for each item, x0, y0, x1, y1 = the children that it touches:
//         steps[y0][x0] += 1, steps[y0][x1] -= 1, steps[y1][x0] -= 1, steps[y1][x1] += 1
//     add up the steps along rows, then along columns: now they are counts
//     matrix[parent, child, chunk] = count of the child (near: matrix[chunk, child], and
//         `needed` is not kept)
//
// Four additions an item, however large it is.
//
// Reads the box of an element once, 16 bytes, and writes 8 for its range; on later
// levels it reads 12 an item. Writes a word a child.

// One more than there are children, on both sides.
const STEPS_SIDE = BIN_FAN + 1u;
const STEPS = STEPS_SIDE * STEPS_SIDE;

var<workgroup> steps: array<atomic<i32>, STEPS>;

fn kernel(group: u32, thread: u32, lanes: u32) {
    let chunk = find_chunk(group, thread, false);
    if chunk.exists == 0u {
        return;
    }
    for (var i = thread; i < STEPS; i += WORKGROUP_SIZE) {
        atomicStore(&steps[i], 0);
    }
    workgroupBarrier();

    let corner = corner(chunk.parent);
    var needed = 0u;
    for (var item = chunk.start + thread; item < chunk.end; item += WORKGROUP_SIZE) {
        var range = vec4<u32>(0u);
        if bin.level == 0u {
            range = measure(box_of(item));
            words[bin.ranges + 2u * item] = range.x | (range.y << 16u);
            words[bin.ranges + 2u * item + 1u] = range.z | (range.w << 16u);
            needed = combine(needed, (range.z - range.x) * (range.w - range.y));
        } else {
            range = load_range(item_element(item));
        }
        step_around(children(range, corner));
    }
    workgroupBarrier();
    add_up(thread);

    let all = fan().x * fan().y;
    for (var child = thread; child < all; child += WORKGROUP_SIZE) {
        let place = child_place(child);
        let count = atomicLoad(&steps[place.y * STEPS_SIDE + place.x]);
        let far = chunk.matrix + child * chunk.chunks + chunk.index;
        let at = select(far, chunk.index * all + child, bin.is_near != 0u);
        words[bin.matrix + at] = u32(count);
    }
    if bin.level == 0u && bin.is_near == 0u {
        block_build(thread, lanes, needed);
        if thread == 0u {
            words[bin.needs + group] = block[1];
        }
    }
}

// No side is over the fan, which is at most BIN_FAN.
fn step_around(cells: vec4<u32>) {
    if cells.x == cells.z {
        return;
    }
    atomicAdd(&steps[cells.y * STEPS_SIDE + cells.x], 1);
    atomicAdd(&steps[cells.y * STEPS_SIDE + cells.z], -1);
    atomicAdd(&steps[cells.w * STEPS_SIDE + cells.x], -1);
    atomicAdd(&steps[cells.w * STEPS_SIDE + cells.z], 1);
}

// A thread a row, then a thread a column.
fn add_up(thread: u32) {
    for (var y = thread; y < fan().y; y += WORKGROUP_SIZE) {
        var sum = 0;
        for (var x = 0u; x < fan().x; x++) {
            sum += atomicLoad(&steps[y * STEPS_SIDE + x]);
            atomicStore(&steps[y * STEPS_SIDE + x], sum);
        }
    }
    workgroupBarrier();
    for (var x = thread; x < fan().x; x += WORKGROUP_SIZE) {
        var sum = 0;
        for (var y = 0u; y < fan().y; y++) {
            sum += atomicLoad(&steps[y * STEPS_SIDE + x]);
            atomicStore(&steps[y * STEPS_SIDE + x], sum);
        }
    }
    workgroupBarrier();
}
