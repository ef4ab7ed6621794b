//! Bounds made visible.
//!
//! A [`Findings`] joins a scene with its bounds. From it come:
//!
//! | | |
//! |---|---|
//! | [`Report`] | every element with all that is known of it, as JSON or CSV, for other programs |
//! | [`Summary`] | a handful of numbers, for the terminal |
//! | [`Overlay`] | the boxes over the dimmed drawing, as a PNG, for the eye |
//!
//! Nothing here talks to a GPU: streams and bounds go in, text and pictures come
//! out. The report's fields are described in `REPORT.md`, beside this crate's
//! manifest.
//!
//! ```
//! use treebounds_core::{NodeKind, Rect, StreamBuilder, reference};
//! use treebounds_report::{Backend, Findings, Frame, Origin, Overlay, Report, Scene};
//!
//! let mut stream = StreamBuilder::new(Rect::new(0.0, 0.0, 60.0, 40.0));
//! stream.begin(NodeKind::Clip, Rect::new(5.0, 5.0, 30.0, 30.0))?;
//! stream.draw(Rect::new(0.0, 0.0, 20.0, 20.0))?;
//! stream.end()?;
//! let stream = stream.finish()?;
//! let bounds = reference::bounds(&stream);
//! let origins = vec![Origin::default(); stream.len()];
//! let scene = Scene { stream, origins, notes: vec![], width: 60.0, height: 40.0 };
//!
//! let findings = Findings::new(&scene, &bounds)?;
//! assert_eq!(findings.summary().clips, 1);
//!
//! let mut json = Vec::new();
//! Report::new(&findings, Backend::Cpu, "badge").write_json(&mut json)?;
//!
//! let frame = Frame::fit(scene.width, scene.height)?;
//! let picture = Overlay::new(&findings, frame).paint()?;
//! assert!(picture.to_png()?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "picture")]
pub mod backdrop;
pub mod backend;
mod boxes;
mod brush;
mod canvas;
#[cfg(feature = "picture")]
mod cost;
#[cfg(feature = "picture")]
mod effort;
pub mod element;
mod extent;
pub mod findings;
mod font;
mod format;
pub mod frame;
mod heat;
mod ink;
mod labels;
#[cfg(feature = "picture")]
mod layer;
mod legend;
mod lettering;
pub mod objects;
mod open;
#[cfg(feature = "picture")]
mod outline;
pub mod overlay;
mod palette;
pub mod picture;
pub mod place;
pub mod reason;
pub mod report;
mod scene;
pub mod selection;
pub mod summary;
mod sweep;
mod unclipped;

#[cfg(feature = "picture")]
pub use backdrop::{Backdrop, BackdropError};
pub use backend::Backend;
pub use element::Element;
pub use findings::{Findings, Mismatch};
pub use frame::{Frame, FrameError};
pub use objects::ObjectBox;
pub use overlay::{Overlay, OverlayError};
pub use picture::{Picture, PngError};
pub use place::Place;
pub use reason::{Cutter, Reason};
pub use report::Report;
pub use scene::{Cut, Document, Ignored, Object, Origin, Part, Scene};
pub use selection::Selection;
pub use summary::{Saved, Summary};

/// The README's examples compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
