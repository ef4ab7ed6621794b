//! The looks of commands, as numbers.

use anyrender::filters::FilterEffect;
use anyrender::recording::{GlyphRunCommand, RenderCommand};
use anyrender::{Filter, Paint};
use foldhash::quality::{FixedState, FoldHasher};
use kurbo::{Affine, BezPath, PathEl, Point, Stroke};
use peniko::color::cache_key::BitHash;
use peniko::{Fill, Gradient, GradientKind, ImageData, ImageSampler, Style};
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

/// The look of a command, and its place. A pop has none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Look {
    /// Everything except the translation of its transform; 0 for a pop.
    hash: u64,
    translation: [f64; 2],
}

impl Look {
    /// A part of the command that is an element of its own.
    pub(super) fn part(self) -> Self {
        Self { hash: self.hash.rotate_left(32), ..self }
    }

    /// This look, together with the numbers of others.
    pub(super) fn with(self, others: impl Iterator<Item = u64>) -> Self {
        let mut hasher = hasher();
        hasher.write_u64(self.hash);
        others.for_each(|other| hasher.write_u64(other));
        Self { hash: hasher.finish().max(1), ..self }
    }

    /// A number for this look at this place; 0 for a pop.
    pub(super) fn here(self) -> u64 {
        self.at(self.translation.map(f64::to_bits))
    }

    /// A number for this look at a place that is this many pixels away, up to a small fraction of a pixel.
    pub(super) fn moved(self, by: [f64; 2]) -> u64 {
        const PARTS: f64 = 65_536.0;
        let place = |axis: usize| ((self.translation[axis] + by[axis]) * PARTS).round() as i64;
        self.at([place(0) as u64, place(1) as u64])
    }

    fn at(self, place: [u64; 2]) -> u64 {
        if self.hash == 0 {
            return 0;
        }
        let mut hasher = hasher();
        [self.hash, place[0], place[1]].into_iter().for_each(|word| hasher.write_u64(word));
        hasher.finish().max(1)
    }
}

/// The most filters that are remembered. A frame with more starts anew, and then counts its filters as changed.
const MOST_FILTERS: usize = 256;

/// Finds the looks of commands. Remembers filters, which are compared with each other, because they have no hash.
#[derive(Debug, Default)]
pub(super) struct Looks {
    filters: Vec<(Arc<Filter>, u64)>,
    /// Numbers that are given once: to a new filter, and to everything that cannot be compared.
    fresh: u64,
}

impl Looks {
    pub(super) fn of(&mut self, command: &RenderCommand) -> Look {
        let mut hasher = hasher();
        let transform = match command {
            RenderCommand::PopLayer => return Look::default(),
            RenderCommand::PushClipLayer(clip) => {
                put(&mut hasher, [1, clip.fill as u64]);
                put_path(&mut hasher, &clip.clip);
                clip.transform
            }
            RenderCommand::PushLayer(layer) => {
                let blend = [layer.blend.mix as u64, layer.blend.compose as u64];
                put(&mut hasher, [2, layer.fill as u64, blend[0], blend[1]]);
                hasher.write_u32(layer.alpha.to_bits());
                put_path(&mut hasher, &layer.clip);
                for filter in [&layer.filter, &layer.backdrop_filter] {
                    hasher.write_u64(filter.as_ref().map_or(0, |filter| self.number_of(filter)));
                }
                layer.transform
            }
            RenderCommand::Fill(fill) => {
                put(&mut hasher, [3, fill.fill as u64]);
                self.put_brush(&mut hasher, &fill.brush, fill.brush_transform);
                put_path(&mut hasher, &fill.shape);
                fill.transform
            }
            RenderCommand::Stroke(stroke) => {
                put(&mut hasher, [4]);
                put_stroke(&mut hasher, &stroke.style);
                self.put_brush(&mut hasher, &stroke.brush, stroke.brush_transform);
                put_path(&mut hasher, &stroke.shape);
                stroke.transform
            }
            RenderCommand::GlyphRun(run) => {
                put(&mut hasher, [5]);
                self.put_brush(&mut hasher, &run.brush, run.glyph_transform);
                put_glyphs(&mut hasher, run);
                run.transform
            }
            RenderCommand::BoxShadow(shadow) => {
                let rect = shadow.rect;
                put(&mut hasher, [6]);
                put_floats(&mut hasher, [rect.x0, rect.y0, rect.x1, rect.y1]);
                put_floats(&mut hasher, [shadow.radius, shadow.std_dev]);
                shadow.brush.bit_hash(&mut hasher);
                shadow.transform
            }
        };
        let [a, b, c, d, x, y] = transform.as_coeffs();
        put_floats(&mut hasher, [a, b, c, d]);
        Look { hash: hasher.finish().max(1), translation: [x, y] }
    }

