//! Products along paths and over subtrees against the contract, with a monoid that keeps everything; and the boxes of scenes
//! as two such products.

use proptest::prelude::*;
use treebounds_core::{Intersection, Monoid, NONE, Rect, Role, Stream, Tag, Union, reference};
use treebounds_testkit::Oracle;
use treebounds_testkit::streams::strategy;

/// Concatenation: which values, how often and in which order.
#[derive(Clone, Debug, PartialEq)]
struct List(Vec<usize>);

impl Monoid for List {
    const IDENTITY: Self = Self(Vec::new());

    fn combine(&self, later: &Self) -> Self {
        Self([self.0.as_slice(), &later.0].concat())
    }
}

/// Every element's value is its index.
fn indices(len: usize) -> Vec<List> {
    (0..len).map(|ix| List(vec![ix])).collect()
}

/// The rects of a stream. Ends get arbitrary ones, which must not matter.
fn rects_of<T>(stream: &Stream, wrap: fn(Rect) -> T) -> Vec<T> {
    let value = |(tag, rect): (&Tag, &Rect)| match tag.role() {
        Role::End => wrap(Rect::new(3.0, 3.0, 4.0, 4.0)),
        _ => wrap(*rect),
    };
    stream.tags().iter().zip(stream.rects()).map(value).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn products_along_paths_are_the_contracts(stream in strategy::stream(40)) {
        let (tags, oracle) = (stream.tags(), Oracle::new(&stream));
        for (ix, found) in reference::root_fix(tags, &indices(tags.len())).iter().enumerate() {
            let mut path: Vec<usize> = oracle.around(ix).collect();
            path.reverse();
            path.extend((tags[ix].role() != Role::End).then_some(ix));
            prop_assert_eq!(&found.0, &path, "path to {}", ix);
        }
    }

    #[test]
    fn products_over_subtrees_are_the_contracts(stream in strategy::stream(40)) {
        let (tags, oracle) = (stream.tags(), Oracle::new(&stream));
        let is_inside = |ix: &usize, top| {
            tags[*ix].role() != Role::End && (*ix == top || oracle.around(*ix).any(|ix| ix == top))
        };
        for (ix, found) in reference::leaf_fix(tags, &indices(tags.len())).iter().enumerate() {
            let top = if tags[ix].role() == Role::End { oracle.around(ix).next() } else { Some(ix) };
            let subtree: Vec<usize> = top.map_or(Vec::new(), |top| {
                (top..tags.len()).filter(|ix| is_inside(ix, top)).collect()
            });
            prop_assert_eq!(&found.0, &subtree, "subtree of {}", ix);
        }
    }

    /// Clips are the product of rects along paths, in every bit.
    #[test]
    fn clips_are_products_along_paths(stream in strategy::stream(40)) {
        let bounds = reference::bounds(&stream);
        let products = reference::root_fix(stream.tags(), &rects_of(&stream, Intersection));
        for (ix, tag) in stream.tags().iter().enumerate() {
            let clip = stream.viewport().intersect(products[ix].0);
            match bounds.marker_of(ix as u32) {
                None => prop_assert_eq!(bounds.boxes[ix], clip),
                Some(node) if tag.role() == Role::End && bounds.links[node] == NONE => {
                    prop_assert_eq!(products[ix], Intersection::IDENTITY);
                }
                Some(node) => prop_assert_eq!(bounds.clips[node], clip),
            }
        }
    }

    /// Contents are the product over subtrees of the visible boxes of draws and of the boxes that non-local blends may change.
    #[test]
    fn contents_are_products_over_subtrees(stream in strategy::stream(40)) {
        let (tags, oracle) = (stream.tags(), Oracle::new(&stream));
        let bounds = reference::bounds(&stream);
        let paints = |ix: usize| match tags[ix].role() {
            Role::Draw => Union(bounds.boxes[ix]),
            Role::Begin if tags[ix].is_non_local() => Union(bounds.boxes[ix]),
            _ => Union::IDENTITY,
        };
        let values: Vec<Union> = (0..tags.len()).map(paints).collect();
        for (ix, product) in reference::leaf_fix(tags, &values).iter().enumerate() {
            prop_assert_eq!(product.0, oracle.bounds(ix), "bounds of {}", ix);
        }
    }
}
