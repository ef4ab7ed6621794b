//! Checks that encodings satisfy Vello's assumptions.

use vello_encoding::{DrawTag, Encoding, Patch, PathTag};

/// The number of layers on a tile whose backdrops Vello stores in registers.
pub(crate) const LAYERS_IN_REGISTERS: usize = 4;

/// The reason that an encoding is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EncodingError {
    /// A layer ends without a begin.
    #[error("draw object {object} ends a layer, but none is open: the encoding does not balance")]
    NothingOpen {
        /// The draw object.
        object: usize,
    },
    /// A count in the encoding differs from its streams.
    #[error("the encoding counts {counted} {what}, but its streams have {found}")]
    Count {
        /// The name of the count.
        what: &'static str,
        /// The encoding's count.
        counted: u64,
        /// The actual count in its streams.
        found: u64,
    },
    /// A draw tag is unknown.
    #[error("draw object {object} has the unknown tag {bits:#x}")]
    UnknownDrawTag {
        /// The draw object.
        object: usize,
        /// The tag.
        bits: u32,
    },
    /// A number is NaN or infinite.
    #[error("word {word} of the {stream} is not a finite number")]
    NotFinite {
        /// The name of the stream.
        stream: &'static str,
        /// The index of the 32-bit word in the stream.
        word: usize,
    },
    /// A path precedes the first transform or style.
    #[error("path tag {tag} is a segment, but no {what} is set before it")]
    Unset {
        /// The index of the segment's tag.
        tag: usize,
        /// `transform` or `style`.
        what: &'static str,
    },
    /// A gradient, image or glyph run is invalid.
    #[error("resource {patch} of the encoding {problem}")]
    Resource {
        /// The index among the patches.
        patch: usize,
        /// The error message, which continues a sentence.
        problem: &'static str,
    },
    /// A font cannot be read.
    #[error("a glyph run has a font that cannot be read")]
    Font,
}

/// The nesting of an encoding's layers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Nesting {
    /// The number of begins and ends, including missing ends.
    pub(crate) clips: u32,
    /// The maximum number of open layers at multiples of 256 begins and ends.
    pub(crate) depth_at_borders: u32,
    /// The number of layers inside four or more others, whose backdrops are spilled.
    pub(crate) deep: u32,
}

/// Checks for all errors that would make Vello's resolver panic or its stages read out of bounds.
///
/// [`Pipeline`](crate::Pipeline) checks every encoding. Other renderers can use it for untrusted encodings.
///
/// Cost: one pass over each stream, about a millisecond per million words.
///
/// # Errors
/// [`EncodingError`] with the stream and position of the first error.
pub fn check(encoding: &Encoding) -> Result<(), EncodingError> {
    nesting(encoding).map(|_| ())
}

/// Like [`check`], but also returns the nesting of the layers.
pub(crate) fn nesting(encoding: &Encoding) -> Result<Nesting, EncodingError> {
    let nesting = check_draws(encoding)?;
    check_paths(encoding)?;
    check_numbers(encoding)?;
    let mut order = Order::default();
    encoding.resources.patches.iter().enumerate().try_for_each(|(patch, resource)| {
        check_resource(encoding, resource)
            .and_then(|()| order.check_next(encoding, resource))
            .map_err(|problem| EncodingError::Resource { patch, problem })
    })?;
    Ok(nesting)
}

fn count(what: &'static str, counted: u32, found: usize) -> Result<(), EncodingError> {
    let (counted, found) = (u64::from(counted), found as u64);
    if counted == found { Ok(()) } else { Err(EncodingError::Count { what, counted, found }) }
}

