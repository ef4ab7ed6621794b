//! Binning: from a box an element to a list of elements a bin.

use crate::bin_plan::{BinBytes, BinLayout, LevelBytes};
use crate::buffers::Bound;
use crate::buffers::{Need, bytes, check, create};
use crate::compiler::Compiler;
use crate::job::JobBuilder;
use crate::pipelines::Pipeline;
use crate::scratch::Levels;
use crate::{BinCapacity, Bins, Error, Job, Options};
use treebounds_core::BinGrid;
use treebounds_shaders::{BinPlan, BinScan, Binding, Kernel, Params, Variant};
use wgpu::BufferUsages;

/// Binning: which elements touch each bin of a [`BinGrid`], in paint order.
///
/// An element touches a bin where its box covers a part of one of its pixels that
/// lies in the viewport. Boxes are half open, so one that ends where a bin begins
/// does not touch it. An empty box ([`Rect::NOTHING`](treebounds_core::Rect::NOTHING),
/// say, of a culled element) touches none. The same as
/// [`reference::bins`](treebounds_core::reference::bins).
///
/// Any number of elements and bins that the buffers hold. Where the entries do not
/// fit, every bin is empty, nothing else is written, and the status says how many
/// entries are needed, exactly: with a capacity of as many a second try succeeds.
/// (`u32::MAX` is that or more, and no capacity reaches it.)
///
/// What is not a number or not canonical among the boxes costs no more than what
/// the element itself puts into which bin.
///
/// Cost: 2 dispatches for at most 16 x 16 bins and not many more elements (for 40 bins up to 41,000, for
/// 135 up to 22,000), else 3 for up to 32 x 32 bins, 6 for up to 1024 x 1024, 9 and 12 beyond. A box is read once.
/// Memory traffic, for one level of cells, of 32 bytes an element, 4 an entry, and for each 2048 elements (1024 or 256
/// where few are expected) 20 a bin; 8 more an element for every other 16 x 16 bins of the level. Each further level
/// takes about 24 bytes for each element of each cell that it touches. An element that touches very many
/// bins is written by many threads.
///
/// [`Stage::bind_bins`](crate::Stage::bind_bins) makes one job of the stage and this. Who can read a
/// list in pieces has it sooner from [`PieceBinner`](crate::PieceBinner).
///
/// ```
/// use treebounds::{Binner, BinCapacity, Bins, Job, Options, Outputs, treebounds_core::BinGrid};
///
/// /// Lists for 256 x 256 px bins, from the bounds that a stage writes. `params`
/// /// holds how many elements there are.
/// fn bins(
///     device: &wgpu::Device,
///     params: &wgpu::Buffer,
///     stage: &Outputs,
/// ) -> Result<(Job, Bins), Box<dyn std::error::Error>> {
///     let grid = BinGrid::new(3840, 2160)?;
///     let capacity = BinCapacity { elements: 100_000, entries: 400_000 };
///     let bin = Binner::new(device, &Options::default())?; // once
///     let scratch = bin.scratch(capacity, &grid)?;
///     let bins = Bins::new(device, &grid, capacity.entries)?;
///     let job = bin.bind(params, &stage.boxes, &bins, &scratch)?;
///     Ok((job, bins)) // record it every frame, after the stage
/// }
/// # use treebounds::wgpu;
/// ```
#[derive(Clone, Debug)]
pub struct Binner {
    device: wgpu::Device,
    variant: Variant,
    /// Elements a thread that were asked for.
    per_thread: Option<u32>,
    count: Pipeline,
    scan: Pipeline,
    emit: Pipeline,
    emit_near: Pipeline,
}

/// Working memory of [`Binner`] for a capacity and a grid. One scratch serves any
/// number of jobs that do not run at the same time.
#[derive(Clone, Debug)]
pub struct BinScratch {
    layout: BinLayout,
    plans: Levels,
    ranges: wgpu::Buffer,
    matrix: wgpu::Buffer,
    needs: wgpu::Buffer,
    /// Of each level, and of what is below the last.
    levels: Vec<LevelBuffers>,
}

/// What a level works on.
#[derive(Clone, Debug)]
struct LevelBuffers {
    cells: wgpu::Buffer,
    chunks: wgpu::Buffer,
    items: wgpu::Buffer,
}

impl LevelBuffers {
    fn new(device: &wgpu::Device, bytes: LevelBytes) -> Result<Self, Error> {
        let new = |label, bytes| create(device, label, bytes, BufferUsages::STORAGE);
        Ok(Self {
            cells: new("treebounds bin cells", bytes.cells)?,
            chunks: new("treebounds bin chunks", bytes.chunks)?,
            items: new("treebounds bin items", bytes.items)?,
        })
    }
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
    pub fn new(device: &wgpu::Device, options: &Options) -> Result<Self, Error> {
        let variant = options.bin_variant(device)?;
        let kernels = [
            Kernel::BinCount,
            Kernel::BinScan,
            Kernel::BinEmit(BinScan::Separate),
            Kernel::BinEmit(BinScan::Fused),
        ];
        let compiler = Compiler::new(device, options.checked);
        let compiled = compiler.compile(kernels.map(|kernel| (kernel, variant)));
        let [count, scan, emit, emit_near] =
            kernels.map(|kernel| compiled.pipeline(kernel, &variant));
        Ok(Self {
            device: device.clone(),
            variant,
            per_thread: options.per_thread,
            count: count?,
            scan: scan?,
            emit: emit?,
            emit_near: emit_near?,
        })
    }

