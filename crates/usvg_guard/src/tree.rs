//! A parsed drawing that is safe to drop.

use crate::stack::with_large_stack;
use std::fmt;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use usvg::Tree;

/// From this depth on a tree is freed on a stack of its own.
const DEEP: u64 = 256;

/// A parsed drawing. It is a [`usvg::Tree`] in all but its end: freeing a tree
/// recurses, so a deep one is freed on a large stack.
///
/// Painting it recurses, too: see [`with_large_stack`](crate::with_large_stack).
pub struct DeepTree {
    /// Never dropped in place: see `drop` below.
    tree: ManuallyDrop<Box<Tree>>,
    depth: u64,
}

impl DeepTree {
    /// Takes the tree, whose nodes and references are nested this deep.
    pub fn new(tree: Tree, depth: u64) -> Self {
        Self { tree: ManuallyDrop::new(Box::new(tree)), depth }
    }

    /// How deep its elements are nested, where a reference counts as 16 levels:
    /// no less than it is. Painting takes at most 16 KiB of stack a level.
    pub fn depth(&self) -> u64 {
        self.depth
    }
}

impl Deref for DeepTree {
    type Target = Tree;

    fn deref(&self) -> &Tree {
        &self.tree
    }
}

impl Drop for DeepTree {
    #[allow(unsafe_code)]
    fn drop(&mut self) {
        // SAFETY: the tree is taken once, here, and nothing reads it afterwards.
        let tree = unsafe { ManuallyDrop::take(&mut self.tree) };
        if self.depth < DEEP {
            return;
        }
        // Without a thread the tree is leaked: better than a stack overflow.
        let mut tree = ManuallyDrop::new(Some(tree));
        let _ = with_large_stack(move || drop(tree.take()));
    }
}

impl fmt::Debug for DeepTree {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.debug_struct("DeepTree").field("size", &self.size()).finish_non_exhaustive()
    }
}
