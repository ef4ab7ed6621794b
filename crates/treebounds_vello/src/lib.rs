//! Vello's pipeline with treebounds as its clip stage.
//!
//! [Vello](https://github.com/linebender/vello) renders 2D scenes in GPU compute shaders. Its clip
//! stage is silently wrong beyond a maximum number and depth of clips. It does not compute the contents
//! of layers, so a layer costs all tiles of its clip path, even if it contains little.
//!
//! - [`ClipStage`] replaces this stage on Vello's own buffers, in any renderer that runs Vello's shaders.
//! - [`Pipeline`] is a renderer with the unmodified shaders of `vello_shaders` in Vello's order, and
//!   either clip stage. It renders again if a buffer was too small, and reports the memory of a frame.
//!
//! ```no_run
//! use treebounds_vello::{Frame, Options, Pipeline};
//! # fn example(gpu: &treebounds::Gpu, encoding: &vello_encoding::Encoding) -> Result<(), treebounds_vello::Error> {
//! let mut pipeline = Pipeline::new(&gpu.device, &gpu.queue, &Options::default())?;
//! let (pixels, report) = pipeline.render_to_pixels(encoding, &Frame::new(640, 480))?;
//! assert_eq!(pixels.len(), 4 * 640 * 480);
//! println!("{} words of blend spill", report.used.spill_words);
//! # Ok(())
//! # }
//! ```

mod buffers;
mod check;
mod clip_stage;
mod device;
mod error;
mod frame;
mod kernel;
mod pipeline;
mod stages;
mod textures;

pub use check::{EncodingError, check};
pub use clip_stage::{
    ClipBuffers, ClipCapacity, ClipJob, ClipStage, ClipStageDescriptor, LayerBoxes, close_layers,
};
pub use device::required_limits;
pub use error::Error;
pub use frame::{Antialiasing, Frame, Report, Sizes};
pub use pipeline::{Clips, Options, Pipeline};

pub use treebounds::wgpu;
pub use vello_encoding;

/// Compiles the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
