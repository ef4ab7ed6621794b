//! What is compared: ways to find bounds, on the GPU and on the CPU. The first is the copy kernel, which moves as many
//! bytes as the bounds of a scene must: half of them read, half written.

use super::Scene;
use crate::lines::COPY;
use crate::measure::{Copy, Output, Transfer, Trial, buffer, bytes};
use crate::record::READS;
use treebounds::wgpu::BufferUsages;

/// A way to find bounds on the GPU. Its pipelines are built already.
pub(super) trait Strategy {
    /// What its line is called.
    fn name(&self) -> &str;

    /// Why it cannot take such a scene, where it cannot, in a word or two.
    fn unsuited(&self, _scene: &Scene) -> Option<String> {
        None
    }

    /// Uploads the scene and binds everything.
    fn prepare<'s>(
        &self,
        transfer: &Transfer<'_>,
        scene: &'s Scene,
    ) -> anyhow::Result<Prepared<'s>>;
}

/// A strategy on a scene.
pub(super) struct Prepared<'s> {
    pub(super) trial: Trial<'s>,
    /// Bytes of GPU memory besides inputs and outputs, where that is known.
    pub(super) scratch: Option<u64>,
}

/// A way to find bounds on the CPU. Its memory is used again.
pub(super) trait CpuStrategy {
    /// What its line is called.
    fn name(&self) -> &str;

    /// Why it cannot take such a scene, where it cannot, in a word or two.
    fn unsuited(&self, _scene: &Scene) -> Option<String> {
        None
    }

    /// Gets ready for a scene, and forgets all answers.
    fn load(&mut self, scene: &Scene);

    /// Finds the bounds of the scene that was loaded.
    fn run(&mut self, scene: &Scene);

    /// What is wrong with the answer, if anything is.
    fn mismatch(&self, scene: &Scene) -> Option<String>;
}

impl Strategy for Copy {
    fn name(&self) -> &str {
        COPY
    }

    fn prepare<'s>(
        &self,
        transfer: &Transfer<'_>,
        scene: &'s Scene,
    ) -> anyhow::Result<Prepared<'s>> {
        let words = scene.facts.bytes(READS).div_ceil(8);
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let new = |label| buffer(&transfer.gpu.device, label, bytes(words), usage);
        let (source, target) = (new("copy source")?, new("copy target")?);
        let rects: &[u32] = bytemuck::cast_slice(scene.stream.rects());
        let pattern: Vec<u32> = rects.iter().copied().cycle().take(words).collect();
        transfer.upload(&source, &pattern)?;
        let dispatch = self.between(&transfer.gpu.device, &source, &target)?;
        let outputs = vec![Output::new("copy", &target, pattern)];
        Ok(Prepared { trial: Trial { dispatches: vec![dispatch], outputs }, scratch: None })
    }
}
