//! Binning: from one box per element to a list of elements per bin.

mod layout;
mod pieces;

pub use pieces::{PieceBinner, PieceBinnerDescriptor};

use crate::gpu::buffers::{Levels, Need, Range, bytes, bytes_of_parts, check, create, place_parts};
use crate::gpu::job::JobBuilder;
use crate::gpu::pipelines::{Build, Pipeline};
use crate::stage::need;
use crate::{Error, Job, Tuning};
use layout::BinLayout;
use treebounds_core::{BinGrid, BinHeader};
use treebounds_shaders::{BinPlan, BinScan, BinStatus, Kernel, Params, Variant};
use wgpu::{BufferBinding, BufferUsages};

/// How many elements and entries a [`BinScratch`], or binning in pieces, and its buffers are made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BinCapacity {
    /// The most elements.
    pub elements: u32,
    /// The most entries of all lists together. An element has one for each bin that it touches.
    pub entries: u32,
}

/// The ranges that a [`Binner`] or a [`PieceBinner`] writes.
///
/// | range | content | bytes | usage |
/// |---|---|---|---|
/// | `status` | [`BinStatus`] | 16 | `STORAGE` |
/// | `headers` | one [`BinHeader`] per bin, row by row | 8 per bin; in pieces 8 per bin and piece | `STORAGE` |
/// | `entries` | element indices, ascending in each list | 4 per entry | `STORAGE` |
///
/// The lists of all bins, or their pieces, lie in `entries` one after the other, without gaps, in any
/// order. After the last of them `entries` keeps what it held. Where the count in a header is 0, the
/// offset means nothing.
///
/// Where the status has the flag [`BinStatus::ENTRIES_TOO_FEW`], no list is usable: those of a
/// [`Binner`] are empty, those of a [`PieceBinner`] may lack pieces.
#[derive(Clone, Debug)]
pub struct BinBindings<'a> {
    /// How many entries there are, and whether they fit.
    pub status: BufferBinding<'a>,
    /// Where the list of each bin is.
    pub headers: BufferBinding<'a>,
    /// The lists.
    pub entries: BufferBinding<'a>,
}

/// One buffer for each of [`BinBindings`], for callers without an arena.
#[derive(Clone, Debug)]
pub struct Bins {
    /// How many entries there are, and whether they fit.
    pub status: wgpu::Buffer,
    /// Where the list of each bin is.
    pub headers: wgpu::Buffer,
    /// The lists.
    pub entries: wgpu::Buffer,
}

const LABEL: &str = "treebounds binner";

impl Bins {
    /// New buffers for a [`Binner`] with this grid and this many entries, which can also be copied
    /// from. [`PieceBinner::buffers`] makes those for pieces.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] where memory runs out.
    pub fn new(device: &wgpu::Device, grid: &BinGrid, entries: u32) -> Result<Self, Error> {
        let headers = bytes(size_of::<BinHeader>() as u64, grid.bins());
        Self::with_headers(device, headers, entries)
    }

    fn with_headers(device: &wgpu::Device, headers: u64, entries: u32) -> Result<Self, Error> {
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let new = |name, bytes| create(device, LABEL, name, bytes, storage);
        Ok(Self {
            status: new("status", size_of::<BinStatus>() as u64)?,
            headers: new("headers", headers)?,
            entries: new("entries", bytes(4, entries))?,
        })
    }
}

impl<'a> From<&'a Bins> for BinBindings<'a> {
    fn from(bins: &'a Bins) -> Self {
        Self {
            status: bins.status.as_entire_buffer_binding(),
            headers: bins.headers.as_entire_buffer_binding(),
            entries: bins.entries.as_entire_buffer_binding(),
        }
    }
}

impl<'a> BinBindings<'a> {
    pub(crate) fn needs(&self, grid: &BinGrid, entries: u32) -> [Need<'a>; 3] {
        self.needs_with(bytes(size_of::<BinHeader>() as u64, grid.bins()), entries)
    }

