//! `treebounds::Binner` and `treebounds::PieceBinner`.

use super::{Binning, Task, buffer, words};
use crate::measure::{Recordable, recordables};
use treebounds::{
    BinCapacity, Binner, BinnerDescriptor, Bins, Gpu, Job, Params, PieceBinner, wgpu,
};

/// Binning as the library does it: lists, and lists in pieces.
pub(super) struct Ours {
    lists: Binner,
    pieces: PieceBinner,
}

/// One of both, with buffers.
pub(super) struct Bound {
    job: Job,
    bins: Bins,
    /// Lists, pieces of each, and entries of all.
    count: usize,
    pieces: usize,
    entries: usize,
}

impl Ours {
    pub(super) fn new(device: &wgpu::Device, lists: &BinnerDescriptor<'_>) -> anyhow::Result<Self> {
        let pieces = PieceBinner::new(device, &lists.tuning.into())?;
        Ok(Self { lists: Binner::new(device, lists)?, pieces })
    }

    /// Lists, with room for as many entries as there are.
    pub(super) fn lists(&self, gpu: &Gpu, task: &Task) -> anyhow::Result<Bound> {
        let (capacity, params, bounds) = inputs(gpu, task)?;
        let scratch = self.lists.scratch(capacity, &task.grid)?;
        let bins = Bins::new(&gpu.device, &task.grid, capacity.entries)?;
        let job = self.lists.bind(whole(&params), whole(&bounds), &bins, &scratch)?;
        Ok(Bound { job, bins, count: task.lists.len(), pieces: 1, entries: task.entries() })
    }

    /// The same in pieces; `None` where the device has no such buffers.
    pub(super) fn pieces(&self, gpu: &Gpu, task: &Task) -> anyhow::Result<Option<Bound>> {
        let (capacity, params, bounds) = inputs(gpu, task)?;
        let Ok(bins) = self.pieces.buffers(capacity, &task.grid) else { return Ok(None) };
        let job = self.pieces.bind(whole(&params), whole(&bounds), &bins, capacity, &task.grid)?;
        let pieces = self.pieces.pieces(capacity.elements) as usize;
        let (count, entries) = (task.lists.len(), task.entries());
        Ok(Some(Bound { job, bins, count, pieces, entries }))
    }
}

fn whole(buffer: &wgpu::Buffer) -> wgpu::BufferBinding<'_> {
    buffer.as_entire_buffer_binding()
}

fn inputs(gpu: &Gpu, task: &Task) -> anyhow::Result<(BinCapacity, wgpu::Buffer, wgpu::Buffer)> {
    let elements = u32::try_from(task.boxes.len())?;
    let capacity = BinCapacity { elements, entries: u32::try_from(task.entries())? };
    let params = Params { elements, ..Params::default() };
    let params = buffer(gpu, 32, bytemuck::bytes_of(&params));
    let bytes: &[u8] = bytemuck::cast_slice(&task.boxes);
    Ok((capacity, params, buffer(gpu, bytes.len() as u64, bytes)))
}

impl Binning for Bound {
    fn dispatches(&self) -> Vec<Box<dyn Recordable>> {
        recordables(&self.job)
    }

    fn lists(&self, gpu: &Gpu) -> anyhow::Result<Vec<Vec<u32>>> {
        let headers = words(gpu, &self.bins.headers, 2 * self.count * self.pieces)?;
        let entries = words(gpu, &self.bins.entries, self.entries)?;
        let mut lists = vec![Vec::new(); self.count];
        for pieces in headers.chunks_exact(2 * self.count) {
            for (list, header) in lists.iter_mut().zip(pieces.chunks_exact(2)) {
                let piece = entries.iter().skip(header[0] as usize).take(header[1] as usize);
                list.extend(piece.copied());
            }
        }
        Ok(lists)
    }
}
