//! `ClipStage`, on Vello's buffers, with and without shrinking.

use super::Built;
use crate::faults::subject::{AnyJob, AnyScratch, Slot, Subject, first, same};
use crate::faults::table::Refusal;
use treebounds::wgpu;
use treebounds_core::{Bounds, NONE, NodeKind, Rect, Role, Stream, StreamBuilder, reference};
use treebounds_tests::gpu::whole;
use treebounds_tests::streams::Rng;
use treebounds_vello::{ClipBuffers, ClipCapacity, ClipStage, ClipStageDescriptor, LayerBoxes};
use vello_encoding::{Clip, ConfigUniform, DrawMonoid, DrawTag, Layout, PathBbox};

const SIDE: f32 = 1000.0;
/// Without shrinking, Vello's root is not cut.
const PLANE: Rect = Rect::new(-1e9, -1e9, 1e9, 1e9);
/// Words of a layer that clips: its blend, and its alpha.
const CLIP_WORDS: [u32; 2] = [0x8003, 0x3f80_0000];

/// Nested clips with draws between, as Vello's stages leave them.
struct Clips {
    stage: ClipStage,
    stream: Stream,
    expected: Bounds,
    root: Rect,
}

pub(super) fn build(device: &wgpu::Device) -> Built {
    build_with(device, LayerBoxes::Clip)
}

pub(super) fn build_shrinking(device: &wgpu::Device) -> Built {
    build_with(device, LayerBoxes::Visible)
}

fn build_with(device: &wgpu::Device, layers: LayerBoxes) -> Built {
    let descriptor = ClipStageDescriptor { layers, ..Default::default() };
    let stage = ClipStage::new(device, &descriptor)?;
    let root = match layers {
        LayerBoxes::Visible => Rect::new(0.0, 0.0, SIDE, SIDE),
        LayerBoxes::Clip => PLANE,
    };
    let stream = stream(root);
    let expected = reference::bounds(&stream);
    Ok(Box::new(Clips { stage, stream, expected, root }))
}

/// Clips up to nine deep, on whole pixels; a draw before each begin and end.
fn stream(root: Rect) -> Stream {
    let mut rng = Rng::new(14);
    let mut scene = StreamBuilder::new(root);
    let rect = |rng: &mut Rng| {
        let [x, y] = [0; 2].map(|_| rng.below(500) as f32);
        Rect::new(x, y, x + 100.0 + rng.below(400) as f32, y + 100.0 + rng.below(400) as f32)
    };
    for _ in 0..30 {
        scene.draw(rect(&mut rng)).unwrap();
        if scene.depth() < 9 && (scene.depth() == 0 || rng.percent(60)) {
            scene.begin(NodeKind::Clip, rect(&mut rng)).unwrap();
        } else {
            scene.end().unwrap();
        }
    }
    scene.finish_closing().unwrap().0
}

impl Clips {
    fn nodes(&self) -> u32 {
        self.expected.links.len() as u32
    }

    fn capacity(&self, room: u32) -> ClipCapacity {
        ClipCapacity {
            draw_objects: room,
            clips: (room - self.elements()).saturating_add(self.nodes()),
        }
    }

    fn tag(&self, element: usize) -> DrawTag {
        match self.stream.tags()[element].role() {
            Role::Begin => DrawTag::BEGIN_CLIP,
            Role::End => DrawTag::END_CLIP,
            Role::Draw => DrawTag::COLOR,
        }
    }

    /// The draw monoid of each object. With `ends`, the monoid of an End is its Begin's, as the stage writes it.
    fn monoids(&self, ends: bool) -> Vec<DrawMonoid> {
        let mut monoid = DrawMonoid::default();
        let mut monoids = Vec::new();
        for element in 0..self.stream.len() {
            let tag = self.tag(element);
            monoids.push(monoid);
            monoid.path_ix += 1;
            monoid.clip_ix += tag.0 & 1;
            monoid.scene_offset += tag.0 >> 2 & 7;
            monoid.info_offset += tag.info_size();
        }
        for (element, link) in self.expected.marker_elements.iter().zip(&self.expected.links) {
            let element = *element as usize;
            if ends && self.tag(element) == DrawTag::END_CLIP {
                let begin = monoids[*link as usize];
                monoids[element] = DrawMonoid { clip_ix: monoids[element].clip_ix, ..begin };
            }
        }
        monoids
    }

    fn scene(&self) -> Vec<u32> {
        let elements = 0..self.stream.len();
        let data = elements.clone().flat_map(|element| match self.tag(element) {
            DrawTag::BEGIN_CLIP => CLIP_WORDS.to_vec(),
            DrawTag::END_CLIP => Vec::new(),
            _ => vec![u32::MAX],
        });
        elements.clone().map(|element| self.tag(element).0).chain(data).collect()
    }

