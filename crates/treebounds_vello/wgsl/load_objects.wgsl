// load objects: converts Vello's draw objects to a stream of elements.
//
// One thread per draw object.
//
//     begin: CLIP | BLEND (NON_LOCAL depends on its blend word), with the box of its path
//     end:   CLIP, with an empty box
//     nop:   a draw with an empty box
//     other: a draw with the box of its path
//     first thread: params = the target as viewport, and the number of elements
//
// Reads 28 bytes, or 40 for a begin; writes 20.

// In a blend word, bits 0 to 7 are the compositing operator, and bit 16 marks a luminance mask. The mask
// has a bit for each operator that does not change pixels outside its source:
// Dest, SrcOver, DestOver, DestOut, SrcAtop, Xor, Plus, PlusLighter.
const LUMINANCE_MASK = 0x10000u;
const LOCAL_OPERATORS = 0x3b1cu;

@compute @workgroup_size(WORKGROUP_SIZE)
fn main(
    @builtin(workgroup_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) thread: u32,
) {
    let object = index_of(id, groups, thread);
    let count = min(config.n_draw_objects, arrayLength(&rects));
    if object == 0u {
        let size = vec2<f32>(vec2<u32>(config.target_width, config.target_height));
        params = Params(vec4<f32>(vec2<f32>(), size), count, 0u, 0u, 0u);
    }
    // `bind` requires draw_monoids and tags to be as long as rects
    if object >= count {
        return;
    }
    let kind = scene[config.draw_tag_base + object];
    if kind == DRAWTAG_END_CLIP || kind == DRAWTAG_NOP {
        tags[object] = select(ROLE_DRAW, ROLE_END | CLIP, kind == DRAWTAG_END_CLIP);
        rects[object] = NOTHING;
        return;
    }
    let monoid = draw_monoids[object];
    var tag = ROLE_DRAW;
    if kind == DRAWTAG_BEGIN_CLIP {
        let blend = scene[config.draw_data_base + monoid.scene_offset];
        tag = ROLE_BEGIN | CLIP | BLEND | select(NON_LOCAL, 0u, is_local(blend));
    }
    tags[object] = tag;
    // wgpu's checks handle invalid paths.
    rects[object] = canonical(path_bboxes[monoid.path_ix]);
}

fn is_local(blend: u32) -> bool {
    let operator_bits = blend & 0xffu;
    return (blend & LUMINANCE_MASK) == 0u
        && operator_bits < 32u
        && ((LOCAL_OPERATORS >> operator_bits) & 1u) != 0u;
}
