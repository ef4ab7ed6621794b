//! Mangles encodings into ones that no sequence of calls produces.

use treebounds_testkit::Rng;
use vello_encoding::{DrawTag, Encoding, Patch, PathTag, Style, Transform};

pub(super) fn mangle(rng: &mut Rng, encoding: &mut Encoding) {
    match rng.below(12) {
        0 | 1 => change(rng, &mut encoding.path_tags, |rng| PathTag(rng.byte())),
        2 => change(rng, &mut encoding.path_data, word),
        3 => change(rng, &mut encoding.draw_tags, draw_tag),
        4 => change(rng, &mut encoding.draw_data, word),
        5 => change(rng, &mut encoding.transforms, |rng| {
            let [a, b, c, d, e, f] = [(); 6].map(|()| rng.word()).map(f32::from_bits);
            Transform { matrix: [a, b, c, d], translation: [e, f] }
        }),
        6 => change(rng, &mut encoding.styles, |rng| {
            let (flags_and_miter_limit, width) = (rng.word(), word(rng));
            Style { flags_and_miter_limit, line_width: f32::from_bits(width) }
        }),
        7 => count(rng, &mut encoding.n_paths),
        8 => count(rng, &mut encoding.n_clips),
        9 => count(rng, &mut encoding.n_open_clips),
        _ => resources(rng, encoding),
    }
}

/// Removes, inserts, changes or duplicates an item, or truncates the list.
fn change<T: Clone>(rng: &mut Rng, items: &mut Vec<T>, new: impl FnOnce(&mut Rng) -> T) {
    let at = usize::from(rng.byte()) % items.len().max(1);
    match rng.below(6) {
        0 if !items.is_empty() => {
            items.remove(at);
        }
        1 => items.truncate(at),
        2 if !items.is_empty() => items.insert(at, items[at].clone()),
        3 => items.insert(at.min(items.len()), new(rng)),
        _ => {
            let new = new(rng);
            items.iter_mut().skip(at).take(1).for_each(|item| *item = new.clone());
        }
    }
}

/// Returns an arbitrary word, often one that is meaningful in an encoding.
fn word(rng: &mut Rng) -> u32 {
    const WORDS: [u32; 8] =
        [0, 1, 0x8003, u32::MAX, 0x7fc0_0000, 0x7f80_0000, 0x7f7f_ffff, 0x3f80_0000];
    match rng.byte() {
        known @ 0..128 => WORDS[usize::from(known) % WORDS.len()],
        _ => rng.word(),
    }
}

fn draw_tag(rng: &mut Rng) -> DrawTag {
    const TAGS: [DrawTag; 9] = [
        DrawTag::NOP,
        DrawTag::COLOR,
        DrawTag::LINEAR_GRADIENT,
        DrawTag::RADIAL_GRADIENT,
        DrawTag::SWEEP_GRADIENT,
        DrawTag::IMAGE,
        DrawTag::BLUR_RECT,
        DrawTag::BEGIN_CLIP,
        DrawTag::END_CLIP,
    ];
    match rng.byte() {
        255 => DrawTag(rng.word()),
        known => TAGS[usize::from(known) % TAGS.len()],
    }
}

fn count(rng: &mut Rng, number: &mut u32) {
    *number = match rng.below(4) {
        0 => number.wrapping_add(1),
        1 => number.wrapping_sub(1),
        2 => number.wrapping_add(rng.byte().into()),
        _ => rng.word(),
    };
}

/// Returns an index inside the stream or far outside.
fn any_index(rng: &mut Rng) -> usize {
    match rng.byte() {
        near @ 0..250 => usize::from(near) / 4,
        250..253 => usize::MAX,
        _ => rng.bits() as usize,
    }
}

fn resources(rng: &mut Rng, encoding: &mut Encoding) {
    let resources = &mut encoding.resources;
    match rng.below(5) {
        0 => change(rng, &mut resources.patches, |rng| Patch::GlyphRun { index: any_index(rng) }),
        1 => {
            let [at, other] = [any_index(rng), any_index(rng)];
            let len = resources.patches.len();
            if at < len && other < len {
                resources.patches.swap(at, other);
            }
        }
        2 => {
            let at = any_index(rng) % resources.patches.len().max(1);
            match resources.patches.get_mut(at) {
                Some(Patch::Ramp { draw_data_offset, stops, .. }) => {
                    *draw_data_offset = any_index(rng);
                    *stops = any_index(rng)..any_index(rng);
                }
                Some(Patch::Image { draw_data_offset, image }) => {
                    *draw_data_offset = any_index(rng);
                    image.width = rng.word();
                }
                Some(Patch::GlyphRun { index }) => *index = any_index(rng),
                None => {}
            }
        }
        3 => run(rng, encoding),
        _ => {
            resources.color_stops.truncate(any_index(rng));
            resources.glyphs.truncate(any_index(rng));
        }
    }
}

fn run(rng: &mut Rng, encoding: &mut Encoding) {
    let Some(run) = encoding.resources.glyph_runs.first_mut() else { return };
    match rng.below(5) {
        0 => run.glyphs = any_index(rng)..any_index(rng),
        1 => run.normalized_coords = any_index(rng)..any_index(rng),
        2 => run.font_size = f32::from_bits(word(rng)),
        3 => run.transform.translation[0] = f32::from_bits(word(rng)),
        _ => {
            let offsets = &mut run.stream_offsets;
            let each = [
                &mut offsets.path_tags,
                &mut offsets.path_data,
                &mut offsets.draw_tags,
                &mut offsets.draw_data,
                &mut offsets.transforms,
                &mut offsets.styles,
            ];
            let which = rng.below(each.len() as u32) as usize;
            for (at, offset) in each.into_iter().enumerate() {
                if at == which {
                    *offset = any_index(rng);
                }
            }
        }
    }
}
