//! The GPU that the tests run on.

use crate::streams::padded;
use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use treebounds::{
    BinCapacity, BinStatus, Binner, Bins, Gpu, Job, MatchBindings, MatchScratch, Matcher, Params,
    PieceBinner, Stage, Variant, wgpu,
};
use treebounds_core::{BinGrid, BinHeader, Bounds, NodeKind, Rect, Stream, Tag};
use treebounds_shaders::{Size, Stream as TreeStream, Task, TreeKernel};
use wgpu::BufferUsages;

/// This thread's GPU device. A test that ends hands its device to the next one, so that there are as many devices as tests
/// run side by side. A machine without a GPU fails the test.
///
/// # Panics
/// Where no GPU works, with the line that says how to install one.
pub fn gpu() -> &'static Gpu {
    thread_local! {
        static LEASE: Lease = Lease::new();
    }
    LEASE.with(|lease| lease.0)
}

/// Devices that no test uses. They are never dropped: a driver may have ended before.
static IDLE: Mutex<Vec<&'static Gpu>> = Mutex::new(Vec::new());

/// A device that one thread uses.
struct Lease(&'static Gpu);

impl Lease {
    #[expect(clippy::panic, reason = "a test without a GPU must fail, and say why")]
    fn new() -> Self {
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        Self(idle.unwrap_or_else(|| match pollster::block_on(Gpu::request()) {
            Ok(gpu) => Box::leak(Box::new(gpu)),
            Err(error) => panic!("{error}"),
        }))
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(self.0);
    }
}

/// Whether the GPU can run the stage in this variant at all: a smaller device has
/// fewer threads a workgroup, less workgroup memory, or no subgroups.
pub fn can_run(variant: &Variant) -> bool {
    variant.check_stage().is_ok()
        && has_room(variant, variant.workgroup_size(), stage_bytes(variant))
}

/// Whether the GPU can run matching alone in this variant.
pub fn can_match(variant: &Variant) -> bool {
    variant.check_matching().is_ok()
        && has_room(variant, variant.match_threads(), variant.match_workgroup_bytes())
}

/// Whether the GPU can run binning in this variant.
pub fn can_bin(variant: &Variant) -> bool {
    variant.check_binning().is_ok()
        && has_room(variant, variant.workgroup_size(), variant.bin_workgroup_bytes())
}

/// Workgroup memory that the stage takes at most.
fn stage_bytes(variant: &Variant) -> u32 {
    let kernels = [Size::Near, Size::Bundles, Size::Groups]
        .into_iter()
        .flat_map(|size| TreeKernel::steps(Task::both(TreeStream::Scene), size));
    kernels.map(|kernel| kernel.workgroup_bytes(variant, 16)).max().unwrap_or(0)
}

fn has_room(variant: &Variant, threads: u32, bytes: u32) -> bool {
    let device = &gpu().device;
    let limits = device.limits();
    threads <= limits.max_compute_invocations_per_workgroup
        && threads <= limits.max_compute_workgroup_size_x
        && bytes <= limits.max_compute_workgroup_storage_size
        && (!variant.subgroups() || device.features().contains(wgpu::Features::SUBGROUP))
}

/// A buffer of the GPU with nothing in it.
pub fn buffer(size: u64, usage: BufferUsages) -> wgpu::Buffer {
    gpu().device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size,
        usage,
        mapped_at_creation: false,
    })
}

/// A device with just these limits and no features.
///
/// # Panics
/// Where the adapter refuses.
#[expect(clippy::expect_used, reason = "a device that does not open is a failure of the test")]
pub fn device_with(limits: wgpu::Limits) -> Gpu {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let options = wgpu::RequestAdapterOptions::default();
    let adapter = pollster::block_on(instance.request_adapter(&options)).expect("there is a GPU");
    let descriptor = wgpu::DeviceDescriptor {
        required_limits: limits,
        required_features: treebounds::required_features(),
        ..Default::default()
    };
    let (device, queue) =
        pollster::block_on(adapter.request_device(&descriptor)).expect("the device opens");
    Gpu { adapter: adapter.get_info(), device, queue }
}

