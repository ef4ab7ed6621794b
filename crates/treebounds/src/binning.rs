//! Binning: from a box an element to a list of elements a bin.

use crate::bin_plan::BinLayout;
use crate::buffers::{Need, bytes, check, create};
use crate::compiler::{Compiled, Compiler, unless_refused};
use crate::job::{Bound, JobBuilder};
use crate::pipelines::Pipeline;
use crate::scratch::Levels;
use crate::{BinCapacity, Bins, Error, Job, Options};
use treebounds_core::BinGrid;
use treebounds_shaders::{BinPlan, Binding, Kernel, Params, Reach, Variant};
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
/// entries are needed, exactly: with room for them a second try succeeds.
///
/// What is not a number or not canonical among the boxes costs no more than what
/// the element itself puts into which bin.
///
/// Cost: a dispatch for at most 8,192 elements and 256 bins, of at most 32 columns and rows (4,096
/// where a device does not run 512 threads a workgroup; for more bins fewer elements; none where
/// the options say how many elements a thread has): each bin's workgroup reads all boxes. 2 for
/// at most 32 x 32 bins and not many more elements (for 40 bins up to 41,000, for
/// 135 up to 22,000), 4 for more elements, 8 for up to 1024 x 1024 bins, 12 beyond:
/// a box is read once then. Memory traffic, for 32 x 32 bins, of 32 bytes an element, 4
/// an entry, and for each 2048 elements (256 where few are expected) 20 a bin; with 2
/// dispatches instead 8, and 4 for every other 2048. For more bins about 24 more for each
/// element of each of the coarser cells that it touches. An element that touches very many
/// bins is written by many threads.
///
/// [`Stage::bind_bins`](crate::Stage::bind_bins) makes one job of the stage and this. Who can read a
/// list in pieces has it sooner from [`BinPieces`](crate::BinPieces).
///
/// ```
/// use treebounds::{Bin, BinCapacity, Bins, Job, Options, Outputs, core::BinGrid};
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
///     let bin = Bin::new(device, &Options::default())?; // once
///     let scratch = bin.scratch(capacity, &grid)?;
///     let bins = Bins::new(device, &grid, capacity.entries)?;
///     let job = bin.bind(params, &stage.bounds, &bins, &scratch)?;
///     Ok((job, bins)) // record it every frame, after the stage
/// }
/// # use treebounds::wgpu;
/// ```
#[derive(Clone, Debug)]
pub struct Bin {
    device: wgpu::Device,
    /// From the smallest tile to the largest, at least one.
    kernels: Vec<Kernels>,
    few: Option<Few>,
}

/// All lists at once, of few elements and bins.
#[derive(Clone, Debug)]
struct Few {
    /// The most elements: a thread has bits for 32, but with more than 16 chunks are as fast.
    elements: u32,
    pipeline: Pipeline,
}

impl Few {
    fn new(compiled: &Compiled, variant: &Variant) -> Result<Self, Error> {
        let pipeline = compiled.pipeline(Kernel::BinFew, variant)?;
        Ok(Self { elements: 16 * variant.workgroup_size(), pipeline })
    }
}

/// The pipelines of a variant.
#[derive(Clone, Debug)]
struct Kernels {
    variant: Variant,
    /// The most elements that this variant is the best for.
    elements: u32,
    count: Pipeline,
    scan: Pipeline,
    sums: Pipeline,
    emit: Pipeline,
    emit_near: Pipeline,
}

/// Working memory of [`Bin`] for a capacity and a grid. One scratch serves any
/// number of jobs that do not run at the same time.
#[derive(Clone, Debug)]
pub struct BinScratch {
    layout: BinLayout,
    words: wgpu::Buffer,
    levels: Levels,
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

    /// The variant that it was made for, where elements are cut into chunks.
    pub fn variant(&self) -> Variant {
        self.layout.variant
    }
}

impl Bin {
    /// Builds binning for a device.
    ///
    /// # Errors
    /// As [`Stage::new`](crate::Stage::new).
    pub fn new(device: &wgpu::Device, options: &Options) -> Result<Self, Error> {
        let variants = options.bin_variants(device)?;
        let few = options.bin_few_variant(device)?;
        let emit = [Reach::Near, Reach::Far].map(Kernel::BinEmit);
        let cut = [Kernel::BinCount, Kernel::BinScan, Kernel::BinSums, emit[0], emit[1]];
        let of = |&(variant, _): &(Variant, u32)| cut.map(|kernel| (kernel, variant));
        let wanted = variants.iter().flat_map(of);
        let wanted = wanted.chain(few.map(|variant| (Kernel::BinFew, variant)));
        let compiled = Compiler::new(device, options.checked).compile(wanted);
        let build = |(variant, elements)| {
            let pipeline = |kernel| compiled.pipeline(kernel, &variant);
            Ok(Kernels {
                variant,
                elements,
                count: pipeline(Kernel::BinCount)?,
                scan: pipeline(Kernel::BinScan)?,
                sums: pipeline(Kernel::BinSums)?,
                emit: pipeline(Kernel::BinEmit(Reach::Far))?,
                emit_near: pipeline(Kernel::BinEmit(Reach::Near))?,
            })
        };
        let kernels = variants.into_iter().map(build).collect::<Result<_, Error>>()?;
        // Others do the same with more dispatches.
        let few = few.and_then(|variant| unless_refused(Few::new(&compiled, &variant), false));
        let few = few.transpose()?;
        Ok(Self { device: device.clone(), kernels, few })
    }

