//! The same stage on one core, as `vello_shaders` has it for tests.

use super::layers::Layers;
use super::{PARTITION, unsuited};
use crate::bounds::Scene;
use crate::bounds::strategy::CpuStrategy;
use crate::transfer::{POISON, compare};
use std::cell::RefCell;
use vello_encoding::{ClipBic, ClipElement};
use vello_shaders::cpu::{CpuBinding, clip_leaf, clip_reduce};

/// What the line is called.
pub(crate) const NAME: &str = "Vello 0.11, CPU";

/// `clip_reduce` and `clip_leaf`.
#[derive(Default)]
pub(crate) struct VelloCpu {
    layers: Layers,
    reduced: RefCell<Vec<u8>>,
    elements: RefCell<Vec<u8>>,
    objects: RefCell<Vec<u8>>,
    boxes: RefCell<Vec<u8>>,
}

impl CpuStrategy for VelloCpu {
    fn name(&self) -> &str {
        NAME
    }

    fn unsuited(&self, scene: &Scene) -> Option<String> {
        unsuited(scene.tags())
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
