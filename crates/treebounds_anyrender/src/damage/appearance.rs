//! The appearance of commands, as hashes.

use super::hash::{self, Hash64};
use anyrender::filters::FilterEffect;
use anyrender::recording::{GlyphRunCommand, RenderCommand};
use anyrender::{Filter, Glyph, Paint};
use kurbo::{Affine, BezPath, PathEl, Point, Stroke};
use peniko::color::cache_key::BitHash;
use peniko::{Fill, Gradient, GradientKind, ImageData, ImageSampler, Style};
use std::sync::Arc;

/// The appearance of a command, and its position. A pop has neither.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Appearance {
    /// The hash of everything except the translation of the transform; 0 for a pop.
    pub(super) hash: u64,
    translation: [f64; 2],
    /// 1 for a push, -1 for a pop.
    pub(super) nesting: i64,
}

/// The hash distinguishes a push from a draw and from a pop.
impl PartialEq for Appearance {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        let [x, y] =
            [0, 1].map(|axis| self.translation[axis].to_bits() ^ other.translation[axis].to_bits());
        (self.hash ^ other.hash) | x | y == 0
    }
}

impl Appearance {
    /// Returns the appearance of a part of the command that is a separate element.
    pub(super) fn part(self) -> Self {
        Self { hash: self.hash.rotate_left(32), ..self }
    }

    /// Combines this appearance with another number.
    pub(super) fn combined_with(self, others: u64) -> Self {
        let mut mixer = Hash64::new(0);
        mixer.put(0, self.hash, others);
        Self { hash: mixer.number(), ..self }
    }

    /// Returns a number for this appearance at its position; 0 for a pop.
    pub(super) fn here(self) -> u64 {
        self.at(self.translation.map(f64::to_bits))
    }

    /// Returns a number for this appearance at a position moved by this many pixels, up to a small fraction of a pixel.
    pub(super) fn moved(self, by: [f64; 2]) -> u64 {
        let place = |axis: usize| (self.translation[axis] + by[axis]) * PARTS + ONES;
        self.at([place(0).to_bits(), place(1).to_bits()])
    }

    fn at(self, place: [u64; 2]) -> u64 {
        if self.hash == 0 {
            return 0;
        }
        hash::together(self.hash, place)
    }

    /// Returns the offset in whole pixels from `old`, if this is the same appearance at another position, up to a small
    /// fraction of a pixel.
    pub(super) fn moved_from(self, old: Self) -> Option<[i32; 2]> {
        let by = [0, 1].map(|axis| self.translation[axis] - old.translation[axis]);
        let whole = by.map(|by| by + ONES - ONES);
        let is_whole = (0..2).all(|axis| {
            (by[axis] - whole[axis]).abs() * PARTS <= 1.0 && whole[axis].abs() < f64::from(1 << 20)
        });
        (self.hash == old.hash && is_whole).then_some(whole.map(|by| by as i32))
    }
}

/// The last bit of an f64 of this size counts ones, so adding it rounds to a whole number.
const ONES: f64 = 1.5 * (1_u64 << 52) as f64;

/// The precision of position comparisons, in parts per pixel.
const PARTS: f64 = 65_536.0;

/// The maximum number of cached filters. A frame with more filters clears the cache, and all its filters count as
/// changed.
const MOST_FILTERS: usize = 256;

/// Computes the appearance of commands. Caches filters, which have no hash and are compared with each other.
#[derive(Debug, Default)]
pub(super) struct Appearances {
    filters: Vec<(Arc<Filter>, u64)>,
    /// The next unique number, for a new filter and everything that cannot be compared.
    fresh: u64,
}

