#[cfg(feature = "canvas")]
mod against;

use super::{VelloError, encode};
use crate::Scene;
use kurbo::{Affine, BezPath, Join, Rect as Square, Shape, Stroke};
use peniko::{BlendMode, Blob, Color, Compose, Fill, FontData, Mix};
use treebounds_core::{NodeKind, Rect, Tag};
use vello_encoding::{
    DrawBeginClip, DrawTag, Encoding, Glyph, GlyphRun, Patch, PathTag, Style, Transform,
};

const UNIT: Square = Square::new(0.0, 0.0, 10.0, 10.0);

fn set(encoding: &mut Encoding, transform: Affine) {
    encoding.encode_transform(Transform::from_kurbo(&transform));
    encoding.encode_fill_style(Fill::NonZero);
}

fn fill(encoding: &mut Encoding, transform: Affine, shape: &impl Shape) {
    set(encoding, transform);
    encoding.encode_shape(shape, true);
    encoding.encode_color(Color::WHITE);
}

fn layer(encoding: &mut Encoding, parameters: DrawBeginClip) {
    set(encoding, Affine::IDENTITY);
    encoding.encode_shape(&UNIT, true);
    encoding.encode_begin_clip(parameters);
}

fn read(encoding: &Encoding) -> Scene {
    encode(encoding, 100.0, 100.0).unwrap()
}

fn rects(encoding: &Encoding) -> Vec<[f32; 4]> {
    read(encoding).stream.rects().iter().map(|rect| rect.to_array()).collect()
}

#[test]
fn fills_are_transformed() {
    let mut encoding = Encoding::new();
    fill(&mut encoding, Affine::IDENTITY, &UNIT);
    fill(&mut encoding, Affine::translate((5.0, 1.0)) * Affine::scale(2.0), &UNIT);
    fill(&mut encoding, Affine::IDENTITY, &BezPath::from_svg("M0,0 Q10,20 20,0").unwrap());
    let expected = [[0.0, 0.0, 10.0, 10.0], [5.0, 1.0, 25.0, 21.0], [-0.25, -0.25, 20.25, 10.25]];
    assert_eq!(rects(&encoding), expected);
}

#[test]
fn layers_produce_their_tags() {
    let mut encoding = Encoding::new();
    let blend = |blend: BlendMode, alpha| DrawBeginClip::new(blend, alpha);
    layer(&mut encoding, DrawBeginClip::clip());
    layer(&mut encoding, DrawBeginClip { alpha: 0.5, ..DrawBeginClip::clip() });
    layer(&mut encoding, blend(Mix::Normal.into(), 1.0));
    layer(&mut encoding, blend(Mix::Multiply.into(), 1.0));
    layer(&mut encoding, blend(Compose::DestAtop.into(), 1.0));
    layer(&mut encoding, DrawBeginClip::luminance_mask(1.0));
    layer(&mut encoding, DrawBeginClip { blend_mode: 77, alpha: 1.0 });
    for _ in 0..7 {
        encoding.encode_end_clip();
    }
    let scene = read(&encoding);
    let (clip, both) = (Tag::begin(NodeKind::Clip), Tag::begin(NodeKind::ClipBlend));
    let far = both.non_local();
    assert_eq!(scene.stream.tags()[..7], [clip, both, both, both, far, far, far]);
    assert!(scene.notes.is_empty());
    assert_eq!(scene.origins[13].index, 0);
    assert_eq!((&*scene.origins[13].source, &*scene.origins[8].source), ("clip", "mask"));
}

#[test]
fn a_clip_without_a_shape_has_an_empty_box() {
    let mut encoding = Encoding::new();
    set(&mut encoding, Affine::IDENTITY);
    encoding.encode_empty_shape();
    encoding.encode_begin_clip(DrawBeginClip::clip());
    assert_eq!(read(&encoding).stream.rects()[0], Rect::NOTHING);
}

#[test]
fn open_layers_are_closed_with_a_note() {
    let mut encoding = Encoding::new();
    layer(&mut encoding, DrawBeginClip::clip());
    fill(&mut encoding, Affine::IDENTITY, &UNIT);
    layer(&mut encoding, DrawBeginClip::luminance_mask(1.0));
    let scene = read(&encoding);
    assert_eq!((scene.stream.len(), scene.origins.len()), (5, 5));
    let expected = [
        "the mask of draw object 2 was open at the end and has been closed",
        "the clip of draw object 0 was open at the end and has been closed",
    ];
    assert_eq!(scene.notes, expected);
}

