//! Glyph runs, resolved one by one.

use super::error::VelloError;
use super::segments::{Pen, Segments, Streams};
use treebounds_core::Rect;
use vello_encoding::{
    Encoding, GlyphRun, Layout, Patch, PathTag, Resolver, Resources, StreamOffsets, Style,
    Transform,
};

pub(super) struct Runs<'a> {
    resources: &'a Resources,
    resolver: Resolver,
    packed: Vec<u8>,
}

impl<'a> Runs<'a> {
    pub(super) fn new(resources: &'a Resources) -> Self {
        Self { resources, resolver: Resolver::new(), packed: Vec::new() }
    }

    pub(super) fn get(&self, run: usize) -> Result<&'a GlyphRun, VelloError> {
        let problem = "the encoding has no such run";
        self.resources.glyph_runs.get(run).ok_or(VelloError::BadGlyphRun { run, problem })
    }

    /// Returns the box of a run, and the pen position after it; `None` if Vello cannot resolve the run. `path` is
    /// the index of the run's path.
    pub(super) fn read(
        &mut self,
        run: usize,
        path: usize,
    ) -> Result<Option<(Rect, Pen)>, VelloError> {
        let bad = |problem| VelloError::BadGlyphRun { run, problem };
        let alone = self.encode_alone(self.get(run)?).map_err(bad)?;
        let (layout, ..) = self.resolver.resolve(&alone, &mut self.packed);
        if layout.n_paths == 0 {
            return Ok(None);
        }
        let packed = Packed::read(&layout, &self.packed);
        let mut segments = Segments::new(packed.streams()).counting_from(path);
        segments.read_all()?;
        let rect = segments.boxes.first().map_or(Rect::NOTHING, |path| path.rect);
        Ok(Some((rect, segments.pen)))
    }

    /// Encodes this run alone, with valid ranges.
    fn encode_alone(&self, run: &GlyphRun) -> Result<Encoding, &'static str> {
        let glyphs = self.resources.glyphs.get(run.glyphs.clone());
        let glyphs = glyphs.ok_or("its glyphs are not in the encoding")?;
        let coords = self.resources.normalized_coords.get(run.normalized_coords.clone());
        let coords = coords.ok_or("its font coordinates are not in the encoding")?;
        if !is_finite(run) {
            return Err("its size, its transform or its weight is not finite");
        }
        let mut alone = Encoding::new();
        alone.resources.glyphs = glyphs.to_vec();
        alone.resources.normalized_coords = coords.to_vec();
        alone.resources.patches.push(Patch::GlyphRun { index: 0 });
        alone.resources.glyph_runs.push(GlyphRun {
            glyphs: 0..glyphs.len(),
            normalized_coords: 0..coords.len(),
            stream_offsets: StreamOffsets::default(),
            ..run.clone()
        });
        Ok(alone)
    }
}

fn is_finite(run: &GlyphRun) -> bool {
    let bolder = &run.font_embolden;
    run.font_size.is_finite()
        && run.transform.to_kurbo().is_finite()
        && [bolder.amount.xx, bolder.amount.yy, bolder.miter_limit, bolder.tolerance]
            .iter()
            .all(|number| number.is_finite())
}

/// The streams of a packed scene, copied from bytes that are in native byte order and may be unaligned.
struct Packed {
    tags: Vec<PathTag>,
    data: Vec<u32>,
    transforms: Vec<Transform>,
    styles: Vec<Style>,
}

impl Packed {
    fn read(layout: &Layout, packed: &[u8]) -> Self {
        let words: Vec<u32> = packed
            .chunks_exact(4)
            .map(|bytes| u32::from_ne_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
            .collect();
        let stream = |from: u32, to: usize| words.get(from as usize..to).unwrap_or_default();
        let tags = stream(layout.path_tag_base, layout.path_data_base as usize);
        let transforms = stream(layout.transform_base, layout.style_base as usize);
        let styles = stream(layout.style_base, words.len());
        Self {
            tags: tags.iter().flat_map(|word| word.to_ne_bytes()).map(PathTag).collect(),
            data: stream(layout.path_data_base, layout.draw_tag_base as usize).to_vec(),
            transforms: transforms.chunks_exact(6).map(transform_of).collect(),
            styles: styles.chunks_exact(2).map(style_of).collect(),
        }
    }

    fn streams(&self) -> Streams<'_> {
        let Self { tags, data, transforms, styles } = self;
        Streams { tags, data, transforms, styles }
    }
}

fn transform_of(words: &[u32]) -> Transform {
    let mut numbers = [0.0; 6];
    numbers.iter_mut().zip(words).for_each(|(number, word)| *number = f32::from_bits(*word));
    let [a, b, c, d, e, f] = numbers;
    Transform { matrix: [a, b, c, d], translation: [e, f] }
}

fn style_of(words: &[u32]) -> Style {
    Style { flags_and_miter_limit: words[0], line_width: f32::from_bits(words[1]) }
}
