// load clips: Vello's clip input as a stream of nodes.
//
// One thread a begin or end.
//
//     tag, rect = begin: CLIP, the box of its path;  end: CLIP, nothing
//     the first thread: params = the plane for a viewport, and how many there are
//
// Reads 8 bytes and, for a begin, 24; writes 20.

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let clip = index_of(id, groups, thread);
    let count = min(config.n_clips, arrayLength(&rects));
    if clip == 0u {
        params = Params(PLANE, count, 0u, 0u, 0u);
    }
    // `bind` demands that clip_inp and tags are as long as rects
    if clip >= count {
        return;
    }
    let path = clip_inp[clip].path_ix;
    if path < 0 {
        tags[clip] = ROLE_END | CLIP;
        rects[clip] = NOTHING;
        return;
    }
    tags[clip] = ROLE_BEGIN | CLIP;
    // A path of the encoding; wgpu's check holds for one that is not.
    rects[clip] = canonical(path_bboxes[path]);
}
