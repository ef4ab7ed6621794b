//! Damage: the bins in which two frames differ.

use crate::binning::grid_plan;
use crate::gpu::buffers::{Levels, Need, Range, bytes, ceil_div, check, check_count, create};
use crate::gpu::job::JobBuilder;
use crate::gpu::pipelines::{Build, Pipeline, descriptor};
use crate::{BinCapacity, Error, Job};
use treebounds_core::BinGrid;
use treebounds_core::damage::BinDamage;
use treebounds_shaders::{Kernel, Variant};
use wgpu::{BufferBinding, BufferUsages};

/// The ranges that [`Damage`] writes.
///
/// | range | contents | bytes | usage |
/// |---|---|---|---|
/// | `bits` | bit `i % 32` of word `i / 32` is set if bin `i` is damaged | 4 per 32 bins | `STORAGE` |
/// | `rects` | one [`BinDamage`] per bin, row by row | 16 per bin | `STORAGE` |
#[derive(Clone, Debug)]
pub struct DamageBindings<'a> {
    /// One bit per bin.
    pub bits: BufferBinding<'a>,
    /// The damaged pixels of each bin.
    pub rects: BufferBinding<'a>,
}

/// One buffer for each range of [`DamageBindings`], for callers without an arena.
#[derive(Clone, Debug)]
pub struct DamageBuffers {
    /// One bit per bin.
    pub bits: wgpu::Buffer,
    /// The damaged pixels of each bin.
    pub rects: wgpu::Buffer,
}

impl<'a> From<&'a DamageBuffers> for DamageBindings<'a> {
    fn from(buffers: &'a DamageBuffers) -> Self {
        Self {
            bits: buffers.bits.as_entire_buffer_binding(),
            rects: buffers.rects.as_entire_buffer_binding(),
        }
    }
}

impl DamageBuffers {
    /// Creates buffers for a grid, with the usage `COPY_SRC`.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] if memory runs out.
    pub fn new(device: &wgpu::Device, grid: &BinGrid) -> Result<Self, Error> {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let new = |name, bytes| create(device, "treebounds damage", name, bytes, usage);
        Ok(Self { bits: new("bits", bit_bytes(grid))?, rects: new("rects", rect_bytes(grid))? })
    }
}

fn bit_bytes(grid: &BinGrid) -> u64 {
    bytes(4, grid.bins().div_ceil(32))
}

fn rect_bytes(grid: &BinGrid) -> u64 {
    size_of::<BinDamage>() as u64 * u64::from(grid.bins())
}

/// The ranges of a frame that [`Damage`] reads.
#[derive(Clone, Debug)]
pub struct FrameBindings<'a> {
    /// [`Params`](crate::Params). Only the number of elements is read; elements beyond the capacity are ignored. `UNIFORM`.
    pub params: BufferBinding<'a>,
    /// One [`Rect`](treebounds_core::Rect) per element of the capacity, such as the stage's `boxes`. `STORAGE`.
    pub boxes: BufferBinding<'a>,
    /// For each element, the index of the element with the same appearance in the other frame, or [`NONE`](treebounds_core::NONE).
    /// Indices out of range count as `NONE`. `STORAGE`, 4 bytes per element of the capacity.
    pub partners: BufferBinding<'a>,
}

descriptor! {
    /// How to build [`Damage`].
    DamageDescriptor: "treebounds damage"
}

/// Computes the bins in which two frames differ, and the bounding box of the differing pixels in each.
///
/// An element damages its box if it has no partner in the other frame, or if its partner has a different box, for example because a
/// clip around it changed. Elements of the old frame damage their old boxes, and elements of the new frame their new ones. The result
/// equals [`treebounds_core::damage::bins`], bit for bit.
///
/// The caller pairs elements with the same appearance, on the CPU with [`Pairing`](treebounds_core::damage::Pairing) or in a kernel that
/// compares hashes. Partners must have the same order and corresponding parents. Nodes whose clip or blend changed must not have
/// partners, so that all their contents are damaged.
///
/// The boxes must be where the elements are visible: for frames with filters, use [`landings`](crate::OutputBindings::landings).
///
/// Cost: 3 dispatches, which read 36 bytes per element of both frames, and write 20 for each bin that a damaged element overlaps.
///
/// ```
/// use treebounds::{Damage, DamageBuffers, DamageDescriptor, FrameBindings, Job, wgpu};
/// use treebounds::treebounds_core::BinGrid;
///
/// fn damage(device: &wgpu::Device, old: FrameBindings, new: FrameBindings) -> Result<(Job, DamageBuffers), treebounds::Error> {
///     let grid = BinGrid::with_bins([0, 0], [1920, 1080], [64, 64]).expect("a screen");
///     let damage = Damage::new(device, &DamageDescriptor::default())?; // once
///     let bins = DamageBuffers::new(device, &grid)?;
///     let job = damage.bind([old, new], &bins, 10_000, &grid)?;
///     Ok((job, bins)) // record it in every frame, after both stages
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Damage {
    build: Build,
    variant: Variant,
    clear: Pipeline,
    mark: Pipeline,
}

