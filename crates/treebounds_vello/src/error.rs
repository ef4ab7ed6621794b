//! Errors, nearly all of which are found before anything is recorded.

use crate::EncodingError;

/// Why a frame cannot be rendered.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The device was created without something that Vello's stages need.
    #[error(
        "the device has {what} = {has}, but Vello's stages need {needed}: request it with \
         treebounds_vello::required_limits()"
    )]
    DeviceLacks {
        /// The name of the limit.
        what: &'static str,
        /// What is needed.
        needed: u64,
        /// The value that the device has.
        has: u64,
    },
    /// The target is empty or larger than the device's textures.
    #[error("the target has {width} x {height} pixels, but each side must be from 1 to {most}")]
    Target {
        /// Its width in pixels.
        width: u32,
        /// Its height in pixels.
        height: u32,
        /// The longest side.
        most: u32,
    },
    /// The texture to render to is smaller than the frame.
    #[error(
        "the target has {has:?} pixels, but the frame has {frame:?}: use a texture at least as large as the frame"
    )]
    TargetTooSmall {
        /// Width and height of the texture.
        has: [u32; 2],
        /// Width and height of the frame.
        frame: [u32; 2],
    },
    /// The encoding is not one that Vello's stages can read.
    #[error(transparent)]
    Encoding(#[from] EncodingError),
    /// A scene has more of something than Vello's stages can count.
    #[error("the scene has {count} {what}, but Vello's stages take at most {most}; {remedy}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
        count: u64,
        /// The most there may be.
        most: u64,
        /// What to do.
        remedy: &'static str,
    },
    /// A buffer would be over a limit of the device.
    #[error(
        "the frame needs {needed} bytes of {what}, over the device's {limit_name} of {limit}; \
         request a higher limit, shrink layers, or split the scene"
    )]
    TooLarge {
        /// Which buffer.
        what: &'static str,
        /// How many bytes are needed.
        needed: u64,
        /// The name of the limit.
        limit_name: &'static str,
        /// The limit.
        limit: u64,
    },
    /// Vello's stages ran out of buffers again and again.
    #[error(
        "{attempts} attempts with ever larger buffers were not enough: Vello's stages report \
         failed = {failed:#x}"
    )]
    StillFailing {
        /// How often it was tried.
        attempts: u32,
        /// The bits of the stages that failed, as in Vello's `bump.failed`.
        failed: u32,
    },
    /// The clip stage could not be built, or bound.
    #[error(transparent)]
    Stage(#[from] treebounds::Error),
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
