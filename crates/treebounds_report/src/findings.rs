//! Joins a scene with its bounds and a selection of its elements.

use crate::{Elements, ObjectBox, Scene, SourceDocument, Summary, objects};
use treebounds_core::{Bounds, Monoid, Rect, Role, Tag, Union, reference};

/// A scene, its bounds, and the selection of elements to report.
#[derive(Clone, Debug)]
pub struct Findings<'a> {
    scene: &'a Scene,
    bounds: &'a Bounds,
    document: Option<&'a SourceDocument>,
    /// For each element, its box without any clipping.
    unclipped: Vec<Rect>,
    /// For each element, the area of the canvas where it can change a pixel. Empty in a scene without filters.
    landings: Vec<Rect>,
    selection: Selection,
}

/// The bounds or the document belong to another scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the scene needs {expected} {what}, but there are {found}: pass those of this scene")]
pub struct Mismatch {
    what: &'static str,
    expected: usize,
    found: usize,
}

impl<'a> Findings<'a> {
    /// Joins a scene with its bounds. All elements are selected.
    ///
    /// # Errors
    /// [`Mismatch`] if a list and the stream differ in length.
    pub fn new(scene: &'a Scene, bounds: &'a Bounds) -> Result<Self, Mismatch> {
        let (elements, markers) = (scene.stream.len(), scene.stream.marker_count());
        let lists = [
            ("origins (one per element)", elements, scene.origins.len()),
            ("bounds (one per element)", elements, bounds.boxes.len()),
            ("marker indices (one per marker)", markers, bounds.marker_elements.len()),
            ("links (one per marker)", markers, bounds.links.len()),
            ("clip boxes (one per marker)", markers, bounds.clips.len()),
            ("content boxes (one per marker)", markers, bounds.contents.len()),
        ];
        match lists.into_iter().find(|(_, expected, found)| expected != found) {
            Some((what, expected, found)) => Err(Mismatch { what, expected, found }),
            None => {
                let (unclipped, selection) = (unclipped(scene), Selection::all());
                let has_filters = scene.stream.has_filters();
                let landings =
                    if has_filters { reference::landings(&scene.stream, bounds) } else { vec![] };
                Ok(Self { scene, bounds, document: None, unclipped, landings, selection })
            }
        }
    }

    /// Adds the document that the scene was made from, which provides objects, paths and reasons.
    ///
    /// # Errors
    /// [`Mismatch`] if the document does not have one source per element.
    pub fn of(self, document: &'a SourceDocument) -> Result<Self, Mismatch> {
        let (expected, found) = (self.scene.stream.len(), document.sources.len());
        if expected != found {
            return Err(Mismatch { what: "sources (one per element)", expected, found });
        }
        Ok(Self { document: Some(document), ..self })
    }

    /// Restricts the report to a selection.
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

    /// The document that the scene was made from, if known.
    pub fn document(&self) -> Option<&'a SourceDocument> {
        self.document
    }

    /// The box of an element without any clipping.
    pub(crate) fn unclipped(&self, ix: usize) -> Rect {
        self.unclipped.get(ix).copied().unwrap_or(Rect::NOTHING)
    }

    /// The area of the canvas where an element of a scene with filters can change a pixel.
    pub(crate) fn landing(&self, ix: usize) -> Rect {
        self.landings.get(ix).copied().unwrap_or(Rect::NOTHING)
    }

    /// The elements that are reported.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// The selected elements, in stream order.
    pub fn elements(&self) -> Elements<'_> {
        Elements::new(self, Selection::contains)
    }

    /// The counted elements: the reported ones, and those hidden by [`Selection::only`].
    pub(crate) fn counted_elements(&self) -> Elements<'_> {
        Elements::new(self, Selection::counts)
    }

    pub(crate) fn all_elements(&self) -> Elements<'_> {
        Elements::new(self, |_, _| true)
    }

    /// The document's root and objects with an id, each with its boxes.
    pub fn objects(&self) -> Vec<ObjectBox<'_>> {
        objects::of(self, objects::is_named)
    }

    /// The document's painted groups without an id (`g`, `svg`, `a`, `switch`, `use`), each with its boxes.
    pub fn groups(&self) -> Vec<ObjectBox<'_>> {
        objects::of(self, objects::is_nameless_group)
    }

    /// Counts the selected elements, including those hidden by [`Selection::only`].
    pub fn summary(&self) -> Summary {
        Summary::of(self)
    }
}

/// Returns the box of each element without any clipping. For a marker, this is the union of the boxes of its node's draws.
fn unclipped(scene: &Scene) -> Vec<Rect> {
    let elements = scene.stream.tags().iter().zip(scene.stream.rects()).zip(&scene.origins);
    let boxes = elements.map(|((tag, rect), origin)| match tag.role() {
        Role::Draw => Union(origin.own.unwrap_or(*rect).or_nothing()),
        _ => Union::IDENTITY,
    });
    let unions = reference::leaf_fix(scene.stream.tags(), &boxes.collect::<Vec<_>>());
    unions.into_iter().map(|union| union.0).collect()
}