#[test]
fn reads_points_of_two_i16() {
    let mut encoding = Encoding::new();
    set(&mut encoding, Affine::IDENTITY);
    let pair = |x: i16, y: i16| u32::from(x as u16) | u32::from(y as u16) << 16;
    encoding.path_data.extend([pair(-3, 4), pair(5, -6), pair(0, 0)]);
    let mut last = PathTag::LINE_TO_I16;
    last.set_subpath_end();
    encoding.path_tags.extend([PathTag::LINE_TO_I16, last, PathTag::PATH]);
    encoding.encode_color(Color::WHITE);
    assert_eq!(rects(&encoding), [[-3.0, -6.0, 5.0, 4.0]]);
}

#[test]
fn inconsistent_streams_are_rejected() {
    let whole = {
        let mut encoding = Encoding::new();
        layer(&mut encoding, DrawBeginClip::clip());
        fill(&mut encoding, Affine::scale(2.0), &UNIT);
        encoding.encode_end_clip();
        encoding
    };
    let refused = |spoil: &dyn Fn(&mut Encoding)| {
        let mut encoding = whole.clone();
        spoil(&mut encoding);
        encode(&encoding, 100.0, 100.0).unwrap_err()
    };
    type E = VelloError;
    let ends = |stream, tag| E::StreamEnds { stream, tag };
    let bits = Style::FLAGS_STYLE_BIT | Style::FLAGS_JOIN_MASK;
    type Spoil = fn(&mut Encoding);
    let cases: [(Spoil, VelloError); 15] = [
        (|e| e.path_data.truncate(15), ends("path data", 9)),
        (|e| e.transforms.truncate(1), ends("transforms", 7)),
        (|e| e.styles.clear(), ends("styles", 1)),
        (|e| e.draw_data.truncate(2), E::DrawDataEnds { object: 1 }),
        (|e| e.draw_tags.truncate(2), E::PathsDiffer { objects: 2, paths: 3 }),
        (|e| e.path_tags = e.path_tags.split_off(1), E::NotSet { what: "transform", tag: 1 }),
        (|e| e.path_tags[1] = PathTag(0), E::NotSet { what: "style", tag: 2 }),
        (|e| e.path_tags[2] = PathTag(0x80), E::BadPathTag { tag: 2, bits: 0x80 }),
        (|e| e.draw_tags[1] = DrawTag(0x45), E::UnknownDrawTag { object: 1, bits: 0x45 }),
        (|e| e.path_data[13] = f32::NAN.to_bits(), E::NotANumber { path: 1 }),
        (|e| e.transforms[0].matrix[0] = f32::NAN, E::NotANumber { path: 0 }),
        (
            |e| e.styles[0].flags_and_miter_limit = Style::FLAGS_STYLE_BIT | Style::FLAGS_JOIN_MASK,
            E::BadStyle { tag: 1, bits },
        ),
        (|e| e.draw_tags.swap(0, 2), E::NothingOpen { object: 0 }),
        (|e| e.path_tags.truncate(13), E::PathsDiffer { objects: 3, paths: 2 }),
        (|e| e.path_tags.truncate(6), E::PathOpen { path: 0 }),
    ];
    for (spoil, error) in cases {
        assert_eq!(refused(&spoil), error);
    }
}

/// Encodes a run of one glyph.
fn run(encoding: &mut Encoding, font: Vec<u8>, style: peniko::Style) {
    encoding.resources.glyphs.push(Glyph { id: 1, x: 20.0, y: 50.0 });
    let index = encoding.resources.glyph_runs.len();
    encoding.resources.patches.push(Patch::GlyphRun { index });
    encoding.resources.glyph_runs.push(GlyphRun {
        font: FontData::new(Blob::from(font), 0),
        transform: Transform::IDENTITY,
        glyph_transform: None,
        brush_transform: None,
        font_size: 10.0,
        font_embolden: Default::default(),
        hint: false,
        normalized_coords: 0..0,
        style,
        glyphs: index..index + 1,
        stream_offsets: encoding.stream_offsets(),
    });
    encoding.encode_color(Color::WHITE);
    encoding.force_next_transform_and_style();
}

