//! `treebounds::Binner`, `treebounds::PieceBinner` and the binning shader of Vello.

use crate::bins::task::{Binning, Task, buffer, words};
use crate::measure::{Bound as Dispatch, Kernel, Recordable, recordables};
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
        let places = headers.chunks_exact(2).map(|header| [header[0], header[1]]);
        Ok(joined(places, self.count, self.count, &entries))
    }
}

/// The list of each of `count` bins, joined from its pieces. `places` gives the start and the length
/// of the first piece of each bin, padded to `stride` pieces, then of the second piece of each, and
/// so on.
fn joined(
    places: impl Iterator<Item = [u32; 2]>,
    count: usize,
    stride: usize,
    entries: &[u32],
) -> Vec<Vec<u32>> {
    let mut lists = vec![Vec::new(); count];
    for (at, [start, len]) in places.enumerate() {
        if let Some(list) = lists.get_mut(at % stride) {
            list.extend(entries.iter().skip(start as usize).take(len as usize));
        }
    }
    lists
}

/// Elements a workgroup, and bins a round.
const GROUP: usize = 256;

/// A renderer clears the allocators before each frame; so does the chain here.
const CLEAR: &str = "
@group(0) @binding(0) var<storage, read_write> bump: array<u32, 8>;
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) thread: u32) {
    bump[thread] = 0u;
}
";

/// The binning shader of Vello, from its crate `vello_shaders`, compiled.
///
/// It takes 256 elements per workgroup, 256 bins at a time as bitmaps in workgroup memory, and makes a list for each bin of
/// each workgroup, so that a bin's list is in as many pieces as there are workgroups. Nothing is clipped here, which saves
/// it the reading of clips.
pub(super) struct Vello {
    clear: Kernel,
    binning: Kernel,
}

/// The same, with buffers.
pub(super) struct VelloBound {
    clear: std::rc::Rc<Dispatch>,
    binning: std::rc::Rc<Dispatch>,
    headers: wgpu::Buffer,
    entries: wgpu::Buffer,
    bins: usize,
    groups: usize,
    room: usize,
}

impl Vello {
    pub(super) fn new(device: &wgpu::Device, checked: bool) -> anyhow::Result<Self> {
        let source = &vello_shaders::SHADERS.binning.wgsl.code;
        Ok(Self {
            clear: Kernel::new(device, "clear", CLEAR, checked)?,
            binning: Kernel::new(device, "vello binning", source, checked)?,
        })
    }

    /// None where it takes no so many elements, or the device no such buffers.
    pub(super) fn bind(&self, gpu: &Gpu, task: &Task) -> anyhow::Result<Option<VelloBound>> {
        let limits = gpu.device.limits();
        let (n, bins, room) = (task.boxes.len(), task.lists.len(), task.entries());
        let groups = n.div_ceil(GROUP);
        let header_bytes = 8 * (groups * bins.next_multiple_of(GROUP)) as u64;
        let largest = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        if groups > limits.max_compute_workgroups_per_dimension as usize || header_bytes > largest {
            return Ok(None);
        }
        let config = buffer(gpu, 128, bytemuck::cast_slice(&config(task)?));
        let draws: Vec<[u32; 4]> = (0..n as u32).map(|path| [path, 0, 0, 0]).collect();
        let draws = buffer(gpu, 16 * n as u64, bytemuck::cast_slice(&draws));
        let paths: Vec<[i32; 6]> = task
            .boxes
            .iter()
            .map(|rect| [rect.x0 as i32, rect.y0 as i32, rect.x1 as i32, rect.y1 as i32, 0, 0])
            .collect();
        let paths = buffer(gpu, 24 * n as u64, bytemuck::cast_slice(&paths));
        let clips = buffer(gpu, 16, &[]);
        let boxes = buffer(gpu, 16 * n as u64, &[]);
        let bump = buffer(gpu, 32, &[0; 32]);
        let entries = buffer(gpu, 4 * room as u64, &[]);
        let headers = buffer(gpu, header_bytes, &[]);
        let device = &gpu.device;
        let clear = self.clear.bind(device, &[&bump], 1)?;
        let buffers = [&config, &draws, &paths, &clips, &boxes, &bump, &entries, &headers];
        let binning = self.binning.bind(device, &buffers, groups as u64)?;
        let (clear, binning) = (clear.into(), binning.into());
        Ok(Some(VelloBound { clear, binning, headers, entries, bins, groups, room }))
    }
}

/// Vello's `Config`, of which only what binning reads is set.
fn config(task: &Task) -> anyhow::Result<[u32; 32]> {
    let [width, height] = task.grid.size();
    let mut config = [0; 32];
    config[0] = width.div_ceil(16);
    config[1] = height.div_ceil(16);
    (config[2], config[3]) = (width, height);
    config[5] = u32::try_from(task.boxes.len())?;
    config[6] = config[5];
    // Room for lines, of which there are none, and for the entries.
    config[15] = 1;
    config[16] = u32::try_from(task.entries())?;
    Ok(config)
}

impl Recordable for std::rc::Rc<Dispatch> {
    fn label(&self) -> &str {
        self.as_ref().label()
    }

    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        self.as_ref().record(pass);
    }
}

impl Binning for VelloBound {
    fn dispatches(&self) -> Vec<Box<dyn Recordable>> {
        vec![Box::new(self.clear.clone()), Box::new(self.binning.clone())]
    }

    /// The pieces of each bin's list, put together.
    fn lists(&self, gpu: &Gpu) -> anyhow::Result<Vec<Vec<u32>>> {
        let stride = self.bins.next_multiple_of(GROUP);
        let headers = words(gpu, &self.headers, 2 * stride * self.groups)?;
        let entries = words(gpu, &self.entries, self.room)?;
        let places = headers.chunks_exact(2).map(|header| [header[1], header[0]]);
        Ok(joined(places, self.bins, stride, &entries))
    }
}
