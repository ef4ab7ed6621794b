//! A stream with the origin of each element, and its source document.

use std::borrow::Cow;
use treebounds_core::{NONE, Rect, Stream};

/// The origin of an element. Reports and pictures use it to name elements; no algorithm reads it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The `id` in the source document, if any.
    pub id: Option<String>,
    /// The kind of source object: `path`, `g`, `clipPath`, `mask`, `image`, `text`, `layer`, ...
    pub source: Cow<'static, str>,
    /// The index of the source object in document order, from 0. The begin and the end of a node share it.
    pub index: u32,
    /// The element's own box, if it differs from the box in the stream: inside a filter, the stream has the filter's
    /// region.
    pub own: Option<Rect>,
}

/// A stream with the origin of each of its elements, and notes for the user.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The elements.
    pub stream: Stream,
    /// The origin of each element; as long as the stream.
    pub origins: Vec<Origin>,
    /// Notes for the user about skipped, closed or approximated parts.
    pub notes: Vec<String>,
    /// The width of the drawing in pixels.
    pub width: f32,
    /// The height of the drawing in pixels.
    pub height: f32,
}

impl Scene {
    /// Returns the elements whose source has this `id`, in ascending order.
    pub fn elements_of(&self, id: &str) -> impl Iterator<Item = u32> {
        let has_it = move |origin: &Origin| origin.id.as_deref() == Some(id);
        let found = (0..).zip(&self.origins).filter(move |(_, origin)| has_it(origin));
        found.map(|(element, _)| element)
    }
}

/// The objects of a source document. Reports use them to name elements, and give them boxes; no algorithm reads them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceDocument {
    /// The objects in document order: a parent precedes its children.
    pub objects: Vec<Object>,
    /// For each element of the stream, its source object, or [`NONE`] if unknown. As long as the stream.
    pub sources: Vec<u32>,
    /// The clips and masks of nodes, by ascending begin.
    pub cuts: Vec<Cut>,
    /// Parts that were skipped or approximated, in document order.
    pub ignored: Vec<Ignored>,
}

/// An element of a source document.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// The `id` of the object.
    pub id: Option<Box<str>>,
    /// The element name: `g`, `path`, `tspan`, `clipPath`, ...
    pub tag: Cow<'static, str>,
    /// The parent object; [`NONE`] for the root.
    pub parent: u32,
    /// The number of this object among its siblings of the same name, from 1.
    pub ordinal: u32,
    /// The role of this object in the picture.
    pub part: Part,
    /// For a clip path, a mask and the objects inside them, the union of the boxes of all uses. [`Rect::NOTHING`] for
    /// all other objects, whose boxes come from their elements.
    pub used: Rect,
    /// Whether another object refers to this one.
    pub is_used: bool,
}

/// The role of an object in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// The object is painted at its place in the document.
    #[default]
    Painted,
    /// The object is painted only through references.
    Definition,
    /// The object is disabled by `display: none` or `visibility: hidden`.
    Hidden,
}

/// The clip, mask or opacity that cuts a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// The element that begins the node.
    pub element: u32,
    /// The id of the clip path; empty if the clip path has none.
    pub clip: Option<Box<str>>,
    /// The id of the mask.
    pub mask: Option<Box<str>>,
    /// Whether the opacity is 0.
    pub transparent: bool,
}

/// A part of the document that was skipped or approximated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ignored {
    /// The ignored object, or the object with the ignored property.
    pub object: u32,
    /// The ignored element or property: `foreignObject`, `animate`, `transform: rotateX(...)`, ...
    pub what: Box<str>,
    /// The effect on boxes.
    pub effect: Cow<'static, str>,
}

impl SourceDocument {
    /// Returns the path from the root to an object, such as `svg/g[3]/rect[2]`. Each name has its number among the
    /// siblings of the same name, from 1. Empty for [`NONE`].
    pub fn path(&self, object: u32) -> String {
        let mut names = Vec::new();
        let mut next = self.objects.get(object as usize);
        while let Some(object) = next {
            let is_root = object.parent == NONE;
            let Object { tag, ordinal, .. } = object;
            names.push(if is_root { tag.clone() } else { format!("{tag}[{ordinal}]").into() });
            next = self.objects.get(object.parent as usize);
        }
        names.reverse();
        names.join("/")
    }

    /// Returns the object's display name: `#id`, or the path if it has no id.
    pub fn name(&self, object: u32) -> String {
        self.id(object).map_or_else(|| self.path(object), |id| format!("#{id}"))
    }

    /// Returns the object's own id.
    pub fn id(&self, object: u32) -> Option<&str> {
        self.objects.get(object as usize)?.id.as_deref()
    }

    /// Whether another object refers to this one or to one of its ancestors.
    pub fn is_used(&self, object: u32) -> bool {
        let around = |one: &&Object| self.objects.get(one.parent as usize);
        let own = self.objects.get(object as usize);
        std::iter::successors(own, around).any(|one| one.is_used)
    }

    /// Returns the source object of an element.
    pub fn source(&self, element: u32) -> Option<u32> {
        self.sources.get(element as usize).copied().filter(|object| *object != NONE)
    }

    /// Returns the cut of the node that begins at this element.
    pub fn cut(&self, element: u32) -> Option<&Cut> {
        let at = self.cuts.binary_search_by_key(&element, |cut| cut.element).ok()?;
        self.cuts.get(at)
    }

    /// Returns for every object whether it or one of its ancestors has this id. `None` if no object has the id.
    pub fn inside(&self, id: &str) -> Option<Vec<bool>> {
        let mut inside = Vec::with_capacity(self.objects.len());
        for object in &self.objects {
            let parent = inside.get(object.parent as usize).copied().unwrap_or(false);
            inside.push(parent || object.id.as_deref() == Some(id));
        }
        inside.contains(&true).then_some(inside)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(tag: &'static str, id: &str, parent: u32, ordinal: u32) -> Object {
        let id = (!id.is_empty()).then(|| id.into());
        let (tag, part, used) = (tag.into(), Part::Painted, Rect::NOTHING);
        Object { id, tag, parent, ordinal, part, used, is_used: false }
    }

    #[test]
    fn objects_have_paths_and_descendants() {
        let objects = vec![
            object("svg", "", NONE, 1),
            object("g", "", 0, 1),
            object("g", "wheel", 0, 2),
            object("rect", "", 2, 1),
            object("rect", "", 2, 2),
        ];
        let document = SourceDocument { objects, ..SourceDocument::default() };
        assert_eq!(document.path(0), "svg");
        assert_eq!(document.path(4), "svg/g[2]/rect[2]");
        assert_eq!(document.path(NONE), "");
        assert_eq!(document.name(2), "#wheel");
        assert_eq!(document.name(3), "svg/g[2]/rect[1]");
        assert_eq!(document.inside("wheel"), Some(vec![false, false, true, true, true]));
        assert_eq!(document.inside("nobody"), None);
    }
}
