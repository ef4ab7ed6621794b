//! Converts Vello encodings into element streams.
//!
//! A [`vello_encoding::Encoding`] is the content of Vello's `Scene`: parallel streams of path tags, path data,
//! transforms, styles and draw objects. [`encode`] reads them as Vello's shaders do, and computes the box of every path
//! on the CPU.
//!
//! | draw object | becomes |
//! |---|---|
//! | colour, gradient, image, blurred rectangle, glyph run | `Draw` with the box of its path |
//! | begin clip, blend word [`CLIP_BLEND_MODE`](vello_encoding::DrawBeginClip::CLIP_BLEND_MODE) and alpha 1 | `BeginClip` |
//! | begin clip, any other | `BeginClip` and blend in one node: a Vello layer always has a shape |
//! | end clip | the end of that node |
//! | nop | nothing |
//!
//! A layer is non-local if its blend word is a luminance mask, a compositing operator that changes pixels outside its
//! source, or an unknown operator.
//!
//! # Glyphs
//!
//! An encoding contains unresolved glyph runs: a font, glyph numbers, positions. Each run is passed separately to
//! Vello's [`Resolver`](vello_encoding::Resolver), which loads, scales, hints and emboldens the outlines. The resulting
//! path is read like any other. Resolving the whole encoding at once would be simpler, but it also uploads the images,
//! and panics on invalid ranges.
//!
//! # Vello's precision
//!
//! Vello flattens curves to within a quarter of a pixel, and computes in `f32`. Therefore, the boxes of paths with
//! curves are widened by a quarter of a pixel on every side, and boxes far from the origin by the rounding error of
//! `f32`. One effect is not covered: for about two of 100,000 random strokes, Vello draws a spike where a narrow offset
//! curve makes a hairpin turn and `f32` runs out of precision.

mod error;
mod glyphs;
mod segments;
#[cfg(test)]
mod tests;

pub use error::VelloError;

use crate::{Origin, Scene};
use glyphs::Runs;
use segments::{PathBox, Position, Segments, Streams};
use std::borrow::Cow;
use treebounds_core::{BuildError, NodeKind, Rect, StreamBuilder};
use vello_encoding::{DrawBeginClip, DrawTag, Encoding, Patch, StreamOffsets};

/// Converts an encoding into a scene whose viewport has this size in pixels.
///
/// Open layers are closed at the end, and glyph runs without a readable font get an empty box. The notes list both.
///
/// ```
/// use kurbo::{Affine, Rect};
/// use peniko::{Color, Fill};
/// use vello_encoding::{DrawBeginClip, Encoding, Transform};
///
/// let mut encoding = Encoding::new();
/// encoding.encode_transform(Transform::from_kurbo(&Affine::scale(2.0)));
/// encoding.encode_fill_style(Fill::NonZero);
/// encoding.encode_shape(&Rect::new(0.0, 0.0, 10.0, 10.0), true);
/// encoding.encode_begin_clip(DrawBeginClip::clip());
/// encoding.encode_shape(&Rect::new(5.0, 5.0, 50.0, 15.0), true);
/// encoding.encode_color(Color::WHITE);
/// encoding.encode_end_clip();
///
/// let scene = treebounds_encoding::vello::encode(&encoding, 100.0, 100.0)?;
/// let bounds = treebounds_core::reference::bounds(&scene.stream);
/// assert_eq!(bounds.boxes[1].to_array(), [10.0, 10.0, 20.0, 20.0]);
/// # Ok::<(), treebounds_encoding::vello::VelloError>(())
/// ```
///
/// # Errors
/// Fails if the streams are inconsistent: one ends before the others, a tag or style is unknown, a path or layer is
/// closed but not open, or a coordinate is NaN.
pub fn encode(encoding: &Encoding, width: f32, height: f32) -> Result<Scene, VelloError> {
    let mut notes = Vec::new();
    let boxes = path_boxes(encoding, &mut notes)?;
    let objects = encoding.draw_tags.iter().filter(|tag| **tag != DrawTag::NOP).count();
    if boxes.len() != objects {
        return Err(VelloError::PathsDiffer { objects, paths: boxes.len() });
    }
    let mut reader = Reader {
        builder: StreamBuilder::new(Rect::new(0.0, 0.0, width, height)),
        origins: Vec::new(),
        open: Vec::new(),
        draw_data: &encoding.draw_data,
        notes,
    };
    let objects = encoding.draw_tags.iter().enumerate().filter(|(_, tag)| **tag != DrawTag::NOP);
    for ((object, tag), path) in objects.zip(boxes) {
        reader.object(object, *tag, path)?;
    }
    reader.finish(width, height)
}

