//! `treebounds::Binner`, `treebounds::PieceBinner` and Vello's binning shader.

use crate::bins::task::{Task, buffer, words};
use crate::contest::{Prepared, Strategy};
use crate::measure::{Copy, Kernel, Output, Transfer, Trial, recordables};
use crate::record::COPY;
use treebounds::wgpu::{self, Limits};
use treebounds::{BinCapacity, Binner, BinnerDescriptor, Bins, Gpu, Job, Params, PieceBinner};
use treebounds_core::Rect;

/// `treebounds::Binner`: one list per bin.
pub(super) struct Lists(Binner);

/// `treebounds::PieceBinner`: several pieces per list.
pub(super) struct Pieces(PieceBinner);

impl Lists {
    pub(super) fn new(device: &wgpu::Device, with: &BinnerDescriptor<'_>) -> anyhow::Result<Self> {
        Ok(Self(Binner::new(device, with)?))
    }
}

impl Pieces {
    pub(super) fn new(device: &wgpu::Device, with: &BinnerDescriptor<'_>) -> anyhow::Result<Self> {
        Ok(Self(PieceBinner::new(device, &with.tuning.into())?))
    }
}

impl Strategy<Task> for Copy {
    fn name(&self) -> &str {
        COPY
    }

    fn prepare<'p>(&self, on: &Transfer<'_>, task: &'p Task) -> anyhow::Result<Prepared<'p>> {
        let words: &[u32] = bytemuck::cast_slice(&task.boxes);
        let (_, _, source) = inputs(on.gpu, task)?;
        let target = buffer(on.gpu, source.size(), &[]);
        let dispatches = vec![self.between(&on.gpu.device, &source, &target)?];
        let outputs = vec![Output::new("boxes", &target, words)];
        Ok(Prepared { trial: Trial { dispatches, outputs }, scratch: None })
    }
}

impl Strategy<Task> for Lists {
    fn name(&self) -> &str {
        "treebounds, lists"
    }

    fn prepare<'p>(&self, on: &Transfer<'_>, task: &'p Task) -> anyhow::Result<Prepared<'p>> {
        let (capacity, params, bounds) = inputs(on.gpu, task)?;
        let scratch = self.0.scratch(capacity, &task.grid)?;
        let bins = Bins::new(&on.gpu.device, &task.grid, capacity.entries)?;
        let job = self.0.bind(whole(&params), whole(&bounds), &bins, &scratch)?;
        Ok(ours(task, &job, bins, 1))
    }
}

impl Strategy<Task> for Pieces {
    fn name(&self) -> &str {
        "treebounds, pieces"
    }

    fn unsuited_reason(&self, task: &Task) -> Option<String> {
        self.0.buffers(capacity(task).ok()?, &task.grid).err().map(|_| TOO_LARGE.to_owned())
    }

    fn prepare<'p>(&self, on: &Transfer<'_>, task: &'p Task) -> anyhow::Result<Prepared<'p>> {
        let (capacity, params, bounds) = inputs(on.gpu, task)?;
        let bins = self.0.buffers(capacity, &task.grid)?;
        let job = self.0.bind(whole(&params), whole(&bounds), &bins, capacity, &task.grid)?;
        let pieces = self.0.pieces(capacity.elements) as usize;
        Ok(ours(task, &job, bins, pieces))
    }
}

/// The reason for skipping a task whose buffers exceed the device limits.
const TOO_LARGE: &str = "too large";

/// Creates a trial of our job, with the given number of pieces per list.
fn ours<'p>(task: &'p Task, job: &Job, bins: Bins, pieces: usize) -> Prepared<'p> {
    let (count, entries, headers) = (task.lists.len(), task.entries(), bins.headers.clone());
    task.trial(recordables(job), &headers, move |gpu| {
        let headers = words(gpu, &bins.headers, 2 * count * pieces)?;
        let entries = words(gpu, &bins.entries, entries)?;
        let places = headers.chunks_exact(2).map(|header| [header[0], header[1]]);
        Ok(join_pieces(places, count, count, &entries))
    })
}

fn whole(buffer: &wgpu::Buffer) -> wgpu::BufferBinding<'_> {
    buffer.as_entire_buffer_binding()
}

fn capacity(task: &Task) -> anyhow::Result<BinCapacity> {
    let (elements, entries) = (task.boxes.len().try_into()?, task.entries().try_into()?);
    Ok(BinCapacity { elements, entries })
}

fn inputs(gpu: &Gpu, task: &Task) -> anyhow::Result<(BinCapacity, wgpu::Buffer, wgpu::Buffer)> {
    let capacity = capacity(task)?;
    let params = Params { elements: capacity.elements, ..Params::default() };
    let params = buffer(gpu, 32, bytemuck::bytes_of(&params));
    let bytes: &[u8] = bytemuck::cast_slice(&task.boxes);
    Ok((capacity, params, buffer(gpu, bytes.len() as u64, bytes)))
}

