//! Binning: computes a list of elements per bin from one box per element.

mod layout;

use crate::gpu::buffers::{
    Levels, Need, Range, bytes, bytes_of_parts, check, create, place_parts, scratch_methods,
};
use crate::gpu::job::JobBuilder;
use crate::gpu::pipelines::{Build, Pipeline, descriptor};
use crate::{Error, Job};
pub(crate) use layout::grid_plan;
use layout::{BinLayout, check_capacity, piece_plan, piece_workgroups};
use treebounds_core::{BinGrid, BinHeader};
use treebounds_shaders::{BinPlan, BinScan, BinStatus, Kernel, Variant};
use wgpu::{BufferBinding, BufferUsages};

/// The maximum number of elements and entries for binning and its buffers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BinCapacity {
    /// The maximum number of elements.
    pub elements: u32,
    /// The maximum total number of entries in all lists. An element has one entry per bin that it overlaps.
    pub entries: u32,
}

/// The ranges that a [`Binner`] or a [`PieceBinner`] writes.
///
/// | range | contents | bytes | usage |
/// |---|---|---|---|
/// | `status` | [`BinStatus`] | 16 | `STORAGE` |
/// | `headers` | one [`BinHeader`] per bin, row by row | 8 per bin, or per bin and piece | `STORAGE` |
/// | `entries` | element indices, in ascending order per list | 4 per entry | `STORAGE` |
///
/// `entries` contains the lists of all bins, or their pieces, without gaps and in any order. The rest of
/// `entries` is not overwritten. If the count in a header is 0, the offset is undefined.
///
/// If the status has the flag [`BinStatus::ENTRIES_TOO_FEW`], no list is usable: the lists of a
/// [`Binner`] are empty, and the lists of a [`PieceBinner`] may lack pieces.
#[derive(Clone, Debug)]
pub struct BinBindings<'a> {
    /// The number of entries, and whether they fit.
    pub status: BufferBinding<'a>,
    /// The start and length of each bin's list.
    pub headers: BufferBinding<'a>,
    /// The lists.
    pub entries: BufferBinding<'a>,
}

/// One buffer for each range of [`BinBindings`], for callers without an arena.
#[derive(Clone, Debug)]
pub struct Bins {
    /// The number of entries, and whether they fit.
    pub status: wgpu::Buffer,
    /// The start and length of each bin's list.
    pub headers: wgpu::Buffer,
    /// The lists.
    pub entries: wgpu::Buffer,
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

impl Bins {
    /// Creates buffers for a [`Binner`], with the usage `COPY_SRC`. [`PieceBinner::buffers`] creates buffers
    /// for pieces.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] if memory runs out.
    pub fn new(device: &wgpu::Device, grid: &BinGrid, entries: u32) -> Result<Self, Error> {
        Self::with_headers(device, grid.bins().into(), entries)
    }

    fn with_headers(device: &wgpu::Device, headers: u64, entries: u32) -> Result<Self, Error> {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let new = |name, bytes| create(device, "treebounds binner", name, bytes, usage);
        Ok(Self {
            status: new("status", size_of::<BinStatus>() as u64)?,
            headers: new("headers", header_bytes(headers))?,
            entries: new("entries", bytes(4, entries))?,
        })
    }
}

fn header_bytes(headers: u64) -> u64 {
    size_of::<BinHeader>() as u64 * headers.max(1)
}

impl<'a> BinBindings<'a> {
    pub(crate) fn needs(&self, headers: u64, entries: u32) -> [Need<'a>; 3] {
        [
            Need::storage("status", &self.status, size_of::<BinStatus>() as u64),
            Need::storage("headers", &self.headers, header_bytes(headers)),
            Need::storage("entries", &self.entries, bytes(4, entries)),
        ]
    }
}

descriptor! {
    /// How to build a [`Binner`].
    BinnerDescriptor: "treebounds binner"
    /// Elements per thread, 1 to 32. `None` chooses by the number of elements.
    per_thread: Option<u32>,
}

/// Binning: lists the elements that overlap each bin of a [`BinGrid`], in paint order.
///
/// An element overlaps a bin if its box covers a part of one of the bin's pixels inside the viewport.
/// Boxes are half-open, so a box that ends where a bin begins does not overlap it. Empty boxes
/// ([`Rect::NOTHING`](treebounds_core::Rect::NOTHING), for example of culled elements) overlap no bins.
/// The result equals [`reference::bins`](treebounds_core::reference::bins).
///
/// The numbers of elements and bins are limited only by the buffers. If the entries do not fit, all bins
/// are empty, nothing else is written, and the status contains the exact number of entries needed; retry
/// with that capacity. (`u32::MAX` stands for this number or more; then no capacity is sufficient.)
///
/// A NaN or non-canonical box affects only the entries of its own element.
///
/// Cost: 2 dispatches for at most 16 x 16 bins and few elements (up to 41,000 for 40 bins, 22,000 for
/// 135), else 3 for up to 32 x 32 bins, 6 for up to 1024 x 1024, 9 or 12 beyond. Each box is read once.
/// With one level of cells, memory traffic is 32 bytes per element, plus 4 per entry, plus 20 per bin and
/// segment of 2048 elements (1024 or 256 for small capacities). Beyond 16 x 16 bins, each further block
/// of 16 x 16 bins adds 8 bytes per element. Each further level costs about 24 bytes per element and
/// overlapped cell. Entries of an element that overlaps very many bins are written by many threads.
///
/// [`Stage::bind_bins`](crate::Stage::bind_bins) combines the stage and binning in one job. A
/// [`PieceBinner`] is faster if lists may be split into pieces.
///
/// ```
/// use treebounds::{BinCapacity, Binner, BinnerDescriptor, Bins, Job, Outputs};
/// use treebounds::{treebounds_core::BinGrid, wgpu};
///
/// /// Creates lists for bins of 256 x 256 px from the boxes of a stage. `params` contains the number of
/// /// elements.
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
    /// The caller's setting for elements per thread.
    per_thread: Option<u32>,
    count: Pipeline,
    scan: Pipeline,
    emit: Pipeline,
    emit_near: Pipeline,
}

