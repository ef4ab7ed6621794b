//! Binning: from one box per element to a list of elements per bin.

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
/// order. After the last of them `entries` keeps its old content. If the count in a header is 0, the
/// offset means nothing.
///
/// If the status has the flag [`BinStatus::ENTRIES_TOO_FEW`], no list is usable: the lists of a
/// [`Binner`] are empty, the lists of a [`PieceBinner`] may lack pieces.
#[derive(Clone, Debug)]
pub struct BinBindings<'a> {
    /// How many entries there are, and whether they fit.
    pub status: BufferBinding<'a>,
    /// The start and the length of the list of each bin.
    pub headers: BufferBinding<'a>,
    /// The lists.
    pub entries: BufferBinding<'a>,
}

/// One buffer for each range of [`BinBindings`], for callers without an arena.
#[derive(Clone, Debug)]
pub struct Bins {
    /// How many entries there are, and whether they fit.
    pub status: wgpu::Buffer,
    /// The start and the length of the list of each bin.
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
    /// New buffers for a [`Binner`] with this grid and this many entries, which can also be copied
    /// from. [`PieceBinner::buffers`] makes the buffers for pieces.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] where memory runs out.
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
/// A NaN or non-canonical box affects only the entries of its own element.
///
/// Cost: 2 dispatches for at most 16 x 16 bins and few elements (up to 41,000 for 40 bins, 22,000 for
/// 135), else 3 for up to 32 x 32 bins, 6 for up to 1024 x 1024, 9 or 12 beyond. A box is read once.
/// Memory traffic, with one level of cells: 32 bytes per element, 4 per entry, and for each segment of
/// 2048 elements (1024 or 256 where few are expected) 20 per bin; 8 more per element for every further
/// 16 x 16 bins of the level. Each further level takes about 24 bytes for each element of each cell
/// that it touches. An element that touches very many bins is written by many threads.
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
    /// As [`BinLayout::segment_lists`] says.
    segment_lists: Vec<Range>,
}

impl BinScratch {
    /// The capacity that it was made for.
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

    /// The most elements that a workgroup takes where there may be so many: a segment.
    pub fn segment(&self, elements: u32) -> u32 {
        let tuned = match elements {
            0..=0x2_0000 => 1,
            0x2_0001..=0x10_0000 => 4,
            _ => 8,
        };
        self.variant.workgroup_size() * self.per_thread.unwrap_or(tuned)
    }

    /// Bytes of a scratch: 8 per element; for each segment of elements 4, and 4 per bin or coarser cell;
    /// for each further level (more than 32, 1024 and 32,768 bins on a side) up to 4 per entry and 12
    /// per cell.
    ///
    /// In addition, a scratch owns buffers of 12 bytes per segment and cell of each level, which kernels read
    /// while they write the rest.
    ///
    /// # Errors
    /// [`Error::TooMany`] where 32-bit indices do not suffice.
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

    /// Binds `params` ([`Params`](crate::Params), of which the viewport is not read), `boxes` (one
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

/// Binning as [`Binner`](crate::Binner) does it, but each list is left in pieces: one for each 256
/// consecutive elements (or what [`elements`](Self::elements) says).
///
/// That is faster where bins are few, because no entry waits until the length of all lists is known.
/// Vello's binning leaves the same. Elements times bins must be fewer than 2<sup>32</sup> - 1.
///
/// With b bins, the header of piece p of bin i is `headers[p * b + i]`. A list is its pieces, one
/// after the other:
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
/// The pieces lie in `entries` without gaps, in an order that may change from frame to frame. Where
/// not all entries fit, some pieces are left empty, and which ones may change too: discard all
/// headers. The status then has a flag, `written` is 0, and `needed` says exactly how many entries
/// there are: a second try with that capacity succeeds.
///
/// Cost: 1 dispatch, and a short second one where elements times bins times workgroups exceed
/// 2<sup>32</sup>: with 40 bins beyond 131,072 elements. A box of 16 bytes is read once for each
/// 16 x 16 bins; 4 bytes are written per entry, and 8 per bin of each piece, so many bins cost more
/// than with a [`Binner`](crate::Binner). Scratch: 4 bytes, which belong to the job.
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

/// Bytes of the counter that all workgroups add to.
const TOTAL_BYTES: u64 = 4;

impl PieceBinner {
    /// Builds it for a device. A piece has as many elements as a workgroup has threads.
    ///
    /// # Errors
    /// As [`Stage::new`](crate::Stage::new).
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

    /// The number of consecutive elements in a piece. The piece lists the elements that touch its bin.
    pub fn elements(&self) -> u32 {
        self.variant.workgroup_size()
    }

    /// How many pieces the list of each bin has, for this many elements.
    pub fn pieces(&self, elements: u32) -> u32 {
        elements.div_ceil(self.elements())
    }

    /// New buffers, which can also be copied from.
    ///
    /// # Errors
    /// [`Error::TooLarge`]; [`Error::TooMany`] where elements times bins are not below
    /// 2<sup>32</sup> - 1; [`Error::Device`] where memory runs out.
    pub fn buffers(&self, capacity: BinCapacity, grid: &BinGrid) -> Result<Bins, Error> {
        self.check(capacity, grid)?;
        Bins::with_headers(&self.build.device, self.headers(capacity, grid), capacity.entries)
    }

    /// Binds `params`, `boxes` and what is written, as [`Binner::bind`](crate::Binner::bind). Pieces of
    /// elements beyond the count are empty.
    ///
    /// # Errors
    /// As [`Stage::bind`](crate::Stage::bind); [`Error::TooMany`] where elements times bins are not
    /// below 2<sup>32</sup> - 1, [`Error::Device`] also where memory runs out.
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
        // A new buffer is all zeros, and each run leaves it so.
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

    /// Checks that 32 bits count all entries and all pieces, whatever the boxes are.
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