impl Damage {
    /// Compiles the kernels for a device.
    ///
    /// # Errors
    /// Same as [`Stage::new`](crate::Stage::new).
    pub fn new(device: &wgpu::Device, descriptor: &DamageDescriptor<'_>) -> Result<Self, Error> {
        let build = descriptor.build(device);
        let variant = build.tuning.bin_variant(device)?;
        let kernels = [Kernel::DamageClear, Kernel::DamageMark];
        let compiled = build.compiler().compile(kernels.map(|kernel| (kernel, variant)));
        let [clear, mark] = kernels.map(|kernel| compiled.pipeline(kernel, &variant));
        Ok(Self { build, variant, clear: clear?, mark: mark? })
    }

    /// Binds two frames of at most `elements` elements each, and the outputs. The frames may be in any order and share a range
    /// for `params`. Frames in flight at the same time need separate jobs and buffers.
    ///
    /// # Errors
    /// Same as [`Stage::bind`](crate::Stage::bind).
    pub fn bind<'a>(
        &self,
        frames: [FrameBindings<'a>; 2],
        bins: impl Into<DamageBindings<'a>>,
        elements: u32,
        grid: &BinGrid,
    ) -> Result<Job, Error> {
        check_count("elements", elements, &self.variant)?;
        let Build { device, label, .. } = &self.build;
        let bins = bins.into();
        let [old, new] = &frames;
        let mut needs = vec![
            Need::params(&old.params),
            Need::storage("boxes", &old.boxes, bytes(16, elements)),
            Need::storage("partners", &old.partners, bytes(4, elements)),
            Need::storage("boxes", &new.boxes, bytes(16, elements)),
            Need::storage("partners", &new.partners, bytes(4, elements)),
            Need::storage("bits", &bins.bits, bit_bytes(grid)),
            Need::storage("rects", &bins.rects, rect_bytes(grid)),
        ];
        let shares_params = is_same_range(&old.params, &new.params);
        if !shares_params {
            needs.push(Need::params(&new.params));
        }
        let ranges = check(device, needs, &[])?;
        let new_params = if shares_params { 0 } else { 7 };
        let levels =
            Levels::of(device, label, &[grid_plan(grid, BinCapacity { elements, entries: 0 })])?;
        let [old, new] = [[0, 1, 2, new_params, 3], [new_params, 3, 4, 0, 1]]
            .map(|order| name_ranges(&ranges, order));
        let threads = self.variant.workgroup_size();
        let mut job = JobBuilder::new(&self.build, &old, &levels);
        job.add(&self.clear, ceil_div(grid.bins(), threads), 0)?;
        job.add(&self.mark, ceil_div(elements, threads), 0)?;
        let marked = job.finish();
        let mut job = JobBuilder::new(&self.build, &new, &levels);
        job.add(&self.mark, ceil_div(elements, threads), 0)?;
        Ok(marked.then(job.finish()))
    }
}

fn is_same_range(one: &BufferBinding<'_>, other: &BufferBinding<'_>) -> bool {
    one.buffer == other.buffer && one.offset == other.offset
}

/// Names the ranges as the kernels bind them: one frame, the other frame, and the outputs.
fn name_ranges(ranges: &[Range], frame: [usize; 5]) -> Vec<Range> {
    let names = ["params", "boxes", "partners", "other params", "other boxes"];
    let inputs =
        frame.iter().zip(names).filter_map(|(at, name)| Some(ranges.get(*at)?.named(name)));
    let outputs = ranges.iter().skip(5).zip(["damage bits", "damage rects"]);
    inputs.chain(outputs.map(|(range, name)| range.named(name))).collect()
}
