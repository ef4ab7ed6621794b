//! Encodings of Vello as element streams.
//!
//! A [`vello_encoding::Encoding`] is what Vello's `Scene` holds: parallel streams
//! of path tags, path data, transforms, styles and draw objects. [`encode`] reads
//! them as Vello's shaders do and takes the box of every path on the CPU.
//!
//! | draw object | becomes |
//! |---|---|
//! | colour, gradient, image, blurred rectangle, glyph run | `Draw` with the box of its path |
//! | begin clip, blend word [`CLIP_BLEND_MODE`](vello_encoding::DrawBeginClip::CLIP_BLEND_MODE) and alpha 1 | `BeginClip` |
//! | begin clip, any other | `BeginClip` and blend in one node: a layer of Vello always has a shape |
//! | end clip | the end of that node |
//! | nop | nothing |
//!
//! A layer is non-local where its blend word is a luminance mask or has one of
//! the compositing operators that change pixels outside their source; also where
//! the operator is none that is known.
//!
//! # Glyphs
//!
//! An encoding holds glyph runs unresolved: a font, glyph numbers, positions.
//! Each run is handed, alone, to Vello's own [`Resolver`](vello_encoding::Resolver),
//! which loads, scales, hints and emboldens the outlines; the path it packs is
//! read as any other. Resolving the whole encoding at once would be simpler, but
//! it uploads the images too, and panics where ranges are wrong.
//!
//! # How far Vello strays
//!
//! Vello flattens curves to within a quarter of a pixel, and computes in `f32`.
//! Boxes of paths with curves are a quarter of a pixel wider on every side, and
//! boxes far from the origin are wider by what `f32` loses there. What is not
//! followed: of 100,000 random strokes about two make Vello throw a spike, where
//! a narrow offset curve turns on a hairpin and its arithmetic runs out.

mod error;
mod glyphs;
mod layer;
mod paths;
mod pen;
mod segments;
#[cfg(test)]
mod tests;

pub use error::VelloError;

use layer::Layer;
use std::borrow::Cow;
use treebounds_core::{BuildError, Rect, StreamBuilder};
use treebounds_report::{Origin, Scene};
use vello_encoding::{DrawTag, Encoding};

/// Reads an encoding into a scene whose viewport is this many pixels wide and
/// high.
///
/// Layers that the encoding leaves open are closed at its end, and named in the
/// notes; so are glyph runs whose font cannot be read, which get no box.
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
/// The streams disagree: one ends before the others, a tag or a style is not
/// known, a path or a layer is closed that is not open, or a coordinate is NaN.
pub fn encode(encoding: &Encoding, width: f32, height: f32) -> Result<Scene, VelloError> {
    let mut notes = Vec::new();
    let boxes = paths::boxes(encoding, &mut notes)?;
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

/// Reads draw objects, one at a time.
struct Reader<'a> {
    builder: StreamBuilder,
    origins: Vec<Origin>,
    /// The origins of the layers that are open, outermost first.
    open: Vec<Origin>,
    /// The draw data not read yet.
    draw_data: &'a [u32],
    notes: Vec<String>,
}

impl Reader<'_> {
    fn object(
        &mut self,
        object: usize,
        tag: DrawTag,
        path: paths::PathBox,
    ) -> Result<(), VelloError> {
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

    /// The words of this object, taken off the draw data.
    fn take_data(&mut self, object: usize, tag: DrawTag) -> Result<&[u32], VelloError> {
        // Bits 2 to 4 of a draw tag say how many words its data has.
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
            self.notes
                .push(format!("the {source} of draw object {index} was open at the end: closed"));
            self.origins.push(origin);
        }
        Ok(Scene { stream, origins: self.origins, notes: self.notes, width, height })
    }
}

/// What reports call this kind of draw object, if it is one that is known.
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
