//! A scene and its bounds, side by side.

use crate::scene::{Document, Scene};
use crate::{ObjectBox, Selection, Summary, element::Elements, objects, unclipped};
use treebounds_core::{Bounds, Rect};

/// A scene, the bounds computed for it, and which of its elements to speak of.
#[derive(Clone, Debug)]
pub struct Findings<'a> {
    scene: &'a Scene,
    bounds: &'a Bounds,
    document: Option<&'a Document>,
    /// The boxes of the nodes as if nothing cut them.
    unclipped: Vec<Rect>,
    selection: Selection,
}

/// The bounds are not those of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the scene has {expected} {what}, but there are {found}: these do not belong together")]
pub struct Mismatch {
    what: &'static str,
    expected: usize,
    found: usize,
}

impl<'a> Findings<'a> {
    /// All elements of this scene, with these bounds.
    ///
    /// # Errors
    /// [`Mismatch`] where a list is not as long as the stream asks for.
    pub fn new(scene: &'a Scene, bounds: &'a Bounds) -> Result<Self, Mismatch> {
        let (elements, nodes) = (scene.stream.len(), scene.stream.marker_count());
        let lists = [
            ("elements, and as many origins", elements, scene.origins.len()),
            ("elements, and as many bounds", elements, bounds.boxes.len()),
            ("nodes, and as many node indices", nodes, bounds.marker_elements.len()),
            ("nodes, and as many links", nodes, bounds.links.len()),
            ("nodes, and as many clip boxes", nodes, bounds.clips.len()),
            ("nodes, and as many content boxes", nodes, bounds.contents.len()),
        ];
        match lists.into_iter().find(|(_, expected, found)| expected != found) {
            Some((what, expected, found)) => Err(Mismatch { what, expected, found }),
            None => {
                let (unclipped, selection) = (unclipped::of_nodes(scene), Selection::all());
                Ok(Self { scene, bounds, document: None, unclipped, selection })
            }
        }
    }

    /// Names objects of this document, which the scene was made from.
    ///
    /// # Errors
    /// [`Mismatch`] where the document is not as long as the scene.
    pub fn of(self, document: &'a Document) -> Result<Self, Mismatch> {
        let (expected, found) = (self.scene.stream.len(), document.sources.len());
        if expected != found {
            return Err(Mismatch { what: "elements, and as many sources", expected, found });
        }
        Ok(Self { document: Some(document), ..self })
    }

    /// Speaks of these elements only.
    #[must_use]
    pub fn only(self, selection: Selection) -> Self {
        Self { selection, ..self }
    }

    /// The scene.
    pub fn scene(&self) -> &'a Scene {
        self.scene
    }

    /// The bounds of its elements.
    pub fn bounds(&self) -> &'a Bounds {
        self.bounds
    }

    /// The document that the scene was made from, where it was said.
    pub fn document(&self) -> Option<&'a Document> {
        self.document
    }

    /// The box of a node as if nothing cut it.
    pub(crate) fn unclipped(&self, node: usize) -> Rect {
        self.unclipped.get(node).copied().unwrap_or(Rect::NOTHING)
    }

    /// The elements spoken of.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// The selected elements, in stream order.
    pub fn elements(&self) -> Elements<'_> {
        Elements::new(self, true)
    }

    /// All elements, selected or not.
    pub(crate) fn all_elements(&self) -> Elements<'_> {
        Elements::new(self, false)
    }

    /// The objects of the document that have an id, and its root, each with its boxes.
    pub fn objects(&self) -> Vec<ObjectBox<'_>> {
        objects::of(self, objects::is_named)
    }

    /// The painted groups of the document that have no id (`g`, `svg`, `a`, `switch`, `use`), each with its boxes.
    pub fn groups(&self) -> Vec<ObjectBox<'_>> {
        objects::of(self, objects::is_nameless_group)
    }

    /// The selected elements, counted.
    pub fn summary(&self) -> Summary {
        Summary::of(self)
    }
}