    fn needs_with(&self, headers: u64, entries: u32) -> [Need<'a>; 3] {
        let storage = BufferUsages::STORAGE;
        [
            need("status", &self.status, size_of::<BinStatus>() as u64, storage),
            need("headers", &self.headers, headers, storage),
            need("entries", &self.entries, bytes(4, entries), storage),
        ]
    }
}

/// How to build a [`Binner`].
#[derive(Clone, Copy, Debug, Default)]
pub struct BinnerDescriptor<'a> {
    /// The label of its pipelines, bind groups, scratch buffers and passes. `None`: "treebounds
    /// binner".
    pub label: Option<&'a str>,
    /// Elements per thread, 1 to 32. `None` chooses by the number of elements.
    pub per_thread: Option<u32>,
    /// How its kernels are compiled.
    pub tuning: Tuning,
    /// A cache of compiled pipelines.
    pub pipeline_cache: Option<&'a wgpu::PipelineCache>,
}

/// Binning: which elements touch each bin of a [`BinGrid`], in paint order.
///
/// An element touches a bin where its box covers a part of one of the bin's pixels inside the
/// viewport. Boxes are half open, so one that ends where a bin begins does not touch it. An empty box
/// ([`Rect::NOTHING`](treebounds_core::Rect::NOTHING), for example of a culled element) touches none.
/// The same as [`reference::bins`](treebounds_core::reference::bins).
///
/// It takes any number of elements and bins that the buffers hold. Where the entries do not fit, every
/// bin is empty, nothing else is written, and the status says exactly how many entries are needed: a
/// second try with that capacity succeeds. (`u32::MAX` means that or more, and no capacity reaches
/// it.)
///
/// A box that is NaN or not canonical affects only the lists that its element is or is not in.
///
/// Cost: 2 dispatches for at most 16 x 16 bins and few elements (up to 41,000 for 40 bins, 22,000 for
/// 135), else 3 for up to 32 x 32 bins, 6 for up to 1024 x 1024, 9 or 12 beyond. A box is read once.
/// Memory traffic, with one level of cells: 32 bytes per element, 4 per entry, and for each chunk of
/// 2048 elements (1024 or 256 where few are expected) 20 per bin; 8 more per element for every further
/// 16 x 16 bins of the level. Each further level takes about 24 bytes for each element of each cell
/// that it touches. Many threads write an element that touches very many bins.
///
/// [`Stage::bind_bins`](crate::Stage::bind_bins) makes one job of the stage and this. Readers that can
/// read a list in pieces get it sooner from a [`PieceBinner`].
///
/// ```
/// use treebounds::{BinCapacity, Binner, BinnerDescriptor, Bins, Job, Outputs};
/// use treebounds::{treebounds_core::BinGrid, wgpu};
///
/// /// Lists for bins of 256 x 256 px, from the boxes that a stage writes. `params` holds how many
/// /// elements there are.
/// fn bins(
///     device: &wgpu::Device,
///     params: &wgpu::Buffer,
///     stage: &Outputs,
/// ) -> Result<(Job, Bins), Box<dyn std::error::Error>> {
///     let grid = BinGrid::new(3840, 2160)?;
///     let capacity = BinCapacity { elements: 100_000, entries: 400_000 };
///     let binner = Binner::new(device, &BinnerDescriptor::default())?; // once
///     let scratch = binner.scratch(capacity, &grid)?;
///     let bins = Bins::new(device, &grid, capacity.entries)?;
///     let [params, boxes] = [params, &stage.boxes].map(wgpu::Buffer::as_entire_buffer_binding);
///     let job = binner.bind(params, boxes, &bins, &scratch)?;
///     Ok((job, bins)) // record it in every frame, after the stage
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Binner {
    build: Build,
    variant: Variant,
    /// Elements per thread that the caller asked for.
    per_thread: Option<u32>,
    count: Pipeline,
    scan: Pipeline,
    emit: Pipeline,
    emit_near: Pipeline,
}

