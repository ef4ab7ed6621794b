//! Vello's pipeline with treebounds as its clip stage.
//!
//! [Vello](https://github.com/linebender/vello) renders 2D scenes in GPU compute
//! shaders. Its clip stage intersects clips up to a size and depth, silently wrong
//! beyond; it does not unite what is inside a layer, so that a layer costs all the tiles of
//! its clip path however little it holds.
//!
//! - [`ClipStage`] takes the place of that stage, on Vello's own buffers, in any
//!   renderer that runs Vello's shaders.
//! - [`Pipeline`] is such a renderer: Vello's shaders from `vello_shaders`, unchanged, in
//!   its order, with either clip stage; it renders again with larger
//!   buffers where they were too small, and says what a frame took.
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
mod report;
mod sizes;
mod slot;
mod stages;
mod textures;
mod timing;

pub use check::{EncodingError, check};
pub use clip_stage::{
    ClipBuffers, ClipCapacity, ClipJob, ClipStage, ClipStageDescriptor, LayerBoxes, close_layers,
};
pub use device::required_limits;
pub use error::Error;
pub use frame::{Antialiasing, Frame};
pub use pipeline::{Clips, Options, Pipeline};
pub use report::{Report, StageTime};
pub use sizes::Sizes;

pub use treebounds::wgpu;
pub use vello_encoding;

/// The README's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
