//! Human-readable bounds: reports, ids of the source document, reasons for culling, and pictures.
//!
//! A [`Scene`] is a stream with the origin of each element; a [`SourceDocument`] contains the objects it was made from.
//! Encoders make both. A [`Findings`] joins a scene with its bounds, and everything else is derived from it:
//!
//! | type | content |
//! |---|---|
//! | [`Report`] | every element in full, as JSON or CSV, for other programs |
//! | [`ReadReport`] | a report that was read back and validated |
//! | [`SceneFile`] | a stream with names and expected answers as JSON, for other renderers and for failing tests |
//! | [`Summary`] | counts, for the terminal |
//! | [`Overlay`] | the boxes over the dimmed drawing, as SVG or PNG |
//!
//! This crate does not use a GPU. `REPORT.md`, next to its manifest, describes the report's fields.
//!
//! ```
//! use treebounds_core::{NodeKind, Rect, StreamBuilder, reference};
//! use treebounds_report::{Backend, Findings, PictureFrame, Origin, Overlay, ReadReport, Report, Scene};
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
//! let report = ReadReport::from_json(str::from_utf8(&json)?)?;
//! assert_eq!(report.elements[1].bounds, Rect::new(5.0, 5.0, 20.0, 20.0));
//!
//! let frame = PictureFrame::fit(scene.width, scene.height)?;
//! assert!(Overlay::new(&findings, frame).svg()?.starts_with("<svg"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod elements;
mod findings;
mod frame;
mod labels;
mod layers;
mod marks;
mod objects;
mod overlay;
#[cfg(feature = "picture")]
mod png;
mod read;
mod reason;
mod report;
mod scene_file;
mod summary;
mod write;

pub use elements::{Element, Elements, Place};
pub use findings::{Findings, Mismatch, Selection};
pub use frame::{PictureFrame, PictureFrameError};
pub use layers::{Layer, Layers};
pub use objects::ObjectBox;
pub use overlay::{Overlay, PictureError};
#[cfg(feature = "picture")]
pub use png::{Picture, standalone};
pub use read::{ReadError, ReadReport};
pub use reason::{Cutter, Reason};
pub use report::{Backend, IgnoredPart, Report};
#[cfg(feature = "picture")]
pub use resvg::usvg;
pub use scene_file::{Mistake, SceneElement, SceneFile, SceneFileError, ScenePick};
pub use summary::{Saved, Summary};
pub use treebounds_encoding::{Cut, Ignored, Object, Origin, Part, Scene, SourceDocument};

/// Compiles the examples in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// Compiles the examples in `SCENE.md`.
#[cfg(doctest)]
#[doc = include_str!("../SCENE.md")]
pub struct ScenePage;
