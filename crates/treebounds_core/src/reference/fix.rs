//! Products along paths and over subtrees, for any monoid.
//!
//! ```text
//! tags       (    .    (    .    )    .    )
//! values     a    b    c    d         e
//! root_fix   a    ab   ac   acd  ac   ae   a       down: the path from the root
//! leaf_fix   abcde b   cd   d    cd   e    abcde   up: the subtree, in order
//! ```
//!
//! Operations that round, such as the product of floating-point transforms, are associative only up to rounding. These functions
//! multiply one value at a time, on the right ([`root_fix`]), or subtree by subtree ([`leaf_fix`]). With another grouping, results
//! differ by rounding and must be compared with a tolerance. Monoids that do not round (integers, rects, strings) give identical
//! results for every grouping.

use crate::{Monoid, Role, Tag};
use alloc::{vec, vec::Vec};

/// Computes the product along the path from the root to each element.
///
/// A draw or a begin gets the product of the values of all begins around it, outermost first, and its own value. An end gets
/// the result of its begin, or the identity if it has none. The values of ends are not read.
///
/// `tags` and `values` should have the same length; excess items are ignored. Cost: one product per draw or begin, and a stack as
/// deep as the nesting.
///
/// ```
/// use treebounds_core::{Intersection, NodeKind, Rect, Tag, reference};
/// let tags = [Tag::begin(NodeKind::Clip), Tag::DRAW, Tag::end(NodeKind::Clip)];
/// let [wide, tall] = [Rect::new(0.0, 4.0, 9.0, 5.0), Rect::new(4.0, 0.0, 5.0, 9.0)];
/// let clips = reference::root_fix(&tags, &[wide, tall, Rect::NOTHING].map(Intersection));
/// assert_eq!(clips, [wide, Rect::new(4.0, 4.0, 5.0, 5.0), wide].map(Intersection));
/// ```
pub fn root_fix<M: Monoid>(tags: &[Tag], values: &[M]) -> Vec<M> {
    let mut open: Vec<M> = Vec::new();
    let mut products = Vec::with_capacity(tags.len().min(values.len()));
    for (tag, value) in tags.iter().zip(values) {
        let path = || open.last().map_or_else(|| value.clone(), |around| around.combine(value));
        products.push(match tag.role() {
            Role::Draw => path(),
            Role::Begin => {
                let product = path();
                open.push(product.clone());
                product
            }
            Role::End => open.pop().unwrap_or(M::IDENTITY),
        });
    }
    products
}

/// Computes the product over the subtree of each element.
///
/// A begin gets the product, in stream order, of its own value and the values of all draws and begins inside it. A begin without
/// an end extends to the end of the stream. An end gets the result of its begin, or the identity if it has none. A draw gets its
/// own value. The values of ends are not read.
///
/// `tags` and `values` should have the same length; excess items are ignored. Cost: one product per draw or begin, and a stack as
/// deep as the nesting.
///
/// ```
/// use treebounds_core::{NodeKind, Rect, Tag, Union, reference};
/// let tags = [Tag::begin(NodeKind::Blend), Tag::DRAW, Tag::DRAW, Tag::end(NodeKind::Blend)];
/// let [a, b] = [Rect::new(0.0, 0.0, 1.0, 1.0), Rect::new(2.0, 2.0, 3.0, 3.0)];
/// let values = [Rect::NOTHING, a, b, Rect::NOTHING].map(Union);
/// let boxes = reference::leaf_fix(&tags, &values);
/// assert_eq!(boxes[0].0, Rect::new(0.0, 0.0, 3.0, 3.0));
/// assert_eq!(boxes[3], boxes[0]);
/// ```
pub fn leaf_fix<M: Monoid>(tags: &[Tag], values: &[M]) -> Vec<M> {
    let mut products = vec![M::IDENTITY; tags.len().min(values.len())];
    let mut open: Vec<(usize, M)> = Vec::new();
    for (ix, (tag, value)) in tags.iter().zip(values).enumerate() {
        match tag.role() {
            Role::Draw => {
                products[ix] = value.clone();
                grow(&mut open, value);
            }
            Role::Begin => open.push((ix, value.clone())),
            Role::End => {
                if let Some(begin) = close(&mut open, &mut products) {
                    products[ix] = products[begin].clone();
                }
            }
        }
    }
    while close(&mut open, &mut products).is_some() {}
    products
}

/// Multiplies the product of the innermost open node by a value.
fn grow<M: Monoid>(open: &mut [(usize, M)], value: &M) {
    if let Some((_, product)) = open.last_mut() {
        *product = product.combine(value);
    }
}

/// Closes the innermost open node: stores its product at its begin and combines it into its parent. Returns the begin.
fn close<M: Monoid>(open: &mut Vec<(usize, M)>, products: &mut [M]) -> Option<usize> {
    let (begin, product) = open.pop()?;
    grow(open, &product);
    products[begin] = product;
    Some(begin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::NodeKind;
    use alloc::string::String;

    /// String concatenation, which preserves all values and their order.
    #[derive(Clone, Debug, PartialEq)]
    struct Text(String);

    impl Monoid for Text {
        const IDENTITY: Self = Self(String::new());

        fn combine(&self, later: &Self) -> Self {
            Self([self.0.as_str(), &later.0].concat())
        }
    }

    /// Checks both functions, with one bracket per element and one letter per value.
    fn check(brackets: &str, letters: &str, down: &[&str], up: &[&str]) {
        let tags: Vec<Tag> = brackets
            .chars()
            .map(|bracket| match bracket {
                '(' => Tag::begin(NodeKind::Clip),
                ')' => Tag::end(NodeKind::Clip),
                _ => Tag::DRAW,
            })
            .collect();
        let values: Vec<Text> = letters.chars().map(|letter| Text(letter.into())).collect();
        let texts = |products: Vec<Text>| products.into_iter().map(|text| text.0).collect();
        let (root, leaf): (Vec<_>, Vec<_>) =
            (texts(root_fix(&tags, &values)), texts(leaf_fix(&tags, &values)));
        assert_eq!(root, down, "down {brackets}");
        assert_eq!(leaf, up, "up {brackets}");
    }

    #[test]
    fn results_match_the_figure_in_the_docs() {
        check(
            "(.(.).)",
            "abcd!e!",
            &["a", "ab", "ac", "acd", "ac", "ae", "a"],
            &["abcde", "b", "cd", "d", "cd", "e", "abcde"],
        );
    }

    #[test]
    fn excess_tags_and_values_are_ignored() {
        check("(.", "a", &["a"], &["a"]);
        check("(", "ab", &["a"], &["a"]);
    }
}
