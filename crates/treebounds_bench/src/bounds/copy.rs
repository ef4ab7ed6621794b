//! The copy kernel, moving as many bytes as the bounds of a scene must: half of
//! them read, half written.

use super::Scene;
use super::strategy::{Prepared, Strategy};
use crate::copy::Copy;
use crate::transfer::{Transfer, buffer, bytes};
use crate::trial::{Output, Trial};
use treebounds::wgpu::BufferUsages;

/// How often the input is read: boxes need the clips of what lies left of them first.
pub(super) const READS: usize = 2;

impl Strategy for Copy {
    fn name(&self) -> &str {
        crate::copy::NAME
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
