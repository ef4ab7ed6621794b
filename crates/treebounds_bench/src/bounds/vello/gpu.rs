//! The two kernels, dispatched as Vello dispatches them.

use super::layers::Layers;
use super::{PARTITION, limit, unsuited};
use crate::bounds::Scene;
use crate::bounds::strategy::{Prepared, Strategy};
use crate::harness::Recordable;
use crate::kernel::Kernel;
use crate::transfer::{POISON, Transfer, buffer, bytes};
use crate::trial::{Output, Trial};
use treebounds::wgpu;
use vello_encoding::{ClipBic, ClipElement};
use vello_shaders::SHADERS;
use wgpu::BufferUsages;

/// What the line is called.
pub(crate) const NAME: &str = "Vello 0.11, clips";

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

    /// Binds everything, whether it is within the limits or not.
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

        // All partitions but the last are reduced, as `vello_encoding` counts them.
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

impl Strategy for VelloGpu {
    fn name(&self) -> &str {
        NAME
    }

    fn unsuited(&self, scene: &Scene) -> Option<String> {
        unsuited(scene.tags()).or_else(|| limit(scene.tags()))
    }

    fn prepare<'s>(
        &self,
        transfer: &Transfer<'_>,
        scene: &'s Scene,
    ) -> anyhow::Result<Prepared<'s>> {
        self.bind(transfer, &Layers::new(scene, POISON))
    }
}

/// Bytes of what the first kernel leaves for the second: one partition at least.
fn scratch(n: usize) -> [u64; 2] {
    let partitions = n.div_ceil(PARTITION).max(1);
    [partitions * size_of::<ClipBic>(), partitions * PARTITION * size_of::<ClipElement>()]
        .map(|bytes| (bytes as u64).next_multiple_of(16))
}
