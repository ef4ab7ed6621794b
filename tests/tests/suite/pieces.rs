//! A drawing that is read in pieces is the same as one that is read at once: elements, objects, picture.
//!
//! The corpus is the folder in `TREEBOUNDS_SVG_CORPUS`; without the variable, the assets of this repository.

#![allow(clippy::panic)]

use resvg::tiny_skia::{Pixmap, Transform};
use std::collections::HashSet;
use treebounds_core::Rect;
use treebounds_encoding::svg::{self, Drawing, Large, Options, Progress, Refused, SvgError};
use treebounds_report::{Cut, Document, Object, Scene};
use treebounds_tests::svg::{corpus, options, paint};

fn in_pieces(data: &[u8], options: &Options) -> Result<(Large, usize), SvgError> {
    let mut pieces = 0;
    let mut told = |progress: Progress| pieces = progress.pieces;
    let large = svg::encode_in_pieces(data, options, &mut told)?;
    Ok((large, pieces))
}

/// The cuts, without the names of clip paths and masks: in units of boxes they have names that usvg makes up.
fn cuts(document: &Document) -> Vec<Cut> {
    let unnamed = |id: &Option<Box<str>>| id.as_ref().map(|_| Box::default());
    let cuts = document.cuts.iter();
    cuts.map(|cut| Cut { clip: unnamed(&cut.clip), mask: unnamed(&cut.mask), ..cut.clone() })
        .collect()
}

/// Whether two objects have the same id: the second is told apart only where it is in another piece.
fn has_twins(document: &Document) -> bool {
    let mut ids = HashSet::new();
    let mut all = document.objects.iter().filter_map(|one| one.id.as_deref());
    !all.all(|id| ids.insert(id))
}

