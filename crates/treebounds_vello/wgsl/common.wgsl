// The layouts of Vello's buffers, as defined in `vello_encoding`.

// The fields of `ConfigUniform` up to the last one used here.
struct Config {
    width_in_tiles: u32,
    height_in_tiles: u32,
    target_width: u32,
    target_height: u32,
    base_color: u32,
    n_draw_objects: u32,
    n_paths: u32,
    n_clips: u32,
    bin_data_start: u32,
    path_tag_base: u32,
    path_data_base: u32,
    draw_tag_base: u32,
    draw_data_base: u32,
    transform_base: u32,
    style_base: u32,
}

// A path's box in whole pixels, with swapped corners if nothing was drawn.
struct PathBbox {
    x0: i32,
    y0: i32,
    x1: i32,
    y1: i32,
    draw_flags: u32,
    trans_ix: u32,
}

// The exclusive prefix sum before a draw object.
struct DrawMonoid {
    path_ix: u32,
    clip_ix: u32,
    scene_offset: u32,
    info_offset: u32,
}

// The draw object of a begin or end, and the path of a begin. `path_ix` is negative for an end.
struct ClipInp {
    ix: u32,
    path_ix: i32,
}

// Vello's representation of the whole plane.
const PLANE = vec4<f32>(-1e9, -1e9, 1e9, 1e9);

fn canonical(box: PathBbox) -> vec4<f32> {
    let low = vec2<f32>(vec2<i32>(box.x0, box.y0));
    let high = vec2<f32>(vec2<i32>(box.x1, box.y1));
    return select(NOTHING, vec4<f32>(low, high), all(low < high));
}

fn plane_of(box: vec4<f32>) -> vec4<f32> {
    return clamp(box, vec4<f32>(-1e9), vec4<f32>(1e9));
}
