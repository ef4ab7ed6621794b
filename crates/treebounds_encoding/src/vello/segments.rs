//! Reads paths from their tags and data as Vello's shaders do.
//!
//! A path tag is a byte. A segment reads its points from the path data, starting at the last point of the previous
//! segment. The end of a subpath skips that last point, so that the next subpath starts at its own.
//!
//! ```text
//! bit   7   6       5           4      3     2                 1 0
//!       0   style   transform   path   f32   end of subpath    points: 1 line, 2 quad, 3 cubic
//! ```
//!
//! A point is two words (`f32`) or one (two `i16`, x low). In a stroke, the last segment of a subpath is an undrawn
//! marker: a quad marks an open subpath, which gets caps; a line marks a closed one, which gets a join.

use super::error::VelloError;
use crate::geometry::{Extent, fill_extent, stroke_extent};
use kurbo::{Affine, Cap, Join, PathEl, Point, Stroke};
use treebounds_core::{NotANumber, Rect};
use vello_encoding::math::f16_to_f32;
use vello_encoding::{PathTag, Style, Transform};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PathBox {
    pub(super) rect: Rect,
    /// Whether the path belongs to a glyph run.
    pub(super) is_run: bool,
}

/// The input streams of paths.
#[derive(Clone, Copy, Default)]
pub(super) struct Streams<'a> {
    pub(super) tags: &'a [PathTag],
    pub(super) data: &'a [u32],
    pub(super) transforms: &'a [Transform],
    pub(super) styles: &'a [Style],
}

/// The number of items read from each stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) tags: usize,
    pub(super) data: usize,
    pub(super) transforms: usize,
    pub(super) styles: usize,
}

/// Reads paths and stores the box of each.
pub(super) struct Segments<'a> {
    streams: Streams<'a>,
    pub(super) at: Position,
    pub(super) pen: Pen,
    subpath: Vec<PathEl>,
    /// The box of the current path; `None` before its first segment.
    extent: Option<Extent>,
    /// The number of paths in earlier readers.
    first_path: usize,
    pub(super) boxes: Vec<PathBox>,
}

impl<'a> Segments<'a> {
    pub(super) fn new(streams: Streams<'a>) -> Self {
        let (at, pen) = (Position::default(), Pen::default());
        Self {
            streams,
            at,
            pen,
            subpath: Vec::new(),
            extent: None,
            first_path: 0,
            boxes: Vec::new(),
        }
    }

    /// Sets the number of the first path, for errors.
    pub(super) fn counting_from(mut self, first_path: usize) -> Self {
        self.first_path = first_path;
        self
    }

    /// Reads path tags up to `tag`, exclusive.
    pub(super) fn read_to(&mut self, tag: usize) -> Result<(), VelloError> {
        while self.at.tags < tag {
            let Some(next) = self.streams.tags.get(self.at.tags).copied() else { break };
            self.tag(next)?;
            self.at.tags += 1;
        }
        Ok(())
    }

    /// Reads all path tags. The last path must be complete.
    pub(super) fn read_all(&mut self) -> Result<(), VelloError> {
        self.read_to(self.streams.tags.len())?;
        if self.is_inside_path() {
            return Err(VelloError::PathOpen { path: self.path() });
        }
        Ok(())
    }

    /// Whether segments were read since the last finished path.
    pub(super) fn is_inside_path(&self) -> bool {
        self.extent.is_some() || !self.subpath.is_empty()
    }

    fn path(&self) -> usize {
        self.first_path + self.boxes.len()
    }

    fn tag(&mut self, tag: PathTag) -> Result<(), VelloError> {
        match tag {
            // Packed tags are padded with zeros.
            PathTag(0) => Ok(()),
            PathTag::TRANSFORM => self.set_transform(),
            PathTag::STYLE => self.set_style(),
            PathTag::PATH => self.finish_path(),
            PathTag(bits) if bits & 0xf0 == 0 && bits & 3 != 0 => self.segment(tag),
            PathTag(bits) => Err(VelloError::BadPathTag { tag: self.at.tags, bits }),
        }
    }