/// Working memory of a [`Binner`] for a capacity and a grid, as [`Scratch`](crate::Scratch).
#[derive(Clone, Debug)]
pub struct BinScratch {
    layout: BinLayout,
    plans: Levels,
    /// As [`BinLayout::parts`] says.
    pub(crate) parts: Vec<Range>,
    /// As [`BinLayout::chunk_lists`] says.
    chunk_lists: Vec<Range>,
}

impl BinScratch {
    /// What it was made for.
    pub fn capacity(&self) -> BinCapacity {
        self.layout.capacity
    }

    /// The bins.
    pub fn grid(&self) -> BinGrid {
        self.layout.grid
    }
}

impl Binner {
    /// Builds binning for a device.
    ///
    /// # Errors
    /// As [`Stage::new`](crate::Stage::new).
    pub fn new(device: &wgpu::Device, descriptor: &BinnerDescriptor<'_>) -> Result<Self, Error> {
        let BinnerDescriptor { label, per_thread, tuning, pipeline_cache } = *descriptor;
        let build = Build::new(device, label, LABEL, tuning, pipeline_cache);
        let variant = tuning.bin_variant(device)?;
        Variant::new(variant.workgroup_size(), per_thread.unwrap_or(1))?.check_binning()?;
        let kernels = [
            Kernel::BinCount,
            Kernel::BinScan,
            Kernel::BinEmit(BinScan::Separate),
            Kernel::BinEmit(BinScan::Fused),
        ];
        let compiled = build.compiler().compile(kernels.map(|kernel| (kernel, variant)));
        let [count, scan, emit, emit_near] =
            kernels.map(|kernel| compiled.pipeline(kernel, &variant));
        Ok(Self {
            build,
            variant,
            per_thread,
            count: count?,
            scan: scan?,
            emit: emit?,
            emit_near: emit_near?,
        })
    }

    /// The most elements that a workgroup takes where there may be so many: a chunk.
    pub fn chunk(&self, elements: u32) -> u32 {
        let tuned = match elements {
            0..=0x2_0000 => 1,
            0x2_0001..=0x10_0000 => 4,
            _ => 8,
        };
        self.variant.workgroup_size() * self.per_thread.unwrap_or(tuned)
    }

    /// Bytes of a scratch: 8 per element; for each chunk of elements 4, and 4 per bin or coarser cell;
    /// for each further level (more than 32, 1024 and 32,768 bins on a side) up to 4 per entry and 12
    /// per cell.
    ///
    /// In addition, a scratch owns buffers of 12 bytes per chunk and cell of each level, which kernels read
    /// while they write the rest.
    ///
    /// # Errors
    /// [`Error::TooMany`] where 32-bit indices do not suffice.
    pub fn scratch_bytes(&self, capacity: BinCapacity, grid: &BinGrid) -> Result<u64, Error> {
        Ok(bytes_of_parts(&self.build.device, &self.layout(capacity, grid)?.parts()))
    }

    fn layout(&self, capacity: BinCapacity, grid: &BinGrid) -> Result<BinLayout, Error> {
        BinLayout::new(*grid, capacity, self.chunk(capacity.elements))
    }

    /// Working memory for this capacity and grid, in new buffers.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::TooMany`], or [`Error::Device`] where memory runs out.
    pub fn scratch(&self, capacity: BinCapacity, grid: &BinGrid) -> Result<BinScratch, Error> {
        self.place_scratch(capacity, grid, None)
    }

    /// Working memory for this capacity and grid in the caller's, of at least
    /// [`scratch_bytes`](Self::scratch_bytes) and with the usage `STORAGE`.
    ///
    /// # Errors
    /// As [`Binner::scratch`], and as [`Stage::bind`](crate::Stage::bind) for a range that does not
    /// fit.
    pub fn scratch_in(
        &self,
        capacity: BinCapacity,
        grid: &BinGrid,
        memory: BufferBinding<'_>,
    ) -> Result<BinScratch, Error> {
        self.place_scratch(capacity, grid, Some(memory))
    }

