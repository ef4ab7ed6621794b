//! What usvg makes of the objects of a document, for properties that depend on it.

use super::extent::affine;
use super::objects::Objects;
use kurbo::{Affine, Rect};
use std::collections::HashMap;
use usvg::{Group, Node, Tree};

/// The stroke of a shape.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stroke {
    pub(super) width: f64,
    pub(super) dashes: Option<Vec<f64>>,
    pub(super) offset: f64,
}

/// An object as usvg has it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Measure {
    /// Its box, in its own coordinates, without stroke.
    pub(super) area: Rect,
    /// From its own coordinates to the drawing's.
    pub(super) to_drawing: Affine,
    pub(super) stroke: Option<Stroke>,
}

/// The objects that usvg paints where they stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Measures(HashMap<u32, Measure>);

impl Measures {
    /// Measures a tree.
    pub(super) fn of(tree: &Tree, objects: &Objects) -> Self {
        let mut found = HashMap::new();
        let mut open: Vec<&Group> = vec![tree.root()];
        while let Some(group) = open.pop() {
            for node in group.children() {
                if let Some(object) = objects.find(node.id()) {
                    found.entry(object).or_insert_with(|| measure(node));
                }
                if let Node::Group(group) = node {
                    open.push(group);
                }
            }
        }
        Self(found)
    }

    pub(super) fn get(&self, object: u32) -> Option<&Measure> {
        self.0.get(&object)
    }
}

fn measure(node: &Node) -> Measure {
    let area = node.bounding_box();
    let edges = [area.left(), area.top(), area.right(), area.bottom()].map(f64::from);
    let stroke = match node {
        Node::Path(path) => path.stroke(),
        _ => None,
    };
    Measure {
        area: Rect::new(edges[0], edges[1], edges[2], edges[3]),
        to_drawing: affine(node.abs_transform()),
        stroke: stroke.map(|stroke| Stroke {
            width: stroke.width().get().into(),
            dashes: stroke.dasharray().map(|all| all.iter().map(|dash| f64::from(*dash)).collect()),
            offset: stroke.dashoffset().into(),
        }),
    }
}
