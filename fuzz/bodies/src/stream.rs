//! Streams: built, refused, and their bounds and bins.

use crate::Outcome;
use crate::oracle::Oracle;
use crate::words::Words;
use arbitrary::Unstructured;
use treebounds_core::{
    BinGrid, Bounds, BuildError, NONE, NodeKind, Rect, Role, Stream, StreamBuilder, StreamError,
    Tag, reference,
};

/// Elements of the longest: the oracle takes the square.
const MOST: usize = 64;

/// Any words as tags and rects.
pub fn stream(data: &[u8]) -> Outcome {
    let mut u = Unstructured::new(data);
    let Ok(words) = Words::read(&mut u, MOST) else { return Outcome::REFUSED };
    let made = words.stream();
    assert_eq!(made.as_ref().err().copied(), words.mistake(), "of {words:?}");
    check_builder(&words);
    let Ok(stream) = made else { return Outcome::REFUSED };
    let bounds = reference::bounds(&stream);
    check_bounds(&stream, &bounds);
    check_bins(&stream, &bounds.boxes);
    Outcome::ACCEPTED
}

/// The same words as calls of a builder, which refuses ends of nothing and closes what is open.
fn check_builder(words: &Words) {
    let mut builder = StreamBuilder::new(words.viewport);
    let (mut tags, mut rects, mut open): (Vec<Tag>, Vec<Rect>, Vec<Tag>) = Default::default();
    for (bits, rect) in words.tags.iter().zip(&words.rects) {
        let Some(tag) = Tag::from_bits(*bits) else { continue };
        let index = tags.len() as u32;
        let rect =
            if tag == Tag::begin(NodeKind::Blend).non_local() { Rect::EVERYTHING } else { *rect };
        let mut expected = match rect.canonical() {
            Ok(_) => Ok(index),
            Err(_) => Err(BuildError::Stream(StreamError::BadRect { index: tags.len() })),
        };
        let added = match (tag.role(), tag.node_kind()) {
            (Role::End, _) => {
                let begin = open.pop();
                expected = begin.map(|_| index).ok_or(BuildError::NothingOpen { index });
                begin.into_iter().for_each(|begin| tags.push(begin.closing()));
                rects.resize(tags.len(), Rect::NOTHING);
                assert_eq!(builder.end(), expected, "of {words:?}");
                continue;
            }
            (_, None) => builder.draw(rect),
            (_, Some(NodeKind::Blend)) if tag.is_non_local() => builder.begin_non_local(None),
            (_, Some(_)) if tag.is_non_local() => builder.begin_non_local(Some(rect)),
            (_, Some(kind)) => builder.begin(kind, rect),
        };
        assert_eq!(added, expected, "of {words:?}");
        if added.is_ok() {
            tags.push(tag);
            rects.push(rect);
            open.extend((tag.role() == Role::Begin).then_some(tag));
        }
    }
    assert_eq!((builder.len(), builder.depth()), (tags.len(), open.len()), "of {words:?}");
    let closings = open.len();
    tags.extend(open.into_iter().rev().map(Tag::closing));
    rects.resize(tags.len(), Rect::NOTHING);
    let expected = Stream::new(tags, rects, words.viewport);
    match builder.finish_closing() {
        Ok((stream, closed)) => {
            assert_eq!(closed.len(), closings, "of {words:?}");
            assert_eq!(Ok(stream), expected, "of {words:?}");
        }
        Err(BuildError::Stream(error)) => assert_eq!(Err(error), expected, "of {words:?}"),
        Err(error) => assert!(closings == usize::MAX, "{error}: of {words:?}"),
    }
}

/// Every answer is the oracle's.
fn check_bounds(stream: &Stream, bounds: &Bounds) {
    let oracle = Oracle::new(stream);
    let markers = (0..).zip(stream.tags()).filter(|(_, tag)| tag.is_marker());
    assert!(markers.map(|(at, _)| at).eq(bounds.marker_elements.iter().copied()), "{stream:?}");
    for (marker, element) in bounds.marker_elements.iter().enumerate() {
        let ix = *element as usize;
        let found = (bounds.links[marker], bounds.clips[marker], bounds.contents[marker]);
        let expected = (oracle.link(ix), oracle.clip(ix), oracle.content(ix));
        assert_eq!(found, expected, "element {ix} of {stream:?}");
    }
    let boxes: Vec<_> = (0..stream.len()).map(|ix| oracle.bounds(ix)).collect();
    assert_eq!(bounds.boxes, boxes, "of {stream:?}");
}

/// An element is in the list of a bin just where its box and the bin share a point of the viewport.
fn check_bins(stream: &Stream, bounds: &[Rect]) {
    let side = 1 + stream.len() as u32 * 3;
    let (origin, size, bin) = ([-20, -7], [side, 1 + side / 2], [16, 1 + side % 40]);
    let Ok(grid) = BinGrid::with_bins(origin, size, bin) else { return };
    let lists = reference::bins(&grid, bounds);
    assert_eq!(lists.len(), grid.bins() as usize);
    let edge = |axis: usize, index: u32| {
        (origin[axis] + (index * bin[axis]).min(size[axis]) as i32) as f32
    };
    for (at, list) in (0..).zip(&lists) {
        let (column, row) = (at % grid.columns(), at / grid.columns());
        let (x, y) = (edge(0, column), edge(1, row));
        let cell = Rect::new(x, y, edge(0, column + 1), edge(1, row + 1));
        let inside = (0..).zip(bounds).filter(|(_, rect)| !rect.intersect(cell).is_empty());
        let expected: Vec<u32> = inside.map(|(element, _)| element).collect();
        assert_eq!(*list, expected, "bin {at} of {bounds:?}");
        assert!(list.iter().all(|element| *element != NONE));
    }
}
