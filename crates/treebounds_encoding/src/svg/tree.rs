//! A parsed drawing that is safe to drop.

use super::stack::with_large_stack;
use std::fmt;
use std::ops::Deref;
use usvg::Tree;

/// From this depth on a tree is freed on a stack of its own.
const DEEP: u64 = 256;

/// A parsed drawing. It is a [`usvg::Tree`] in all but its end: freeing a tree
/// recurses, so a deep one is freed on a large stack.
///
/// Painting it recurses, too: see [`with_large_stack`](super::with_large_stack).
pub struct DeepTree {
    tree: Option<Tree>,
    depth: u64,
}

impl DeepTree {
    /// Takes the tree, whose nodes and references are nested this deep.
    pub(super) fn new(tree: Tree, depth: u64) -> Self {
        Self { tree: Some(tree), depth }
    }

    /// How deep its elements are nested, where a reference counts as a level:
    /// no less than it is.
    pub fn depth(&self) -> u64 {
        self.depth
    }
}

impl Deref for DeepTree {
    type Target = Tree;

    fn deref(&self) -> &Tree {
        match &self.tree {
            Some(tree) => tree,
            None => unreachable!("the tree is there until it is dropped"),
        }
    }
}

impl Drop for DeepTree {
    fn drop(&mut self) {
        if self.depth < DEEP {
            return;
        }
        // Without a thread the tree is leaked: better than a stack overflow.
        let mut tree = std::mem::ManuallyDrop::new(self.tree.take());
        let _ = with_large_stack(move || drop(tree.take()));
    }
}

impl fmt::Debug for DeepTree {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("DeepTree").field("size", &self.size()).finish_non_exhaustive()
    }
}
