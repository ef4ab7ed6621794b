//! A report as the page reads it: a third as long as its JSON text, in lines that the page parses one after the other.
//!
//! | line | content |
//! |---|---|
//! | 1 | the report without its elements and objects |
//! | 2 | its objects; one that is no more than a draw is the draw's `ix` |
//! | 3 ... | its elements, [`BATCH`] per line |
//!
//! An element leaves out what is empty, an `ix` that is the one before it plus 1, and `bounds` that equal its `rect`.

use serde::Serialize;
use std::{collections::HashMap, mem::take};
use treebounds_core::{Rect, Role};
use treebounds_report::{Element, ObjectBox, Part, ReadReport, Reason};

/// Between two lines the page can show how far it is.
const BATCH: usize = 4096;

/// The lines, and the number of elements in them; `None` if the text is no report, so that the page says what is wrong with it.
pub(crate) fn lines(report: &str) -> Option<(String, usize)> {
    let mut report = ReadReport::from_json(report).ok()?;
    let (elements, objects) = (take(&mut report.elements), take(&mut report.objects));
    let mut lines = serde_json::to_string(&report).ok()?;
    let draws = alone(&elements);
    let objects: Vec<_> = objects.iter().map(|object| Named::of(object, &draws)).collect();
    push(&mut lines, &objects)?;
    let mut before = None;
    let rows: Vec<_> = elements.iter().map(|element| Row::of(element, &mut before)).collect();
    for batch in rows.chunks(BATCH) {
        push(&mut lines, &batch)?;
    }
    Some((lines, elements.len()))
}

fn push(lines: &mut String, value: &impl Serialize) -> Option<()> {
    lines.push('\n');
    lines.push_str(&serde_json::to_string(value).ok()?);
    Some(())
}

/// The elements by their paths; `None` where several have one path, as the spans of a text.
fn alone<'a>(elements: &'a [Element<'a>]) -> HashMap<String, Option<&'a Element<'a>>> {
    let mut found = HashMap::new();
    for element in elements.iter().filter(|element| element.tag.role() != Role::End) {
        let Some(path) = &element.path else { continue };
        found.entry(path.to_string()).and_modify(|known| *known = None).or_insert(Some(element));
    }
    found
}

/// An object of the source document.
#[derive(Serialize)]
#[serde(untagged)]
enum Named<'a> {
    Draw(u32),
    Object(&'a ObjectBox<'a>),
}

impl<'a> Named<'a> {
    fn of(object: &'a ObjectBox<'a>, draws: &HashMap<String, Option<&Element<'_>>>) -> Self {
        let path = object.path.to_string();
        let name = path.rsplit('/').next().and_then(|last| last.split('[').next());
        let is_same = |draw: &&Element<'_>| {
            draw.tag.role() == Role::Draw
                && draw.id == object.id
                && draw.place() == object.bounds
                && draw.rect == object.unclipped
                && draw.culled == object.culled
        };
        let is_plain = object.part == Part::Painted && name == Some(&*object.source);
        let draw = draws.get(&path).copied().flatten().filter(is_same).filter(|_| is_plain);
        draw.map_or(Self::Object(object), |draw| Self::Draw(draw.ix))
    }
}

/// A box as reports write it.
#[derive(Serialize)]
#[serde(untagged)]
enum Edges {
    Some([f32; 4]),
    Everything(&'static str),
    Empty(()),
}

impl Edges {
    fn of(rect: Rect) -> Option<Self> {
        match rect {
            Rect::NOTHING => None,
            Rect::EVERYTHING => Some(Self::Everything("everything")),
            rect => Some(Self::Some(rect.to_array())),
        }
    }
}

/// An element.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    ix: Option<u32>,
    kind: &'static str,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    non_local: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rect: Option<Edges>,
    #[serde(skip_serializing_if = "Option::is_none")]
    own: Option<Edges>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clip: Option<Edges>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Edges>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<Edges>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lands: Option<Edges>,
    #[serde(skip_serializing_if = "Option::is_none")]
    culled: Option<&'a Reason<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
}

impl<'a> Row<'a> {
    fn of(element: &'a Element<'a>, before: &mut Option<u32>) -> Self {
        let next = before.map_or(Some(0), |before| before.checked_add(1));
        *before = Some(element.ix);
        let is_end = element.tag.role() == Role::End;
        let is_whole = is_end || element.bounds == element.rect;
        Self {
            ix: Some(element.ix).filter(|ix| next != Some(*ix)),
            kind: element.tag.name(),
            non_local: element.non_local && !is_end,
            id: element.id.as_deref().filter(|_| !is_end),
            source: Some(&*element.source).filter(|_| !is_end),
            link: element.link.filter(|_| is_end),
            rect: Edges::of(element.rect),
            own: Edges::of(element.own),
            clip: Edges::of(element.clip).filter(|_| !is_end),
            content: Edges::of(element.content).filter(|_| !is_end),
            bounds: if is_whole {
                None
            } else {
                Edges::of(element.bounds).or(Some(Edges::Empty(())))
            },
            lands: Edges::of(element.lands),
            culled: element.culled.as_ref().filter(|_| !is_end),
            path: element.path.as_ref().filter(|_| !is_end).map(ToString::to_string),
        }
    }
}
