//! `treebounds::Bin`.

use super::{Binning, Task, buffer, words};
use crate::harness::Recordable;
use treebounds::{Bin, BinCapacity, Bins, Gpu, Job, Options, Params, wgpu};

/// Binning as the library does it.
pub(super) struct Ours(Bin);

/// The same, with buffers.
pub(super) struct Bound {
    job: Job,
    bins: Bins,
    count: usize,
    entries: usize,
}

impl Ours {
    pub(super) fn new(device: &wgpu::Device, options: &Options) -> anyhow::Result<Self> {
        Ok(Self(Bin::new(device, options)?))
    }

    /// With room for as many entries as there are.
    pub(super) fn bind(&self, gpu: &Gpu, task: &Task) -> anyhow::Result<Bound> {
        let elements = u32::try_from(task.boxes.len())?;
        let entries = task.entries();
        let capacity = BinCapacity { elements, entries: u32::try_from(entries)? };
        let params = Params { elements, ..Params::default() };
        let params = buffer(gpu, 32, bytemuck::bytes_of(&params));
        let bytes: &[u8] = bytemuck::cast_slice(&task.boxes);
        let bounds = buffer(gpu, bytes.len() as u64, bytes);
        let scratch = self.0.scratch(capacity, &task.grid)?;
        let bins = Bins::new(&gpu.device, &task.grid, capacity.entries)?;
        let job = self.0.bind(&params, &bounds, &bins, &scratch)?;
        Ok(Bound { job, bins, count: task.lists.len(), entries })
    }
}

impl Binning for Bound {
    fn dispatches(&self) -> Vec<Box<dyn Recordable>> {
        self.job.dispatches().iter().map(|dispatch| Box::new(dispatch.clone()) as _).collect()
    }

    fn lists(&self, gpu: &Gpu) -> anyhow::Result<Vec<Vec<u32>>> {
        let headers = words(gpu, &self.bins.headers, 2 * self.count)?;
        let entries = words(gpu, &self.bins.entries, self.entries)?;
        let list = |header: &[u32]| {
            entries.iter().skip(header[0] as usize).take(header[1] as usize).copied().collect()
        };
        Ok(headers.chunks_exact(2).map(list).collect())
    }
}
