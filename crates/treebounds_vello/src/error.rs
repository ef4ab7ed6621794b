//! The error type. Nearly all errors are detected before anything is recorded.

use crate::EncodingError;

/// The reason that a frame cannot be rendered.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A device limit is too low for Vello's stages.
    #[error(
        "the device has {what} = {has}, but Vello's stages need {needed}: request it with \
         treebounds_vello::required_limits()"
    )]
    DeviceLacks {
        /// The name of the limit.
        what: &'static str,
        /// The required value.
        needed: u64,
        /// The device's value.
        has: u64,
    },
    /// The target is empty or exceeds the device's texture size.
    #[error("the target has {width} x {height} pixels, but each side must be from 1 to {most}")]
    Target {
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
        /// The maximum side length.
        most: u32,
    },
    /// The target texture is smaller than the frame.
    #[error(
        "the target has {has:?} pixels, but the frame has {frame:?}: use a texture at least as large as the frame"
    )]
    TargetTooSmall {
        /// Width and height of the texture.
        has: [u32; 2],
        /// Width and height of the frame.
        frame: [u32; 2],
    },
    /// The encoding is invalid for Vello's stages.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// A count in the scene exceeds the range of Vello's stages.
    #[error("the scene has {count} {what}, but Vello's stages take at most {most}; {remedy}")]
    TooMany {
        /// The name of the count.
        what: &'static str,
        /// The count.
        count: u64,
        /// The maximum count.
        most: u64,
        /// The suggested fix.
        remedy: &'static str,
    },
    /// A buffer would exceed a device limit.
    #[error(
        "the frame needs {needed} bytes of {what}, over the device's {limit_name} of {limit}; \
         request a higher limit, shrink layers, or split the scene"
    )]
    TooLarge {
        /// The buffer.
        what: &'static str,
        /// The required size in bytes.
        needed: u64,
        /// The name of the limit.
        limit_name: &'static str,
        /// The limit.
        limit: u64,
    },
    /// Vello's stages ran out of buffer space in every attempt.
    #[error(
        "{attempts} attempts with ever larger buffers were not enough: Vello's stages report \
         failed = {failed:#x}"
    )]
    StillFailing {
        /// The number of attempts.
        attempts: u32,
        /// The bits of the failed stages, as in Vello's `bump.failed`.
        failed: u32,
    },
    /// The clip stage could not be built or bound.
    #[error(transparent)]
    Stage(#[from] treebounds::Error),
    /// The device rejected a kernel.
    #[error("the device refused the kernel `{kernel}`: {message}")]
    Kernel {
        /// The name of the kernel.
        kernel: &'static str,
        /// The device's message.
        message: String,
    },
    /// The device failed: it is out of memory, lost, or reported another error.
    #[error("the GPU failed: {0}")]
    Device(String),
}
