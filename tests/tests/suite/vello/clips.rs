//! Tests `ClipStage` on handmade buffers against a loop with a stack.

use treebounds::wgpu;
use treebounds_tests::gpu::{Arena, gpu, read_at};
use treebounds_tests::streams::Rng;
use treebounds_vello::{ClipBuffers, ClipCapacity, ClipStage, ClipStageDescriptor, LayerBoxes};
use vello_encoding::{Clip, ConfigUniform, DrawMonoid, DrawTag, Layout, PathBbox};
use wgpu::BufferUsages;

const SIDE: i32 = 1000;
const PLANE: [f32; 4] = [-1e9, -1e9, 1e9, 1e9];

/// Blend words of Vello: a clip, a group, `SrcIn`, `PlusLighter`, a luminance mask.
const BLENDS: [(u32, bool); 5] =
    [(0x8003, true), (0x0003, true), (0x0005, false), (0x000d, true), (0x10000, false)];

fn path_bbox(random: &mut Rng) -> PathBbox {
    let [x0, y0] = [0; 2].map(|_| random.below(SIDE as u32 + 200) as i32 - 100);
    let [width, height] = [0; 2].map(|_| random.below(500) as i32 - 8);
    PathBbox { x0, y0, x1: x0 + width, y1: y0 + height, draw_flags: 7, trans_ix: 9 }
}

/// The contents of the buffers after Vello's stages.
#[derive(Default)]
pub(crate) struct Frame {
    pub(crate) scene: Vec<u32>,
    pub(crate) config: ConfigUniform,
    pub(crate) clip_inp: Vec<Clip>,
    pub(crate) path_bboxes: Vec<PathBbox>,
    pub(crate) draw_monoids: Vec<DrawMonoid>,
    pub(crate) tags: Vec<DrawTag>,
    pub(crate) local: Vec<bool>,
}

/// Returns a balanced frame with this number of objects and this depth.
pub(crate) fn frame(objects: u32, depth: u32, seed: u64) -> Frame {
    let mut random = Rng::new(seed);
    let mut frame = Frame::default();
    let (mut open, mut data, mut monoid) = (0, Vec::new(), DrawMonoid::default());
    for object in 0..objects {
        let left = objects - object;
        let tag = match random.below(5) {
            _ if open == left => DrawTag::END_CLIP,
            0 | 1 if open < depth && open + 1 < left => DrawTag::BEGIN_CLIP,
            2 if open > 0 && depth < 1000 => DrawTag::END_CLIP,
            _ => DrawTag::COLOR,
        };
        frame.draw_monoids.push(monoid);
        frame.path_bboxes.push(path_bbox(&mut random));
        let blend = BLENDS[random.below(5) as usize];
        frame.local.push(blend.1);
        let ix = object;
        match tag {
            DrawTag::BEGIN_CLIP => {
                open += 1;
                frame.clip_inp.push(Clip { ix, path_ix: object as i32 });
                data.extend([blend.0, 1.0_f32.to_bits()]);
            }
            DrawTag::END_CLIP => {
                open -= 1;
                frame.clip_inp.push(Clip { ix, path_ix: !object as i32 });
            }
            _ => data.push(u32::MAX),
        }
        monoid.path_ix += 1;
        monoid.clip_ix += tag.0 & 1;
        monoid.scene_offset += tag.0 >> 2 & 7;
        monoid.info_offset += tag.info_size();
        frame.tags.push(tag);
    }
    frame.config = ConfigUniform {
        target_width: SIDE as u32,
        target_height: SIDE as u32,
        layout: Layout {
            n_draw_objects: objects,
            n_paths: objects,
            n_clips: frame.clip_inp.len() as u32,
            draw_data_base: objects,
            ..Layout::default()
        },
        ..ConfigUniform::default()
    };
    frame.scene = frame.tags.iter().map(|tag| tag.0).chain(data).collect();
    frame
}

