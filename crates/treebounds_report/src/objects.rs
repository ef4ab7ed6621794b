//! The objects of the source document with their boxes.

use crate::report::boxes;
use crate::{Cutter, Element, Findings, Object, Part, Place, Reason, SourceDocument};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use treebounds_core::{NONE, Rect, Role, Tag};

/// An object of the source document, with the boxes of all its painted content.
///
/// The fields have the names and the order of the report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ObjectBox<'a> {
    /// Its id.
    #[serde(deserialize_with = "Option::deserialize")]
    pub id: Option<Cow<'a, str>>,
    /// The element's name: `g`, `tspan`, `clipPath`, ...
    pub source: Cow<'a, str>,
    /// Its path from the root.
    pub path: Place<'a>,
    /// Whether it is painted, a definition or hidden.
    #[serde(with = "PartName")]
    pub part: Part,
    /// The number of draws inside it.
    pub draws: u32,
    /// The union of the visible bounds of its draws; for a definition, the union of the places where it is
    /// used.
    #[serde(with = "boxes")]
    pub bounds: Rect,
    /// The same union without any clipping.
    #[serde(with = "boxes")]
    pub unclipped: Rect,
    /// Why its bounds are empty, if they are.
    #[serde(deserialize_with = "Option::deserialize")]
    pub culled: Option<Reason<'a>>,
}

/// The names of parts in a report.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Part", rename_all = "lowercase")]
enum PartName {
    Painted,
    Definition,
    Hidden,
}

/// The accumulated draws of an object.
#[derive(Clone)]
struct Sum<'a> {
    draws: u32,
    bounds: Rect,
    unclipped: Rect,
    reason: Option<Reason<'a>>,
}

impl Sum<'_> {
    const NOTHING: Self =
        Self { draws: 0, bounds: Rect::NOTHING, unclipped: Rect::NOTHING, reason: None };
}

impl<'a> Sum<'a> {
    fn add(&mut self, other: &Self) {
        self.draws += other.draws;
        self.bounds = self.bounds.union(other.bounds);
        self.unclipped = self.unclipped.union(other.unclipped);
        self.reason = self.reason.take().or_else(|| other.reason.clone());
    }

    /// Creates the boxes of a draw, or of a node that paints its whole clip.
    fn of_painted(element: Element<'a>) -> Self {
        let (draws, bounds) = (u32::from(!element.tag.is_marker()), element.place());
        let Element { unclipped, culled, rect, .. } = element;
        let unclipped = if draws == 0 { unclipped.union(rect) } else { unclipped };
        Self { draws, bounds, unclipped, reason: culled }
    }
}

pub(crate) fn is_named(object: &Object) -> bool {
    object.id.is_some() || object.parent == NONE
}

/// The names of objects that only contain others.
const GROUPS: [&str; 5] = ["g", "svg", "a", "switch", "use"];

pub(crate) fn is_nameless_group(object: &Object) -> bool {
    !is_named(object) && object.part == Part::Painted && GROUPS.contains(&&*object.tag)
}

/// Returns the selected objects that satisfy the filter, each with its boxes, in document order.
pub(crate) fn of<'a>(
    findings: &'a Findings<'a>,
    is_wanted: fn(&Object) -> bool,
) -> Vec<ObjectBox<'a>> {
    let Some(document) = findings.document() else { return Vec::new() };
    let mut sums = vec![Sum::NOTHING; document.objects.len()];
    let paints = |tag: Tag| match tag.role() {
        Role::Draw => true,
        Role::Begin => tag.is_filling(),
        Role::End => false,
    };
    for element in findings.all_elements().filter(|element| paints(element.tag)) {
        let of = document.source(element.ix).and_then(|object| sums.get_mut(object as usize));
        if let Some(sum) = of {
            sum.add(&Sum::of_painted(element));
        }
    }
    // Children follow their parents. In reverse order, each sum is complete before it is added to the parent's
    // sum.
    for (at, object) in document.objects.iter().enumerate().rev() {
        let sum = sums[at].clone();
        if let Some(parent) = sums.get_mut(object.parent as usize) {
            parent.add(&sum);
        }
    }
    let viewport = findings.scene().stream.viewport();
    let all = document.objects.iter().zip(0..);
    let wanted = all.filter(|(object, ix)| is_wanted(object) && findings.selection().names(*ix));
    wanted.map(|(_, ix)| row(document, ix, &sums[ix as usize], viewport)).collect()
}

fn row<'a>(document: &'a SourceDocument, ix: u32, sum: &Sum<'a>, viewport: Rect) -> ObjectBox<'a> {
    let object = &document.objects[ix as usize];
    let unclipped = sum.unclipped.union(object.used);
    let bounds = sum.bounds.union(object.used.intersect(viewport));
    let reason = match sum.reason.clone() {
        Some(reason) => reason,
        None if !object.used.is_empty() => Reason::only(Cutter::Canvas),
        None if object.part == Part::Definition && document.is_used(ix) => {
            Reason::only(Cutter::Reference)
        }
        None => Reason::only(Cutter::of_part(object.part)),
    };
    ObjectBox {
        id: object.id.as_deref().map(Cow::Borrowed),
        source: Cow::Borrowed(&object.tag),
        path: Place::In(document, ix),
        part: object.part,
        draws: sum.draws,
        bounds,
        unclipped,
        culled: bounds.is_empty().then_some(reason),
    }
}
