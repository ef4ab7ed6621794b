//! A scene for people: a stream with the origin of each element, and the document that it was made from.

use std::borrow::Cow;
use treebounds_core::{NONE, Rect, Stream};

/// Where an element came from. Reports and pictures name elements by it; no algorithm reads it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The `id` in the source document, if it has one.
    pub id: Option<String>,
    /// The kind of thing in the source: `path`, `g`, `clipPath`, `mask`, `image`, `text`, `layer`, ...
    pub source: Cow<'static, str>,
    /// The index of that thing in document order, from 0. The begin and the end of a node share it.
    pub index: u32,
    /// The element's own box, if the stream has another for it: inside a filter, the filter's region.
    pub own: Option<Rect>,
}

/// A stream, the origin of each of its elements, and what a person should know about them.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The elements.
    pub stream: Stream,
    /// The origin of each element; as long as the stream.
    pub origins: Vec<Origin>,
    /// Notes for a person: things that were skipped, closed or approximated.
    pub notes: Vec<String>,
    /// Width of the drawing in pixels.
    pub width: f32,
    /// Height of the drawing in pixels.
    pub height: f32,
}

impl Scene {
    /// The elements whose source has this `id`, ascending.
    pub fn elements_of(&self, id: &str) -> impl Iterator<Item = u32> {
        let has_it = move |origin: &Origin| origin.id.as_deref() == Some(id);
        let found = (0..).zip(&self.origins).filter(move |(_, origin)| has_it(origin));
        found.map(|(element, _)| element)
    }
}

/// The objects of a source document. Reports name elements by it and give its objects boxes; no algorithm reads it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceDocument {
    /// The objects in document order: a parent comes before its children.
    pub objects: Vec<Object>,
    /// Element of the stream: the object it came from, or [`NONE`] if that is not known. As long as the stream.
    pub sources: Vec<u32>,
    /// What clips or hides nodes, by ascending begin.
    pub cuts: Vec<Cut>,
    /// Parts that were skipped or approximated, in document order.
    pub ignored: Vec<Ignored>,
}

/// An element of a source document.
#[derive(Clone, Debug, PartialEq)]
pub struct Object {
    /// Its `id`.
    pub id: Option<Box<str>>,
    /// Its name: `g`, `path`, `tspan`, `clipPath`, ...
    pub tag: Cow<'static, str>,
    /// The object around it; [`NONE`] for the root.
    pub parent: u32,
    /// Its number among its parent's children of this name, from 1.
    pub ordinal: u32,
    /// How it takes part in the picture.
    pub part: Part,
    /// For a clip path, a mask and the objects inside them: the union of the boxes of all its uses. [`Rect::NOTHING`] for
    /// all other objects, whose boxes come from their elements.
    pub used: Rect,
    /// Whether another object refers to it.
    pub is_used: bool,
}

/// How an object takes part in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// It is painted at its place in the document.
    #[default]
    Painted,
    /// It is painted only through references.
    Definition,
    /// It is switched off: `display: none` or `visibility: hidden`.
    Hidden,
}

/// What clips or hides a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// The element that begins the node.
    pub element: u32,
    /// The id of its clip path; an empty id if the clip path has none.
    pub clip: Option<Box<str>>,
    /// The id of its mask.
    pub mask: Option<Box<str>>,
    /// Whether its opacity is 0.
    pub transparent: bool,
}

/// A part of the document that was skipped or approximated.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ignored {
    /// The object that it is, or that has it.
    pub object: u32,
    /// What it is: `foreignObject`, `animate`, `transform: rotateX(...)`, ...
    pub what: Box<str>,
    /// How that affects boxes.
    pub effect: Cow<'static, str>,
}

impl SourceDocument {
    /// The path from the root to an object, such as `svg/g[3]/rect[2]`: each name has its number among the siblings of that
    /// name, from 1. Empty for [`NONE`].
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

    /// A name for people: `#id`, or the path if the object has no id.
    pub fn name(&self, object: u32) -> String {
        self.id(object).map_or_else(|| self.path(object), |id| format!("#{id}"))
    }

    /// The object's own id.
    pub fn id(&self, object: u32) -> Option<&str> {
        self.objects.get(object as usize)?.id.as_deref()
    }

    /// Whether another object refers to this one, or to one around it.
    pub fn is_used(&self, object: u32) -> bool {
        let around = |one: &&Object| self.objects.get(one.parent as usize);
        let own = self.objects.get(object as usize);
        std::iter::successors(own, around).any(|one| one.is_used)
    }

    /// The object that an element came from.
    pub fn source(&self, element: u32) -> Option<u32> {
        self.sources.get(element as usize).copied().filter(|object| *object != NONE)
    }

    /// What clips or hides the node that begins at this element.
    pub fn cut(&self, element: u32) -> Option<&Cut> {
        let at = self.cuts.binary_search_by_key(&element, |cut| cut.element).ok()?;
        self.cuts.get(at)
    }

    /// For every object: whether it has this id or lies inside an object that has. `None` if no object has it.
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