    /// How many elements a workgroup takes at most, where there may be so many: a chunk.
    pub fn chunk(&self, elements: u32) -> u32 {
        let tuned = match elements {
            0..=0x2_0000 => 1,
            0x2_0001..=0x10_0000 => 4,
            _ => 8,
        };
        self.variant.workgroup_size() * self.per_thread.unwrap_or(tuned)
    }

    /// How many bytes of GPU memory a scratch will hold: 8 an element, for each chunk of elements 4 and 4 a bin (or
    /// coarser cell), and for each further level (more than 32, 1024 and 32,768 bins a side) up to 4 an entry and 24 a cell.
    ///
    /// # Errors
    /// [`Error::TooMany`] where 32-bit indices do not reach.
    pub fn scratch_bytes(&self, capacity: BinCapacity, grid: &BinGrid) -> Result<u64, Error> {
        Ok(self.layout(capacity, grid)?.scratch_bytes())
    }

    fn layout(&self, capacity: BinCapacity, grid: &BinGrid) -> Result<BinLayout, Error> {
        BinLayout::new(*grid, capacity, self.chunk(capacity.elements))
    }

    /// Working memory for this capacity and grid.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::TooMany`], or [`Error::Device`] where memory runs out.
    pub fn scratch(&self, capacity: BinCapacity, grid: &BinGrid) -> Result<BinScratch, Error> {
        let layout = self.layout(capacity, grid)?;
        let device = &self.device;
        let plans: Vec<BinPlan> = layout.levels.iter().map(|level| level.plan).collect();
        let BinBytes { ranges, matrix, needs } = layout.bytes();
        let new = |label, bytes| create(device, label, bytes, BufferUsages::STORAGE);
        let levels = layout.level_bytes().map(|bytes| LevelBuffers::new(device, bytes));
        Ok(BinScratch {
            plans: Levels::of(device, &plans)?,
            ranges: new("treebounds bin ranges", ranges)?,
            matrix: new("treebounds bin matrix", matrix)?,
            needs: new("treebounds bin needs", needs)?,
            levels: levels.collect::<Result<_, _>>()?,
            layout,
        })
    }

    /// Binds buffers: `params` ([`Params`], of which the viewport is not read; the
    /// count may come from the host or from another kernel, and is cut to the
    /// capacity of the scratch), `bounds`, a [`Rect`](treebounds_core::Rect) an
    /// element of that capacity, and what is written.
    ///
    /// # Errors
    /// As [`Stage::bind`](crate::Stage::bind).
    pub fn bind(
        &self,
        params: &wgpu::Buffer,
        bounds: &wgpu::Buffer,
        bins: &Bins,
        scratch: &BinScratch,
    ) -> Result<Job, Error> {
        let BinCapacity { elements, entries } = scratch.layout.capacity;
        if scratch.layout.chunk != self.chunk(elements) {
            return Err(Error::ForeignScratch);
        }
        let params = (params, size_of::<Params>() as u64);
        let bounds = (bounds, bytes(16, elements));
        let inputs: [Need<'_>; 2] = [
            ("params", params.0, params.1, BufferUsages::UNIFORM),
            ("bounds", bounds.0, bounds.1, BufferUsages::STORAGE),
        ];
        let outputs = bins.needs(&scratch.layout.grid, entries);
        let needs: Vec<_> = inputs.into_iter().chain(outputs).collect();
        check(&self.device, &needs)?;
        let levels = 0..scratch.layout.levels.len();
        let jobs = levels.map(|level| self.bind_level(level, params, bounds, bins, scratch));
        let mut jobs = jobs.collect::<Result<Vec<_>, Error>>()?.into_iter();
        let first = jobs.next().unwrap_or_else(|| Job::empty("treebounds bin"));
        Ok(jobs.fold(first, Job::then))
    }

    /// The dispatches of one level: count, scan, emit.
    fn bind_level(
        &self,
        number: usize,
        params: Bound<'_>,
        bounds: Bound<'_>,
        bins: &Bins,
        scratch: &BinScratch,
    ) -> Result<Job, Error> {
        let (layout, level) = (&scratch.layout, &scratch.layout.levels[number]);
        let (own, next) = (&scratch.levels[number], &scratch.levels[number + 1]);
        let outputs = bins.needs(&layout.grid, layout.capacity.entries);
        let [status, headers, entries] = outputs.map(|(_, buffer, size, _)| (buffer, size));
        let all = |buffer| Some((buffer, wgpu::Buffer::size(buffer)));
        let buffers = |binding| match binding {
            Binding::Params => Some(params),
            Binding::Bounds => Some(bounds),
            Binding::BinStatus => Some(status),
            Binding::BinHeaders => Some(headers),
            Binding::BinEntries if level.plan.is_last != 0 => Some(entries),
            Binding::BinEntries => all(&next.items),
            Binding::BinRanges => all(&scratch.ranges),
            Binding::BinMatrix => all(&scratch.matrix),
            Binding::BinNeeds => all(&scratch.needs),
            Binding::BinCells => all(&own.cells),
            Binding::BinSegments => all(&own.chunks),
            Binding::BinItems => all(&own.items),
            Binding::BinNextCells => all(&next.cells),
            Binding::BinNext => all(&next.chunks),
            _ => None,
        };
        let mut job = JobBuilder::new(&self.device, &buffers, &scratch.plans);
        job.add(&self.count, level.chunks, number)?;
        if layout.is_near {
            job.add(&self.emit_near, level.chunks, number)?;
        } else {
            job.add(&self.scan, level.scans(self.variant.scan_children()), number)?;
            job.add(&self.emit, level.chunks * level.windows(), number)?;
        }
        Ok(job.finish("treebounds bin"))
    }
}