pub(crate) type Box4 = [f32; 4];

fn intersect(a: Box4, b: Box4) -> Box4 {
    [a[0].max(b[0]), a[1].max(b[1]), a[2].min(b[2]), a[3].min(b[3])]
}

fn is_empty(a: Box4) -> bool {
    a[0] >= a[2] || a[1] >= a[3]
}

fn unite(a: Option<Box4>, b: Box4) -> Option<Box4> {
    match a {
        _ if is_empty(b) => a,
        None => Some(b),
        Some(a) => Some([a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]),
    }
}

fn float(path: &PathBbox) -> Box4 {
    [path.x0, path.y0, path.x1, path.y1].map(|x| x as f32)
}

/// Clip boxes, draw monoids, and boxes of paths.
pub(crate) type Expected = (Vec<Box4>, Vec<DrawMonoid>, Vec<Box4>);

/// Computes the expected output with a loop and a stack, including the shrunk boxes of paths.
pub(crate) fn expected(frame: &Frame, shrink: bool) -> Expected {
    let root = if shrink { [0.0, 0.0, SIDE as f32, SIDE as f32] } else { PLANE };
    let (mut clips, mut monoids) = (Vec::new(), frame.draw_monoids.clone());
    let mut paths: Vec<Box4> = frame.path_bboxes.iter().map(float).collect();
    let mut stack = vec![(usize::MAX, root, None)];
    for (object, tag) in frame.tags.iter().enumerate() {
        let own = float(&frame.path_bboxes[object]);
        let top = stack.last_mut().unwrap();
        match *tag {
            DrawTag::BEGIN_CLIP => {
                let clip = intersect(own, top.1);
                clips.push(clip);
                stack.push((object, clip, None));
            }
            DrawTag::END_CLIP => {
                let (begin, _, content) = stack.pop().unwrap();
                let top = stack.last_mut().unwrap();
                clips.push(top.1);
                let DrawMonoid { path_ix, scene_offset, info_offset, .. } = monoids[begin];
                monoids[object] =
                    DrawMonoid { path_ix, scene_offset, info_offset, ..monoids[object] };
                if frame.local[begin] {
                    if shrink {
                        paths[begin] = content.unwrap_or_default();
                    }
                    top.2 = content.map_or(top.2, |content| unite(top.2, content));
                } else {
                    top.2 = unite(top.2, top.1);
                }
            }
            _ => top.2 = unite(top.2, intersect(own, top.1)),
        }
    }
    (clips, monoids, paths)
}

/// Whether two boxes are equal, regardless of how an empty box is represented.
pub(crate) fn are_equal(a: Box4, b: Box4) -> bool {
    a == b || (is_empty(a) && is_empty(b))
}

/// The output of a stage in Vello's buffers: clip boxes, draw monoids, boxes of paths.
type Left = (Vec<Box4>, Vec<DrawMonoid>, Vec<PathBbox>);

