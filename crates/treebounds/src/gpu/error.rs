//! What can go wrong. Nearly all of it is found before anything is recorded.

use treebounds_core::StreamError;
use treebounds_shaders::{LinkError, VariantError};

/// Why something cannot be built, bound or run.
///
/// Messages of the device are kept as text, in one line, because [`wgpu::Error`] cannot be cloned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No GPU works, for this reason.
    #[error("no GPU works: {0}")]
    NoGpu(String),
    /// The device was created without something that the kernels need.
    #[error(
        "the device has {what} = {has}, but the kernels need {needed}: request more from the \
         adapter (treebounds::required_limits() is enough for the defaults), or fewer threads per \
         workgroup"
    )]
    DeviceLacks {
        /// The name of the limit.
        what: &'static str,
        /// What is needed.
        needed: u64,
        /// The value that the device has.
        has: u64,
    },
    /// Subgroup operations were requested of a device without them.
    #[error(
        "subgroup operations were requested, but the device was created without \
         Features::SUBGROUP: request the feature, or leave `subgroups` at None"
    )]
    NoSubgroups,
    /// Subgroup operations were requested on Direct3D 12.
    ///
    /// The kernels run without bounds checks and derive indices from a thread's place in its
    /// subgroup. Direct3D 12 does not promise that consecutive threads share a subgroup, so such an
    /// index could point outside a buffer.
    #[error(
        "subgroup operations were requested on Direct3D 12, which does not promise which threads \
         share a subgroup: leave `subgroups` at None"
    )]
    SubgroupsOnDirect3D,
    /// There is no such variant.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// Something for this capacity would exceed a limit of the device.
    #[error(
        "too large for the device: {what} needs {needed}, over the limit {limit_name} of {limit}; \
         request a higher limit, or split the scene"
    )]
    TooLarge {
        /// What would be too large.
        what: &'static str,
        /// How much is needed: bytes, or workgroups.
        needed: u64,
        /// The name of the limit.
        limit_name: &'static str,
        /// The limit.
        limit: u64,
    },
    /// More than the kernels can count in 32 bits, on any device.
    #[error("{needed} {what} exceed the maximum of {most}; split the scene")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many there would be.
        needed: u64,
        /// The most there can be.
        most: u64,
    },
    /// More filters around an element than the stage, the capacity or any stage is for.
    #[error(
        "filters nest {needed} deep, over the limit of {limit}: give StageDescriptor and Capacity a \
         larger filter_depth (16 at most), or use treebounds_core::reference::bounds"
    )]
    FilterDepth {
        /// Spread nodes around an element, at least 1 where a node fills its clip.
        needed: u32,
        /// How many there can be; 0 where the stage, the scratch or the inputs are for scenes without
        /// filters.
        limit: u32,
    },
    /// A stage for filters was asked to compute contents without clips.
    #[error(
        "a scene with filters needs clips: build the stage with Passes::ClipsAndBlends or \
         Passes::ClipsOnly"
    )]
    FiltersNeedClips,
    /// A range that the job writes is `None`, or the stage was built without what it needs.
    #[error(
        "{buffer} is needed, but no range is bound for it or the stage was built without it: change the \
         bindings or the descriptor"
    )]
    MissingOutput {
        /// The use of the range.
        buffer: &'static str,
    },
    /// A range that was given is too small.
    #[error(
        "the range bound for {buffer} has {size} bytes, but the capacity needs {needed}: bind a \
         larger range, or lower the capacity"
    )]
    BufferTooSmall {
        /// The use of the range.
        buffer: &'static str,
        /// The bytes needed.
        needed: u64,
        /// The bytes of the range.
        size: u64,
    },
    /// A range that was given ends past the end of its buffer.
    #[error(
        "the range bound for {buffer} ends at byte {end} of a buffer of {size} bytes: bind a range \
         that lies inside"
    )]
    OutsideBuffer {
        /// The use of the range.
        buffer: &'static str,
        /// Where the range ends.
        end: u64,
        /// The bytes of the buffer.
        size: u64,
    },
    /// A range that was given starts where the device cannot bind one.
    #[error(
        "the range bound for {buffer} starts at byte {offset}, which is not a multiple of the \
         device's {limit_name} of {alignment}: move it to a multiple"
    )]
    Unaligned {
        /// The use of the range.
        buffer: &'static str,
        /// Where the range starts.
        offset: u64,
        /// The start must be a multiple of this.
        alignment: u32,
        /// The name of the limit.
        limit_name: &'static str,
    },
    /// A buffer that was given lacks a usage.
    #[error("the buffer for {buffer} was created without {needed:?}: create it with that usage")]
    BufferUsage {
        /// The use of the buffer.
        buffer: &'static str,
        /// The usages that it lacks.
        needed: wgpu::BufferUsages,
    },
    /// Two ranges that were given have bytes in common.
    #[error("the ranges bound for {first} and {second} overlap: give each its own bytes")]
    Overlap {
        /// The use of one range.
        first: &'static str,
        /// The use of the other.
        second: &'static str,
    },
    /// A kernel would read one range of a buffer and write another. WebGPU tracks whole buffers and
    /// refuses that, even where the ranges do not overlap.
    #[error(
        "the kernel `{kernel}` reads {read} and writes {written}, which are ranges of one buffer; \
         WebGPU allows that only in two buffers: bind one of them from another buffer"
    )]
    MixedAccess {
        /// The kernel.
        kernel: &'static str,
        /// The buffer that it only reads.
        read: &'static str,
        /// The buffer that it writes.
        written: &'static str,
    },
    /// The scratch was made by an object of another variant, or for other work.
    #[error(
        "the scratch was made for another variant or for other work: make it with the object that \
         binds it"
    )]
    ForeignScratch,
    /// The scratches of a stage and of binning are for different numbers of elements.
    #[error(
        "the scratch of the stage is for {stage} elements, that of binning for {bins}: make both \
         for the same number"
    )]
    CapacitiesDiffer {
        /// Elements of the stage's scratch.
        stage: u32,
        /// Elements of the binning scratch.
        bins: u32,
    },
    /// A kernel does not compile: its WGSL is wrong, or the device refuses it.
    #[error("the kernel `{kernel}` does not compile: {message}")]
    Kernel {
        /// Its name.
        kernel: &'static str,
        /// What the linker or the device said.
        message: String,
        /// What the linker said, where it was the linker.
        source: Option<LinkError>,
    },
    /// The overlay was asked to draw into a format that stores no fractions.
    #[error(
        "the overlay cannot draw into {format:?}: give it a color format whose channels are normalized or floats"
    )]
    TargetFormat {
        /// The format of the target.
        format: wgpu::TextureFormat,
    },
    /// The buffers of a frame contain no stream: an element has an unknown tag, or a NaN.
    #[error("the buffers contain no scene: {0}")]
    Stream(#[from] StreamError),
    /// The device failed while working: out of memory, lost, or an error of its own.
    #[error("the GPU failed: {0}")]
    Device(String),
}
