// apply: the stage's answer, written where Vello's clip stage writes it.
//
// One thread a begin or end.
//
//     begin: clip box = its clip
//            SHRINK and its blend is local? path box = its content
//     end:   clip box = the clip around the node that it closes
//            draw monoid: path, scene and info offsets of its begin
//
// Threads share nothing: an end writes its own draw monoid and reads that of a
// begin, a begin writes the box of its own path, which nobody reads here.
// Reads about 60 bytes, writes 16, and 12 or 16 more.

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let clip = index_of(id, groups, thread);
    // counts.nodes <= the capacity <= the lengths of clip_inp, links, clips, contents, clip_bboxes
    if clip >= min(config.n_clips, counts.nodes) {
        return;
    }
    let input = clip_inp[clip];
    if input.path_ix >= 0 {
        clip_bboxes[clip] = plane_of(clips[clip]);
        if SHRINK && (tags[input.ix] & NON_LOCAL) == 0u {
            shrink(u32(input.path_ix), contents[clip]);
        }
        return;
    }
    let begin = links[clip];
    if begin == NONE {
        clip_bboxes[clip] = plane_of(NOTHING);
        return;
    }
    clip_bboxes[clip] = around(begin);
    let first = object_of(begin);
    let last = u32(~input.path_ix);
    draw_monoids[last].path_ix = draw_monoids[first].path_ix;
    draw_monoids[last].scene_offset = draw_monoids[first].scene_offset;
    draw_monoids[last].info_offset = draw_monoids[first].info_offset;
}

// The clip around a begin, given as an element.
fn around(begin: u32) -> vec4<f32> {
    let outer = links[node_of(begin)];
    if outer == NONE {
        return plane_of(params.viewport);
    }
    return plane_of(clips[node_of(outer)]);
}

// The stream of SHRINK has draw objects for elements, the other begins and ends.
fn node_of(element: u32) -> u32 {
    if SHRINK {
        return draw_monoids[element].clip_ix;
    }
    return element;
}

fn object_of(element: u32) -> u32 {
    if SHRINK {
        return element;
    }
    return clip_inp[element].ix;
}

// Inside the viewport all edges are whole numbers below 2^24: the conversion is exact.
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

fn plane_of(box: vec4<f32>) -> vec4<f32> {
    return clamp(box, vec4<f32>(-1e9), vec4<f32>(1e9));
}