fn check_draws(encoding: &Encoding) -> Result<Nesting, EncodingError> {
    let (mut clips, mut open, mut words) = (0_usize, 0_usize, 0_usize);
    let (mut depth_at_borders, mut deep) = (0, 0);
    for (object, &tag) in encoding.draw_tags.iter().enumerate() {
        match tag {
            DrawTag::BEGIN_CLIP => {
                deep += u32::from(open >= LAYERS_IN_REGISTERS);
                open += 1;
            }
            DrawTag::END_CLIP => {
                open = open.checked_sub(1).ok_or(EncodingError::NothingOpen { object })?;
            }
            DrawTag::COLOR
            | DrawTag::LINEAR_GRADIENT
            | DrawTag::RADIAL_GRADIENT
            | DrawTag::SWEEP_GRADIENT
            | DrawTag::IMAGE
            | DrawTag::BLUR_RECT => {}
            DrawTag(bits) => return Err(EncodingError::UnknownDrawTag { object, bits }),
        }
        if tag.0 & 1 != 0 {
            clips += 1;
            if clips.is_multiple_of(256) {
                depth_at_borders = depth_at_borders.max(open);
            }
        }
        // Bits 2 to 4 of a draw tag contain the number of words of its data.
        words += (tag.0 >> 2 & 7) as usize;
    }
    count("layer begins and ends", encoding.n_clips, clips)?;
    count("open layers", encoding.n_open_clips, open)?;
    // Each draw object has a path, except glyph runs, whose paths come from the resolver.
    let is_run = |patch: &&Patch| matches!(patch, Patch::GlyphRun { .. });
    let runs = encoding.resources.patches.iter().filter(is_run).count();
    count("paths", encoding.n_paths, encoding.draw_tags.len().saturating_sub(runs))?;
    if words != encoding.draw_data.len() {
        let (counted, found) = (words as u64, encoding.draw_data.len() as u64);
        return Err(EncodingError::Count { what: "words of draw data", counted, found });
    }
    let (clips, depth_at_borders) = ((clips + open) as u32, depth_at_borders as u32);
    Ok(Nesting { clips, depth_at_borders, deep })
}

/// Checks that the path tags match the lengths of the other streams.
fn check_paths(encoding: &Encoding) -> Result<(), EncodingError> {
    let (mut transforms, mut styles, mut paths, mut words) = (0, 0, 0, 0);
    for (at, tag) in encoding.path_tags.iter().enumerate() {
        transforms += usize::from(tag.0 & PathTag::TRANSFORM.0 != 0);
        styles += usize::from(tag.0 & PathTag::STYLE.0 != 0);
        paths += usize::from(tag.0 & PathTag::PATH.0 != 0);
        if !tag.is_path_segment() {
            continue;
        }
        let points = usize::from(tag.path_segment_type().0) + usize::from(tag.is_subpath_end());
        words += points * if tag.is_f32() { 2 } else { 1 };
        let unset = [("transform", transforms), ("style", styles)].into_iter().find(|x| x.1 == 0);
        // Glyphs have their own transforms and styles, so an encoding of glyphs may have none.
        if let Some((what, _)) = unset {
            return Err(EncodingError::Unset { tag: at, what });
        }
    }
    count("paths", encoding.n_paths, paths)?;
    let rows = [
        ("transforms", transforms, encoding.transforms.len()),
        ("styles", styles, encoding.styles.len()),
        ("words of path data", words, encoding.path_data.len()),
    ];
    match rows.into_iter().find(|(_, tags, stream)| tags != stream) {
        Some((what, tags, stream)) => {
            Err(EncodingError::Count { what, counted: tags as u64, found: stream as u64 })
        }
        None => Ok(()),
    }
}

fn check_numbers(encoding: &Encoding) -> Result<(), EncodingError> {
    let not_finite = |stream, word| EncodingError::NotFinite { stream, word };
    for (at, transform) in encoding.transforms.iter().enumerate() {
        let words = transform.matrix.iter().chain(&transform.translation);
        if let Some(word) = words.copied().position(|x: f32| !x.is_finite()) {
            return Err(not_finite("transforms", 6 * at + word));
        }
    }
    if let Some(at) = encoding.styles.iter().position(|style| !style.line_width.is_finite()) {
        return Err(not_finite("styles", 2 * at + 1));
    }
    // The tags are only needed for 16-bit coordinates, which are rare.
    let finite = |word: &u32| f32::from_bits(*word).is_finite();
    let is_short = |tag: &PathTag| tag.is_path_segment() && !tag.is_f32();
    let suspect = encoding.path_data.iter().position(|word| !finite(word));
    let Some(suspect) = suspect else { return Ok(()) };
    if !encoding.path_tags.iter().any(is_short) {
        return Err(not_finite("path data", suspect));
    }
    let mut at = 0;
    for tag in encoding.path_tags.iter().filter(|tag| tag.is_path_segment()) {
        let points = usize::from(tag.path_segment_type().0) + usize::from(tag.is_subpath_end());
        let words = points * if tag.is_f32() { 2 } else { 1 };
        let bad = encoding.path_data[at..at + words].iter().position(|word| !finite(word));
        if let (true, Some(bad)) = (tag.is_f32(), bad) {
            return Err(not_finite("path data", at + bad));
        }
        at += words;
    }
    Ok(())
}

