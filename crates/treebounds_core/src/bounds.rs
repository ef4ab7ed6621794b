//! The answer: a box for every element, and more for every node.

use crate::Rect;
use alloc::vec::Vec;

/// The index that names no element.
pub const NONE: u32 = u32::MAX;

/// The bounds of every element of a [`Stream`](crate::Stream).
///
/// A *node* here is one begin or one end. The four arrays of nodes are as long
/// as the stream has begins and ends, in stream order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bounds {
    /// Node: the element it is, ascending.
    pub marker_elements: Vec<u32>,
    /// Node: for an end, the element index of its begin; for a begin, that of
    /// the nearest enclosing begin; [`NONE`] where there is none.
    pub links: Vec<u32>,
    /// Node: its own rect cut by every node around it and the viewport. The end
    /// repeats its begin's; [`Rect::NOTHING`] at an end without a begin.
    pub clips: Vec<Rect>,
    /// Node: the union of what is visible inside it. The end repeats its
    /// begin's; [`Rect::NOTHING`] at an end without a begin.
    pub contents: Vec<Rect>,
    /// Element: where it can change a pixel. [`Rect::NOTHING`] where it cannot:
    /// the element is *culled*.
    pub boxes: Vec<Rect>,
}

impl Bounds {
    /// Which node (index into the node arrays) this element is, if it is one.
    ///
    /// Cost: a binary search.
    pub fn marker_of(&self, element: u32) -> Option<usize> {
        self.marker_elements.binary_search(&element).ok()
    }
}
