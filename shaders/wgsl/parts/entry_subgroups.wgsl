// Entry with subgroups: a thread's place in its workgroup follows its lane, so
// that the threads of a subgroup hold consecutive parts of the input.
//
// No API promises how local indices map to lanes. Counting through subgroups is
// a bijection onto 0 .. WORKGROUP_SIZE exactly when every subgroup is full;
// where one is not, the local index serves, and the subgroup counts as one lane
// wide, which makes every kernel fall back to workgroup memory: right, though slower than
// a kernel without subgroups. The number of
// lanes is handed on as a value, so that a compiler sees that it is uniform.
//
// Direct3D has no numbers of subgroups: naga makes them from the local index. There it
// rests on each wave holding as many consecutive indices as it has lanes.

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
    @builtin(subgroup_size) size: u32,
    @builtin(subgroup_invocation_id) lane: u32,
    @builtin(subgroup_id) subgroup: u32,
    @builtin(num_subgroups) subgroups: u32,
) {
    let full = subgroups * size == WORKGROUP_SIZE;
    let lanes = select(1u, size, full);
    kernel(id.y * groups.x + id.x, select(local, subgroup * size + lane, full), lanes);
}
