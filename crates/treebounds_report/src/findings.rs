//! A scene together with its bounds, and which of its elements are selected.

use crate::{Elements, ObjectBox, Scene, SourceDocument, Summary, objects};
use treebounds_core::{Bounds, Monoid, Rect, Role, Tag, Union, reference};

/// A scene, its bounds, and which of its elements to report.
#[derive(Clone, Debug)]
pub struct Findings<'a> {
    scene: &'a Scene,
    bounds: &'a Bounds,
    document: Option<&'a SourceDocument>,
    /// Element: its box if nothing clipped it.
    unclipped: Vec<Rect>,
    /// Element: where it can change a pixel of the canvas. Empty in a scene without filters.
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
    /// All elements of this scene, with these bounds.
    ///
    /// # Errors
    /// [`Mismatch`] if a list does not have the stream's length.
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

    /// Adds the document that the scene was made from, and with it objects, paths and reasons.
    ///
    /// # Errors
    /// [`Mismatch`] if the document does not have a source for every element.
    pub fn of(self, document: &'a SourceDocument) -> Result<Self, Mismatch> {
        let (expected, found) = (self.scene.stream.len(), document.sources.len());
        if expected != found {
            return Err(Mismatch { what: "sources (one per element)", expected, found });
        }
        Ok(Self { document: Some(document), ..self })
    }

    /// Reports only these elements.
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

    /// The document that the scene was made from, if it was given.
    pub fn document(&self) -> Option<&'a SourceDocument> {
        self.document
    }

    /// The box of an element if nothing clipped it.
    pub(crate) fn unclipped(&self, ix: usize) -> Rect {
        self.unclipped.get(ix).copied().unwrap_or(Rect::NOTHING)
    }

    /// Where an element of a scene with filters can change a pixel of the canvas.
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

    /// The elements that are counted: those that are reported, and those that [`Selection::only`] has left out.
    pub(crate) fn counted_elements(&self) -> Elements<'_> {
        Elements::new(self, Selection::counts)
    }

    /// All elements, selected or not.
    pub(crate) fn all_elements(&self) -> Elements<'_> {
        Elements::new(self, |_, _| true)
    }

    /// The objects of the document that have an id, and its root, each with its boxes.
    pub fn objects(&self) -> Vec<ObjectBox<'_>> {
        objects::of(self, objects::is_named)
    }

    /// The painted groups of the document that have no id (`g`, `svg`, `a`, `switch`, `use`), each with its boxes.
    pub fn groups(&self) -> Vec<ObjectBox<'_>> {
        objects::of(self, objects::is_nameless_group)
    }

    /// Counts of the selected elements, also of those that [`Selection::only`] leaves out.
    pub fn summary(&self) -> Summary {
        Summary::of(self)
    }
}

/// Element: its box if nothing clipped it; for a marker, the union of the boxes of its node's draws.
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
    /// Element: whether it is one of them; `None`: all are.
    keep: Option<Vec<bool>>,
    /// Element: whether it is listed if it is one of them; `None`: all are.
    listed: Option<Vec<bool>>,
    /// Object of the document: whether it is one of them; `None`: all are.
    objects: Option<Vec<bool>>,
}

impl Selection {
    /// Every element.
    pub fn all() -> Self {
        Self { keep: None, listed: None, objects: None }
    }

    /// The elements whose source has this `id`, and the nodes around them, each
    /// with its begin and its end. `None` if no element has it.
    ///
    /// Cost: two passes, however many elements share the `id`.
    pub fn of_id(scene: &Scene, id: &str) -> Option<Self> {
        Self::of_elements(scene, scene.elements_of(id))
    }

    /// Every object with this `id`, everything inside it, and the nodes around it. `None` if there is no such object and no
    /// element with that `id` either.
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

    /// The elements with these indices, in any order, and the nodes around them. A node is selected with its begin and its
    /// end. `None` if the scene has none of these elements.
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
            // An end is kept if its begin is.
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

    /// The elements of these for which this holds, and no object of the document. It gets the tag of a draw or a begin, and the
    /// number of nodes around it; a node's end goes with its begin. Those that are left out are still counted in a summary.
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

    /// Whether the element with this index is one of them.
    pub fn contains(&self, ix: u32) -> bool {
        self.counts(ix) && is_in(self.listed.as_ref(), ix)
    }

    /// Whether a summary counts the element with this index.
    pub(crate) fn counts(&self, ix: u32) -> bool {
        is_in(self.keep.as_ref(), ix)
    }

    /// Whether elements that are counted are not listed.
    pub fn is_part(&self) -> bool {
        self.listed.is_some()
    }

    /// Whether the object of the document with this index is one of them.
    pub fn names(&self, object: u32) -> bool {
        is_in(self.objects.as_ref(), object)
    }
}

/// Whether a list has this index; without a list, everything is in it.
fn is_in(list: Option<&Vec<bool>>, ix: u32) -> bool {
    list.is_none_or(|list| list.get(ix as usize).copied().unwrap_or(false))
}

/// Keeps the open nodes, from the innermost out. All nodes around a kept one are kept already.
fn keep_all(keep: &mut [bool], open: &[usize]) {
    for &begin in open.iter().rev() {
        if keep[begin] {
            break;
        }
        keep[begin] = true;
    }
}