/// Working memory of a [`Binner`] for a capacity and a grid, similar to [`Scratch`](crate::Scratch).
#[derive(Clone, Debug)]
pub struct BinScratch {
    layout: BinLayout,
    plans: Levels,
    /// The ranges for [`BinLayout::parts`].
    pub(crate) parts: Vec<Range>,
    /// The ranges for [`BinLayout::segment_lists`].
    segment_lists: Vec<Range>,
}

impl BinScratch {
    /// The capacity of the scratch.
    pub fn capacity(&self) -> BinCapacity {
        self.layout.capacity
    }

    /// The grid of bins.
    pub fn grid(&self) -> BinGrid {
        self.layout.grid
    }
}

impl Binner {
    /// Builds a binner for a device.
    ///
    /// # Errors
    /// Same as [`Stage::new`](crate::Stage::new).
    pub fn new(device: &wgpu::Device, descriptor: &BinnerDescriptor<'_>) -> Result<Self, Error> {
        let (build, per_thread) = (descriptor.build(device), descriptor.per_thread);
        let variant = build.tuning.bin_variant(device)?;
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

    /// The segment length for a capacity of `elements`: the maximum number of elements per workgroup.
    pub fn segment(&self, elements: u32) -> u32 {
        let tuned = match elements {
            0..=0x2_0000 => 1,
            0x2_0001..=0x10_0000 => 4,
            _ => 8,
        };
        self.variant.workgroup_size() * self.per_thread.unwrap_or(tuned)
    }

    /// The size in bytes of a scratch: 8 per element; 4 per segment of elements; 4 per pair of a segment and
    /// a bin or coarser cell; and for each further level (beyond 32, 1024 and 32,768 bins on a side) up to 4
    /// per entry and 12 per cell.
    ///
    /// In addition, a scratch allocates separate buffers with 12 bytes per segment and per cell of each
    /// level, because kernels read these while they write the other parts.
    ///
    /// # Errors
    /// [`Error::TooMany`] if the capacity exceeds 32-bit indices.
    pub fn scratch_bytes(&self, capacity: BinCapacity, grid: &BinGrid) -> Result<u64, Error> {
        Ok(bytes_of_parts(&self.build.device, &self.layout(capacity, grid)?.parts()))
    }

    fn layout(&self, capacity: BinCapacity, grid: &BinGrid) -> Result<BinLayout, Error> {
        BinLayout::new(*grid, capacity, self.segment(capacity.elements))
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
            segment_lists: place_parts(device, label, &layout.segment_lists(), None)?,
            layout,
        })
    }

    /// Binds `params` ([`Params`](crate::Params), whose viewport is not read), `boxes` (one
    /// [`Rect`](treebounds_core::Rect) per element of the capacity), and the outputs.
    /// [`InputBindings`](crate::InputBindings) explains how ranges may share buffers; `boxes` is
    /// read-only.
    ///
    /// The count in `params` may be written by the host or by another kernel. Elements beyond the capacity
    /// are ignored.
    ///
    /// # Errors
    /// Same as [`Stage::bind`](crate::Stage::bind).
    pub fn bind<'a>(
        &self,
        params: BufferBinding<'a>,
        boxes: BufferBinding<'a>,
        bins: impl Into<BinBindings<'a>>,
        scratch: &BinScratch,
    ) -> Result<Job, Error> {
        let BinCapacity { elements, entries } = scratch.layout.capacity;
        if scratch.layout.segment != self.segment(elements) {
            return Err(Error::ForeignScratch);
        }
        let outputs = bins.into().needs(scratch.layout.grid.bins().into(), entries);
        let needs = inputs(params, boxes, elements).into_iter().chain(outputs);
        let callers = check(&self.build.device, needs, &scratch.parts)?;
        let levels = 0..scratch.layout.levels.len();
        let jobs = levels.map(|level| self.bind_level(level, &callers, scratch));
        let mut jobs = jobs.collect::<Result<Vec<_>, Error>>()?.into_iter();
        let first = jobs.next().unwrap_or_else(|| Job::empty(&self.build.label));
        Ok(jobs.fold(first, Job::then))
    }

    /// Binds the dispatches of one level: count, scan, emit.
    fn bind_level(
        &self,
        number: usize,
        callers: &[Range],
        scratch: &BinScratch,
    ) -> Result<Job, Error> {
        let (layout, level) = (&scratch.layout, &scratch.layout.levels[number]);
        let (common, levels) = scratch.parts.split_at(BinLayout::COMMON_PARTS);
        let mut of_levels = levels.chunks_exact(BinLayout::LEVEL_PARTS).skip(number);
        let mut segment_lists = scratch.segment_lists.iter().skip(number);
        let parts = (of_levels.next(), of_levels.next());
        let (Some([cells, items]), Some([next_cells, next_items])) = parts else {
            return Err(Error::ForeignScratch);
        };
        let mut ranges = [callers, common].concat();
        ranges.extend([cells.clone(), items.clone(), next_cells.named("next cells")]);
        ranges.extend(segment_lists.next().cloned());
        ranges.extend(segment_lists.next().map(|segments| segments.named("next segments")));
        if level.plan.is_last == 0 {
            ranges.retain(|range| range.name != "entries");
            ranges.push(next_items.named("entries"));
        }
        let mut job = JobBuilder::new(&self.build, &ranges, &scratch.plans);
        job.add(&self.count, level.segments, number)?;
        if layout.is_near {
            job.add(&self.emit_near, level.segments, number)?;
        } else {
            job.add(&self.scan, level.scans(self.variant.scan_children()), number)?;
            job.add(&self.emit, level.segments * level.windows(), number)?;
        }
        Ok(job.finish())
    }
}

