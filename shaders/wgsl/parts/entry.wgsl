// Entry without subgroups: a thread's place in its workgroup is its local index.
//
// Workgroups are laid out in rows, because one dimension of a dispatch may be
// too short for all of them; `group` counts through the rows.

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    kernel(id.y * groups.x + id.x, thread, 1u);
}
