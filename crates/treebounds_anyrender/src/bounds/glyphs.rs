//! Boxes of glyphs, from their fonts.

use anyrender::Glyph;
use kurbo::{Affine, Rect, Vec2};
use peniko::FontData;
use skrifa::instance::{LocationRef, NormalizedCoord, Size};
use skrifa::{FontRef, GlyphId, MetadataProvider, Tag, raw::TableProvider};

#[derive(Debug, Default)]
pub(crate) struct GlyphBoxes {
    faces: Vec<Face>,
    /// The face of the last run, which the next run often shares.
    last: usize,
}

/// One face of a font with fixed variation coordinates.
#[derive(Debug)]
pub(crate) struct Face {
    font: (u64, u32),
    coords: Vec<i16>,
    boxes: Vec<Edges>,
    units: f64,
    /// Whether some glyphs are bitmaps, which these boxes do not describe.
    colored: bool,
    readable: bool,
    instructed: bool,
}

/// The extent of a glyph from its origin in font units: left, up, right and down, with y downwards. Each edge is stored
/// as a minimum (-x to the left, -y upwards, and the negated x to the right and y downwards), so that one addition and
/// one minimum handle all four at once. The box around two glyphs has the minimum of each edge.
type Edges = [f32; 4];

/// The box of a run of glyphs, if known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RunBox {
    /// The exact box.
    Box(Rect),
    /// No glyph has an outline.
    Nothing,
    /// Unknown: the font is unreadable, or has bitmaps.
    Unknown,
}

impl RunBox {
    #[inline]
    fn of([x0, y0, x1, y1]: Edges) -> Self {
        let (x1, y1) = (-x1, -y1);
        let is_any = x0 <= x1 && y0 <= y1;
        let rect = || Rect::new(x0.into(), y0.into(), x1.into(), y1.into());
        if is_any { Self::Box(rect()) } else { Self::Nothing }
    }
}

/// The edges of a glyph without an outline, which change no box.
const EMPTY: Edges = [f32::INFINITY; 4];
/// The edges of a glyph that was not looked up yet, or is not in the font.
const UNKNOWN: Edges = [f32::NEG_INFINITY; 4];

/// The maximum number of cached glyphs per face. Fonts have no more.
const MOST_GLYPHS: usize = 1 << 16;

/// The maximum number of cached faces. The next one clears the cache, because an animated weight creates a new face in
/// every frame.
const MOST_FACES: usize = 64;

impl GlyphBoxes {
    #[inline]
    pub(crate) fn face(&mut self, font: &FontData, coords: &[i16]) -> &mut Face {
        let name = (font.data.id(), font.index);
        let is_last = self.faces.get(self.last).is_some_and(|face| face.has(name, coords));
        if !is_last {
            self.last = self.find(name, font, coords);
        }
        &mut self.faces[self.last]
    }

    fn find(&mut self, name: (u64, u32), font: &FontData, coords: &[i16]) -> usize {
        let known = self.faces.iter().position(|face| face.has(name, coords));
        known.unwrap_or_else(|| {
            if self.faces.len() == MOST_FACES {
                self.faces.clear();
            }
            self.faces.push(Face::new(font, coords));
            self.faces.len() - 1
        })
    }
}

impl Face {
    fn new(font: &FontData, coords: &[i16]) -> Self {
        let mut face = Self {
            font: (font.data.id(), font.index),
            coords: coords.to_vec(),
            boxes: Vec::new(),
            units: 1.0,
            colored: false,
            readable: false,
            instructed: false,
        };
        let Ok(read) = FontRef::from_index(font.data.data(), font.index) else { return face };
        let has = |tag: &[u8; 4]| read.table_data(Tag::new(tag)).is_some();
        face.colored = [b"COLR", b"CBDT", b"sbix", b"EBDT", b"SVG "].into_iter().any(has);
        face.units = f64::from(read.head().map_or(0, |head| head.units_per_em()));
        face.readable = face.units > 0.0;
        face.instructed = read.outline_glyphs().prefer_interpreter();
        face
    }

    /// Whether this face has only outlines, so that the boxes describe all of its glyphs.
    fn is_known(&self) -> bool {
        self.readable && !self.colored
    }

    /// Whether the font's own instructions hint its glyphs, rather than an automatic hinter.
    pub(crate) fn is_instructed(&self) -> bool {
        self.instructed
    }

    fn has(&self, font: (u64, u32), coords: &[i16]) -> bool {
        // Compares element by element: coordinates are usually empty, and the call of a byte comparison would dominate
        // the cost.
        self.font == font && self.coords.iter().eq(coords)
    }

    /// Returns the box of a run of glyphs, y downwards, if all of them are cached. Uses a single pass with almost no
    /// branches.
    ///
    /// Also returns `None` if a number is not finite or overflows, or the size is not positive.
    #[inline]
    pub(crate) fn known_run(&self, size: f32, glyphs: &[Glyph]) -> Option<RunBox> {
        let scale = size / self.units as f32;
        let mut least = EMPTY;
        let mut sum = [0.0; 2];
        for glyph in glyphs {
            let edges = self.boxes.get(glyph.id as usize)?;
            let origin = [glyph.x, glyph.y, -glyph.x, -glyph.y];
            // Four lanes of one register.
            for lane in 0..4 {
                least[lane] = min(least[lane], origin[lane] + edges[lane] * scale);
            }
            sum = [sum[0] + glyph.x, sum[1] + glyph.y];
        }
        // Any non-finite number makes the sum non-finite, and an unknown glyph makes the minimum -infinity.
        let is_sure = sum.iter().all(|sum| sum.is_finite())
            && least.iter().all(|least| *least > f32::NEG_INFINITY);
        (self.is_known() && is_sure && scale > 0.0).then(|| RunBox::of(least))
    }

