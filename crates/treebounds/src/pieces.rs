//! Binning in pieces: from a box an element to a list of elements a bin, in one look at each box.

use crate::bin_plan::{check_capacity, piece_plan, piece_workgroups};
use crate::buffers::{Need, bytes, check, create};
use crate::compiler::Compiler;
use crate::job::JobBuilder;
use crate::pipelines::Pipeline;
use crate::scratch::Levels;
use crate::{BinCapacity, Bins, Error, Job, Options};
use treebounds_core::{BinGrid, BinHeader};
use treebounds_shaders::{BinStatus, Binding, Kernel, Params, Variant};
use wgpu::BufferUsages;

/// Binning as [`Binner`](crate::Binner) does it, but each list is left in pieces: one for each 256 elements
/// that follow each other (or what [`elements`](Self::elements) says).
///
/// That is faster where bins are few, for nothing needs to know how long all lists are before the first
/// entry is written; and who reads a list reads it in as many places. Vello's binning leaves the same.
/// As many elements in as many bins must be fewer than 2<sup>32</sup> - 1 entries: more are refused.
///
/// Of b bins, the header of piece p of bin i is `headers[p * b + i]`. A list is its pieces, one
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
/// not all entries fit, some pieces are left empty, and which ones may change, too: discard all headers.
/// The status then has a flag, `written` is 0, and `needed` says how many entries there are, exactly:
/// with a capacity of as many a second try succeeds.
///
/// Cost: 1 dispatch, and a short second one where elements times bins times workgroups pass 2<sup>32</sup>: for 40 bins
/// beyond 131,072 elements. A box is read once for each 16 x 16 bins, 16 bytes; 4 are written an entry and 8
/// a bin of each piece, so that many bins cost more than with [`Binner`](crate::Binner). Scratch: 4 bytes,
/// of the job's own.
///
/// ```
/// use treebounds::{BinCapacity, PieceBinner, Bins, Job, Options, Outputs, treebounds_core::BinGrid};
///
/// fn bins(
///     device: &wgpu::Device,
///     params: &wgpu::Buffer,
///     stage: &Outputs,
/// ) -> Result<(Job, Bins), Box<dyn std::error::Error>> {
///     let grid = BinGrid::new(3840, 2160)?;
///     let capacity = BinCapacity { elements: 100_000, entries: 400_000 };
///     let binning = PieceBinner::new(device, &Options::default())?; // once
///     let bins = binning.buffers(capacity, &grid)?;
///     let job = binning.bind(params, &stage.boxes, &bins, capacity, &grid)?;
///     Ok((job, bins)) // record it every frame, after the stage
/// }
/// # use treebounds::wgpu;
/// ```
#[derive(Clone, Debug)]
pub struct PieceBinner {
    device: wgpu::Device,
    variant: Variant,
    pieces: Pipeline,
    status: Pipeline,
}

/// What all workgroups of a run add to.
const TOTAL_BYTES: u64 = 4;

impl PieceBinner {
    /// Builds it for a device. A piece has as many elements as a workgroup has threads.
    ///
    /// # Errors
    /// As [`Stage::new`](crate::Stage::new).
    pub fn new(device: &wgpu::Device, options: &Options) -> Result<Self, Error> {
        let variant = options.bin_variant(device)?;
        let kernels = [Kernel::BinPieces, Kernel::BinStatus];
        let compiler = Compiler::new(device, options.checked);
        let compiled = compiler.compile(kernels.map(|kernel| (kernel, variant)));
        let [pieces, status] = kernels.map(|kernel| compiled.pipeline(kernel, &variant));
        Ok(Self { device: device.clone(), variant, pieces: pieces?, status: status? })
    }

    /// How many elements a piece is about, of which it has those that touch its bin.
    pub fn elements(&self) -> u32 {
        self.variant.workgroup_size()
    }

    /// How many pieces the list of each bin has, for this many elements.
    pub fn pieces(&self, elements: u32) -> u32 {
        elements.div_ceil(self.elements())
    }

    /// New buffers, that can also be copied from.
    ///
    /// # Errors
    /// [`Error::TooLarge`]; [`Error::TooMany`] where elements times bins are not below 2<sup>32</sup> - 1;
    /// [`Error::Device`] where memory runs out.
    pub fn buffers(&self, capacity: BinCapacity, grid: &BinGrid) -> Result<Bins, Error> {
        self.check(capacity, grid)?;
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let new = |label, bytes| create(&self.device, label, bytes, storage);
        Ok(Bins {
            status: new("treebounds bin status", size_of::<BinStatus>() as u64)?,
            headers: new("treebounds bin headers", self.header_bytes(capacity, grid))?,
            entries: new("treebounds bin entries", bytes(4, capacity.entries))?,
        })
    }

    /// Binds buffers: `params` ([`Params`], of which the viewport is not read; the count is cut to
    /// the capacity), `bounds`, a [`Rect`](treebounds_core::Rect) an element of it, and what is
    /// written. Pieces of elements past the count are empty.
    ///
    /// # Errors
    /// As [`Stage::bind`](crate::Stage::bind); [`Error::TooMany`] where elements times bins are
    /// not below 2<sup>32</sup> - 1, [`Error::Device`] also where memory runs out.
    pub fn bind(
        &self,
        params: &wgpu::Buffer,
        bounds: &wgpu::Buffer,
        bins: &Bins,
        capacity: BinCapacity,
        grid: &BinGrid,
    ) -> Result<Job, Error> {
        self.check(capacity, grid)?;
        let (params_bytes, status_bytes) =
            (size_of::<Params>() as u64, size_of::<BinStatus>() as u64);
        let bounds_bytes = bytes(16, capacity.elements);
        let (header_bytes, entry_bytes) =
            (self.header_bytes(capacity, grid), bytes(4, capacity.entries));
        let needs: [Need<'_>; 5] = [
            ("params", params, params_bytes, BufferUsages::UNIFORM),
            ("bounds", bounds, bounds_bytes, BufferUsages::STORAGE),
            ("status", &bins.status, status_bytes, BufferUsages::STORAGE),
            ("headers", &bins.headers, header_bytes, BufferUsages::STORAGE),
            ("entries", &bins.entries, entry_bytes, BufferUsages::STORAGE),
        ];
        check(&self.device, &needs)?;
        // A new buffer is all zeros, and so does each run leave it.
        let total =
            create(&self.device, "treebounds bin total", TOTAL_BYTES, BufferUsages::STORAGE)?;
        let buffers = |binding| {
            Some(match binding {
                Binding::Params => (params, params_bytes),
                Binding::Bounds => (bounds, bounds_bytes),
                Binding::BinStatus => (&bins.status, status_bytes),
                Binding::BinTotal => (&total, TOTAL_BYTES),
                Binding::BinHeaders => (&bins.headers, header_bytes),
                Binding::BinEntries => (&bins.entries, entry_bytes),
                _ => return None,
            })
        };
        let device = &self.device;
        let plan = piece_plan(grid, capacity, self.elements());
        let levels = Levels::of(device, &[plan])?;
        let mut job = JobBuilder::new(device, &buffers, &levels);
        job.add(&self.pieces, piece_workgroups(&plan, grid, capacity, self.elements()), 0)?;
        if plan.arrival == 0 {
            job.add(&self.status, 1, 0)?;
        }
        Ok(job.finish("treebounds bin pieces"))
    }

    /// That 32 bits count all entries, whatever the boxes are: pieces are no more.
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