/// What [`Matching`] has in its links before it runs: what the kernels do not write
/// shows.
pub const POISON: u32 = 0xdead_dead;

/// All of a buffer.
pub fn whole(buffer: &wgpu::Buffer) -> wgpu::BufferBinding<'_> {
    buffer.as_entire_buffer_binding()
}

/// Binds whole buffers: params, input and links.
///
/// # Errors
/// What the stage says.
pub fn match_whole(
    matching: &Matcher,
    buffers: [&wgpu::Buffer; 3],
    scratch: &MatchScratch,
) -> Result<Job, treebounds::Error> {
    let [params, input, links] = buffers.map(whole);
    matching.bind(&MatchBindings { params, input, links }, scratch)
}

/// [`Matcher`] bound to buffers of its own.
pub struct Matching {
    /// How many elements there are; a kernel can write it too.
    pub params: wgpu::Buffer,
    /// The input.
    pub input: wgpu::Buffer,
    /// The links.
    pub links: wgpu::Buffer,
    /// The scratch.
    pub scratch: MatchScratch,
    /// What finds them.
    pub job: Job,
}

impl Matching {
    /// Buffers for this many elements, which these words hold.
    ///
    /// # Errors
    /// What the stage or the device says.
    pub fn new(
        matching: &Matcher,
        words: &[u32],
        capacity: u32,
    ) -> Result<Self, treebounds::Error> {
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let params = buffer(size_of::<Params>() as u64, BufferUsages::UNIFORM | storage);
        let input = buffer(4 * words.len() as u64, storage);
        let bytes = 4 * u64::from(capacity.max(1)).next_multiple_of(4);
        let links = buffer(bytes, storage | BufferUsages::COPY_SRC);
        let scratch = matching.scratch(capacity)?;
        let job = match_whole(matching, [&params, &input, &links], &scratch)?;
        let this = Self { params, input, links, scratch, job };
        this.write(words);
        Ok(this)
    }

    /// Writes the input, and poisons the links.
    pub fn write(&self, words: &[u32]) {
        let poison = vec![POISON; self.links.size() as usize / 4];
        gpu().queue.write_buffer(&self.input, 0, as_bytes(words));
        gpu().queue.write_buffer(&self.links, 0, as_bytes(&poison));
    }

    /// Finds the links of so many elements.
    pub fn run(&self, elements: u32) -> Vec<u32> {
        let params = Params { elements, ..Params::default() };
        gpu().queue.write_buffer(&self.params, 0, as_bytes(&[params]));
        run(&self.job);
        read(&self.links, elements as usize)
    }
}

/// The links that [`Matcher`] finds on the GPU for these tag words.
///
/// # Errors
/// What the stage or the device says.
pub fn links(matching: &Matcher, tags: &[u32]) -> Result<Vec<u32>, treebounds::Error> {
    let n = tags.len() as u32;
    Ok(Matching::new(matching, &padded(tags), n)?.run(n))
}

/// The links that [`Matcher`] finds on the GPU for a bitmap of what opens.
///
/// # Errors
/// What the stage or the device says.
pub fn bit_links(matching: &Matcher, opens: &[bool]) -> Result<Vec<u32>, treebounds::Error> {
    let n = opens.len() as u32;
    Ok(Matching::new(matching, &bitmap(opens), n)?.run(n))
}

/// A bit an element; past the last come set bits, which must not matter.
pub fn bitmap(opens: &[bool]) -> Vec<u32> {
    let bit = |bits: &[bool], at: usize| u32::from(bits.get(at).copied().unwrap_or(true)) << at;
    let word = |bits: &[bool]| (0..32).map(|at| bit(bits, at)).sum();
    let mut words: Vec<u32> = opens.chunks(32).map(word).collect();
    words.resize(words.len().max(1), u32::MAX);
    words
}

