// apply: writes the stage's results to the outputs of Vello's clip stage.
//
// One thread per begin or end. The elements of the stream are draw objects.
//
//     begin: clip box = its clip
//            if its blend is local and the capacity was not exceeded, path box = its content
//     end:   clip box = the clip around the node that it closes
//            draw monoid: path, scene and info offsets of its begin
//
// Threads are independent: a close writes its own draw monoid and reads the draw monoid of its open; an
// open writes the box of its own path, which no thread reads here.
// Reads about 60 bytes, writes 28 or 32.

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let clip = index_of(id, groups, thread);
    // counts.markers <= capacity <= the lengths of clip_inp, links, clips, contents and clip_bboxes
    if clip >= min(config.n_clips, counts.markers) {
        return;
    }
    let input = clip_inp[clip];
    if input.path_ix >= 0 {
        clip_bboxes[clip] = plane_of(clips[clip]);
        if is_complete() && (tags[input.ix] & NON_LOCAL) == 0u {
            shrink(u32(input.path_ix), contents[clip]);
        }
        return;
    }
    let first = links[clip];
    if first == NONE {
        clip_bboxes[clip] = plane_of(NOTHING);
        return;
    }
    clip_bboxes[clip] = around(first);
    let last = u32(~input.path_ix);
    draw_monoids[last].path_ix = draw_monoids[first].path_ix;
    draw_monoids[last].scene_offset = draw_monoids[first].scene_offset;
    draw_monoids[last].info_offset = draw_monoids[first].info_offset;
}

// Whether the stage has processed the whole scene. Otherwise, contents may be incomplete.
fn is_complete() -> bool {
    return counts.status == 0u && counts.elements == config.n_draw_objects;
}

// The clip around a begin. `begin` is the index of its draw object.
fn around(begin: u32) -> vec4<f32> {
    let outer = links[draw_monoids[begin].clip_ix];
    if outer == NONE {
        return plane_of(params.viewport);
    }
    return plane_of(clips[draw_monoids[outer].clip_ix]);
}

// Inside the viewport, all edges are whole numbers below 2^24, so the conversion is exact.
fn shrink(path: u32, content: vec4<f32>) {
    var box = vec4<i32>();
    if content.x < content.z {
        box = vec4<i32>(content);
    }
    path_bboxes[path].x0 = box.x;
    path_bboxes[path].y0 = box.y;
    path_bboxes[path].x1 = box.z;
    path_bboxes[path].y1 = box.w;
}