#[test]
fn glyphs_have_boxes_at_their_positions() {
    let mut encoding = Encoding::new();
    fill(&mut encoding, Affine::IDENTITY, &UNIT);
    run(&mut encoding, square_font(), Fill::NonZero.into());
    encoding.resources.glyph_runs[0].transform = Transform::from_kurbo(&Affine::scale(2.0));
    fill(&mut encoding, Affine::translate((1.0, 0.0)), &UNIT);
    let outlined = Stroke::new(2.0).with_join(Join::Miter);
    run(&mut encoding, square_font(), outlined.into());
    // At size 10, the glyph is 5 wide and 7 high, on a baseline at y = 50.
    let expected = [
        [0.0, 0.0, 10.0, 10.0],
        [40.0, 86.0, 50.0, 100.0],
        [1.0, 0.0, 11.0, 10.0],
        [19.0, 42.0, 26.0, 51.0],
    ];
    assert_eq!(rects(&encoding), expected);
    let scene = read(&encoding);
    assert!(scene.notes.is_empty());
    assert_eq!(scene.origins[3].source, "glyphs");
}

#[test]
fn runs_without_a_font_are_skipped_with_a_note() {
    let mut encoding = Encoding::new();
    fill(&mut encoding, Affine::IDENTITY, &UNIT);
    run(&mut encoding, vec![0; 16], Fill::NonZero.into());
    fill(&mut encoding, Affine::IDENTITY, &UNIT);
    let scene = read(&encoding);
    assert_eq!(scene.stream.rects()[1], Rect::NOTHING);
    assert_eq!(scene.stream.rects()[2], scene.stream.rects()[0]);
    assert_eq!(scene.origins[1].source, "glyphs");
    assert!(scene.notes[0].starts_with("glyph run 0 was left out"), "{:?}", scene.notes);
}

#[test]
fn runs_outside_the_encoding_are_rejected() {
    let refused = |spoil: &dyn Fn(&mut Encoding)| {
        let mut encoding = Encoding::new();
        fill(&mut encoding, Affine::IDENTITY, &UNIT);
        run(&mut encoding, square_font(), Fill::NonZero.into());
        spoil(&mut encoding);
        encode(&encoding, 100.0, 100.0).unwrap_err().to_string()
    };
    let runs = |e: &mut Encoding, change: fn(&mut GlyphRun)| change(&mut e.resources.glyph_runs[0]);
    assert!(refused(&|e| e.resources.glyph_runs.clear()).contains("no such run"));
    assert!(refused(&|e| e.resources.glyphs.clear()).contains("glyphs are not in"));
    assert!(refused(&|e| runs(e, |run| run.normalized_coords = 3..9)).contains("coordinates"));
    assert!(refused(&|e| runs(e, |run| run.font_size = f32::NAN)).contains("not finite"));
    assert!(refused(&|e| runs(e, |run| run.stream_offsets.path_tags = 4)).contains("streams"));
    assert!(refused(&|e| runs(e, |run| run.stream_offsets.styles = 9)).contains("streams"));
}

/// Builds the smallest TrueType font with an outline, at 1,000 units per em. Glyph 0 is empty. Glyph 1 fills the
/// rectangle from (0, 0) to (500, 700).
fn square_font() -> Vec<u8> {
    let glyph = [
        words(&[1, 0, 0, 500, 700, 3, 0]),
        vec![1; 4],
        words(&[0, 500, 0, -500]),
        words(&[0, 0, 700, 0]),
    ]
    .concat();
    let end = glyph.len() as i16;
    // Tables must be sorted by name for binary search.
    table_directory(&[
        (b"glyf", glyph),
        (b"head", head()),
        (b"hhea", [words(&[1, 0]), words(&[0; 15]), words(&[1])].concat()),
        (b"hmtx", words(&[500, 0, 0])),
        (b"loca", words(&[0, 0, 0, 0, 0, end])),
        (b"maxp", [words(&[1, 0, 2, 4, 1]), words(&[0; 11])].concat()),
    ])
}

/// The `head` table: version, revision, checksum, magic number, flags, units per em, two dates, box, style, smallest
/// size, direction, long offsets in `loca`, format.
fn head() -> Vec<u8> {
    let magic = 0x5F0F_3CF5_u32.to_be_bytes().to_vec();
    let rest = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 500, 700, 0, 0, 0, 1, 0];
    [words(&[1, 0, 0, 0, 0, 0]), magic, words(&[0, 1000]), words(&rest)].concat()
}

fn words(words: &[i16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_be_bytes()).collect()
}

/// Returns the header, one record per table, and the tables.
fn table_directory(tables: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut font = [words(&[1, 0, tables.len() as i16]), words(&[0; 3])].concat();
    let mut offset = 12 + 16 * tables.len();
    for (name, table) in tables {
        font.extend_from_slice(*name);
        font.extend([0; 4]);
        font.extend((offset as u32).to_be_bytes());
        font.extend((table.len() as u32).to_be_bytes());
        offset += table.len();
    }
    tables.iter().for_each(|(_, table)| font.extend(table));
    font
}
