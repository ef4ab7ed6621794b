// Adapter: reads Vello's clip input as a stream of nodes, and writes the outputs of Vello's clip stage.
//
//     begin: clip box = its clip
//     end:   clip box = the clip around the node that it closes
//            draw monoid: path, scene and info offsets of its begin
//
// Threads are independent: a close writes its own draw monoid and reads the draw monoid of its open.

// Clamped to the shortest buffer.
fn adapter_count() -> u32 {
    return min(config.n_clips, min(arrayLength(&clip_inp), arrayLength(&clip_bboxes)));
}

fn adapter_viewport() -> vec4<f32> {
    return PLANE;
}

fn adapter_role(clip: u32) -> u32 {
    return select(1u, 2u, clip_inp[clip].path_ix < 0);
}

// Invalid paths clip everything away.
fn adapter_rect(clip: u32) -> vec4<f32> {
    let path = u32(clip_inp[clip].path_ix);
    if path >= arrayLength(&path_bboxes) {
        return NOTHING;
    }
    return canonical(path_bboxes[path]);
}

// The draw monoid of an end's begin, if its index is valid.
struct AdapterTop {
    exists: u32,
    begin: DrawMonoid,
}

fn adapter_top(clip: u32, role: u32, top: u32) -> AdapterTop {
    var known: AdapterTop;
    if role == 2u && top != NONE {
        let first = clip_inp[top].ix;
        if first < arrayLength(&draw_monoids) {
            known.exists = 1u;
            known.begin = draw_monoids[first];
        }
    }
    return known;
}

fn adapter_emit(clip: u32, role: u32, top: u32, own: vec4<f32>, around: vec4<f32>, known: AdapterTop) {
    if role == 1u {
        clip_bboxes[clip] = plane_of(own);
        return;
    }
    if top == NONE {
        clip_bboxes[clip] = plane_of(NOTHING);
        return;
    }
    clip_bboxes[clip] = plane_of(around);
    let last = u32(~clip_inp[clip].path_ix);
    // Invalid draw object indices are ignored.
    if known.exists == 0u || last >= arrayLength(&draw_monoids) {
        return;
    }
    draw_monoids[last].path_ix = known.begin.path_ix;
    draw_monoids[last].scene_offset = known.begin.scene_offset;
    draw_monoids[last].info_offset = known.begin.info_offset;
}
