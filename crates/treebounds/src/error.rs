//! What can go wrong, found before anything is recorded.

use treebounds_shaders::VariantError;

/// Why the stage cannot be built, bound or run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no GPU to work with, for this reason.
    #[error(
        "no GPU works: {0}; install a Vulkan driver (a software one: apt-get install \
         mesa-vulkan-drivers)"
    )]
    NoGpu(String),
    /// The device was created without something that the kernels need.
    #[error(
        "the device has {what} = {has}, the kernels need {needed}: request more where the adapter \
         has it (treebounds::required_limits() is enough for the defaults); workgroups of fewer \
         threads (Options) need less, but of buffers"
    )]
    DeviceLacks {
        /// The name of the limit.
        what: &'static str,
        /// What is needed.
        needed: u64,
        /// What the device has.
        has: u64,
    },
    /// Subgroups were asked for, but the device has none.
    #[error("subgroups were asked for, but the device was created without Features::SUBGROUP")]
    NoSubgroups,
    /// There is no such variant.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// A buffer for this capacity would be over a limit of the device.
    #[error(
        "too large for the device: {what} would need {needed}, over its {limit_name} of {limit}; \
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
    #[error("{needed} {what}, of which 32 bits count {most} here; split the scene")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there would be.
        needed: u64,
        /// How many there can be.
        most: u64,
    },
    /// A buffer that was given is too small.
    #[error("the buffer for {buffer} has {size} bytes, {needed} are needed for the capacity")]
    BufferTooSmall {
        /// Which buffer.
        buffer: &'static str,
        /// The bytes needed.
        needed: u64,
        /// The bytes it has.
        size: u64,
    },
    /// A buffer that was given lacks a usage.
    #[error("the buffer for {buffer} was created without {needed:?}")]
    BufferUsage {
        /// Which buffer.
        buffer: &'static str,
        /// The usages that it lacks.
        needed: wgpu::BufferUsages,
    },
    /// One buffer was given for two purposes.
    #[error("one buffer was given for both {first} and {second}; each needs its own")]
    BoundTwice {
        /// One purpose.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// The scratch was made by something of another variant, or for other work.
    #[error("the scratch was made for another variant or other work; make one with what binds it")]
    ForeignScratch,
    /// The scratches of a stage and of binning are for different numbers of elements.
    #[error(
        "the scratch of the stage is for {stage} elements, that of binning for {bins}: make \
         both for as many"
    )]
    CapacitiesDiffer {
        /// Elements of the stage's.
        stage: u32,
        /// Elements of binning's.
        bins: u32,
    },
    /// The device refused a kernel.
    #[error("the device refused the kernel `{kernel}`: {message}")]
    Kernel {
        /// Its name.
        kernel: &'static str,
        /// What the device said.
        message: String,
    },
    /// The device failed while working: out of memory, lost, or an error of its own.
    #[error("the GPU failed: {0}")]
    Device(String),
}
