//! The buffers that strategies play on: tags or bits in, links out.

use crate::puzzle::Puzzle;
use crate::transfer::{Transfer, buffer, bytes};
use treebounds::{Gpu, wgpu};
use wgpu::BufferUsages;

/// Buffers for `n` elements.
pub(crate) struct Board<'a> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) n: usize,
    /// `n` as the first word of a uniform.
    pub(crate) size: wgpu::Buffer,
    /// A word an element, then up to three words of nothing.
    pub(crate) tags: wgpu::Buffer,
    /// A bit an element, then up to four words of nothing.
    pub(crate) bits: wgpu::Buffer,
    /// A word an element, then up to three words of nothing.
    pub(crate) links: wgpu::Buffer,
    pub(crate) transfer: Transfer<'a>,
}

impl<'a> Board<'a> {
    pub(crate) fn new(gpu: &'a Gpu, n: usize) -> anyhow::Result<Self> {
        let device = &gpu.device;
        anyhow::ensure!(
            Self::fits(gpu, n),
            "{n} elements are more than one buffer of {} can hold",
            gpu.adapter.name
        );
        let words = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let size = buffer(device, "size", 16, BufferUsages::UNIFORM | BufferUsages::COPY_DST)?;
        gpu.queue.write_buffer(&size, 0, bytemuck::bytes_of(&[n as u32, 0, 0, 0]));
        Ok(Self {
            gpu,
            n,
            size,
            tags: buffer(device, "tags", bytes(n), words)?,
            bits: buffer(device, "bits", bytes(n.div_ceil(32)), words)?,
            links: buffer(device, "links", bytes(n), words)?,
            transfer: Transfer::new(gpu, n)?,
        })
    }

    /// Whether the device has buffers that large.
    pub(crate) fn fits(gpu: &Gpu, n: usize) -> bool {
        let limits = gpu.device.limits();
        bytes(n) <= limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
            && u32::try_from(n).is_ok()
    }

    /// Uploads the tags, `n` of them, and the bits, where the puzzle has any.
    pub(crate) fn load(&self, puzzle: &Puzzle) -> anyhow::Result<()> {
        self.transfer.upload(&self.tags, &puzzle.tags)?;
        self.transfer.upload(&self.bits, puzzle.bits.as_deref().unwrap_or_default())
    }
}