/// Reads draw objects in order.
struct Reader<'a> {
    builder: StreamBuilder,
    origins: Vec<Origin>,
    /// The origins of the open layers, outermost first.
    open: Vec<Origin>,
    /// The unread draw data.
    draw_data: &'a [u32],
    notes: Vec<String>,
}

impl Reader<'_> {
    fn object(&mut self, object: usize, tag: DrawTag, path: PathBox) -> Result<(), VelloError> {
        let source = source_of(tag, path.is_run)
            .ok_or(VelloError::UnknownDrawTag { object, bits: tag.0 })?;
        let data = self.take_data(object, tag)?;
        let origin =
            Origin { source: Cow::Borrowed(source), index: object as u32, ..Origin::default() };
        match (tag, data) {
            (DrawTag::BEGIN_CLIP, &[blend, alpha, ..]) => {
                self.begin(Layer::from_words(blend, alpha), path.rect, origin)?;
            }
            (DrawTag::END_CLIP, _) => self.end(object)?,
            _ => {
                self.builder.draw(path.rect)?;
                self.origins.push(origin);
            }
        }
        Ok(())
    }

    /// Removes the words of this object from the draw data.
    fn take_data(&mut self, object: usize, tag: DrawTag) -> Result<&[u32], VelloError> {
        // Bits 2 to 4 of a draw tag are the length of its data in words.
        let words = (tag.0 >> 2 & 7) as usize;
        let (data, rest) =
            self.draw_data.split_at_checked(words).ok_or(VelloError::DrawDataEnds { object })?;
        self.draw_data = rest;
        Ok(data)
    }

    fn begin(&mut self, layer: Layer, rect: Rect, mut origin: Origin) -> Result<(), BuildError> {
        origin.source = Cow::Borrowed(layer.source());
        layer.begin(&mut self.builder, rect)?;
        self.open.push(origin.clone());
        self.origins.push(origin);
        Ok(())
    }

    fn end(&mut self, object: usize) -> Result<(), VelloError> {
        let origin = self.open.pop().ok_or(VelloError::NothingOpen { object })?;
        self.builder.end()?;
        self.origins.push(origin);
        Ok(())
    }

    fn finish(mut self, width: f32, height: f32) -> Result<Scene, VelloError> {
        let (stream, _) = self.builder.finish_closing()?;
        while let Some(origin) = self.open.pop() {
            let Origin { source, index, .. } = &origin;
            self.notes.push(format!(
                "the {source} of draw object {index} was open at the end and has been closed"
            ));
            self.origins.push(origin);
        }
        Ok(Scene { stream, origins: self.origins, notes: self.notes, width, height })
    }
}

/// Returns the name of a draw object's kind in reports; `None` for an unknown kind.
fn source_of(tag: DrawTag, is_run: bool) -> Option<&'static str> {
    let source = match tag {
        DrawTag::BEGIN_CLIP | DrawTag::END_CLIP => return Some("layer"),
        DrawTag::BLUR_RECT => "blurred-rect",
        DrawTag::IMAGE => "image",
        DrawTag::COLOR => "color",
        DrawTag::LINEAR_GRADIENT => "linear-gradient",
        DrawTag::RADIAL_GRADIENT => "radial-gradient",
        DrawTag::SWEEP_GRADIENT => "sweep-gradient",
        _ => return None,
    };
    Some(if is_run { "glyphs" } else { source })
}

