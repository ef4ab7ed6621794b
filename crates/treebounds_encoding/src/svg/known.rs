//! Facts that only usvg's tree tells, for a second pass over the document: the boxes of texts, and SVG images.
//!
//! Browsers lay an SVG image out as a viewport as large as its `image` element: the view box and the `preserveAspectRatio` of
//! the image itself fill it, and the attribute of the element counts only if it is `none`. usvg reads only the attribute of
//! the element. So the root of an image gets the size of its view box here, and a group inside of it, whose id tells the first
//! pass its size and aspect ratio.

use super::objects::{MARK, Objects};
use super::rewrite::{Attributes, attribute, set};
use kurbo::Rect;
use std::collections::HashMap;
use usvg::{Group, ImageKind, Node, Tree};

/// Facts about a document, by its objects.
#[derive(Default)]
pub(super) struct Known {
    /// The boxes of texts, in their own coordinates.
    pub(super) texts: HashMap<u32, Rect>,
    pub(super) images: HashMap<u32, SvgImage>,
    /// Whether the document is itself an SVG image.
    pub(super) is_image: bool,
}

/// The size and aspect ratio of an SVG image, from the id of the group in its root.
pub(super) struct SvgImage {
    size: [String; 2],
    /// How it fills its element; empty if it has neither a view box nor a size.
    aspect: String,
    /// Whether it has the proportions of its view box.
    is_even: bool,
}

impl Known {
    /// Reads the tree of a document.
    pub(super) fn of(tree: &Tree, objects: &Objects, wants_texts: bool) -> Self {
        let mut found = Self::default();
        let mut open: Vec<(&Group, &str)> = vec![(tree.root(), "")];
        while let Some((group, id)) = open.pop() {
            let id = if group.id().is_empty() { id } else { group.id() };
            for node in group.children() {
                match node {
                    Node::Group(group) => open.push((group, id)),
                    Node::Text(text) if wants_texts => {
                        let area = text.bounding_box();
                        let edges = [area.left(), area.top(), area.right(), area.bottom()];
                        let [x0, y0, x1, y1] = edges.map(f64::from);
                        let object = objects.find(text.id());
                        let area = object.map(|object| (object, Rect::new(x0, y0, x1, y1)));
                        found.texts.extend(area);
                    }
                    Node::Image(image) => {
                        let ImageKind::SVG(tree) = image.kind() else { continue };
                        let image = SvgImage::of(tree);
                        found.images.extend(objects.find(id).zip(image));
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// Whether there is nothing to read the document again for.
    pub(super) fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.images.is_empty()
    }
}

impl SvgImage {
    /// The id of the group in the root of an image of this size.
    pub(super) fn id((width, height): (f64, f64), aspect: &str) -> String {
        format!("{MARK}{MARK}{width} {height} {aspect}")
    }

    fn of(tree: &Tree) -> Option<Self> {
        let mut group = tree.root();
        while !Objects::is_generated(group.id()) {
            let Node::Group(inner) = group.children().first()? else { return None };
            group = inner;
        }
        let mut words = group.id().trim_start_matches(MARK).splitn(3, ' ').map(str::to_owned);
        let size = [words.next()?, words.next()?];
        let [wide, high] = size.each_ref().map(|side| side.parse::<f32>().unwrap_or_default());
        let across = wide * tree.size().height() - high * tree.size().width();
        let is_even = across.abs() <= 1e-3 * wide * tree.size().height();
        Some(Self { size, aspect: words.next()?, is_even })
    }

    /// Sets the attributes of its element, and returns whether its contents are as large as in browsers.
    pub(super) fn fit(&self, attributes: &mut Attributes) -> bool {
        let sides = ["width", "height"];
        if self.aspect.is_empty() {
            return false;
        }
        if sides.iter().all(|side| attribute(attributes, side).is_none()) {
            let sizes = sides.iter().zip(&self.size);
            attributes.extend(sizes.map(|(side, size)| ((*side).into(), size.clone())));
        }
        let aspect = "preserveAspectRatio";
        if attribute(attributes, aspect).is_some_and(|own| own.trim().starts_with("none")) {
            return self.is_even;
        }
        set(attributes, aspect, self.aspect.clone());
        true
    }
}