impl Appearances {
    /// The head encodes the kind of command and its parts; the lanes contain the parts, each in a fixed order.
    pub(super) fn of(&mut self, command: &RenderCommand) -> Appearance {
        match command {
            RenderCommand::PopLayer => Appearance { nesting: -1, ..Appearance::default() },
            RenderCommand::PushClipLayer(clip) => {
                let mixer = Hash64::new(head(1, clip.fill, 0));
                look(put_path(mixer, &clip.clip), clip.transform, 1)
            }
            RenderCommand::PushLayer(layer) => {
                let blend = (layer.blend.mix as u64) << 8 | layer.blend.compose as u64;
                let more = u64::from(layer.alpha.to_bits()) << 16 | blend;
                let mut mixer = Hash64::new(head(2, layer.fill, more));
                let filters = [&layer.filter, &layer.backdrop_filter];
                if filters.iter().any(|filter| filter.is_some()) {
                    let [filter, backdrop] =
                        filters.map(|filter| filter.as_ref().map_or(0, |it| self.number_of(it)));
                    mixer.put(3, filter, backdrop);
                }
                look(put_path(mixer, &layer.clip), layer.transform, 1)
            }
            RenderCommand::Fill(fill) => {
                let more = u64::from(fill.brush_transform.is_some());
                let mixer = Hash64::new(head(3, fill.fill, more));
                let mixer = self.put_brush(mixer, &fill.brush, fill.brush_transform);
                look(put_path(mixer, &fill.shape), fill.transform, 0)
            }
            RenderCommand::Stroke(stroke) => {
                let more = u64::from(stroke.brush_transform.is_some());
                let mixer = put_stroke(Hash64::new(head(4, Fill::NonZero, more)), &stroke.style);
                let mixer = self.put_brush(mixer, &stroke.brush, stroke.brush_transform);
                look(put_path(mixer, &stroke.shape), stroke.transform, 0)
            }
            RenderCommand::GlyphRun(run) => {
                let more = u64::from(run.glyph_transform.is_some());
                let mixer = Hash64::new(head(5, Fill::NonZero, more));
                let mixer = self.put_brush(mixer, &run.brush, run.glyph_transform);
                look(put_run(mixer, run), run.transform, 0)
            }
            RenderCommand::BoxShadow(shadow) => {
                let mut mixer = Hash64::new(head(6, Fill::NonZero, 0));
                mixer.floats(0, shadow.rect.x0, shadow.rect.y0);
                mixer.floats(0, shadow.rect.x1, shadow.rect.y1);
                mixer.floats(1, shadow.radius, shadow.std_dev);
                put_color(&mut mixer, shadow.brush.components);
                look(mixer, shadow.transform, 0)
            }
        }
    }

    fn new_number(&mut self) -> u64 {
        self.fresh += 1;
        self.fresh
    }

    /// Returns the number of a filter, the same for equal filters. A filter that reads an image of the renderer always
    /// gets a new number.
    fn number_of(&mut self, filter: &Arc<Filter>) -> u64 {
        let is = |known: &Arc<Filter>| Arc::ptr_eq(known, filter) || known == filter;
        if filter.nodes().iter().any(|node| matches!(node.effect, FilterEffect::Image(_))) {
            return self.new_number();
        }
        if let Some((_, number)) = self.filters.iter().find(|(known, _)| is(known)) {
            return *number;
        }
        if self.filters.len() == MOST_FILTERS {
            self.filters.clear();
        }
        let number = self.new_number();
        self.filters.push((filter.clone(), number));
        number
    }

    #[inline(always)]
    fn put_brush(&mut self, mut mixer: Hash64, brush: &Paint, second: Option<Affine>) -> Hash64 {
        match brush {
            Paint::Solid(color) => put_color(&mut mixer, color.components),
            _ => mixer = self.put_rare_brush(mixer, brush),
        }
        if let Some(second) = second {
            let [a, b, c, d, x, y] = second.as_coeffs();
            mixer.floats(3, a, b);
            mixer.floats(1, c, d);
            mixer.floats(2, x, y);
        }
        mixer
    }