/// A Vello layer, decoded from its two words of draw data.
///
/// ```text
/// word 0   bit 16           luminance mask
///          bits 8 to 15     mix: 128 together with compose 3 is a pure clip
///          bits 0 to 7      compose: the Porter-Duff operator
/// word 1                    alpha, the bits of an f32
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layer {
    /// A clip without a blend.
    Clip,
    /// A clip with a blend.
    Blend {
        /// Whether the blend changes pixels outside its source.
        non_local: bool,
    },
    /// A luminance mask of the backdrop.
    Mask,
}

impl Layer {
    fn from_words(blend: u32, alpha: u32) -> Self {
        if blend == DrawBeginClip::CLIP_BLEND_MODE && f32::from_bits(alpha) == 1.0 {
            Self::Clip
        } else if blend & DrawBeginClip::LUMINANCE_MASK_BLEND_MODE != 0 {
            Self::Mask
        } else {
            Self::Blend { non_local: !is_local(blend & 0xff) }
        }
    }

    /// The name in reports.
    fn source(self) -> &'static str {
        match self {
            Self::Clip => "clip",
            Self::Blend { .. } => "layer",
            Self::Mask => "mask",
        }
    }

    fn begin(self, builder: &mut StreamBuilder, rect: Rect) -> Result<u32, BuildError> {
        match self {
            Self::Clip => builder.begin(NodeKind::Clip, rect),
            Self::Blend { non_local: false } => builder.begin(NodeKind::ClipBlend, rect),
            Self::Blend { non_local: true } | Self::Mask => builder.begin_non_local(Some(rect)),
        }
    }
}

/// Whether this operator changes only pixels of its source.
fn is_local(compose: u32) -> bool {
    use peniko::Compose;
    const LOCAL: [Compose; 8] = [
        Compose::Dest,
        Compose::SrcOver,
        Compose::DestOver,
        Compose::DestOut,
        Compose::SrcAtop,
        Compose::Xor,
        Compose::Plus,
        Compose::PlusLighter,
    ];
    LOCAL.iter().any(|local| *local as u32 == compose)
}

/// Returns the boxes of all paths, including glyph runs, in the order of the draw objects.
fn path_boxes(encoding: &Encoding, notes: &mut Vec<String>) -> Result<Vec<PathBox>, VelloError> {
    let mut segments = Segments::new(Streams {
        tags: &encoding.path_tags,
        data: &encoding.path_data,
        transforms: &encoding.transforms,
        styles: &encoding.styles,
    });
    let mut runs = Runs::new(&encoding.resources);
    for patch in &encoding.resources.patches {
        if let Patch::GlyphRun { index } = *patch {
            read_to_run(&mut segments, index, &runs.get(index)?.stream_offsets)?;
            match runs.read(index, segments.boxes.len())? {
                Some((rect, pen)) => {
                    segments.boxes.push(PathBox { rect, is_run: true });
                    segments.pen = pen;
                }
                None => {
                    segments.boxes.push(PathBox { rect: Rect::NOTHING, is_run: true });
                    notes.push(format!(
                        "glyph run {index} was left out: its font cannot be read, or its stroke \
                         has no width"
                    ));
                }
            }
        }
    }
    segments.read_all()?;
    Ok(segments.boxes)
}

/// Reads the paths before a glyph run. The run stores the length of each stream when it was encoded.
fn read_to_run(
    segments: &mut Segments<'_>,
    run: usize,
    offsets: &StreamOffsets,
) -> Result<(), VelloError> {
    segments.read_to(offsets.path_tags)?;
    let place = Position {
        tags: offsets.path_tags,
        data: offsets.path_data,
        transforms: offsets.transforms,
        styles: offsets.styles,
    };
    if segments.at != place || segments.is_inside_path() {
        let problem = "the streams do not have the lengths it was encoded with";
        return Err(VelloError::BadGlyphRun { run, problem });
    }
    Ok(())
}