    fn config(&self) -> ConfigUniform {
        let n = self.elements();
        ConfigUniform {
            target_width: SIDE as u32,
            target_height: SIDE as u32,
            layout: Layout {
                n_draw_objects: n,
                n_paths: n,
                n_clips: self.nodes(),
                draw_data_base: n,
                ..Layout::default()
            },
            ..ConfigUniform::default()
        }
    }
}

impl Subject for Clips {
    fn elements(&self) -> u32 {
        self.stream.len() as u32
    }

    fn slots(&self, room: u32) -> Vec<Slot> {
        let ClipCapacity { draw_objects: n, clips: m } = self.capacity(room);
        let (n, m) = (n.into(), m.into());
        let clip = |element: &u32| {
            let ix = *element;
            let is_begin = self.tag(ix as usize) == DrawTag::BEGIN_CLIP;
            Clip { ix, path_ix: if is_begin { ix as i32 } else { !ix as i32 } }
        };
        let clips: Vec<_> = self.expected.marker_elements.iter().map(clip).collect();
        let path = |rect: &Rect| {
            let [x0, y0, x1, y1] = rect.to_array().map(|edge| edge as i32);
            PathBbox { x0, y0, x1, y1, draw_flags: 7, trans_ix: 9 }
        };
        let paths: Vec<_> = self.stream.rects().iter().map(path).collect();
        let scene = self.scene();
        vec![
            Slot { each: 88, ..Slot::uniform("config", &self.config()) },
            Slot::input("scene", scene.len() as u64, &scene),
            Slot::input("clip_inp", m, &clips),
            Slot::input("path_bboxes", n, &paths),
            Slot::input("draw_monoids", n, &self.monoids(false)).and_output(),
            Slot::output::<Rect>("clip_bboxes", m),
        ]
    }

    /// The job has its own.
    fn scratch(&self, _: u32) -> Result<AnyScratch, Refusal> {
        Ok(AnyScratch::Own)
    }

    fn bind(&self, buffers: &[wgpu::Buffer], _: &AnyScratch, room: u32) -> Result<AnyJob, Refusal> {
        let [config, scene, clip_inp, path_bboxes, draw_monoids, clip_bboxes] = buffers else {
            return Err(Refusal::wrong("six buffers"));
        };
        let buffers = ClipBuffers {
            config: whole(config),
            scene: whole(scene),
            clip_inp: whole(clip_inp),
            path_bboxes: whole(path_bboxes),
            draw_monoids: whole(draw_monoids),
            clip_bboxes: whole(clip_bboxes),
        };
        Ok(AnyJob::Clips(self.stage.bind(&buffers, self.capacity(room))?))
    }

    fn compare(&self, found: &[Vec<u8>], _: bool) -> Result<(), String> {
        let words = |monoids: &[DrawMonoid]| bytemuck::cast_slice::<_, [u32; 4]>(monoids).to_vec();
        let monoids = first::<[u32; 4]>(&found[0], self.stream.len());
        same("draw_monoids", &monoids, &words(&self.monoids(true)))?;
        // A begin has its clip, an end what is around it.
        let clip_of = |element: u32| {
            let node = self.expected.marker_of(element);
            node.map_or(self.root, |node| self.expected.clips[node])
        };
        let expected = |node: usize| {
            let element = self.expected.marker_elements[node];
            if self.tag(element as usize) == DrawTag::BEGIN_CLIP {
                return self.expected.clips[node];
            }
            let begin = self.expected.links[node];
            let around =
                self.expected.marker_of(begin).map_or(NONE, |node| self.expected.links[node]);
            clip_of(around)
        };
        let expected: Vec<_> = (0..self.expected.links.len()).map(expected).collect();
        let found = first::<Rect>(&found[1], expected.len());
        let found: Vec<_> = found.into_iter().map(Rect::or_nothing).collect();
        same("clip_bboxes", &found, &expected)
    }

    fn repeats(&self) -> bool {
        // Shrinking writes the boxes of paths, which it reads.
        self.stage.layers() == LayerBoxes::Clip
    }

    fn binds_whole(&self) -> bool {
        true
    }

    fn unbound(&self) -> &'static [&'static str] {
        // Without shrinking, nothing of a scene but its clips is read.
        match self.stage.layers() {
            LayerBoxes::Visible => &[],
            LayerBoxes::Clip => &["scene"],
        }
    }
}
