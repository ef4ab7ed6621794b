//! Where an element or an object stands in the source document.

use crate::scene::Document;
use serde::{Serialize, Serializer};
use std::fmt;

/// An object of a document; as text its path from the root, such as `svg/g[3]/rect[2]`.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The document.
    pub document: &'a Document,
    /// The index of the object in it.
    pub object: u32,
}

impl PartialEq for Place<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.object == other.object && std::ptr::eq(self.document, other.document)
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.document.path(self.object))
    }
}

impl Serialize for Place<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