/// Runs in larger buffers than needed, of which the stage may see only a part.
fn run(stage: &ClipStage, frame: &Frame, room: u32, capacity: ClipCapacity) -> Left {
    let storage = BufferUsages::STORAGE;
    let (objects, clips) = (frame.tags.len(), frame.clip_inp.len());
    // As in a renderer with arenas: one buffer for uniforms, one for read buffers, one for written buffers.
    let bytes = 256 * 8 + 64 * (objects + clips + 2 * room as usize + 64) as u64;
    let uniform = Arena::new(1024, BufferUsages::UNIFORM);
    let [read, written] = [0; 2].map(|_| Arena::new(bytes, storage));
    let padded = |len: usize| len + room as usize;
    let mut clip_inp = frame.clip_inp.clone();
    let mut path_bboxes = frame.path_bboxes.clone();
    let mut draw_monoids = frame.draw_monoids.clone();
    // Values past the counts must not affect the result.
    clip_inp.resize(padded(clips), Clip { ix: u32::MAX, path_ix: 5 });
    path_bboxes.resize(padded(objects), PathBbox::default());
    draw_monoids.resize(padded(objects), DrawMonoid::default());
    let paths = match stage.layers() {
        LayerBoxes::Clip => &read,
        LayerBoxes::Visible => &written,
    };
    let buffers = ClipBuffers {
        config: uniform.put(&[frame.config]),
        scene: read.put(&frame.scene),
        clip_inp: read.put(&clip_inp),
        path_bboxes: paths.put(&path_bboxes),
        draw_monoids: written.put(&draw_monoids),
        clip_bboxes: written.put(&vec![[9_f32; 4]; padded(clips)]),
    };
    let job = stage.bind(&buffers, capacity).unwrap();
    let mut encoder = gpu().device.create_command_encoder(&Default::default());
    job.record(&mut encoder);
    gpu().queue.submit([encoder.finish()]);
    let ClipBuffers { path_bboxes, draw_monoids, clip_bboxes, .. } = &buffers;
    (read_at(clip_bboxes, clips), read_at(draw_monoids, objects), read_at(path_bboxes, objects))
}

fn check(stage: &ClipStage, frame: &Frame, room: u32) {
    let (objects, clips) = (frame.tags.len(), frame.clip_inp.len());
    let capacity = ClipCapacity { draw_objects: objects as u32 + room, clips: clips as u32 + room };
    let (found_boxes, found_monoids, found_paths) = run(stage, frame, room, capacity);
    let name = format!("{objects} objects, {clips} begins and ends, {:?}", stage.layers());
    let (boxes, monoids, paths) = expected(frame, stage.layers() == LayerBoxes::Visible);
    for (at, (found, expected)) in found_boxes.iter().zip(&boxes).enumerate() {
        assert!(are_equal(*found, *expected), "{name}: clip box {at}: {found:?}, not {expected:?}");
    }
    let words = |monoids: &[DrawMonoid]| bytemuck::cast_slice::<_, u32>(monoids).to_vec();
    assert!(words(&found_monoids) == words(&monoids), "{name}: draw monoids");
    for (at, (found, expected)) in found_paths.iter().zip(&paths).enumerate() {
        assert_eq!((found.draw_flags, found.trans_ix), (7, 9), "{name}: path {at}");
        let found = float(found);
        assert!(are_equal(found, *expected), "{name}: path box {at}: {found:?}, not {expected:?}");
    }
}

#[test]
fn random_frames_match_a_stack() {
    for layers in [LayerBoxes::Clip, LayerBoxes::Visible] {
        let descriptor = ClipStageDescriptor { layers, ..Default::default() };
        let stage = ClipStage::new(&gpu().device, &descriptor).unwrap();
        for (objects, depth) in [
            (0, 0),
            (1, 0),
            (2, 1),
            (40, 3),
            (257, 300),
            (5000, 20),
            (20_000, 3000),
            (200_000, 1_000),
            (200_000, 12),
        ] {
            check(&stage, &frame(objects, depth, u64::from(objects)), objects % 7);
        }
    }
}

/// A layer whose visible content does not fit must not shrink.
#[test]
fn layers_past_the_capacity_do_not_shrink() {
    let stage = ClipStage::new(&gpu().device, &Default::default()).unwrap();
    for objects in [2000, 300_000] {
        let frame = frame(objects, 12, 3);
        let (draw_objects, clips) = (frame.tags.len() as u32, frame.clip_inp.len() as u32);
        let most =
            [(draw_objects, clips - 1), (draw_objects, clips / 9), (draw_objects - 1, clips)];
        for (draw_objects, clips) in most {
            let (_, _, paths) = run(&stage, &frame, 0, ClipCapacity { draw_objects, clips });
            let before = frame.path_bboxes.iter().map(float);
            assert!(before.eq(paths.iter().map(float)), "{draw_objects} objects, {clips} clips");
        }
    }
}
