//! Compares products along paths and over subtrees with the oracle, using list concatenation.

use proptest::prelude::*;
use treebounds_core::{Monoid, Role, reference};
use treebounds_testkit::Oracle;
use treebounds_testkit::streams::strategy;

/// List concatenation, which preserves all values and their order.
#[derive(Clone, Debug, PartialEq)]
struct List(Vec<usize>);

impl Monoid for List {
    const IDENTITY: Self = Self(Vec::new());

    fn combine(&self, later: &Self) -> Self {
        Self([self.0.as_slice(), &later.0].concat())
    }
}

/// A list of each element's index.
fn indices(len: usize) -> Vec<List> {
    (0..len).map(|ix| List(vec![ix])).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn root_fix_matches_the_oracle(stream in strategy::stream(40)) {
        let (tags, oracle) = (stream.tags(), Oracle::new(&stream));
        for (ix, found) in reference::root_fix(tags, &indices(tags.len())).iter().enumerate() {
            let mut path: Vec<usize> = oracle.around(ix).collect();
            path.reverse();
            path.extend((tags[ix].role() != Role::End).then_some(ix));
            prop_assert_eq!(&found.0, &path, "path to {}", ix);
        }
    }

    #[test]
    fn leaf_fix_matches_the_oracle(stream in strategy::stream(40)) {
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
}
