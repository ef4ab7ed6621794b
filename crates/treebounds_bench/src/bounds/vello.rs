//! Vello's clip stage on the same markers: `clip_reduce` and `clip_leaf` from the crate `vello_shaders`, on
//! the GPU and on the CPU.
//!
//! It computes the clip of each begin, the clip *around* each end, and the begin of each end, but no unions.
//! The GPU algorithm is silently wrong beyond its limits ([`limit`]). The CPU algorithm has no limits.

use crate::bounds::scene::Scene;
use crate::contest::{CpuStrategy, Prepared, Strategy};
use crate::measure::{Kernel, Output, POISON, Recordable, Transfer, Trial, buffer, bytes, compare};
use crate::record::{VELLO_CPU, VELLO_GPU};
use std::cell::RefCell;
use treebounds::wgpu;
use treebounds_core::{NONE, Rect, Role, Tag};
use vello_encoding::{Clip, ClipBic, ClipElement, ConfigUniform, DrawMonoid, Layout, PathBbox};
use vello_shaders::SHADERS;
use vello_shaders::cpu::{CpuBinding, clip_leaf, clip_reduce};
use wgpu::BufferUsages;

/// Threads per workgroup, and elements per partition.
pub(super) const PARTITION: usize = 256;

/// The maximum number of markers. A workgroup combines all earlier partitions, one per thread.
pub(super) const MOST: usize = PARTITION * (PARTITION + 1);

/// The reason that Vello's clip stage does not support these elements, if any. It only supports layers,
/// and assumes that every end has a begin.
pub(super) fn unsuited_reason(tags: &[Tag]) -> Option<String> {
    let mut depth = 0_usize;
    for tag in tags {
        match tag.role() {
            _ if tag.is_spread() => return Some("has filters".to_owned()),
            Role::Draw => return Some("has draws".to_owned()),
            Role::Begin => depth += 1,
            Role::End if depth == 0 => return Some("end without begin".to_owned()),
            Role::End => depth -= 1,
        }
    }
    None
}

/// The GPU limit that these markers exceed, if any: their number, or the number of open layers at the border
/// of two partitions.
pub(super) fn limit(tags: &[Tag]) -> Option<String> {
    if tags.len() > MOST {
        return Some(format!("n > {MOST}"));
    }
    let mut depth = 0_usize;
    for (ix, tag) in tags.iter().enumerate() {
        if ix % PARTITION == 0 && depth > PARTITION {
            return Some(format!("depth > {PARTITION}"));
        }
        match tag.role() {
            Role::Begin => depth += 1,
            Role::End => depth = depth.saturating_sub(1),
            Role::Draw => (),
        }
    }
    None
}

/// The clip of elements outside all layers, as in Vello.
const EVERYWHERE: [f32; 4] = [-1e9, -1e9, 1e9, 1e9];

/// Vello's buffers. Every marker is a draw object, and every begin has a path.
#[derive(Default)]
pub(super) struct Layers {
    pub(super) config: ConfigUniform,
    pub(super) clips: Vec<Clip>,
    pub(super) paths: Vec<PathBbox>,
    /// The initial objects. Fields that an end copies from its begin are `missing`.
    pub(super) objects: Vec<DrawMonoid>,
    /// The expected objects.
    pub(super) matched: Vec<DrawMonoid>,
    /// The expected boxes: the clip of each Begin, and the clip around each End.
    pub(super) boxes: Vec<[f32; 4]>,
}

impl Layers {
    /// Converts a scene without draws. Fields to be computed are `missing`.
    pub(super) fn new(scene: &Scene, missing: u32) -> Self {
        let markers = scene.tags().len();
        let layout = Layout { n_clips: markers as u32, ..Layout::default() };
        let mut layers =
            Self { config: ConfigUniform { layout, ..Default::default() }, ..Self::default() };
        for (ix, tag) in (0_u32..).zip(scene.tags()) {
            match tag.role() {
                Role::Draw => (),
                Role::Begin => layers.begin(ix, scene),
                Role::End => layers.end(ix, scene, missing),
            }
        }
        layers
    }

