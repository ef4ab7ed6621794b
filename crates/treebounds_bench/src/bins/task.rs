//! A task of binning, and its buffers.

use crate::measure::Recordable;
use treebounds::{Gpu, wgpu};
use treebounds_core::{BinGrid, Rect};

/// A way to bin, with everything bound.
pub(super) trait Binning {
    /// What must be recorded, in order.
    fn dispatches(&self) -> Vec<Box<dyn Recordable>>;

    /// The list of each bin, after that.
    fn lists(&self, gpu: &Gpu) -> anyhow::Result<Vec<Vec<u32>>>;
}

/// An input to bin, and the right answer.
pub(super) struct Task {
    pub(super) input: &'static str,
    pub(super) grid: BinGrid,
    pub(super) boxes: Vec<Rect>,
    pub(super) lists: Vec<Vec<u32>>,
}

/// A storage buffer that can be copied both ways, with these bytes in front.
pub(super) fn buffer(gpu: &Gpu, bytes: u64, contents: &[u8]) -> wgpu::Buffer {
    let usage = wgpu::BufferUsages::STORAGE
        | wgpu::BufferUsages::UNIFORM
        | wgpu::BufferUsages::COPY_DST
        | wgpu::BufferUsages::COPY_SRC;
    let size = bytes.max(16).next_multiple_of(4);
    let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
    let buffer = gpu.device.create_buffer(&descriptor);
    gpu.queue.write_buffer(&buffer, 0, contents);
    buffer
}

/// The first words of a buffer.
pub(super) fn words(gpu: &Gpu, source: &wgpu::Buffer, count: usize) -> anyhow::Result<Vec<u32>> {
    let Gpu { device, queue, .. } = gpu;
    let size = 4 * count.max(1) as u64;
    let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
    let descriptor = wgpu::BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
    let target = device.create_buffer(&descriptor);
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(source, 0, &target, 0, size);
    queue.submit([encoder.finish()]);
    let mut words = treebounds::device::read(device, &target)?;
    words.truncate(count);
    Ok(words)
}

impl Task {
    /// The lengths of all lists together.
    pub(super) fn entries(&self) -> usize {
        self.lists.iter().map(Vec::len).sum()
    }
}