    /// Adds a brush. The renderer may change a resource or a custom paint without notice, so these are always new.
    #[inline(never)]
    fn put_rare_brush(&mut self, mut mixer: Hash64, brush: &Paint) -> Hash64 {
        match brush {
            Paint::Solid(_) => {}
            Paint::Gradient(gradient) => put_gradient(&mut mixer, gradient),
            Paint::Image(image) => put_image(&mut mixer, &image.image, &image.sampler),
            Paint::Resource(_) | Paint::Custom(_) => mixer.put(3, 4, self.new_number()),
        }
        mixer
    }
}

fn head(kind: u64, fill: Fill, more: u64) -> u64 {
    more << 8 | (fill as u64) << 4 | kind
}

#[inline(always)]
fn look(mut mixer: Hash64, transform: Affine, nesting: i64) -> Appearance {
    let [a, b, c, d, x, y] = transform.as_coeffs();
    mixer.floats(1, a, b);
    mixer.floats(2, c, d);
    Appearance { hash: mixer.number(), translation: [x, y], nesting }
}

/// Returns a number for a command that changes all of its pixels in the same way; 0 for any other command.
pub(super) fn plain_number(command: &RenderCommand) -> u64 {
    let mut mixer = Hash64::new(0);
    match command {
        RenderCommand::Fill(fill) => {
            let Paint::Solid(color) = &fill.brush else { return 0 };
            mixer.put(3, 7, 0);
            put_color(&mut mixer, color.components);
        }
        RenderCommand::PushClipLayer(_) => mixer.put(3, 8, 0),
        RenderCommand::PushLayer(layer) => {
            mixer.put(3, 9, layer.blend.mix as u64);
            mixer.put(3, layer.blend.compose as u64, layer.alpha.to_bits().into());
        }
        _ => return 0,
    }
    mixer.number()
}

#[inline(always)]
fn put_color(mixer: &mut Hash64, [r, g, b, a]: [f32; 4]) {
    mixer.put(3, pair(r, g), pair(b, a));
}

fn put_points<const N: usize>(mixer: &mut Hash64, points: [Point; N]) {
    points.into_iter().for_each(|point| mixer.floats(3, point.x, point.y));
}

/// Random numbers for the kinds of path elements, so that points of different kinds have different hashes.
const KINDS: [u64; 6] = [
    0x4528_21E6_38D0_1377,
    0xBE54_66CF_34E9_0C6C,
    0xC0AC_29B7_C97C_50DD,
    0x3F84_D5B5_B547_0917,
    0x9216_D5D9_8979_FB1B,
    0xD131_0BA6_98DF_B5AC,
];

#[inline(always)]
fn put_path(mut mixer: Hash64, path: &BezPath) -> Hash64 {
    use PathEl::{ClosePath, LineTo, MoveTo};
    // Most paths are closed quadrilaterals.
    let &[MoveTo(a), LineTo(b), LineTo(c), LineTo(d), ClosePath] = path.elements() else {
        return put_long_path(mixer, path.elements());
    };
    put_end(&mut mixer, 5, a);
    mixer.floats(1, b.x, b.y);
    mixer.floats(2, c.x, c.y);
    mixer.floats(0, d.x, d.y);
    mixer
}

/// The first lane contains the kind of each element and its end, in order. This fixes the order of the other two lanes.
#[inline(never)]
fn put_long_path(mut mixer: Hash64, elements: &[PathEl]) -> Hash64 {
    for el in elements {
        match *el {
            PathEl::MoveTo(to) => put_end(&mut mixer, 0, to),
            PathEl::LineTo(to) => put_end(&mut mixer, 1, to),
            PathEl::QuadTo(a, to) => {
                mixer.floats(1, a.x, a.y);
                put_end(&mut mixer, 2, to);
            }
            PathEl::CurveTo(a, b, to) => {
                mixer.floats(1, a.x, a.y);
                mixer.floats(2, b.x, b.y);
                put_end(&mut mixer, 3, to);
            }
            PathEl::ClosePath => put_end(&mut mixer, 4, Point::ZERO),
        }
    }
    mixer
}

#[inline(always)]
fn put_end(mixer: &mut Hash64, kind: usize, to: Point) {
    mixer.put(0, to.x.to_bits(), to.y.to_bits() ^ KINDS[kind]);
}