    fn set_transform(&mut self) -> Result<(), VelloError> {
        self.finish_subpath()?;
        let tag = self.at.tags;
        let ends = VelloError::StreamEnds { stream: "transforms", tag };
        let next = self.streams.transforms.get(self.at.transforms);
        self.pen.transform = Some(next.ok_or(ends)?.to_kurbo());
        self.at.transforms += 1;
        Ok(())
    }

    fn set_style(&mut self) -> Result<(), VelloError> {
        self.finish_subpath()?;
        let tag = self.at.tags;
        let ends = VelloError::StreamEnds { stream: "styles", tag };
        let next = self.streams.styles.get(self.at.styles).ok_or(ends)?;
        let bits = next.flags_and_miter_limit;
        self.pen.paint = Some(Paint::of(next).ok_or(VelloError::BadStyle { tag, bits })?);
        self.at.styles += 1;
        Ok(())
    }

    fn finish_path(&mut self) -> Result<(), VelloError> {
        self.finish_subpath()?;
        let extent = self.extent.take();
        let rect = extent.map_or(Rect::NOTHING, |extent| extent.to_rect_without_noise());
        self.boxes.push(PathBox { rect, is_run: false });
        Ok(())
    }

    fn segment(&mut self, tag: PathTag) -> Result<(), VelloError> {
        let is_stroke = match self.pen.paint {
            None => return Err(VelloError::NotSet { what: "style", tag: self.at.tags }),
            Some(Paint::Fill) => false,
            Some(Paint::Stroke(_)) => true,
        };
        if self.pen.transform.is_none() {
            return Err(VelloError::NotSet { what: "transform", tag: self.at.tags });
        }
        let points = self.take_points(tag)?;
        if is_stroke && tag.is_subpath_end() {
            self.marker(tag, points)?;
        } else {
            self.push_segment(tag, points);
        }
        if tag.is_subpath_end() { self.finish_subpath() } else { Ok(()) }
    }

    fn push_segment(&mut self, tag: PathTag, [p0, p1, p2, p3]: [Point; 4]) {
        if self.subpath.is_empty() {
            self.subpath.push(PathEl::MoveTo(p0));
        }
        self.subpath.push(match tag.path_segment_type().0 {
            1 => PathEl::LineTo(p1),
            2 => PathEl::QuadTo(p1, p2),
            _ => PathEl::CurveTo(p1, p2, p3),
        });
    }

    /// Reads the marker at the end of a stroked subpath.
    fn marker(&mut self, tag: PathTag, points: [Point; 4]) -> Result<(), VelloError> {
        match tag.path_segment_type().0 {
            1 if !self.subpath.is_empty() => self.subpath.push(PathEl::ClosePath),
            1 => {}
            // Without other segments, Vello draws the caps of the marker's own tangent.
            2 if self.subpath.is_empty() => {
                self.subpath.extend([PathEl::MoveTo(points[1]), PathEl::LineTo(points[2])]);
            }
            2 => {}
            _ => return Err(VelloError::BadPathTag { tag: self.at.tags, bits: tag.0 }),
        }
        Ok(())
    }

    /// Returns the points of a segment, starting with the last point before it. Unused points are zero.
    fn take_points(&mut self, tag: PathTag) -> Result<[Point; 4], VelloError> {
        let count = usize::from(tag.path_segment_type().0);
        let words = if tag.is_f32() { 2 } else { 1 };
        let ends = VelloError::StreamEnds { stream: "path data", tag: self.at.tags };
        let data = self.streams.data.get(self.at.data..).ok_or(ends)?;
        let data = data.get(..(count + 1) * words).ok_or(ends)?;
        let mut points = [Point::ZERO; 4];
        for (point, words) in points.iter_mut().zip(data.chunks_exact(words)) {
            *point = read_point(words);
        }
        self.at.data += (count + usize::from(tag.is_subpath_end())) * words;
        Ok(points)
    }