    fn fresh(&mut self) -> u64 {
        self.fresh += 1;
        self.fresh
    }

    /// The number of a filter: equal filters have the same. A filter that reads an image of the renderer always has a new one.
    fn number_of(&mut self, filter: &Arc<Filter>) -> u64 {
        let is = |known: &Arc<Filter>| Arc::ptr_eq(known, filter) || known == filter;
        if filter.nodes().iter().any(|node| matches!(node.effect, FilterEffect::Image(_))) {
            return self.fresh();
        }
        if let Some((_, number)) = self.filters.iter().find(|(known, _)| is(known)) {
            return *number;
        }
        if self.filters.len() == MOST_FILTERS {
            self.filters.clear();
        }
        let number = self.fresh();
        self.filters.push((filter.clone(), number));
        number
    }

    /// A brush. Its renderer may change a resource or a custom paint without notice, so these are always new.
    fn put_brush(&mut self, hasher: &mut FoldHasher<'_>, brush: &Paint, second: Option<Affine>) {
        match brush {
            Paint::Solid(color) => {
                put(hasher, [1]);
                color.bit_hash(hasher);
            }
            Paint::Gradient(gradient) => {
                put(hasher, [2]);
                put_gradient(hasher, gradient);
            }
            Paint::Image(image) => {
                put(hasher, [3]);
                put_image(hasher, &image.image, &image.sampler);
            }
            Paint::Resource(_) | Paint::Custom(_) => put(hasher, [4, self.fresh()]),
        }
        if let Some(second) = second {
            put_floats(hasher, second.as_coeffs());
        }
    }
}

/// The number of a change that is the same at every pixel; 0 if the command makes none.
pub(super) fn plain_number(command: &RenderCommand) -> u64 {
    let mut hasher = hasher();
    match command {
        RenderCommand::Fill(fill) => {
            let Paint::Solid(color) = &fill.brush else { return 0 };
            put(&mut hasher, [7]);
            color.bit_hash(&mut hasher);
        }
        RenderCommand::PushClipLayer(_) => put(&mut hasher, [8]),
        RenderCommand::PushLayer(layer) => {
            put(&mut hasher, [9, layer.blend.mix as u64, layer.blend.compose as u64]);
            hasher.write_u32(layer.alpha.to_bits());
        }
        _ => return 0,
    }
    hasher.finish().max(1)
}

fn hasher() -> FoldHasher<'static> {
    FixedState::default().build_hasher()
}

fn put<const N: usize>(hasher: &mut impl Hasher, words: [u64; N]) {
    words.into_iter().for_each(|word| hasher.write_u64(word));
}

fn put_floats<const N: usize>(hasher: &mut impl Hasher, floats: [f64; N]) {
    put(hasher, floats.map(f64::to_bits));
}

fn put_points<const N: usize>(hasher: &mut impl Hasher, points: [Point; N]) {
    points.into_iter().for_each(|point| put_floats(hasher, [point.x, point.y]));
}