scratch_methods!(Binner -> BinScratch, capacity: BinCapacity, grid: &BinGrid);

/// The requirements on the ranges that binning reads.
fn inputs<'a>(params: BufferBinding<'a>, boxes: BufferBinding<'a>, elements: u32) -> [Need<'a>; 2] {
    [Need::params(&params), Need::storage("boxes", &boxes, bytes(16, elements))]
}

descriptor! {
    /// How to build a [`PieceBinner`].
    PieceBinnerDescriptor: "treebounds piece binner"
}

/// Binning like [`Binner`](crate::Binner), but with each list split into pieces: one per 256 consecutive
/// elements by default (see [`elements`](Self::elements)).
///
/// This is faster for few bins, because entries can be written before the lengths of all lists are known.
/// Vello's binning has the same output. The number of elements times the number of bins must be less than
/// 2<sup>32</sup> - 1.
///
/// With b bins, the header of piece p of bin i is `headers[p * b + i]`. A list is the concatenation of its
/// pieces:
///
/// ```wgsl
/// for (var piece = 0u; piece < (elements + 255u) / 256u; piece++) {
///     let header = headers[piece * bins + bin]; // where it begins, and how long it is
///     for (var at = header.x; at < header.x + header.y; at++) {
///         draw(entries[at]); // in paint order
///     }
/// }
/// ```
///
/// `entries` contains the pieces without gaps, in an order that may change from frame to frame. If not all
/// entries fit, arbitrary pieces are empty: discard all headers. In that case the status has a flag,
/// `written` is 0, and `needed` is the exact number of entries; retry with that capacity.
///
/// Cost: 1 dispatch, and a short second one if elements times bins times workgroups exceeds 2<sup>32</sup>
/// (with 40 bins, beyond 131,072 elements). It reads each box (16 bytes) once per block of 16 x 16 bins, and
/// writes 4 bytes per entry and 8 per bin and piece, so many bins cost more than with a
/// [`Binner`](crate::Binner). The job has a scratch of 4 bytes.
///
/// ```
/// use treebounds::{BinCapacity, Bins, Job, Outputs, PieceBinner, PieceBinnerDescriptor};
/// use treebounds::{treebounds_core::BinGrid, wgpu};
///
/// fn bins(
///     device: &wgpu::Device,
///     params: &wgpu::Buffer,
///     stage: &Outputs,
/// ) -> Result<(Job, Bins), Box<dyn std::error::Error>> {
///     let grid = BinGrid::new(3840, 2160)?;
///     let capacity = BinCapacity { elements: 100_000, entries: 400_000 };
///     let binner = PieceBinner::new(device, &PieceBinnerDescriptor::default())?; // once
///     let bins = binner.buffers(capacity, &grid)?;
///     let [params, boxes] = [params, &stage.boxes].map(wgpu::Buffer::as_entire_buffer_binding);
///     let job = binner.bind(params, boxes, &bins, capacity, &grid)?;
///     Ok((job, bins)) // record it in every frame, after the stage
/// }
/// ```
#[derive(Clone, Debug)]
pub struct PieceBinner {
    build: Build,
    variant: Variant,
    pieces: Pipeline,
    status: Pipeline,
}