    fn finish_subpath(&mut self) -> Result<(), VelloError> {
        if self.subpath.is_empty() {
            return Ok(());
        }
        let path = self.path();
        let reach = self.pen.extent(&self.subpath);
        let reach = reach.map_err(|NotANumber| VelloError::NotANumber { path })?;
        self.extent = Some(self.extent.map_or(reach, |extent| extent.union(reach)));
        self.subpath.clear();
        Ok(())
    }
}

/// Reads a point of one or two words.
fn read_point(words: &[u32]) -> Point {
    match *words {
        [x, y] => Point::new(f32::from_bits(x).into(), f32::from_bits(y).into()),
        [xy] => Point::new((xy as i16).into(), ((xy >> 16) as i16).into()),
        _ => Point::ZERO,
    }
}

#[derive(Clone, Debug)]
pub(super) enum Paint {
    Fill,
    Stroke(Stroke),
}

/// The current transform and paint, if set.
#[derive(Clone, Debug, Default)]
pub(super) struct Pen {
    pub(super) transform: Option<Affine>,
    pub(super) paint: Option<Paint>,
}

/// Vello's tolerance for flattening curves, in pixels.
const FLATTENING: f64 = 0.25;

/// The distance from the origin, in pixels, up to which `f32` rounding errors are invisible.
const NEAR: f64 = 8192.0;

/// The relative error of the few `f32` operations from a point to a pixel.
const LOSS: f64 = 1.0 / (1 << 20) as f64;

impl Pen {
    /// Returns the box of everything that Vello may paint along these elements.
    pub(super) fn extent(&self, path: &[PathEl]) -> Result<Extent, NotANumber> {
        let transform = self.transform.unwrap_or_default();
        let elements = path.iter().copied();
        let extent = match &self.paint {
            Some(Paint::Stroke(style)) => stroke_extent(elements, style, transform)?,
            _ => fill_extent(elements, transform)?,
        };
        let slack = slack(path, transform);
        Ok(extent.inflate(slack, slack))
    }
}

/// The distance by which Vello may paint outside these elements.
fn slack(path: &[PathEl], transform: Affine) -> f64 {
    let is_curve = |el: &PathEl| matches!(el, PathEl::QuadTo(..) | PathEl::CurveTo(..));
    let flattening = if path.iter().any(is_curve) { FLATTENING } else { 0.0 };
    let [a, b, c, d, e, f] = transform.as_coeffs().map(f64::abs);
    let ends = path.iter().filter_map(PathEl::end_point);
    let largest = ends.fold(0.0_f64, |largest, p| largest.max(p.x.abs()).max(p.y.abs()));
    let largest = largest * (a + c).max(b + d) + e.max(f);
    if largest > NEAR { flattening + largest * LOSS } else { flattening }
}

impl Paint {
    /// Decodes a style; `None` if its join or cap is unknown.
    pub(super) fn of(style: &Style) -> Option<Self> {
        let flags = style.flags_and_miter_limit;
        if flags & Style::FLAGS_STYLE_BIT == 0 {
            return Some(Self::Fill);
        }
        let join = match flags & Style::FLAGS_JOIN_MASK {
            Style::FLAGS_JOIN_BITS_BEVEL => Join::Bevel,
            Style::FLAGS_JOIN_BITS_MITER => Join::Miter,
            Style::FLAGS_JOIN_BITS_ROUND => Join::Round,
            _ => return None,
        };
        let miter_limit = f16_to_f32((flags & Style::MITER_LIMIT_MASK) as u16);
        let stroke = Stroke::new(style.line_width.into())
            .with_join(join)
            .with_miter_limit(miter_limit.into())
            // The start cap has the same bits as the end cap, two places higher.
            .with_start_cap(cap((flags & Style::FLAGS_START_CAP_MASK) >> 2)?)
            .with_end_cap(cap(flags & Style::FLAGS_END_CAP_MASK)?);
        Some(Self::Stroke(stroke))
    }
}

fn cap(bits: u32) -> Option<Cap> {
    match bits {
        Style::FLAGS_CAP_BITS_BUTT => Some(Cap::Butt),
        Style::FLAGS_CAP_BITS_SQUARE => Some(Cap::Square),
        Style::FLAGS_CAP_BITS_ROUND => Some(Cap::Round),
        _ => None,
    }
}
