//! Binning in pieces: from one box per element to a list of elements per bin, reading each box once.

use super::layout::{check_capacity, piece_plan, piece_workgroups};
use super::{BinBindings, Bins, inputs};
use crate::gpu::buffers::{Levels, Range, check, create};
use crate::gpu::job::JobBuilder;
use crate::gpu::pipelines::{Build, Pipeline};
use crate::{BinCapacity, Error, Job, Tuning};
use treebounds_core::{BinGrid, BinHeader};
use treebounds_shaders::{Kernel, Variant};
use wgpu::{BufferBinding, BufferUsages};

/// How to build a [`PieceBinner`].
#[derive(Clone, Copy, Debug, Default)]
pub struct PieceBinnerDescriptor<'a> {
    /// The label of its pipelines, bind groups, buffers and passes. `None`: "treebounds piece
    /// binner".
    pub label: Option<&'a str>,
    /// How its kernels are compiled.
    pub tuning: Tuning,
    /// A cache of compiled pipelines.
    pub pipeline_cache: Option<&'a wgpu::PipelineCache>,
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
        let PieceBinnerDescriptor { label, tuning, pipeline_cache } = *descriptor;
        let build = Build::new(device, label, "treebounds piece binner", tuning, pipeline_cache);
        let variant = tuning.bin_variant(device)?;
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
        let headers = self.header_bytes(capacity, grid);
        Bins::with_headers(&self.build.device, headers, capacity.entries)
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
        let outputs = bins.into().needs_with(self.header_bytes(capacity, grid), capacity.entries);
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

    fn header_bytes(&self, capacity: BinCapacity, grid: &BinGrid) -> u64 {
        size_of::<BinHeader>() as u64 * self.headers(capacity, grid).max(1)
    }
}