/// The size of the counter shared by all workgroups.
const TOTAL_BYTES: u64 = 4;

impl PieceBinner {
    /// Builds a binner for a device. Each piece covers as many elements as a workgroup has threads.
    ///
    /// # Errors
    /// Same as [`Stage::new`](crate::Stage::new).
    pub fn new(
        device: &wgpu::Device,
        descriptor: &PieceBinnerDescriptor<'_>,
    ) -> Result<Self, Error> {
        let build = descriptor.build(device);
        let variant = build.tuning.bin_variant(device)?;
        let kernels = [Kernel::BinPieces, Kernel::BinStatus];
        let compiled = build.compiler().compile(kernels.map(|kernel| (kernel, variant)));
        let [pieces, status] = kernels.map(|kernel| compiled.pipeline(kernel, &variant));
        Ok(Self { build, variant, pieces: pieces?, status: status? })
    }

    /// The number of consecutive elements per piece. A piece lists the ones that overlap its bin.
    pub fn elements(&self) -> u32 {
        self.variant.workgroup_size()
    }

    /// The number of pieces per bin for `elements` elements.
    pub fn pieces(&self, elements: u32) -> u32 {
        elements.div_ceil(self.elements())
    }

    /// Creates buffers with the usage `COPY_SRC`.
    ///
    /// # Errors
    /// [`Error::TooLarge`]; [`Error::TooMany`] if elements times bins is not less than 2<sup>32</sup> - 1;
    /// [`Error::Device`] if memory runs out.
    pub fn buffers(&self, capacity: BinCapacity, grid: &BinGrid) -> Result<Bins, Error> {
        self.check(capacity, grid)?;
        Bins::with_headers(&self.build.device, self.headers(capacity, grid), capacity.entries)
    }

    /// Binds `params`, `boxes` and the outputs, as [`Binner::bind`](crate::Binner::bind) does. Pieces of
    /// elements beyond the count are empty.
    ///
    /// # Errors
    /// The errors of [`Stage::bind`](crate::Stage::bind); [`Error::TooMany`] if elements times bins is not
    /// less than 2<sup>32</sup> - 1; [`Error::Device`] also if memory runs out.
    pub fn bind<'a>(
        &self,
        params: BufferBinding<'a>,
        boxes: BufferBinding<'a>,
        bins: impl Into<BinBindings<'a>>,
        capacity: BinCapacity,
        grid: &BinGrid,
    ) -> Result<Job, Error> {
        self.check(capacity, grid)?;
        let Build { device, label, .. } = &self.build;
        let outputs = bins.into().needs(self.headers(capacity, grid), capacity.entries);
        let needs = inputs(params, boxes, capacity.elements).into_iter().chain(outputs);
        let mut ranges = check(device, needs, &[])?;
        // New buffers are zero, and each run resets the counter to zero.
        let total = create(device, label, "total", TOTAL_BYTES, BufferUsages::STORAGE)?;
        ranges.push(Range::whole("total", total));
        let plan = piece_plan(grid, capacity, self.elements());
        let levels = Levels::of(device, label, &[plan])?;
        let mut job = JobBuilder::new(&self.build, &ranges, &levels);
        job.add(&self.pieces, piece_workgroups(&plan, grid, capacity, self.elements()), 0)?;
        if plan.arrival == 0 {
            job.add(&self.status, 1, 0)?;
        }
        Ok(job.finish())
    }

    /// Checks that 32 bits can count all entries and pieces, for any boxes.
    fn check(&self, capacity: BinCapacity, grid: &BinGrid) -> Result<(), Error> {
        check_capacity(capacity, self.elements())?;
        let needed = u64::from(capacity.elements) * u64::from(grid.bins());
        let most = u64::from(u32::MAX) - 1;
        let too_many = Error::TooMany { what: "elements times bins", needed, most };
        if needed > most { Err(too_many) } else { Ok(()) }
    }

    fn headers(&self, capacity: BinCapacity, grid: &BinGrid) -> u64 {
        u64::from(self.pieces(capacity.elements)) * u64::from(grid.bins())
    }
}
