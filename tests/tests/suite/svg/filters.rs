//! Tests the boxes of filters by pixels: clipping every draw and every filter to its box changes no pixel. Prints a
//! table of the tightness of the boxes.
//!
//! Uses the drawings below, `assets/filters.svg`, and in an ignored test every file with a filter in the folder
//! `TREEBOUNDS_SVG_CORPUS`. To see the table: `cargo test --workspace --test suite svg::filters -- --nocapture`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use treebounds_encoding::svg;
use treebounds_tests::cut::{Cut, Tightness, cut};
use treebounds_tests::svg::{assets, corpus, misfits, options};

/// Filters in clips, in rotated groups, and around other filters.
const SMALL: [&str; 5] = [
    "<clipPath id='c'><rect x='20' y='20' width='30' height='30'/></clipPath>\
     <g clip-path='url(#c)'><g filter='url(#b)'><circle r='40'/><rect x='60' y='9' width='9' height='70'/></g></g>",
    "<g transform='rotate(30 50 50)'><g filter='url(#b)'><rect x='-50' y='40' width='90' height='20'/></g></g>",
    "<svg width='40' height='40'><g filter='url(#o)'><rect x='-30' width='45' height='90'/></g></svg>",
    "<g filter='url(#o)'><g filter='url(#b)'><rect x='70' y='60' width='90' height='90'/></g><circle r='20'/></g>",
    "<g filter='url(#m)' transform='scale(-1 2)'><path d='M-80 10l30 5-20 20'/></g>",
];

const FILTERS: &str = "<filter id='b'><feGaussianBlur stdDeviation='4 2'/></filter>\
    <filter id='o' x='-1' y='-1' width='3' height='3'><feOffset dx='25' dy='-13.5'/></filter>\
    <filter id='m'><feMorphology operator='dilate' radius='3'/></filter>";

/// Kinds of primitives that may not occur alone in any file of a corpus.
const ALONE: [&str; 4] = [
    "<feDisplacementMap in2='SourceGraphic' scale='3' xChannelSelector='R' yChannelSelector='B'/>",
    "<feTile/>",
    "<feBlend in2='SourceGraphic' mode='multiply'/>",
    "<feMerge><feMergeNode in='SourceGraphic'/><feMergeNode in='SourceAlpha'/></feMerge>",
];

/// Cuts a small drawing whose boxes are enlarged by `grow` pixels on each side.
fn small(body: &str, grow: f32) -> Cut {
    let file = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>{FILTERS}{body}</svg>"
    );
    let drawing = svg::encode(file.as_bytes(), &options(Path::new("x"))).unwrap();
    cut(&drawing, grow).unwrap()
}

#[test]
fn clipping_to_the_boxes_changes_no_pixel() {
    for body in SMALL {
        let cut = small(body, 0.0);
        assert!(cut.pieces >= 2 && cut.painted > 0, "{cut:?} of {body}");
        assert_eq!(cut.changed + cut.rounded, 0, "{body}");
    }
}

/// The comparison must detect boxes that are too small.
#[test]
fn clipping_to_smaller_boxes_changes_pixels() {
    for body in SMALL {
        assert!(small(body, -5.0).changed > 0, "{body}");
    }
}

#[test]
fn filters_of_an_asset_stay_inside_their_boxes() {
    check_filters(assets().into_iter().filter(|file| file.ends_with("filters.svg")));
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn filters_of_a_corpus_stay_inside_their_boxes() {
    check_filters(corpus());
}

fn check_filters(files: impl IntoIterator<Item = PathBuf>) {
    let (mut wrong, mut filters) = (Vec::new(), Vec::new());
    let mut left_out = Vec::new();
    let [mut drawings, mut pieces, mut painted, mut rounded] = [0; 4];
    for file in files {
        let Ok(drawing) = svg::encode(&std::fs::read(&file).unwrap(), &options(&file)) else {
            continue;
        };
        if drawing.tree.filters().is_empty() {
            continue;
        }
        let Some(cut) = cut(&drawing, 0.0) else {
            left_out.push(file.display().to_string());
            continue;
        };
        drawings += 1;
        pieces += cut.pieces;
        painted += cut.painted;
        rounded += cut.rounded;
        if cut.changed > 0 {
            wrong.push(format!("{}: the cuts change {} pixels", file.display(), cut.changed));
        }
        wrong.extend(misfits(&drawing).iter().map(|what| format!("{}: {what}", file.display())));
        filters.extend(cut.filters);
    }
    for primitive in ALONE {
        let shapes = "<circle cx='45' cy='50' r='22' fill='#a63'/><path d='M60 20l25 9-30 40z' fill='#36a'/>";
        let cut = small(
            &format!("<filter id='a'>{primitive}</filter><g filter='url(#a)'>{shapes}</g>"),
            0.0,
        );
        assert_eq!(cut.changed + cut.rounded, 0, "{primitive}");
        filters.extend(cut.filters);
    }
    eprintln!(
        "{drawings} drawings with {pieces} pieces paint {painted} pixels; {rounded} round differently"
    );
    eprintln!("{} are left out: {}", left_out.len(), left_out.join(" "));
    print_table(&filters);
    assert!(drawings > 0 && painted > 0, "no drawing has a filter");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Prints the median of the painted shares for each kind of primitive. Filters that paint nothing have no share.
fn print_table(filters: &[Tightness]) {
    let mut kinds: BTreeMap<&str, Vec<&Tightness>> = BTreeMap::new();
    for one in filters.iter().filter(|one| one.painted > 0) {
        kinds.entry(one.kind).or_default().push(one);
    }
    eprintln!("| primitive | filters | painted share of the region | of the traced box |");
    eprintln!("|---|--:|--:|--:|");
    for (kind, all) in kinds {
        let share = |pixels: fn(&Tightness) -> usize| {
            let mut shares: Vec<usize> =
                all.iter().map(|one| 100 * one.painted / pixels(one).max(1)).collect();
            shares.sort_unstable();
            shares[shares.len() / 2]
        };
        let (region, traced) = (share(|one| one.region), share(|one| one.traced));
        eprintln!("| `{kind}` | {} | {region}% | {traced}% |", all.len());
    }
}