    fn place_scratch(
        &self,
        capacity: BinCapacity,
        grid: &BinGrid,
        memory: Option<BufferBinding<'_>>,
    ) -> Result<BinScratch, Error> {
        let layout = self.layout(capacity, grid)?;
        let Build { device, label, .. } = &self.build;
        let plans: Vec<BinPlan> = layout.levels.iter().map(|level| level.plan).collect();
        Ok(BinScratch {
            plans: Levels::of(device, label, &plans)?,
            parts: place_parts(device, label, &layout.parts(), memory)?,
            chunk_lists: place_parts(device, label, &layout.chunk_lists(), None)?,
            layout,
        })
    }

    /// Binds `params` ([`Params`], of which the viewport is not read), `boxes` (one
    /// [`Rect`](treebounds_core::Rect) per element of the capacity), and what is written.
    /// [`InputBindings`](crate::InputBindings) says how ranges may share buffers: `boxes` is only
    /// read.
    ///
    /// The count in `params` may come from the host or from another kernel; more elements than the
    /// capacity are ignored.
    ///
    /// # Errors
    /// As [`Stage::bind`](crate::Stage::bind).
    pub fn bind<'a>(
        &self,
        params: BufferBinding<'a>,
        boxes: BufferBinding<'a>,
        bins: impl Into<BinBindings<'a>>,
        scratch: &BinScratch,
    ) -> Result<Job, Error> {
        let BinCapacity { elements, entries } = scratch.layout.capacity;
        if scratch.layout.chunk != self.chunk(elements) {
            return Err(Error::ForeignScratch);
        }
        let outputs = bins.into().needs(&scratch.layout.grid, entries);
        let needs = inputs(params, boxes, elements).into_iter().chain(outputs);
        let callers = check(&self.build.device, needs, &scratch.parts)?;
        let levels = 0..scratch.layout.levels.len();
        let jobs = levels.map(|level| self.bind_level(level, &callers, scratch));
        let mut jobs = jobs.collect::<Result<Vec<_>, Error>>()?.into_iter();
        let first = jobs.next().unwrap_or_else(|| Job::empty(&self.build.label));
        Ok(jobs.fold(first, Job::then))
    }

    /// The dispatches of one level: count, scan, emit.
    fn bind_level(
        &self,
        number: usize,
        callers: &[Range],
        scratch: &BinScratch,
    ) -> Result<Job, Error> {
        let (layout, level) = (&scratch.layout, &scratch.layout.levels[number]);
        let (common, levels) = scratch.parts.split_at(BinLayout::COMMON_PARTS);
        let mut of_levels = levels.chunks_exact(BinLayout::LEVEL_PARTS).skip(number);
        let mut chunk_lists = scratch.chunk_lists.iter().skip(number);
        let parts = (of_levels.next(), of_levels.next());
        let (Some([cells, items]), Some([next_cells, next_items])) = parts else {
            return Err(Error::ForeignScratch);
        };
        let mut ranges = [callers, common].concat();
        ranges.extend([cells.clone(), items.clone(), next_cells.named("next cells")]);
        ranges.extend(chunk_lists.next().cloned());
        ranges.extend(chunk_lists.next().map(|chunks| chunks.named("next chunks")));
        if level.plan.is_last == 0 {
            ranges.retain(|range| range.name != "entries");
            ranges.push(next_items.named("entries"));
        }
        let mut job = JobBuilder::new(&self.build, &ranges, &scratch.plans);
        job.add(&self.count, level.chunks, number)?;
        if layout.is_near {
            job.add(&self.emit_near, level.chunks, number)?;
        } else {
            job.add(&self.scan, level.scans(self.variant.scan_children()), number)?;
            job.add(&self.emit, level.chunks * level.windows(), number)?;
        }
        Ok(job.finish())
    }
}

/// What the ranges must be that binning reads.
fn inputs<'a>(params: BufferBinding<'a>, boxes: BufferBinding<'a>, elements: u32) -> [Need<'a>; 2] {
    let storage = BufferUsages::STORAGE;
    [
        need("params", &params, size_of::<Params>() as u64, BufferUsages::UNIFORM),
        need("boxes", &boxes, bytes(16, elements), storage),
    ]
}
