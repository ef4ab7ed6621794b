//! The error type. Nearly all errors are detected before anything is recorded.

use treebounds_core::StreamError;
use treebounds_shaders::{LinkError, VariantError};

/// An error while building, binding or running.
///
/// Device messages are stored as one line of text, because [`wgpu::Error`] cannot be cloned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No GPU works. Contains the reason.
    #[error("no GPU works: {0}")]
    NoGpu(String),
    /// A device limit is too low for the kernels.
    #[error(
        "the device has {what} = {has}, but the kernels need {needed}: request more from the \
         adapter (treebounds::required_limits() is enough for the defaults), or fewer threads per \
         workgroup"
    )]
    DeviceLacks {
        /// The name of the limit.
        what: &'static str,
        /// The required value.
        needed: u64,
        /// The device's value.
        has: u64,
    },
    /// Subgroup operations were requested, but the device does not support them.
    #[error(
        "subgroup operations were requested, but the device was created without \
         Features::SUBGROUP: request the feature, or leave `subgroups` at None"
    )]
    NoSubgroups,
    /// Subgroup operations were requested on Direct3D 12.
    ///
    /// The kernels run without bounds checks and derive indices from a thread's position in its
    /// subgroup. Direct3D 12 does not guarantee that consecutive threads share a subgroup, so such an
    /// index could be out of bounds.
    #[error(
        "subgroup operations were requested on Direct3D 12, which does not promise which threads \
         share a subgroup: leave `subgroups` at None"
    )]
    SubgroupsOnDirect3D,
    /// The tuning is not a valid variant.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// A resource for this capacity would exceed a device limit.
    #[error(
        "too large for the device: {what} needs {needed}, over the limit {limit_name} of {limit}; \
         request a higher limit, or split the scene"
    )]
    TooLarge {
        /// The resource.
        what: &'static str,
        /// The required number of bytes or workgroups.
        needed: u64,
        /// The name of the limit.
        limit_name: &'static str,
        /// The limit.
        limit: u64,
    },
    /// A count exceeds the 32-bit range of the kernels.
    #[error("{needed} {what} exceed the maximum of {most}; split the scene")]
    TooMany {
        /// The name of the count.
        what: &'static str,
        /// The required count.
        needed: u64,
        /// The maximum count.
        most: u64,
    },
    /// The filters around an element exceed the depth of the stage, of the capacity, or of any stage.
    #[error(
        "filters nest {needed} deep, over the limit of {limit}: give StageDescriptor and Capacity a \
         larger filter_depth (16 at most), or use treebounds_core::reference::bounds"
    )]
    FilterDepth {
        /// The number of spread nodes around an element, at least 1 if a node fills its clip.
        needed: u32,
        /// The maximum depth; 0 if the stage, the scratch or the inputs are for scenes without filters.
        limit: u32,
    },
    /// Contents without clips were requested for scenes with filters.
    #[error(
        "a scene with filters needs clips: build the stage with Passes::ClipsAndBlends or \
         Passes::ClipsOnly"
    )]
    FiltersNeedClips,
    /// A range that the job writes is `None`, or the stage was built without the kernels for it.
    #[error(
        "{buffer} is needed, but no range is bound for it or the stage was built without it: change the \
         bindings or the descriptor"
    )]
    MissingOutput {
        /// The name of the range.
        buffer: &'static str,
    },
    /// A range is too small.
    #[error(
        "the range bound for {buffer} has {size} bytes, but the capacity needs {needed}: bind a \
         larger range, or lower the capacity"
    )]
    BufferTooSmall {
        /// The name of the range.
        buffer: &'static str,
        /// The bytes needed.
        needed: u64,
        /// The bytes of the range.
        size: u64,
    },
    /// A range extends past the end of its buffer.
    #[error(
        "the range bound for {buffer} ends at byte {end} of a buffer of {size} bytes: bind a range \
         that lies inside"
    )]
    OutsideBuffer {
        /// The name of the range.
        buffer: &'static str,
        /// The end of the range.
        end: u64,
        /// The bytes of the buffer.
        size: u64,
    },
    /// The offset of a range is not aligned.
    #[error(
        "the range bound for {buffer} starts at byte {offset}, which is not a multiple of the \
         device's {limit_name} of {alignment}: move it to a multiple"
    )]
    Unaligned {
        /// The name of the range.
        buffer: &'static str,
        /// The offset of the range.
        offset: u64,
        /// The required alignment.
        alignment: u32,
        /// The name of the limit.
        limit_name: &'static str,
    },
    /// A buffer lacks a usage.
    #[error("the buffer for {buffer} was created without {needed:?}: create it with that usage")]
    BufferUsage {
        /// The name of the range in the buffer.
        buffer: &'static str,
        /// The missing usages.
        needed: wgpu::BufferUsages,
    },
    /// Two ranges overlap.
    #[error("the ranges bound for {first} and {second} overlap: give each its own bytes")]
    Overlap {
        /// The name of the first range.
        first: &'static str,
        /// The name of the second range.
        second: &'static str,
    },
    /// A kernel would read one range of a buffer and write another. WebGPU tracks whole buffers and
    /// rejects this even if the ranges do not overlap.
    #[error(
        "the kernel `{kernel}` reads {read} and writes {written}, which are ranges of one buffer; \
         WebGPU allows that only in two buffers: bind one of them from another buffer"
    )]
    MixedAccess {
        /// The kernel.
        kernel: &'static str,
        /// The name of the read-only range.
        read: &'static str,
        /// The name of the writable range.
        written: &'static str,
    },
    /// The scratch was created by an object with another variant or for another task.
    #[error(
        "the scratch was made for another variant or for other work: make it with the object that \
         binds it"
    )]
    ForeignScratch,
    /// The scratches of a stage and of binning have different numbers of elements.
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
    /// A kernel does not compile: its WGSL is invalid, or the device rejects it.
    #[error("the kernel `{kernel}` does not compile: {message}")]
    Kernel {
        /// The name of the kernel.
        kernel: &'static str,
        /// The message of the linker or the device.
        message: String,
        /// The linker's error, if linking failed.
        source: Option<LinkError>,
    },
    /// The overlay cannot draw into integer formats.
    #[error(
        "the overlay cannot draw into {format:?}: give it a color format whose channels are normalized or floats"
    )]
    TargetFormat {
        /// The format of the target.
        format: wgpu::TextureFormat,
    },
    /// The buffers of a frame contain no valid stream: an element has an unknown tag or a NaN.
    #[error("the buffers contain no scene: {0}")]
    Stream(#[from] StreamError),
    /// The device failed: it is out of memory, lost, or reported another error.
    #[error("the GPU failed: {0}")]
    Device(String),
}
