//! Streams on the CPU: built, refused, and their bounds by every way there is.

use crate::words::Words;
use crate::{Outcome, naive};
use arbitrary::Unstructured;
use treebounds_core::{
    BinGrid, BuildError, Intersection, NONE, NodeKind, Rect, Role, Stream, StreamBuilder,
    StreamError, Tag, Union, reference,
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
    assert_eq!(bounds, naive::bounds(&stream), "the bounds of {stream:?}");
    check_products(&stream);
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

/// Clips are products of rects down the tree; contents, where every blend is local, products of draws up it.
fn check_products(stream: &Stream) {
    let tags = stream.tags();
    let bounds = reference::bounds(stream);
    let rects: Vec<_> = stream.rects().iter().copied().map(Intersection).collect();
    let paths = reference::root_fix(tags, &rects);
    let mut node = 0;
    let mut visible = vec![Union(Rect::NOTHING); tags.len()];
    for (at, tag) in tags.iter().enumerate() {
        let matched = tag.role() != Role::End || naive::open_before(tags, at).is_some();
        let cut = paths[at].0.intersect(stream.viewport());
        if tag.is_marker() {
            if matched {
                assert_eq!(cut, bounds.clips[node], "element {at} of {stream:?}");
            }
            node += 1;
        } else {
            assert_eq!(cut, bounds.boxes[at], "element {at} of {stream:?}");
            visible[at] = Union(cut);
        }
    }
    if tags.iter().any(|tag| tag.is_non_local()) {
        return;
    }
    let subtrees = reference::leaf_fix(tags, &visible);
    for (node, element) in bounds.marker_elements.iter().enumerate() {
        let content = bounds.contents[node];
        assert_eq!(subtrees[*element as usize].0, content, "node {node} of {stream:?}");
        assert!(bounds.clips[node].contains(content), "node {node} of {stream:?}");
    }
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
