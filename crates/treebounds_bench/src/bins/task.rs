//! A binning task and its buffers.

use crate::contest::{Prepared, Puzzle};
use crate::measure::{Output, Recordable, Trial};
use treebounds::{Gpu, wgpu};
use treebounds_core::{BinGrid, Rect};

/// An input for binning, and the correct result.
pub(super) struct Task {
    /// The family of boxes, and the number of bins.
    pub(super) input: String,
    pub(super) grid: BinGrid,
    pub(super) boxes: Vec<Rect>,
    pub(super) lists: Vec<Vec<u32>>,
}

/// Creates a storage buffer with initial contents that can be copied to and from.
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

impl Puzzle for Task {
    fn input(&self) -> &str {
        &self.input
    }

    fn len(&self) -> usize {
        self.boxes.len()
    }
}

impl Task {
    /// The total length of all lists.
    pub(super) fn entries(&self) -> usize {
        self.lists.iter().map(Vec::len).sum()
    }

    /// Creates a trial. `lists` collects the list of each bin from the entries.
    pub(super) fn trial<'p>(
        &'p self,
        dispatches: Vec<Box<dyn Recordable>>,
        headers: &wgpu::Buffer,
        lists: impl Fn(&Gpu) -> anyhow::Result<Vec<Vec<u32>>> + 'p,
    ) -> Prepared<'p> {
        let check = move |gpu: &Gpu| {
            let found = lists(gpu)?;
            let is_wrong = |bin: &usize| found.get(*bin) != self.lists.get(*bin);
            let wrong = (0..self.lists.len().max(found.len())).find(is_wrong);
            Ok(wrong.map(|bin| format!("the list of bin {bin} is wrong")))
        };
        let output = Output::new("lists", headers, &[][..]);
        let outputs = vec![Output { check: Some(Box::new(check)), ..output }];
        Prepared { trial: Trial { dispatches, outputs }, scratch: None }
    }
}