/// The maximum side length of images in the resolver's atlas.
const LARGEST_IMAGE: u32 = 8192;

fn check_resource(encoding: &Encoding, resource: &Patch) -> Result<(), &'static str> {
    let resources = &encoding.resources;
    let has = |range: &std::ops::Range<usize>, len| range.start <= range.end && range.end <= len;
    match resource {
        Patch::Ramp { draw_data_offset, stops, .. } => {
            if *draw_data_offset >= encoding.draw_data.len() {
                return Err("points outside the draw data");
            }
            if !has(stops, resources.color_stops.len()) || stops.is_empty() {
                return Err("has no colour stops in the encoding");
            }
        }
        Patch::GlyphRun { index } => {
            let Some(run) = resources.glyph_runs.get(*index) else {
                return Err("is a glyph run that does not exist");
            };
            if !has(&run.glyphs, resources.glyphs.len())
                || !has(&run.normalized_coords, resources.normalized_coords.len())
            {
                return Err("is a glyph run whose glyphs lie outside the encoding");
            }
            let numbers = run.transform.matrix.iter().chain(&run.transform.translation);
            if !run.font_size.is_finite() || !numbers.copied().all(f32::is_finite) {
                return Err("is a glyph run with a size or transform that is not finite");
            }
            if resources.glyphs[run.glyphs.clone()]
                .iter()
                .any(|glyph| !(glyph.x.is_finite() && glyph.y.is_finite()))
            {
                return Err("is a glyph run with a place that is not finite");
            }
        }
        Patch::Image { draw_data_offset, image } => {
            if encoding.draw_data.len().checked_sub(2).is_none_or(|last| *draw_data_offset > last) {
                return Err("points outside the draw data");
            }
            if image.width > LARGEST_IMAGE || image.height > LARGEST_IMAGE {
                return Err("is an image larger than the atlas, 8192 pixels a side");
            }
            let bytes = 4 * u64::from(image.width) * u64::from(image.height);
            if (image.data.data().len() as u64) < bytes {
                return Err("is an image with less data than its size needs");
            }
        }
    }
    Ok(())
}

/// The ends of the previous resources in each stream. The resolver copies the data between resources.
#[derive(Default)]
struct Order {
    draw_data: usize,
    /// Path tags, path data, transforms, styles.
    runs: [usize; 4],
}

impl Order {
    /// Checks that a resource follows the previous ones and is inside the streams.
    fn check_next(&mut self, encoding: &Encoding, resource: &Patch) -> Result<(), &'static str> {
        let (start, words) = match resource {
            Patch::Ramp { draw_data_offset, .. } => (*draw_data_offset, 1),
            Patch::Image { draw_data_offset, .. } => (*draw_data_offset, 2),
            Patch::GlyphRun { index } => return self.check_glyph_run(encoding, *index),
        };
        if start < self.draw_data {
            return Err("points into the draw data before that of the resource before it");
        }
        self.draw_data = start + words;
        Ok(())
    }

    fn check_glyph_run(&mut self, encoding: &Encoding, index: usize) -> Result<(), &'static str> {
        let Some(run) = encoding.resources.glyph_runs.get(index) else { return Ok(()) };
        let at = &run.stream_offsets;
        let starts = [at.path_tags, at.path_data, at.transforms, at.styles];
        let ends = [
            encoding.path_tags.len(),
            encoding.path_data.len(),
            encoding.transforms.len(),
            encoding.styles.len(),
        ];
        if starts.iter().zip(&self.runs).any(|(start, before)| start < before) {
            return Err("is a glyph run before the one that comes first");
        }
        if starts.iter().zip(&ends).any(|(start, end)| start > end) {
            return Err("is a glyph run outside the streams of the encoding");
        }
        self.runs = starts;
        Ok(())
    }
}