    fn begin(&mut self, ix: u32, scene: &Scene) {
        let path_ix = self.paths.len() as u32;
        self.clips.push(Clip { ix, path_ix: path_ix as i32 });
        let Rect { x0, y0, x1, y1 } = scene.stream.rects()[ix as usize];
        let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(|edge| edge as i32);
        self.paths.push(PathBbox { x0, y0, x1, y1, ..PathBbox::default() });
        // Values that distinguish the begins.
        let object = DrawMonoid {
            path_ix,
            clip_ix: ix,
            scene_offset: 3 * path_ix,
            info_offset: 5 * path_ix,
        };
        self.objects.push(object);
        self.matched.push(object);
        self.boxes.push(scene.bounds.clips[ix as usize].to_array());
    }

    fn end(&mut self, ix: u32, scene: &Scene, missing: u32) {
        self.clips.push(Clip { ix, path_ix: !(ix as i32) });
        self.objects.push(DrawMonoid {
            path_ix: missing,
            clip_ix: ix,
            scene_offset: missing,
            info_offset: missing,
        });
        // Without draws, element indices equal marker indices.
        let links = &scene.bounds.links;
        let begin = links[ix as usize] as usize;
        self.matched.push(DrawMonoid { clip_ix: ix, ..self.matched[begin] });
        self.boxes.push(match links[begin] {
            NONE => EVERYWHERE,
            around => scene.bounds.clips[around as usize].to_array(),
        });
    }

    pub(super) fn len(&self) -> usize {
        self.clips.len()
    }
}

/// `clip_reduce` and `clip_leaf`.
pub(crate) struct VelloGpu {
    reduce: Kernel,
    leaf: Kernel,
}

impl VelloGpu {
    pub(crate) fn new(device: &wgpu::Device, checked: bool) -> anyhow::Result<Self> {
        let (reduce, leaf) = (&SHADERS.clip_reduce.wgsl, &SHADERS.clip_leaf.wgsl);
        Ok(Self {
            reduce: Kernel::new(device, "clip_reduce", &reduce.code, checked)?,
            leaf: Kernel::new(device, "clip_leaf", &leaf.code, checked)?,
        })
    }

    /// Binds all buffers, without checking Vello's limits.
    pub(super) fn bind(
        &self,
        transfer: &Transfer<'_>,
        layers: &Layers,
    ) -> anyhow::Result<Prepared<'static>> {
        let device = &transfer.gpu.device;
        let n = layers.len();
        let inputs = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let new = |label, words: &[u32], usage| {
            let buffer = buffer(device, label, bytes(words.len()), usage)?;
            transfer.upload(&buffer, words)?;
            anyhow::Ok(buffer)
        };
        let config = bytemuck::cast_slice(std::slice::from_ref(&layers.config));
        let config = new("config", config, BufferUsages::UNIFORM | BufferUsages::COPY_DST)?;
        let clips = new("clip_inp", bytemuck::cast_slice(&layers.clips), inputs)?;
        let paths = new("path_bboxes", bytemuck::cast_slice(&layers.paths), inputs)?;

        let [reduced_bytes, element_bytes] = scratch(n);
        let reduced = buffer(device, "reduced", reduced_bytes, BufferUsages::STORAGE)?;
        let elements = buffer(device, "clip_els", element_bytes, BufferUsages::STORAGE)?;
        let outputs = inputs | BufferUsages::COPY_SRC;
        let objects = buffer(device, "draw_monoids", bytes(4 * n), outputs)?;
        let boxes = buffer(device, "clip_bboxes", bytes(4 * n), outputs)?;

        // As in `vello_encoding`, all partitions except the last are reduced.
        let partitions = [n.saturating_sub(1) / PARTITION, n.div_ceil(PARTITION)];
        let reduce = [&clips, &paths, &reduced, &elements];
        let leaf = [&config, &clips, &paths, &reduced, &elements, &objects, &boxes];
        let mut dispatches: Vec<Box<dyn Recordable>> = Vec::new();
        if partitions[0] > 0 {
            dispatches.push(Box::new(self.reduce.bind(device, &reduce, partitions[0] as u64)?));
        }
        dispatches.push(Box::new(self.leaf.bind(device, &leaf, partitions[1] as u64)?));
        let words = |objects| bytemuck::cast_slice::<_, u32>(objects).to_vec();
        let matched = Output {
            before: Some(words(&layers.objects)),
            ..Output::new("draw_monoids", &objects, words(&layers.matched))
        };
        let expected = bytemuck::cast_slice(&layers.boxes).to_vec();
        let trial = Trial {
            dispatches,
            outputs: vec![Output::new("clip_bboxes", &boxes, expected), matched],
        };
        Ok(Prepared { trial, scratch: Some(reduced_bytes + element_bytes) })
    }
}