    /// The variant that serves this many elements, where they are cut into chunks.
    pub fn variant(&self, elements: u32) -> Variant {
        self.kernels(elements).variant
    }

    /// How many bytes of GPU memory a scratch will hold: next to none where each bin's workgroup
    /// looks at all boxes; else 8 an element, for each
    /// tile of elements 4 a bin (or coarser cell), and for more than 32 bins a side
    /// 4 an entry and 16 a cell.
    ///
    /// # Errors
    /// [`Error::TooMany`] where 32-bit indices do not reach.
    pub fn scratch_bytes(&self, capacity: BinCapacity, grid: &BinGrid) -> Result<u64, Error> {
        Ok(self.layout(capacity, grid)?.bytes)
    }

    fn layout(&self, capacity: BinCapacity, grid: &BinGrid) -> Result<BinLayout, Error> {
        BinLayout::new(*grid, capacity, self.variant(capacity.elements), self.most_few())
    }

    /// Working memory for this capacity and grid.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::TooMany`], or [`Error::Device`] where memory runs out.
    pub fn scratch(&self, capacity: BinCapacity, grid: &BinGrid) -> Result<BinScratch, Error> {
        let layout = self.layout(capacity, grid)?;
        let plans: Vec<BinPlan> = layout.levels.iter().map(|level| level.plan).collect();
        Ok(BinScratch {
            words: create(&self.device, "bin words", layout.bytes, BufferUsages::STORAGE)?,
            levels: Levels::of(&self.device, &plans)?,
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
        let kernels = self.kernels_of(scratch)?;
        let params_bytes = size_of::<Params>() as u64;
        let inputs: [Need<'_>; 2] = [
            ("params", params, params_bytes, BufferUsages::UNIFORM),
            ("bounds", bounds, bytes(16, elements), BufferUsages::STORAGE),
        ];
        let outputs = bins.needs(&scratch.layout.grid, entries);
        let needs: Vec<_> = inputs.into_iter().chain(outputs).collect();
        check(&self.device, &needs)?;

        let inputs = |binding| match binding {
            Binding::Params => Some((params, params_bytes)),
            Binding::Bounds => Some((bounds, bytes(16, elements))),
            _ => None,
        };
        self.add_dispatches(kernels, &inputs, bins, scratch)
    }

    fn add_dispatches<'a>(
        &self,
        kernels: &Kernels,
        inputs: &dyn Fn(Binding) -> Option<Bound<'a>>,
        bins: &'a Bins,
        scratch: &'a BinScratch,
    ) -> Result<Job, Error> {
        let layout = &scratch.layout;
        let outputs = bins.needs(&layout.grid, layout.capacity.entries);
        let [status, headers, entries] = outputs.map(|(_, buffer, size, _)| (buffer, size));
        let buffers = |binding| match binding {
            Binding::BinStatus => Some(status),
            Binding::BinHeaders => Some(headers),
            Binding::BinEntries => Some(entries),
            Binding::Words => Some((&scratch.words, scratch.words.size())),
            other => inputs(other),
        };
        let mut job = JobBuilder::new(&self.device, &buffers, &scratch.levels);
        if let (true, Some(few)) = (layout.is_few(), &self.few) {
            job.add(&few.pipeline, layout.grid.bins(), 0)?;
            return Ok(job.finish("treebounds bin"));
        }
        for (number, level) in layout.levels.iter().enumerate() {
            job.add(&kernels.count, level.chunks, number)?;
            if level.plan.is_near != 0 {
                job.add(&kernels.emit_near, level.chunks, number)?;
            } else {
                job.add(&kernels.scan, level.tiles, number)?;
                job.add(&kernels.sums, 1, number)?;
                job.add(&kernels.emit, level.chunks, number)?;
            }
        }
        Ok(job.finish("treebounds bin"))
    }

    /// The most elements of a workgroup a bin.
    fn most_few(&self) -> u32 {
        self.few.as_ref().map_or(0, |few| few.elements)
    }

    fn kernels_of(&self, scratch: &BinScratch) -> Result<&Kernels, Error> {
        let kernels = self.kernels(scratch.layout.capacity.elements);
        let layout = &scratch.layout;
        let is_own = layout.variant == kernels.variant && layout.few == self.most_few();
        if is_own { Ok(kernels) } else { Err(Error::ForeignScratch) }
    }

    fn kernels(&self, elements: u32) -> &Kernels {
        let last = self.kernels.len() - 1;
        let fits = |kernels: &&Kernels| elements <= kernels.elements;
        self.kernels[..last].iter().find(fits).unwrap_or(&self.kernels[last])
    }
}