/// The tags that a bitmap of what opens stands for.
pub fn tags_of_bits(opens: &[bool]) -> Vec<Tag> {
    let tags = [Tag::end(NodeKind::Clip), Tag::begin(NodeKind::Clip)];
    opens.iter().map(|open| tags[usize::from(*open)]).collect()
}

/// [`Binner`] or [`PieceBinner`], bound to buffers of its own.
pub struct Binning {
    /// How many elements there are; a kernel can write it too.
    pub params: wgpu::Buffer,
    /// The boxes.
    pub bounds: wgpu::Buffer,
    /// What is found.
    pub bins: Bins,
    /// What finds it.
    pub job: Job,
    headers: usize,
    capacity: BinCapacity,
}

/// What it found: the buffers as they are.
#[derive(Debug)]
pub struct Binned {
    /// The status.
    pub status: BinStatus,
    /// Where each list is.
    pub headers: Vec<BinHeader>,
    /// All that is in the buffer, [`POISON`] where no kernel wrote.
    pub entries: Vec<u32>,
}

impl Binned {
    /// How many entries all lists or pieces have, which must lie without gaps from the first on, with
    /// nothing written after them.
    ///
    /// # Panics
    /// Where they do not.
    pub fn entries_without_gaps(&self, about: &str) -> u32 {
        let mut headers: Vec<_> = self.headers.iter().filter(|header| header.count > 0).collect();
        headers.sort_by_key(|header| header.offset);
        let end = headers.iter().fold(0, |end, header| {
            assert_eq!(header.offset, end, "{about}: a gap between lists");
            end + header.count
        });
        let beyond = &self.entries[end as usize..];
        assert!(beyond.iter().all(|entry| *entry == POISON), "{about}: written past the end");
        end
    }

    /// The list of each bin, or of pieces each, those of the first 256 elements before others.
    pub fn lists(&self) -> Vec<&[u32]> {
        let list =
            |header: &BinHeader| &self.entries[header.offset as usize..][..header.count as usize];
        self.headers.iter().map(list).collect()
    }

    /// The list of each of so many bins, its pieces one after the other.
    pub fn lists_of(&self, bins: u32) -> Vec<Vec<u32>> {
        let lists = self.lists();
        let of = |bin| lists.iter().skip(bin).step_by(bins as usize).copied().flatten().copied();
        (0..bins as usize).map(|bin| of(bin).collect()).collect()
    }
}

impl Binning {
    /// Buffers for a grid and a capacity.
    ///
    /// # Errors
    /// What the stage or the device says.
    pub fn new(
        bin: &Binner,
        grid: &BinGrid,
        capacity: BinCapacity,
    ) -> Result<Self, treebounds::Error> {
        let scratch = bin.scratch(capacity, grid)?;
        Self::bind(capacity, grid.bins(), |params, bounds, bins| {
            bin.bind(whole(params), whole(bounds), bins, &scratch)
        })
    }

    /// The same of binning in pieces.
    ///
    /// # Errors
    /// What the stage or the device says.
    pub fn in_pieces(
        bin: &PieceBinner,
        grid: &BinGrid,
        capacity: BinCapacity,
    ) -> Result<Self, treebounds::Error> {
        Self::bind(capacity, bin.pieces(capacity.elements) * grid.bins(), |params, bounds, bins| {
            bin.bind(whole(params), whole(bounds), bins, capacity, grid)
        })
    }

    fn bind(
        capacity: BinCapacity,
        headers: u32,
        job: impl FnOnce(&wgpu::Buffer, &wgpu::Buffer, &Bins) -> Result<Job, treebounds::Error>,
    ) -> Result<Self, treebounds::Error> {
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let BinCapacity { elements, entries } = capacity;
        let params = buffer(size_of::<Params>() as u64, BufferUsages::UNIFORM | storage);
        let bounds = buffer(16 * u64::from(elements.max(1)), storage);
        let bins = Bins {
            status: buffer(16, storage),
            headers: buffer(8 * u64::from(headers.max(1)), storage),
            entries: buffer(4 * u64::from(entries.max(1)), storage),
        };
        let job = job(&params, &bounds, &bins)?;
        Ok(Self { params, bounds, bins, job, headers: headers as usize, capacity })
    }