/// Joins the pieces of the lists of `count` bins. `places` contains the start and length of the first
/// piece of each bin, padded to `stride` pieces, then of the second piece of each bin, and so on.
fn join_pieces(
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

/// Elements per workgroup, and bins per round.
const GROUP: usize = 256;

/// Clears the allocators at the start of the chain, as renderers do before each frame.
const CLEAR: &str = "
@group(0) @binding(0) var<storage, read_write> bump: array<u32, 8>;
@compute @workgroup_size(8)
fn main(@builtin(local_invocation_index) thread: u32) {
    bump[thread] = 0u;
}
";

/// Vello's binning shader from the crate `vello_shaders`.
///
/// It processes 256 elements per workgroup, with bitmaps for 256 bins at a time in workgroup memory. Each workgroup writes one
/// piece of each bin's list. The scenes have no clips, so the shader does not read any.
pub(super) struct Vello {
    clear: Kernel,
    binning: Kernel,
    limits: wgpu::Limits,
}

impl Vello {
    pub(super) fn new(device: &wgpu::Device, checked: bool) -> anyhow::Result<Self> {
        let source = &vello_shaders::SHADERS.binning.wgsl.code;
        Ok(Self {
            clear: Kernel::new(device, "clear", CLEAR, checked)?,
            binning: Kernel::new(device, "vello binning", source, checked)?,
            limits: device.limits(),
        })
    }
}

/// The number of workgroups of a task, and the size of its headers.
fn extent(task: &Task) -> (usize, u64) {
    let groups = task.boxes.len().div_ceil(GROUP);
    (groups, 8 * (groups * task.lists.len().next_multiple_of(GROUP)) as u64)
}

impl Strategy<Task> for Vello {
    fn name(&self) -> &str {
        "Vello, pieces"
    }

    fn unsuited_reason(&self, task: &Task) -> Option<String> {
        let (groups, bytes) = extent(task);
        let Limits { max_storage_buffer_binding_size: binding, max_buffer_size: size, .. } =
            self.limits;
        let most = self.limits.max_compute_workgroups_per_dimension as usize;
        (groups > most || bytes > binding.min(size)).then(|| TOO_LARGE.to_owned())
    }

    fn prepare<'p>(&self, on: &Transfer<'_>, task: &'p Task) -> anyhow::Result<Prepared<'p>> {
        let gpu = on.gpu;
        let (n, bins, room) = (task.boxes.len(), task.lists.len(), task.entries());
        let (groups, header_bytes) = extent(task);
        let config = buffer(gpu, 128, bytemuck::cast_slice(&config(task)?));
        let draws: Vec<[u32; 4]> = (0..n as u32).map(|path| [path, 0, 0, 0]).collect();
        let draws = buffer(gpu, 16 * n as u64, bytemuck::cast_slice(&draws));
        let path = |rect: &Rect| rect.to_array().map(|edge| edge as i32);
        let paths = task.boxes.iter().map(|rect| {
            let [x0, y0, x1, y1] = path(rect);
            [x0, y0, x1, y1, 0, 0]
        });
        let paths: Vec<[i32; 6]> = paths.collect();
        let paths = buffer(gpu, 24 * n as u64, bytemuck::cast_slice(&paths));
        let clips = buffer(gpu, 16, &[]);
        let boxes = buffer(gpu, 16 * n as u64, &[]);
        let bump = buffer(gpu, 32, &[0; 32]);
        let entries = buffer(gpu, 4 * room as u64, &[]);
        let headers = buffer(gpu, header_bytes, &[]);
        let buffers = [&config, &draws, &paths, &clips, &boxes, &bump, &entries, &headers];
        let clear = self.clear.bind(&gpu.device, &[&bump], 1)?;
        let binning = self.binning.bind(&gpu.device, &buffers, groups as u64)?;
        let places = headers.clone();
        // Joins the pieces of each bin's list.
        let lists = move |gpu: &Gpu| {
            let stride = bins.next_multiple_of(GROUP);
            let headers = words(gpu, &headers, 2 * stride * groups)?;
            let entries = words(gpu, &entries, room)?;
            let places = headers.chunks_exact(2).map(|header| [header[1], header[0]]);
            Ok(join_pieces(places, bins, stride, &entries))
        };
        Ok(task.trial(vec![Box::new(clear), Box::new(binning)], &places, lists))
    }
}

/// Vello's `Config` with only the fields that binning reads.
fn config(task: &Task) -> anyhow::Result<[u32; 32]> {
    let [width, height] = task.grid.size();
    let mut config = [0; 32];
    config[0] = width.div_ceil(16);
    config[1] = height.div_ceil(16);
    (config[2], config[3]) = (width, height);
    config[5] = u32::try_from(task.boxes.len())?;
    config[6] = config[5];
    // The capacities for lines (there are none) and entries.
    config[15] = 1;
    config[16] = u32::try_from(task.entries())?;
    Ok(config)
}