fn put_path(hasher: &mut impl Hasher, path: &BezPath) {
    // Elements have different lengths; their kinds come first, in groups that fill a word.
    let kind = |el: &PathEl| match el {
        PathEl::MoveTo(_) => 1,
        PathEl::LineTo(_) => 2,
        PathEl::QuadTo(..) => 3,
        PathEl::CurveTo(..) => 4,
        PathEl::ClosePath => 5,
    };
    for group in path.elements().chunks(16) {
        put(hasher, [group.iter().fold(0, |word, el| word << 4 | kind(el))]);
    }
    for el in path.elements() {
        match *el {
            PathEl::MoveTo(a) | PathEl::LineTo(a) => put_points(hasher, [a]),
            PathEl::QuadTo(a, b) => put_points(hasher, [a, b]),
            PathEl::CurveTo(a, b, c) => put_points(hasher, [a, b, c]),
            PathEl::ClosePath => {}
        }
    }
    put(hasher, [path.elements().len() as u64]);
}

fn put_stroke(hasher: &mut impl Hasher, style: &Stroke) {
    put(hasher, [style.join as u64, style.start_cap as u64, style.end_cap as u64]);
    put_floats(hasher, [style.width, style.miter_limit, style.dash_offset]);
    style.dash_pattern.iter().for_each(|dash| put_floats(hasher, [*dash]));
    put(hasher, [style.dash_pattern.len() as u64]);
}

fn put_glyphs(hasher: &mut impl Hasher, run: &GlyphRunCommand) {
    put(hasher, [run.font_data.data.id(), run.font_data.index.into(), run.hint.into()]);
    put(hasher, [run.font_size, run.brush_alpha].map(|v| v.to_bits().into()));
    put_floats(hasher, [run.embolden.x, run.embolden.y]);
    match &run.style {
        Style::Fill(fill) => put(hasher, [1, *fill as Fill as u64]),
        Style::Stroke(stroke) => {
            put(hasher, [2]);
            put_stroke(hasher, stroke);
        }
    }
    for coord in &run.normalized_coords {
        hasher.write_u16(*coord as u16);
    }
    for glyph in &run.glyphs {
        put(hasher, [u64::from(glyph.x.to_bits()) << 32 | u64::from(glyph.y.to_bits())]);
        hasher.write_u32(glyph.id);
    }
    put(hasher, [run.normalized_coords.len() as u64, run.glyphs.len() as u64]);
}

fn put_gradient(hasher: &mut impl Hasher, gradient: &Gradient) {
    match gradient.kind {
        GradientKind::Linear(line) => {
            put(hasher, [1]);
            put_points(hasher, [line.start, line.end]);
        }
        GradientKind::Radial(radial) => {
            put(hasher, [2]);
            put_points(hasher, [radial.start_center, radial.end_center]);
            put(hasher, [radial.start_radius, radial.end_radius].map(|v| v.to_bits().into()));
        }
        GradientKind::Sweep(sweep) => {
            put(hasher, [3]);
            put_points(hasher, [sweep.center]);
            put(hasher, [sweep.start_angle, sweep.end_angle].map(|v| v.to_bits().into()));
        }
    }
    let [space, alpha] =
        [gradient.interpolation_cs as u64, gradient.interpolation_alpha_space as u64];
    put(hasher, [gradient.extend as u64, space, gradient.hue_direction as u64, alpha]);
    gradient.stops.bit_hash(hasher);
    put(hasher, [gradient.stops.len() as u64]);
}

/// An image by its identity: its bytes are not read.
fn put_image(hasher: &mut impl Hasher, image: &ImageData, sampler: &ImageSampler) {
    put(hasher, [image.data.id(), u64::from(image.width) << 32 | u64::from(image.height)]);
    put(hasher, [image.format as u64, image.alpha_type as u64, sampler.alpha.to_bits().into()]);
    let ImageSampler { x_extend, y_extend, quality, .. } = *sampler;
    put(hasher, [x_extend as u64, y_extend as u64, quality as u64]);
}