/// All that is known of a drawing, as lists of lines.
fn lists(scene: &Scene, document: &Document) -> [(&'static str, Vec<String>); 7] {
    fn lines<T: std::fmt::Debug>(list: impl IntoIterator<Item = T>) -> Vec<String> {
        list.into_iter().map(|one| format!("{one:?}")).collect()
    }
    let sources = document.sources.iter().filter(|_| !has_twins(document));
    [
        ("size", lines([scene.width, scene.height])),
        ("element", lines(scene.stream.tags().iter().zip(scene.stream.rects()))),
        (
            "object",
            lines(document.objects.iter().map(|one| Object { used: Rect::NOTHING, ..one.clone() })),
        ),
        ("origin", lines(&scene.origins)),
        ("source", lines(sources)),
        ("cut", lines(cuts(document))),
        ("ignored", lines(&document.ignored)),
    ]
}

/// The first object of a clip path or mask whose box is larger at once than in pieces. It may be smaller: a mask in units
/// of boxes has its own name in each piece, and in the whole at its first use alone.
fn smaller(whole: &Drawing, pieces: &Large) -> Option<String> {
    let mut objects = whole.document.objects.iter().zip(&pieces.document.objects);
    let found = objects.find(|(a, b)| a.used.union(b.used) != b.used)?;
    Some(format!("an object is used in {:?} at once, in {:?} in pieces", found.0, found.1))
}

/// The first line that differs.
fn difference(whole: &Drawing, pieces: &Large) -> Option<String> {
    if let Some(found) = smaller(whole, pieces) {
        return Some(found);
    }
    let whole = lists(&whole.scene, &whole.document);
    let pieces = lists(&pieces.scene, &pieces.document);
    whole.into_iter().zip(pieces).find_map(|((name, a), (_, b))| {
        let at = (0..a.len().max(b.len())).find(|at| a.get(*at) != b.get(*at))?;
        Some(format!("{name} {at} is {:?} at once, {:?} in pieces", a.get(at), b.get(at)))
    })
}

/// How many pixels of the picture differ.
fn pixels(whole: &Drawing, data: &[u8], options: &Options) -> Result<usize, SvgError> {
    let Some(whole) = paint(&whole.tree)? else { return Ok(0) };
    let mut pixmap = Pixmap::new(whole.width(), whole.height()).expect("memory");
    svg::trees_in_pieces(data, options, &mut |tree| {
        resvg::render(tree, Transform::identity(), &mut pixmap.as_mut());
    })?;
    let pairs = whole.pixels().iter().zip(pixmap.pixels());
    Ok(pairs.filter(|(one, other)| one != other).count())
}

#[test]
fn a_corpus_in_pieces() {
    let files = corpus();
    let (mut same, mut refused, mut most, mut wrong) = (0, 0, 0, Vec::new());
    for file in &files {
        let data = std::fs::read(file).expect("a file that can be read");
        let options = options(file);
        let Ok(whole) = svg::encode(&data, &options) else { continue };
        let elements = whole.document.objects.len() as u64;
        let options = options.piece_elements(7.max(elements / 100));
        let name = file.display();
        match in_pieces(&data, &options) {
            Ok((large, pieces)) => {
                most = most.max(pieces);
                let found = difference(&whole, &large);
                same += usize::from(found.is_none());
                wrong.extend(found.map(|found| format!("{name}: {found}")));
                let painted = pixels(&whole, &data, &options);
                if painted.as_ref().is_ok_and(|differ| *differ > 0) {
                    wrong.push(format!("{name}: {painted:?} pixels differ"));
                }
            }
            Err(SvgError::Refused(Refused::NotInPieces { why })) => {
                refused += 1;
                eprintln!("{name}: {why}");
            }
            Err(other) => wrong.push(format!("{name}: {other}")),
        }
    }
    eprintln!("{same} the same, {refused} refused, {} wrong; at most {most} pieces", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(same > refused && most > 1, "most are cut");
}

/// Drawings of 100 by 100 pixels whose elements depend on each other, by name.
const CASES: [(&str, &str); 12] = [
    (
        "uses before and after what they show",
        "<use href='#b' x='50'/><g id='a'><path id='b' d='M0 0L9 9' stroke='red'/></g>
        <use href='#a' y='20'/><use href='#c'/><rect id='c' width='5' height='5'/>",
    ),
    (
        "clip paths and masks, in one another",
        "<g><clipPath id='a' clip-path='url(#b)'><rect width='30' height='30'/></clipPath></g>
        <rect width='50' height='50' clip-path='url(#a)' mask='url(#m)'/><rect width='9' height='9'/>
        <clipPath id='b'><use href='#c'/></clipPath><circle id='c' r='20'/>
        <mask id='m'><rect width='70' height='20' fill='white'/></mask><g mask='url(#m)'><path d='M0 0H99V9'/></g>",
    ),
    (
        "boxes as units",
        "<clipPath id='a' clipPathUnits='objectBoundingBox'><rect width='.5' height='.5'/></clipPath>
        <rect width='50' height='50' clip-path='url(#a)'/><rect x='50' width='50' height='50' clip-path='url(#a)'/>",
    ),
    (
        "a sheet at the end",
        "<rect class='a' width='9' height='9'/><g class='b'><rect width='30' height='3'/><rect y='9' width='3' height='3'/>
        </g><style>.a{fill:url(#p);stroke:red;stroke-width:4} .b rect{stroke:blue} #x{display:none}</style>
        <pattern id='p' width='3' height='3'><rect width='1' height='1'/></pattern><rect id='x' width='9' height='9'/>",
    ),
    (
        "two sheets, of which the second counts",
        "<style>rect{stroke:red}</style><rect width='9' height='9'/><style>rect{stroke:none}</style>
        <rect x='20' width='9' height='9'/>",
    ),
    (
        "nested viewports and symbols",
        "<svg x='10' y='10' width='50' height='50' viewBox='0 0 10 10'><rect width='50%' height='50%'/>
        <use href='#s' width='5' height='5'/></svg><symbol id='s' viewBox='0 0 2 2'><circle cx='1' cy='1' r='1'/></symbol>
        <use href='#s' x='60' width='30' height='30'/>",
    ),
    (
        "text, also on a path",
        "<text x='5' y='20'>one <tspan font-weight='bold'>two</tspan></text><path id='p' d='M0 50H90' fill='none'/>
        <text><textPath href='#p'>along</textPath></text><text x='5' y='90'>last</text>",
    ),
    (
        "groups in groups, moved, hidden and handing down",
        "<g transform='translate(9 9)' fill='none' stroke='url(#l)' stroke-width='3'><rect width='5' height='5'/>
        <g display='none'><rect width='5' height='5'/><rect width='5' height='5'/></g>
        <g transform='scale(2)'><rect width='5' height='5'/><path d='M0 0H9V9'/><rect x='9' width='5' height='5'/></g>
        <line x2='30' y2='3'/></g><linearGradient id='l'><stop/><stop offset='1' stop-color='red'/></linearGradient>",
    ),
    (
        "groups with effects stay whole",
        "<rect width='9' height='9'/><g opacity='.5'><rect width='9' height='9'/><rect width='19' height='9'/></g>
        <g style='mix-blend-mode:multiply'><rect width='9' height='9'/><rect width='9' height='19'/></g>
        <g filter='url(#f)'><rect width='9' height='9'/><rect y='40' width='9' height='19'/></g>
        <filter id='f'><feOffset dx='9'/></filter><rect width='99' height='1'/>",
    ),
    (
        "markers and gradients of gradients",
        "<marker id='m' markerWidth='9' markerHeight='9'><path d='M0 0L9 9' stroke='url(#g)'/></marker>
        <path d='M20 20H60V60' marker-mid='url(#m)' fill='none' stroke='red'/><rect width='9' height='9' fill='url(#h)'/>
        <linearGradient id='h' href='#g'/><linearGradient id='g'><stop stop-color='red'/><stop offset='1'/></linearGradient>",
    ),
    (
        "what is defined in a group inherits from it",
        "<g stroke='red' stroke-width='9' class='k'><mask id='m'><rect x='20' y='20' width='9' height='9'/></mask>
        <rect width='9' height='9'/><symbol id='s'><rect x='30' y='3' width='9' height='9'/></symbol></g>
        <style>.k rect{stroke-width:5}</style><rect width='60' height='60' mask='url(#m)'/><use href='#s'/>",
    ),
    (
        "transforms and sizes of style sheets",
        "<style>.t{transform:rotate(45deg);transform-origin:50% 50%;transform-box:fill-box} .w{width:30px}</style>
        <rect class='t' x='20' y='20' width='20' height='20'/><rect class='w' height='9'/>
        <g class='k'><rect class='t w' x='60' y='20' height='20'/></g><foreignObject/><animate/>",
    ),
];

#[test]
fn drawings_that_hang_together() {
    let root = "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'";
    for root in [format!("{root}>"), format!("{root} viewBox='0 0 50 50'>")] {
        for (name, inside) in CASES {
            let text = format!("{root}{inside}</svg>");
            let whole = svg::encode(text.as_bytes(), &Options::default()).expect(name);
            for elements in 1..8 {
                let options = Options::default().piece_elements(elements);
                let (large, pieces) = in_pieces(text.as_bytes(), &options).expect(name);
                assert!(pieces > 1 || elements > 1, "{name} is cut");
                let found = difference(&whole, &large);
                assert_eq!(found, None, "{name}, pieces of {elements}");
                let differ = pixels(&whole, text.as_bytes(), &options).expect(name);
                assert_eq!(differ, 0, "{name}, pieces of {elements}: pixels");
            }
        }
    }
}

/// A drawing of 100 by 100 pixels.
fn drawing(inside: &str) -> String {
    format!("<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100'>{inside}</svg>")
}

/// Why a drawing is not read in pieces of one element.
fn why_not(text: &str) -> String {
    svg::encode(text.as_bytes(), &Options::default()).expect("a drawing that is read at once");
    let read = in_pieces(text.as_bytes(), &Options::default().piece_elements(1));
    match read {
        Err(SvgError::Refused(Refused::NotInPieces { why })) => why,
        read => panic!("{text}: {read:?}"),
    }
}

/// Asserts that a drawing is the same in pieces of one element.
fn same(text: &str) {
    let options = Options::default().piece_elements(1);
    let whole = svg::encode(text.as_bytes(), &options).expect("a drawing");
    let (large, _) = in_pieces(text.as_bytes(), &options).expect("a drawing in pieces");
    assert!(!whole.scene.origins.is_empty(), "{text}");
    assert_eq!(difference(&whole, &large), None, "{text}");
}

#[test]
fn a_drawing_without_a_size_is_refused() {
    let rects = "<rect width='9' height='9'/><rect width='9' height='50'/>";
    let negative = "<rect x='-50' width='45' height='50'/><rect y='-50' width='50' height='45'/>";
    for inside in [rects, negative] {
        for size in ["", "width='100%' height='9'", "viewBox='0 0 0 9'", "width='9'"] {
            let why =
                why_not(&format!("<svg xmlns='http://www.w3.org/2000/svg' {size}>{inside}</svg>"));
            assert!(why.starts_with("it has no size of its own"), "{why}");
        }
    }
    same(&format!("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'>{rects}</svg>"));
}

#[test]
fn what_is_measured_and_repeated_is_refused() {
    let turned = drawing(
        "<style>.t{transform:rotate(45deg);transform-box:fill-box;transform-origin:50% 50%}</style>
        <rect id='p' class='t' x='20' y='20' width='20' height='20'/><use href='#p' x='40'/>",
    );
    assert_eq!(why_not(&turned), "<rect>, which others refer to, has 'transform-box'");
    let thin = "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100' viewBox='0 0 1000 1000'>
        <g><path id='p' d='M100 100H500' stroke='red' stroke-width='10' vector-effect='non-scaling-stroke'/></g>
        <use href='#p' y='300'/></svg>";
    assert_eq!(why_not(thin), "<path>, which others refer to, has 'vector-effect'");
    let own = "<rect id='p' width='9' height='9'/><use href='#p' y='20'/>
        <path d='M10 10H50' stroke='red' vector-effect='non-scaling-stroke'/>";
    same(&drawing(own));
}

#[test]
fn selectors_do_not_see_what_pieces_add() {
    let path = "<path id='p' d='M40 40H60V60'/><use href='#p'/>";
    let rule = "{stroke:red;stroke-width:40}";
    for selector in ["defs path", "svg * path", "* path", "defs", "g, svg defs.a path"] {
        let why = why_not(&drawing(&format!("<style>{selector}{rule}</style>{path}")));
        assert!(why.starts_with("the selector '") && why.ends_with("parents or <defs>"), "{why}");
    }
    for selector in ["[id='p']", "path[id]", "[d]"] {
        let why = why_not(&drawing(&format!("<style>{selector}{rule}</style>{path}")));
        assert_eq!(why, "a style sheet has a '[', and may look at ids");
    }
    for selector in ["svg path", "*", "#p", "svg *", ".a path, path.a"] {
        same(&drawing(&format!("<style>{selector}{rule}</style>{path}")));
    }
}

#[test]
fn entities_of_the_outermost_element_are_refused() {
    let text = "<!DOCTYPE svg [<!ENTITY p \"url(#g)\"><!ENTITY n 'http://www.w3.org/2000/svg'>]>
        <svg xmlns='&n;' width='100' height='100' FILL><linearGradient id='g'><stop/></linearGradient>
        <rect width='9' height='9'/></svg>";
    let why = why_not(&text.replace("FILL", "fill='&p;'"));
    assert_eq!(why, "its outermost element uses entities that it declares");
    same(&text.replace("FILL", "fill='url(#g)'"));
}

#[test]
fn elements_in_style_sheets_hide_no_reference() {
    same(&drawing(
        "<style>rect{fill:url(#g)}<b></b></style><linearGradient id='g'><stop/></linearGradient>
        <rect width='9' height='9'/>",
    ));
}

#[test]
fn what_takes_from_its_parent_is_refused() {
    let text = "<svg xmlns='http://www.w3.org/2000/svg' width='100' height='100' overflow='hidden'>
        <marker id='m' overflow='inherit' markerWidth='9' markerHeight='9'><path d='M0 0L90 90' stroke='red'/></marker>
        <path d='M20 20H60V60' marker-mid='url(#m)'/></svg>";
    assert_eq!(why_not(text), "<marker>, which others refer to, has 'overflow: inherit'");
}

#[test]
fn what_cannot_be_cut_and_is_no_picture_is_read_at_once() {
    let foreign = "<f:a/>".repeat(1_000_001);
    let text = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:f='f' width='9' height='9'><f:all>{foreign}</f:all><rect width='5' height='5'/></svg>"
    );
    let large = svg::encode_large(text.as_bytes(), &Options::default(), &mut |_| {});
    assert_eq!(large.expect("a drawing").scene.origins.len(), 1);
}

#[test]
fn more_than_usvg_reads() {
    // A million and one groups of nothing are read sooner than as many shapes.
    let groups = "<g/>".repeat(1_000_001);
    let rect = "<rect id='last' width='9' height='9'/>";
    let flat = format!(
        "<svg xmlns='http://www.w3.org/2000/svg' width='99' height='99'>{groups}{rect}</svg>"
    );
    let options = Options::default().system_fonts(false);
    let mut pieces = Vec::new();
    let mut told = |progress: Progress| pieces.push(progress);
    let large = svg::encode_large(flat.as_bytes(), &options, &mut told).expect("a drawing");
    assert_eq!(large.document.objects.len(), 1_000_003);
    assert_eq!(large.document.path(1_000_001), "svg/g[1000001]");
    assert_eq!(large.scene.origins[0].id.as_deref(), Some("last"));
    assert_eq!(pieces.len(), 8);
    assert_eq!(pieces.last(), Some(&Progress { piece: 8, pieces: 8 }));
}