    /// Finds the bins of these boxes, for this count of them.
    pub fn run(&self, boxes: &[Rect], elements: u32) -> Binned {
        let params = Params { elements, ..Params::default() };
        gpu().queue.write_buffer(&self.params, 0, as_bytes(&[params]));
        gpu().queue.write_buffer(&self.bounds, 0, as_bytes(boxes));
        self.poison();
        run(&self.job);
        self.read()
    }

    /// Overwrites all that is written, so that what the kernels leave out shows.
    pub fn poison(&self) {
        for buffer in [&self.bins.status, &self.bins.headers, &self.bins.entries] {
            let poison = vec![POISON; buffer.size() as usize / 4];
            gpu().queue.write_buffer(buffer, 0, as_bytes(&poison));
        }
    }

    /// What is in the buffers.
    pub fn read(&self) -> Binned {
        Binned {
            status: read(&self.bins.status, 1)[0],
            headers: read(&self.bins.headers, self.headers),
            entries: read(&self.bins.entries, self.capacity.entries as usize),
        }
    }
}

/// The bounds that a stage finds on the GPU.
///
/// # Errors
/// What the stage or the device says.
pub fn bounds(stage: &Stage, stream: &Stream) -> Result<Bounds, treebounds::Error> {
    stage.compute(&gpu().queue, stream)
}

/// Records a job and submits it.
pub fn run(job: &Job) {
    let Gpu { device, queue, .. } = gpu();
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    job.record(&mut encoder);
    queue.submit([encoder.finish()]);
}

/// The first `len` values of a buffer that can be copied from.
pub fn read<T: bytemuck::Pod>(buffer: &wgpu::Buffer, len: usize) -> Vec<T> {
    read_at(&whole(buffer), len)
}

/// The first `len` values of a range of a buffer that can be copied from.
#[expect(clippy::expect_used, reason = "the device failing is a failure of the test")]
pub fn read_at<T: bytemuck::Pod>(range: &wgpu::BufferBinding<'_>, len: usize) -> Vec<T> {
    let Gpu { device, queue, .. } = gpu();
    let size = (len * size_of::<T>()) as u64;
    if size == 0 {
        return Vec::new();
    }
    let download = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size,
        usage: BufferUsages::MAP_READ | BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    encoder.copy_buffer_to_buffer(range.buffer, range.offset, &download, 0, size);
    queue.submit([encoder.finish()]);
    treebounds::device::read(device, &download).expect("the device works")
}

/// One buffer that hands out ranges, as a renderer's arena does, with a gap after each.
pub struct Arena {
    buffer: wgpu::Buffer,
    used: Cell<u64>,
}

impl Arena {
    /// An arena of so many bytes, which its ranges can be read from and written to.
    pub fn new(bytes: u64, usage: BufferUsages) -> Self {
        let usage = usage | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        // Whatever alignment the device asks for, no range is at the start.
        Self { buffer: buffer(bytes, usage), used: Cell::new(4) }
    }

    /// The next range.
    pub fn take(&self, bytes: u64) -> wgpu::BufferBinding<'_> {
        let offset = self.used.get().next_multiple_of(256);
        self.used.set(offset + bytes + 4);
        wgpu::BufferBinding { buffer: &self.buffer, offset, size: wgpu::BufferSize::new(bytes) }
    }

    /// A range that holds these values, and is large enough for one at least.
    pub fn put<T: bytemuck::NoUninit>(&self, values: &[T]) -> wgpu::BufferBinding<'_> {
        let range = self.take((size_of_val(values).max(16) as u64).next_multiple_of(4));
        gpu().queue.write_buffer(&self.buffer, range.offset, as_bytes(values));
        range
    }
}

fn as_bytes<T: bytemuck::NoUninit>(values: &[T]) -> &[u8] {
    bytemuck::cast_slice(values)
}