impl Strategy<Scene> for VelloGpu {
    fn name(&self) -> &str {
        VELLO_GPU
    }

    fn unsuited_reason(&self, scene: &Scene) -> Option<String> {
        unsuited_reason(scene.tags()).or_else(|| limit(scene.tags()))
    }

    fn prepare<'s>(
        &self,
        transfer: &Transfer<'_>,
        scene: &'s Scene,
    ) -> anyhow::Result<Prepared<'s>> {
        self.bind(transfer, &Layers::new(scene, POISON))
    }
}

/// The sizes of the buffers that pass data from the first kernel to the second.
fn scratch(n: usize) -> [u64; 2] {
    let partitions = n.div_ceil(PARTITION).max(1);
    [partitions * size_of::<ClipBic>(), partitions * PARTITION * size_of::<ClipElement>()]
        .map(|bytes| (bytes as u64).next_multiple_of(16))
}

/// `clip_reduce` and `clip_leaf`.
#[derive(Default)]
pub(crate) struct VelloCpu {
    layers: Layers,
    reduced: RefCell<Vec<u8>>,
    elements: RefCell<Vec<u8>>,
    objects: RefCell<Vec<u8>>,
    boxes: RefCell<Vec<u8>>,
}

impl CpuStrategy<Scene> for VelloCpu {
    fn name(&self) -> &str {
        VELLO_CPU
    }

    fn unsuited_reason(&self, scene: &Scene) -> Option<String> {
        unsuited_reason(scene.tags())
    }

    fn load(&mut self, scene: &Scene) {
        let layers = Layers::new(scene, POISON);
        let n = layers.len();
        let partitions = n.div_ceil(PARTITION);
        *self = Self {
            reduced: RefCell::new(vec![0; partitions * size_of::<ClipBic>()]),
            elements: RefCell::new(vec![0; partitions * PARTITION * size_of::<ClipElement>()]),
            objects: RefCell::new(bytemuck::cast_slice(&layers.objects).to_vec()),
            boxes: RefCell::new(bytemuck::cast_slice(&vec![POISON; 4 * n]).to_vec()),
            layers,
        };
    }

    fn run(&mut self, _: &Scene) {
        let layers = &self.layers;
        let config = CpuBinding::Buffer(bytemuck::bytes_of(&layers.config));
        let clips = CpuBinding::Buffer(bytemuck::cast_slice(&layers.clips));
        let paths = CpuBinding::Buffer(bytemuck::cast_slice(&layers.paths));
        let [reduced, elements] = [&self.reduced, &self.elements].map(CpuBinding::BufferRW);
        let [objects, boxes] = [&self.objects, &self.boxes].map(CpuBinding::BufferRW);
        let partitions = layers.len().saturating_sub(1) / PARTITION;
        clip_reduce(partitions as u32, &[clips, paths, reduced, elements]);
        let all = [config, clips, paths, reduced, elements, objects, boxes];
        clip_leaf(partitions as u32 + 1, &all);
    }

    fn mismatch(&self, _: &Scene) -> Option<String> {
        let differ = |name, found: &RefCell<Vec<u8>>, expected: &[u32]| {
            let found = bytemuck::pod_collect_to_vec::<u8, u32>(&found.borrow());
            Some(format!("{name}: {}", compare(0, &found, expected)?))
        };
        let Layers { boxes, matched, .. } = &self.layers;
        differ("clip_bboxes", &self.boxes, bytemuck::cast_slice(boxes))
            .or_else(|| differ("draw_monoids", &self.objects, bytemuck::cast_slice(matched)))
    }
}
