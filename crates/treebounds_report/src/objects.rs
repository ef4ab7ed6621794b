//! The objects of the source document, each with its boxes.

use crate::scene::{Document, Object, Part};
use crate::{
    Element, Findings, Place, extent,
    reason::{Cutter, Reason},
};
use serde::Serialize;
use treebounds_core::{NONE, Rect, Role};

/// An object of the source document, with the boxes of all that it paints.
///
/// The fields are those of the report, in the report's order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ObjectBox<'a> {
    /// Its id.
    pub id: Option<&'a str>,
    /// Its name: `g`, `tspan`, `clipPath`, ...
    pub source: &'a str,
    /// Its path from the root.
    pub path: Place<'a>,
    /// How it takes part in the picture.
    #[serde(serialize_with = "part")]
    pub part: Part,
    /// How many draws there are in it.
    pub draws: u32,
    /// The union of the visible bounds of its draws; of a definition, of where it is used.
    #[serde(with = "extent")]
    pub bounds: Rect,
    /// The same as if nothing cut it.
    #[serde(with = "extent")]
    pub unclipped: Rect,
    /// Why its bounds are empty, where they are.
    pub culled: Option<Reason<'a>>,
}

fn part<S: serde::Serializer>(part: &Part, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match part {
        Part::Painted => "painted",
        Part::Definition => "definition",
        Part::Hidden => "hidden",
    })
}

/// What is known of an object while its draws are counted.
#[derive(Clone, Copy)]
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
        self.reason = self.reason.or(other.reason);
    }

    fn of_draw(element: &Element<'a>) -> Self {
        let Element { bounds, unclipped, culled, .. } = *element;
        Self { draws: 1, bounds, unclipped, reason: culled }
    }
}

/// The objects with an id, and the root.
pub(crate) fn is_named(object: &Object) -> bool {
    object.id.is_some() || object.parent == NONE
}

/// The names of objects that only hold others.
const GROUPS: [&str; 5] = ["g", "svg", "a", "switch", "use"];

/// The groups without an id, which only their path names.
pub(crate) fn is_nameless_group(object: &Object) -> bool {
    !is_named(object) && object.part == Part::Painted && GROUPS.contains(&&*object.tag)
}

/// The objects that are wanted, each with its boxes, in document order; of a selection those it names.
pub(crate) fn of<'a>(
    findings: &'a Findings<'a>,
    is_wanted: fn(&Object) -> bool,
) -> Vec<ObjectBox<'a>> {
    let Some(document) = findings.document() else { return Vec::new() };
    let mut sums = vec![Sum::NOTHING; document.objects.len()];
    let draws = findings.all_elements().filter(|element| element.tag.role() == Role::Draw);
    for draw in draws {
        let of = document.source(draw.ix).and_then(|object| sums.get_mut(object as usize));
        of.into_iter().for_each(|sum| sum.add(&Sum::of_draw(&draw)));
    }
    // Children come after their parents, so each is whole before it is added.
    for (at, object) in document.objects.iter().enumerate().rev() {
        let sum = sums[at];
        if let Some(around) = sums.get_mut(object.parent as usize) {
            around.add(&sum);
        }
    }
    let viewport = findings.scene().stream.viewport();
    let all = document.objects.iter().zip(0..);
    let wanted = all.filter(|(object, ix)| is_wanted(object) && findings.selection().names(*ix));
    wanted.map(|(_, ix)| row(document, ix, &sums[ix as usize], viewport)).collect()
}

fn row<'a>(document: &'a Document, ix: u32, sum: &Sum<'a>, viewport: Rect) -> ObjectBox<'a> {
    let object = &document.objects[ix as usize];
    let unclipped = sum.unclipped.union(object.used);
    let bounds = sum.bounds.union(object.used.intersect(viewport));
    let reason = match sum.reason {
        Some(reason) => reason,
        None if !object.used.is_empty() => Reason::only(Cutter::Canvas),
        None => Reason::only(Cutter::of_part(object.part)),
    };
    ObjectBox {
        id: object.id.as_deref(),
        source: &object.tag,
        path: Place { document, object: ix },
        part: object.part,
        draws: sum.draws,
        bounds,
        unclipped,
        culled: bounds.is_empty().then_some(reason),
    }
}