fn put_stroke(mut mixer: Hash64, style: &Stroke) -> Hash64 {
    mixer.put(1, style.join as u64, (style.start_cap as u64) << 32 | style.end_cap as u64);
    mixer.floats(1, style.width, style.miter_limit);
    mixer.floats(2, style.dash_offset, style.dash_pattern.len() as f64);
    style.dash_pattern.iter().for_each(|dash| mixer.floats(2, *dash, 0.0));
    mixer
}

fn put_run(mut mixer: Hash64, run: &GlyphRunCommand) -> Hash64 {
    let GlyphRunCommand { font_data, font_size, brush_alpha, embolden, .. } = run;
    let size = pair(*font_size, *brush_alpha);
    mixer.put(0, font_data.data.id(), u64::from(font_data.index) << 1 | u64::from(run.hint));
    mixer.put(1, size, (run.normalized_coords.len() as u64) << 32 | run.glyphs.len() as u64);
    mixer.floats(2, embolden.x, embolden.y);
    match &run.style {
        Style::Fill(fill) => mixer.put(3, 1, *fill as Fill as u64),
        Style::Stroke(stroke) => {
            mixer.put(3, 2, 0);
            mixer = put_stroke(mixer, stroke);
        }
    }
    run.normalized_coords.iter().for_each(|coord| mixer.put(3, *coord as u64, 3));
    let place = |glyph: &Glyph| pair(glyph.x, glyph.y);
    let groups = run.glyphs.chunks_exact(4);
    for (glyph, lane) in groups.remainder().iter().zip(0..) {
        mixer.put(lane, place(glyph), glyph.id.into());
    }
    for group in groups {
        let ids = |at: usize| u64::from(group[at + 1].id) << 32 | u64::from(group[at].id);
        mixer.put(0, place(&group[0]), place(&group[1]));
        mixer.put(1, place(&group[2]), place(&group[3]));
        mixer.put(2, ids(0), ids(2));
    }
    mixer
}

/// Both numbers in one word, in memory order, so that one load reads them.
#[inline(always)]
fn pair(low: f32, high: f32) -> u64 {
    u64::from(high.to_bits()) << 32 | u64::from(low.to_bits())
}

fn put_gradient(mixer: &mut Hash64, gradient: &Gradient) {
    let words = |a: f32, b: f32| (a.to_bits().into(), b.to_bits().into());
    match gradient.kind {
        GradientKind::Linear(line) => {
            mixer.put(3, 1, 0);
            put_points(mixer, [line.start, line.end]);
        }
        GradientKind::Radial(radial) => {
            let (start, end) = words(radial.start_radius, radial.end_radius);
            mixer.put(3, 2, 0);
            put_points(mixer, [radial.start_center, radial.end_center]);
            mixer.put(3, start, end);
        }
        GradientKind::Sweep(sweep) => {
            let (start, end) = words(sweep.start_angle, sweep.end_angle);
            mixer.put(3, 3, 0);
            put_points(mixer, [sweep.center]);
            mixer.put(3, start, end);
        }
    }
    let [space, alpha] =
        [gradient.interpolation_cs as u64, gradient.interpolation_alpha_space as u64];
    mixer.put(3, gradient.extend as u64, space);
    mixer.put(3, gradient.hue_direction as u64, alpha);
    gradient.stops.bit_hash(mixer);
    mixer.put(3, 5, gradient.stops.len() as u64);
}

/// Adds an image by its identity, without reading its bytes.
fn put_image(mixer: &mut Hash64, image: &ImageData, sampler: &ImageSampler) {
    let ImageSampler { x_extend, y_extend, quality, alpha } = *sampler;
    mixer.put(3, image.data.id(), u64::from(image.width) << 32 | u64::from(image.height));
    mixer.put(3, (image.format as u64) << 32 | image.alpha_type as u64, alpha.to_bits().into());
    mixer.put(3, (x_extend as u64) << 32 | y_extend as u64, 6 + quality as u64);
}
