//! Encodings that no calls make.

use arbitrary::{Result, Unstructured};
use vello_encoding::{DrawTag, Encoding, Patch, PathTag, Style, Transform};

/// Changes one thing.
pub(super) fn mangle(u: &mut Unstructured<'_>, encoding: &mut Encoding) -> Result<()> {
    match u.arbitrary::<u8>()? % 12 {
        0 | 1 => change(u, &mut encoding.path_tags, |u| Ok(PathTag(u.arbitrary()?))),
        2 => change(u, &mut encoding.path_data, word),
        3 => change(u, &mut encoding.draw_tags, draw_tag),
        4 => change(u, &mut encoding.draw_data, word),
        5 => change(u, &mut encoding.transforms, |u| {
            let [a, b, c, d, e, f] = u.arbitrary::<[u32; 6]>()?.map(f32::from_bits);
            Ok(Transform { matrix: [a, b, c, d], translation: [e, f] })
        }),
        6 => change(u, &mut encoding.styles, |u| {
            let (flags_and_miter_limit, width) = (u.arbitrary()?, word(u)?);
            Ok(Style { flags_and_miter_limit, line_width: f32::from_bits(width) })
        }),
        7 => count(u, &mut encoding.n_paths),
        8 => count(u, &mut encoding.n_clips),
        9 => count(u, &mut encoding.n_open_clips),
        _ => resources(u, encoding),
    }
}

/// Takes an item out, puts one in, changes one, doubles one, or cuts the rest off.
fn change<T: Clone>(
    u: &mut Unstructured<'_>,
    items: &mut Vec<T>,
    new: impl FnOnce(&mut Unstructured<'_>) -> Result<T>,
) -> Result<()> {
    let at = usize::from(u.arbitrary::<u8>()?) % items.len().max(1);
    match u.arbitrary::<u8>()? % 6 {
        0 if !items.is_empty() => {
            items.remove(at);
        }
        1 => items.truncate(at),
        2 if !items.is_empty() => items.insert(at, items[at].clone()),
        3 => items.insert(at.min(items.len()), new(u)?),
        _ => {
            let new = new(u)?;
            items.iter_mut().skip(at).take(1).for_each(|item| *item = new.clone());
        }
    }
    Ok(())
}

/// Any word, often one that means something somewhere.
fn word(u: &mut Unstructured<'_>) -> Result<u32> {
    const WORDS: [u32; 8] =
        [0, 1, 0x8003, u32::MAX, 0x7fc0_0000, 0x7f80_0000, 0x7f7f_ffff, 0x3f80_0000];
    Ok(match u.arbitrary::<u8>()? {
        known @ 0..128 => WORDS[usize::from(known) % WORDS.len()],
        _ => u.arbitrary()?,
    })
}

fn draw_tag(u: &mut Unstructured<'_>) -> Result<DrawTag> {
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
    Ok(match u.arbitrary::<u8>()? {
        255 => DrawTag(u.arbitrary()?),
        known => TAGS[usize::from(known) % TAGS.len()],
    })
}

fn count(u: &mut Unstructured<'_>, number: &mut u32) -> Result<()> {
    *number = match u.arbitrary::<u8>()? % 4 {
        0 => number.wrapping_add(1),
        1 => number.wrapping_sub(1),
        2 => number.wrapping_add(u.arbitrary::<u8>()?.into()),
        _ => u.arbitrary()?,
    };
    Ok(())
}

/// A place, of the stream or far outside.
fn place(u: &mut Unstructured<'_>) -> Result<usize> {
    Ok(match u.arbitrary::<u8>()? {
        near @ 0..250 => usize::from(near) / 4,
        250..253 => usize::MAX,
        _ => u.arbitrary()?,
    })
}

fn resources(u: &mut Unstructured<'_>, encoding: &mut Encoding) -> Result<()> {
    let resources = &mut encoding.resources;
    match u.arbitrary::<u8>()? % 5 {
        0 => change(u, &mut resources.patches, |u| Ok(Patch::GlyphRun { index: place(u)? })),
        1 => {
            let [at, other] = [place(u)?, place(u)?];
            let len = resources.patches.len();
            if at < len && other < len {
                resources.patches.swap(at, other);
            }
            Ok(())
        }
        2 => {
            let at = place(u)? % resources.patches.len().max(1);
            match resources.patches.get_mut(at) {
                Some(Patch::Ramp { draw_data_offset, stops, .. }) => {
                    *draw_data_offset = place(u)?;
                    *stops = place(u)?..place(u)?;
                }
                Some(Patch::Image { draw_data_offset, image }) => {
                    *draw_data_offset = place(u)?;
                    image.width = u.arbitrary()?;
                }
                Some(Patch::GlyphRun { index }) => *index = place(u)?,
                None => {}
            }
            Ok(())
        }
        3 => run(u, encoding),
        _ => {
            resources.color_stops.truncate(place(u)?);
            resources.glyphs.truncate(place(u)?);
            Ok(())
        }
    }
}

fn run(u: &mut Unstructured<'_>, encoding: &mut Encoding) -> Result<()> {
    let Some(run) = encoding.resources.glyph_runs.first_mut() else { return Ok(()) };
    match u.arbitrary::<u8>()? % 5 {
        0 => run.glyphs = place(u)?..place(u)?,
        1 => run.normalized_coords = place(u)?..place(u)?,
        2 => run.font_size = f32::from_bits(word(u)?),
        3 => run.transform.translation[0] = f32::from_bits(word(u)?),
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
            let which = usize::from(u.arbitrary::<u8>()?) % each.len();
            for (at, offset) in each.into_iter().enumerate() {
                if at == which {
                    *offset = place(u)?;
                }
            }
        }
    }
    Ok(())
}
