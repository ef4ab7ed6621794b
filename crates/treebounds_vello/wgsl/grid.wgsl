
const NOTHING = vec4<f32>(MAX, MAX, -MAX, -MAX);

// Workgroups are arranged in rows, because they may exceed one dimension.
fn index_of(id: vec3<u32>, groups: vec3<u32>, thread: u32) -> u32 {
    return (id.y * groups.x + id.x) * WORKGROUP_SIZE + thread;
}