/// A set of elements of one scene.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// For each element, whether it is selected. `None` selects all.
    keep: Option<Vec<bool>>,
    /// For each element, whether it is listed if selected. `None` lists all.
    listed: Option<Vec<bool>>,
    /// For each object of the document, whether it is selected. `None` selects all.
    objects: Option<Vec<bool>>,
}

impl Selection {
    /// Selects every element.
    pub fn all() -> Self {
        Self { keep: None, listed: None, objects: None }
    }

    /// Selects the elements whose source has this `id`, and the nodes around them, each with its begin and its end. `None`
    /// if no element has this `id`.
    ///
    /// Cost: two passes, regardless of the number of matching elements.
    pub fn of_id(scene: &Scene, id: &str) -> Option<Self> {
        Self::of_elements(scene, scene.elements_of(id))
    }

    /// Selects every object with this `id`, everything inside it, and the nodes around it. `None` if neither an object nor
    /// an element has this `id`.
    ///
    /// Cost: three passes.
    pub fn of_object(scene: &Scene, document: &SourceDocument, id: &str) -> Option<Self> {
        let Some(objects) = document.inside(id) else { return Self::of_id(scene, id) };
        let is_inside = |object: u32| objects.get(object as usize) == Some(&true);
        let inside = (0..).zip(&document.sources).filter(|(_, object)| is_inside(**object));
        let elements = inside.map(|(element, _)| element).chain(scene.elements_of(id));
        let keep = Self::of_elements(scene, elements).and_then(|selection| selection.keep);
        let nothing = || vec![false; scene.stream.len()];
        Some(Self {
            keep: Some(keep.unwrap_or_else(nothing)),
            listed: None,
            objects: Some(objects),
        })
    }

    /// Selects the elements with these indices, in any order, and the nodes around them, each with its begin and its end.
    /// `None` if the scene has none of these elements.
    ///
    /// Cost: one pass over the scene and one over the indices.
    pub fn of_elements(scene: &Scene, indices: impl IntoIterator<Item = u32>) -> Option<Self> {
        let tags = scene.stream.tags();
        let mut wanted = vec![false; tags.len()];
        for ix in indices {
            if let Some(wanted) = wanted.get_mut(ix as usize) {
                *wanted = true;
            }
        }
        let mut keep = vec![false; tags.len()];
        let mut open: Vec<usize> = Vec::new();
        for (ix, tag) in tags.iter().enumerate() {
            // An end is kept if its begin is kept.
            let own = if tag.role() == Role::End { open.pop().unwrap_or(ix) } else { ix };
            if wanted[ix] && !keep[own] {
                keep[own] = true;
                keep_all(&mut keep, &open);
            }
            keep[ix] = keep[own];
            if tag.role() == Role::Begin {
                open.push(ix);
            }
        }
        wanted.contains(&true).then_some(Self { keep: Some(keep), listed: None, objects: None })
    }

    /// Lists only the selected elements that satisfy the predicate, and no objects. The predicate is called with the tag of
    /// a draw or a begin and the number of enclosing nodes; a node's end follows its begin. Unlisted elements still count in
    /// the summary.
    ///
    /// Cost: one pass.
    #[must_use]
    pub fn only(self, scene: &Scene, holds: impl Fn(Tag, u32) -> bool) -> Self {
        let mut open: Vec<bool> = Vec::new();
        let listed = (0..).zip(scene.stream.tags()).map(|(ix, tag)| {
            if tag.role() == Role::End {
                return open.pop().unwrap_or(false);
            }
            let is_kept = self.contains(ix) && holds(*tag, open.len() as u32);
            if tag.role() == Role::Begin {
                open.push(is_kept);
            }
            is_kept
        });
        let listed = Some(listed.collect());
        Self { listed, objects: Some(Vec::new()), keep: self.keep }
    }

    /// Whether the element with this index is selected and listed.
    pub fn contains(&self, ix: u32) -> bool {
        self.counts(ix) && is_in(self.listed.as_ref(), ix)
    }

    /// Whether the summary counts the element with this index.
    pub(crate) fn counts(&self, ix: u32) -> bool {
        is_in(self.keep.as_ref(), ix)
    }

    /// Whether some counted elements are not listed.
    pub fn is_part(&self) -> bool {
        self.listed.is_some()
    }

    /// Whether the object with this index in the document is selected.
    pub fn names(&self, object: u32) -> bool {
        is_in(self.objects.as_ref(), object)
    }
}

/// Whether the list contains the index. `None` contains every index.
fn is_in(list: Option<&Vec<bool>>, ix: u32) -> bool {
    list.is_none_or(|list| list.get(ix as usize).copied().unwrap_or(false))
}

/// Keeps the open nodes, from the innermost out. Stops at the first kept node, because the nodes around it are already kept.
fn keep_all(keep: &mut [bool], open: &[usize]) {
    for &begin in open.iter().rev() {
        if keep[begin] {
            break;
        }
        keep[begin] = true;
    }
}
