//! The boxes of glyphs, by their fonts.

use anyrender::Glyph;
use kurbo::{Affine, Rect, Vec2};
use peniko::FontData;
use skrifa::instance::{LocationRef, NormalizedCoord, Size};
use skrifa::{FontRef, GlyphId, MetadataProvider, Tag, raw::TableProvider};

/// Remembers the boxes of glyphs, so that each is asked for once.
#[derive(Debug, Default)]
pub(crate) struct GlyphBoxes {
    faces: Vec<Face>,
    /// The face of the last run: the next has it as often as not.
    last: usize,
}

/// One face of a font at one place of its design space.
#[derive(Debug)]
pub(crate) struct Face {
    font: (u64, u32),
    coords: Vec<i16>,
    boxes: Vec<Edges>,
    units: f64,
    /// Some glyphs are pictures, whose boxes these are not.
    colored: bool,
    readable: bool,
}

/// How far a glyph reaches from its origin in units of its font: left, up, right and down, y downwards, each as the least
/// number: -x to the left, -y upwards, and the negated x to the right and y downwards. A box around two glyphs is the least of each.
type Edges = [f32; 4];

/// A glyph without an outline: added to any box, it changes nothing.
const EMPTY: Edges = [f32::INFINITY; 4];
/// The font was not asked yet, or does not say.
const UNKNOWN: Edges = [f32::NAN; 4];

/// Past so many glyphs a face, boxes are asked for again each time. Fonts have no more.
const MOST_GLYPHS: usize = 1 << 16;

/// With so many faces, all are forgotten before the next: a weight that is animated is a new face each frame.
const MOST_FACES: usize = 64;

impl GlyphBoxes {
    /// The face of a run.
    pub(crate) fn face(&mut self, font: &FontData, coords: &[i16]) -> &mut Face {
        let name = (font.data.id(), font.index);
        let is_last = self.faces.get(self.last).is_some_and(|face| face.is(name, coords));
        if !is_last {
            self.last = self.find(name, font, coords);
        }
        &mut self.faces[self.last]
    }

    fn find(&mut self, name: (u64, u32), font: &FontData, coords: &[i16]) -> usize {
        let known = self.faces.iter().position(|face| face.is(name, coords));
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
        };
        let Ok(read) = FontRef::from_index(font.data.data(), font.index) else { return face };
        let has = |tag: &[u8; 4]| read.table_data(Tag::new(tag)).is_some();
        face.colored = [b"COLR", b"CBDT", b"sbix", b"EBDT", b"SVG "].into_iter().any(has);
        face.units = f64::from(read.head().map_or(0, |head| head.units_per_em()));
        face.readable = face.units > 0.0;
        face
    }

    /// Whether the boxes of this face are those of its outlines.
    pub(crate) fn is_known(&self) -> bool {
        self.readable && !self.colored
    }

    fn is(&self, font: (u64, u32), coords: &[i16]) -> bool {
        // Element by element: most have none, for which a call to compare bytes takes longer than all else here.
        self.font == font && self.coords.iter().eq(coords)
    }

    /// The box of a run of glyphs, y downwards; nothing where none has an outline. `Err` where the font does not say.
    pub(crate) fn run(
        &mut self,
        font: &FontData,
        size: f32,
        glyphs: &[Glyph],
    ) -> Result<Option<Rect>, ()> {
        // A font of negative size stands on its head.
        let (scale, is_upright) = ((size / self.units as f32).abs(), size >= 0.0);
        let mut least = EMPTY;
        for glyph in glyphs {
            let edges = match self.known(font, glyph.id)? {
                _ if scale == 0.0 => [0.0; 4],
                edges if is_upright => edges,
                [left, up, right, down] => [right, down, left, up],
            };
            let origin = [glyph.x, glyph.y, -glyph.x, -glyph.y];
            // Four lanes of one register.
            for lane in 0..4 {
                least[lane] = min(least[lane], origin[lane] + edges[lane] * scale);
            }
        }
        let [x0, y0, x1, y1] = [least[0], least[1], -least[2], -least[3]];
        let is_any = x0 <= x1 && y0 <= y1;
        Ok(is_any.then(|| Rect::new(x0.into(), y0.into(), x1.into(), y1.into())))
    }

    /// The same of glyphs that are each turned about their origin.
    pub(crate) fn turned_run(
        &mut self,
        font: &FontData,
        size: f32,
        turn: Affine,
        glyphs: &[Glyph],
    ) -> Result<Option<Rect>, ()> {
        let mut all: Option<Rect> = None;
        for glyph in glyphs {
            let at_origin = Glyph { x: 0.0, y: 0.0, ..*glyph };
            let Some(upright) = self.run(font, size, &[at_origin])? else { continue };
            let place = Vec2::new(glyph.x.into(), glyph.y.into());
            let turned = turn.transform_rect_bbox(upright) + place;
            all = Some(all.map_or(turned, |all| all.union(turned)));
        }
        Ok(all)
    }

    /// The edges of a glyph. `Err` where the font does not say.
    fn known(&mut self, font: &FontData, id: u32) -> Result<Edges, ()> {
        match self.boxes.get(id as usize) {
            Some(edges) if !edges[0].is_nan() => Ok(*edges),
            _ => self.ask_once(font, id),
        }
    }

    #[cold]
    fn ask_once(&mut self, font: &FontData, id: u32) -> Result<Edges, ()> {
        let asked = self.ask(font, id).ok_or(())?;
        let index = id as usize;
        if index < MOST_GLYPHS {
            if index >= self.boxes.len() {
                self.boxes.resize(index + 1, UNKNOWN);
            }
            self.boxes[index] = asked;
        }
        Ok(asked)
    }

    fn ask(&self, font: &FontData, id: u32) -> Option<Edges> {
        let read = FontRef::from_index(font.data.data(), font.index).ok()?;
        let coords: Vec<_> = self.coords.iter().map(|c| NormalizedCoord::from_bits(*c)).collect();
        let metrics = read.glyph_metrics(Size::unscaled(), LocationRef::new(&coords));
        let b = metrics.bounds(GlyphId::new(id))?;
        let is_any = b.x_min < b.x_max || b.y_min < b.y_max;
        Some(if is_any { [b.x_min, -b.y_max, -b.x_max, b.y_min] } else { EMPTY })
    }
}

fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use peniko::Blob;

    #[test]
    fn faces_are_found_again_and_bounded() {
        let mut boxes = GlyphBoxes::default();
        let font = FontData::new(Blob::from(vec![1, 2, 3]), 0);
        for weight in 0..10_000 {
            assert!(boxes.face(&font, &[weight]).is(boxes_name(&font), &[weight]));
            assert!(boxes.faces.len() <= MOST_FACES);
        }
        let before = boxes.faces.len();
        assert!(boxes.face(&font, &[9_999]).is(boxes_name(&font), &[9_999]));
        assert_eq!(boxes.faces.len(), before);
    }

    fn boxes_name(font: &FontData) -> (u64, u32) {
        (font.data.id(), font.index)
    }
}
