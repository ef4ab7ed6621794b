
const NOTHING = vec4<f32>(MAX, MAX, -MAX, -MAX);

// Workgroups are laid out in rows, because one dimension may be too short.
fn index_of(id: vec3<u32>, groups: vec3<u32>, thread: u32) -> u32 {
    return (id.y * groups.x + id.x) * WORKGROUP_SIZE + thread;
}