    /// Returns the box of a run of glyphs, y downwards. Requires finite positions.
    pub(crate) fn run(&mut self, font: &FontData, size: f32, glyphs: &[Glyph]) -> RunBox {
        if !self.is_known() {
            return RunBox::Unknown;
        }
        // A negative font size turns glyphs upside down.
        let (scale, is_upright) = ((size / self.units as f32).abs(), size >= 0.0);
        let mut least = EMPTY;
        for glyph in glyphs {
            let edges = match self.edges_of(font, glyph.id) {
                None => return RunBox::Unknown,
                _ if scale == 0.0 => [0.0; 4],
                Some(edges) if is_upright => edges,
                Some([left, up, right, down]) => [right, down, left, up],
            };
            let origin = [glyph.x, glyph.y, -glyph.x, -glyph.y];
            for lane in 0..4 {
                least[lane] = min(least[lane], origin[lane] + edges[lane] * scale);
            }
        }
        RunBox::of(least)
    }

    /// Returns the box of a run whose glyphs are each rotated about their origin.
    pub(crate) fn turned_run(
        &mut self,
        font: &FontData,
        size: f32,
        turn: Affine,
        glyphs: &[Glyph],
    ) -> RunBox {
        let mut all: Option<Rect> = None;
        for glyph in glyphs {
            let at_origin = Glyph { x: 0.0, y: 0.0, ..*glyph };
            let upright = match self.run(font, size, &[at_origin]) {
                RunBox::Box(upright) => upright,
                RunBox::Nothing => continue,
                RunBox::Unknown => return RunBox::Unknown,
            };
            let place = Vec2::new(glyph.x.into(), glyph.y.into());
            let turned = turn.transform_rect_bbox(upright) + place;
            all = Some(all.map_or(turned, |all| all.union(turned)));
        }
        all.map_or(RunBox::Nothing, RunBox::Box)
    }

    /// Returns the edges of a glyph; `None` if the font does not contain it.
    fn edges_of(&mut self, font: &FontData, id: u32) -> Option<Edges> {
        match self.boxes.get(id as usize) {
            Some(edges) if *edges != UNKNOWN => Some(*edges),
            _ => self.look_up_once(font, id),
        }
    }

    #[cold]
    fn look_up_once(&mut self, font: &FontData, id: u32) -> Option<Edges> {
        let asked = self.look_up(font, id)?;
        let index = id as usize;
        if index < MOST_GLYPHS {
            if index >= self.boxes.len() {
                self.boxes.resize(index + 1, UNKNOWN);
            }
            self.boxes[index] = asked;
        }
        Some(asked)
    }

    fn look_up(&self, font: &FontData, id: u32) -> Option<Edges> {
        let read = FontRef::from_index(font.data.data(), font.index).ok()?;
        let coords: Vec<_> = self.coords.iter().map(|c| NormalizedCoord::from_bits(*c)).collect();
        let metrics = read.glyph_metrics(Size::unscaled(), LocationRef::new(&coords));
        let b = metrics.bounds(GlyphId::new(id))?;
        let is_any = b.x_min < b.x_max || b.y_min < b.y_max;
        Some(if is_any { [b.x_min, -b.y_max, -b.x_max, b.y_min] } else { EMPTY })
    }
}

#[inline]
fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use peniko::Blob;

    #[test]
    fn faces_are_cached_and_bounded() {
        let mut boxes = GlyphBoxes::default();
        let font = FontData::new(Blob::from(vec![1, 2, 3]), 0);
        for weight in 0..10_000 {
            assert!(boxes.face(&font, &[weight]).has(boxes_name(&font), &[weight]));
            assert!(boxes.faces.len() <= MOST_FACES);
        }
        let before = boxes.faces.len();
        assert!(boxes.face(&font, &[9_999]).has(boxes_name(&font), &[9_999]));
        assert_eq!(boxes.faces.len(), before);
    }

    #[test]
    fn cached_runs_are_measured_unless_uncertain() {
        let font = FontData::new(Blob::from(vec![1, 2, 3]), 0);
        let boxes = vec![[-1.0, -7.0, -5.0, -2.0], EMPTY, UNKNOWN];
        let face = Face { boxes, readable: true, ..Face::new(&font, &[]) };
        let run = |size: f32, glyphs: &[(u32, f32, f32)]| {
            let glyphs = glyphs.iter().map(|(id, x, y)| Glyph { id: *id, x: *x, y: *y });
            face.known_run(size, &glyphs.collect::<Vec<_>>())
        };
        let rect = Rect::new(8.0, 6.0, 30.0, 24.0);
        assert_eq!(
            run(2.0, &[(0, 10.0, 20.0), (1, 99.0, 99.0), (0, 20.0, 20.0)]),
            Some(RunBox::Box(rect))
        );
        assert_eq!(run(2.0, &[(1, 1.0, 2.0)]), Some(RunBox::Nothing));
        for size in [0.0, -2.0, f32::NAN, f32::INFINITY] {
            assert_eq!(run(size, &[(0, 1.0, 2.0)]), None, "{size}");
        }
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for (id, x, y) in [(0, bad, 0.0), (0, 0.0, bad), (1, bad, 0.0), (1, 0.0, bad)] {
                assert_eq!(run(2.0, &[(0, 1.0, 2.0), (id, x, y), (0, 1.0, 2.0)]), None);
            }
        }
        for unknown in [2, 3] {
            assert_eq!(run(2.0, &[(0, 1.0, 2.0), (unknown, 0.0, 0.0), (0, 1.0, 2.0)]), None);
        }
    }

    fn boxes_name(font: &FontData) -> (u64, u32) {
        (font.data.id(), font.index)
    }
}
