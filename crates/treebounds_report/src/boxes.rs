//! Which boxes to draw, in picture pixels.

use crate::{Cutter, Element, Findings, Frame, palette::Kind};
use std::collections::HashSet;
use treebounds_core::{NodeKind, Rect, Role};

/// Four edges in picture pixels: left, top, right, bottom.
pub(crate) type PixelBox = [i32; 4];

/// The boxes of each kind, each box once, and how many of the kind there are.
#[derive(Debug, Default)]
pub(crate) struct Boxes {
    kinds: [KindBoxes; 4],
    /// How many of those that are culled lie outside of the canvas: they have no place.
    pub(crate) off_canvas: usize,
    /// What the elements are called, as many as may find room.
    pub(crate) labels: Vec<Label>,
}

/// What an element is called, and its box.
#[derive(Debug)]
pub(crate) struct Label {
    pub(crate) kind: Kind,
    pub(crate) place: PixelBox,
    pub(crate) text: String,
}

/// More elements than this are not labelled: there would be no room.
const LABELS: usize = 600;

/// The boxes of one kind.
#[derive(Debug, Default)]
pub(crate) struct KindBoxes {
    /// How many elements there are of the kind, with a place or without.
    pub(crate) count: usize,
    /// Where they are.
    pub(crate) places: HashSet<PixelBox>,
}

impl Boxes {
    /// The boxes of the selected elements.
    ///
    /// A draw shows its visible bounds, a node that clips its clip box, a node
    /// that blends what it may change, and what is culled its rect, since it has
    /// no bounds.
    pub(crate) fn of(findings: &Findings<'_>, frame: &Frame) -> Self {
        let mut boxes = Self::default();
        for element in findings.elements() {
            let role = element.tag.role();
            if role == Role::Draw {
                boxes.add(Kind::Draw, &element, element.bounds, frame);
            }
            if role == Role::Begin && element.tag.node_kind() != Some(NodeKind::Blend) {
                boxes.add(Kind::Clip, &element, element.clip, frame);
            }
            if role == Role::Begin && element.tag.node_kind() != Some(NodeKind::Clip) {
                boxes.add(Kind::Layer, &element, element.bounds, frame);
            }
            if role != Role::End && element.is_culled() {
                boxes.kind_mut(Kind::Culled).count += 1;
                boxes.off_canvas += usize::from(is_off_canvas(&element));
            }
        }
        if boxes.labels.len() > LABELS {
            boxes.labels.clear();
        }
        boxes
    }

    fn add(&mut self, kind: Kind, element: &Element<'_>, place: Rect, frame: &Frame) {
        self.kind_mut(kind).count += 1;
        let (kind, rect) =
            if element.is_culled() { (Kind::Culled, culled_place(element)) } else { (kind, place) };
        let place = frame.place(rect);
        self.kind_mut(kind).places.extend(place);
        if let Some(place) = place.filter(|_| kind != Kind::Culled && self.labels.len() <= LABELS) {
            // A part of a text goes by its own id, if it has one.
            let own = element.path.and_then(|path| path.document.id(path.object));
            let text = own.or(element.id).map_or_else(|| element.ix.to_string(), str::to_owned);
            self.labels.push(Label { kind, place, text });
        }
    }

    pub(crate) fn kind(&self, kind: Kind) -> &KindBoxes {
        &self.kinds[kind as usize]
    }

    fn kind_mut(&mut self, kind: Kind) -> &mut KindBoxes {
        &mut self.kinds[kind as usize]
    }
}

/// Whether it is culled for lying outside of the canvas.
fn is_off_canvas(element: &Element<'_>) -> bool {
    element.culled.is_some_and(|reason| reason.by == Cutter::Canvas)
}

/// Where something culled would have been. What reaches everywhere has no place, and what lies outside of the canvas has
/// none in the picture.
fn culled_place(element: &Element<'_>) -> Rect {
    if is_off_canvas(element) {
        return Rect::NOTHING;
    }
    let rect = if element.own.is_empty() { element.rect } else { element.own };
    if rect == Rect::EVERYTHING { Rect::NOTHING } else { rect }
}
