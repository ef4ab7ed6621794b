//! A scene for people: a stream, the document it was made from, and which object each element came from.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use treebounds_core::{NONE, Rect, Stream};

/// Where an element came from, for people: reports and pictures name elements
/// by it, the algorithms never read it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Origin {
    /// The `id` in the source document, if it has one.
    pub id: Option<String>,
    /// The kind of thing in the source: `path`, `g`, `clipPath`, `mask`,
    /// `image`, `text`, `layer`, ...
    pub source: Cow<'static, str>,
    /// Which thing in the source, counted in document order from 0. The begin
    /// and the end of a node share it.
    pub index: u32,
    /// The element's own box, where the stream has another for it (inside a
    /// filter, the filter's region).
    pub own: Option<Rect>,
}

/// A stream, where each element came from, and what was left out on the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The elements.
    pub stream: Stream,
    /// Where each element came from; as long as the stream.
    pub origins: Vec<Origin>,
    /// What a person should know: things skipped, closed or approximated.
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

/// The objects of a source document, for people: reports name elements and give
/// boxes by it, the algorithms never read it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// The objects in document order: a parent comes before its children.
    pub objects: Vec<Object>,
    /// Element of the stream: the object it came from, [`NONE`] where that is not known. As long as the stream.
    pub sources: Vec<u32>,
    /// What cuts the nodes that begin at these elements, ascending.
    pub cuts: Vec<Cut>,
    /// What was not read as it is meant, in document order.
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
    /// Which of its parent's children of this name, from 1.
    pub ordinal: u32,
    /// How it takes part in the picture.
    pub part: Part,
    /// Of a clip path, a mask and what is inside them: the union of its boxes in the picture, one for each time it is
    /// used. [`Rect::NOTHING`] of everything else, whose box is that of its elements.
    pub used: Rect,
}

/// How an object takes part in a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// It is painted where it stands.
    #[default]
    Painted,
    /// It is only painted where something refers to it.
    Definition,
    /// It is switched off: `display: none` or `visibility: hidden`.
    Hidden,
}

/// What cuts a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cut {
    /// The element that begins the node.
    pub element: u32,
    /// The id of its clip path, empty where it has none.
    pub clip: Option<Box<str>>,
    /// The id of its mask.
    pub mask: Option<Box<str>>,
    /// Whether its opacity is 0.
    pub transparent: bool,
}

/// Something in the document that was left out or read in another way.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ignored {
    /// The object that it is, or that has it.
    pub object: u32,
    /// What it is: `foreignObject`, `animate`, `transform: rotateX(...)`, ...
    pub what: Box<str>,
    /// What that means for boxes.
    pub effect: Cow<'static, str>,
}

impl Document {
    /// The way from the root to an object, such as `svg/g[3]/rect[2]`: names, and which of the children of that name,
    /// counted from 1. Empty for [`NONE`].
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

    /// What people call an object: `#id`, or its path where it has none.
    pub fn name(&self, object: u32) -> String {
        match self.id(object) {
            Some(id) => format!("#{id}"),
            None => self.path(object),
        }
    }

    /// The object's own id.
    pub fn id(&self, object: u32) -> Option<&str> {
        self.objects.get(object as usize)?.id.as_deref()
    }

    /// The object that an element came from.
    pub fn source(&self, element: u32) -> Option<u32> {
        self.sources.get(element as usize).copied().filter(|object| *object != NONE)
    }

    /// What cuts the node that begins at this element.
    pub fn cut(&self, element: u32) -> Option<&Cut> {
        let at = self.cuts.binary_search_by_key(&element, |cut| cut.element).ok()?;
        self.cuts.get(at)
    }

    /// Object by object whether it is one of those with this id, or inside one. `None` where none has it.
    pub fn inside(&self, id: &str) -> Option<Vec<bool>> {
        let mut inside = Vec::with_capacity(self.objects.len());
        for object in &self.objects {
            let around = inside.get(object.parent as usize).copied().unwrap_or(false);
            inside.push(around || object.id.as_deref() == Some(id));
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
        Object { id, tag, parent, ordinal, part, used }
    }

    #[test]
    fn objects_have_paths_and_names() {
        let objects = vec![
            object("svg", "", NONE, 1),
            object("g", "", 0, 1),
            object("g", "wheel", 0, 2),
            object("rect", "", 2, 1),
            object("rect", "", 2, 2),
        ];
        let document = Document { objects, ..Document::default() };
        assert_eq!(document.path(0), "svg");
        assert_eq!(document.path(4), "svg/g[2]/rect[2]");
        assert_eq!(document.path(NONE), "");
        assert_eq!(document.name(2), "#wheel");
        assert_eq!(document.name(3), "svg/g[2]/rect[1]");
        assert_eq!(document.inside("wheel"), Some(vec![false, false, true, true, true]));
        assert_eq!(document.inside("nobody"), None);
    }
}
