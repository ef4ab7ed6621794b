//! Packs a report for the page: lines of JSON that are parsed one by one, and the rects of the elements as columns of bytes.
//! Nothing is stored that the page can compute. At 200,000 elements, an unpacked report would make the page 6.6 MB larger
//! and 0.75 s slower to start.
//!
//! | line | content |
//! |---|---|
//! | 1 | the report without its elements and objects |
//! | 2 | its objects; an object that consists of a single draw is stored as the draw's `ix` |
//! | 3 | the distinct reasons for culling |
//! | 4 ... | its elements, [`BATCH`] per line, as [columns](Columns) |
//!
//! In a column, null stands for an empty value, for the kind `draw` and for the source `path`. A path that begins with a
//! slash is in the folder of the previous path. `culled` is the index of a reason. `more` contains rare fields, by the index
//! of the element in the line: an `ix` other than the previous one plus 1, and boxes that cannot be derived from rects.
//!
//! The clip of a node is derived from its rect and the enclosing clip; its content and its bounds are the union of the
//! bounds inside it; and the bounds of a draw are its rect inside the enclosing clip. All boxes are exact.

use serde::Serialize;
use serde_json::Value;
use std::{
    collections::{BTreeMap, HashMap},
    mem::take,
};
use treebounds_core::{Rect, Role};
use treebounds_report::{Element, ObjectBox, Part, ReadReport};

/// The number of elements per line. Between two lines the page can show its progress.
const BATCH: usize = 4096;

pub(crate) struct Packed {
    pub(crate) lines: String,
    /// The packed rects of the draws and nodes, see [`rects`].
    pub(crate) rects: Vec<u8>,
    pub(crate) elements: usize,
}

impl Packed {
    /// Packs a report. `None` if the text is not a report; the page then explains the error.
    pub(crate) fn new(report: &str) -> Option<Self> {
        let mut report = ReadReport::from_json(report).ok()?;
        let (elements, objects) = (take(&mut report.elements), take(&mut report.objects));
        let mut lines = serde_json::to_string(&report).ok()?;
        let draws = alone(&elements);
        let objects: Vec<_> = objects.iter().map(|object| Named::of(object, &draws)).collect();
        push(&mut lines, &objects)?;
        let mut reasons = Vec::new();
        let mut places = HashMap::new();
        for reason in elements.iter().filter_map(|element| element.culled.as_ref()) {
            places.entry(reason).or_insert_with(|| {
                reasons.push(reason);
                reasons.len() - 1
            });
        }
        push(&mut lines, &reasons)?;
        let expected = expected(&elements, report.viewport);
        let mut before = Before::default();
        let numbered: Vec<_> = elements.iter().zip(&expected).collect();
        for batch in numbered.chunks(BATCH) {
            let mut columns = Columns::default();
            for (element, expected) in batch {
                let begun = (element.tag.role() != Role::End).then_some(element);
                let culled = begun.and_then(|element| element.culled.as_ref());
                columns.culled.push(culled.and_then(|reason| places.get(reason).copied()));
                columns.push(element, expected, &mut before);
            }
            push(&mut lines, &columns)?;
        }
        Some(Self { lines, rects: rects(&elements), elements: elements.len() })
    }
}

fn push(lines: &mut String, value: &impl Serialize) -> Option<()> {
    lines.push('\n');
    lines.push_str(&serde_json::to_string(value).ok()?);
    Some(())
}

/// Packs the rects into four columns: left edges, top edges, widths and heights. Each column consists of four planes of
/// bytes: all lowest bytes of the bits of the floats, then all second ones, and so on. A width is the difference of two
/// bit patterns, and therefore exact.
fn rects(elements: &[Element<'_>]) -> Vec<u8> {
    let begun = elements.iter().filter(|element| element.tag.role() != Role::End);
    let bits = begun.map(|element| element.rect.to_array().map(f32::to_bits));
    let rows: Vec<[u32; 4]> =
        bits.map(|[x0, y0, x1, y1]| [x0, y0, x1.wrapping_sub(x0), y1.wrapping_sub(y0)]).collect();
    let planes = (0..16)
        .flat_map(|plane| rows.iter().map(move |row| (row[plane / 4] >> (8 * (plane % 4))) as u8));
    planes.collect()
}

/// The boxes of an element as computed by the page.
#[derive(Clone, Copy)]
struct Expected {
    clip: Rect,
    content: Rect,
    bounds: Rect,
    /// For an end, the index of its begin.
    link: Option<u32>,
}

/// Returns the boxes that the page computes for each element from the rects and the boxes around and inside it.
fn expected(elements: &[Element<'_>], viewport: Rect) -> Vec<Expected> {
    let none =
        Expected { clip: Rect::NOTHING, content: Rect::NOTHING, bounds: Rect::NOTHING, link: None };
    let mut found = vec![none; elements.len()];
    // The open nodes.
    let mut open: Vec<usize> = Vec::new();
    let close = |node: usize, around: Option<&usize>, found: &mut [Expected]| {
        found[node].bounds = elements[node].content;
        if let Some(around) = around {
            found[*around].content = found[*around].content.union(elements[node].bounds);
        }
    };
    for (at, element) in elements.iter().enumerate() {
        let clip =
            element.rect.intersect(open.last().map_or(viewport, |node| elements[*node].clip));
        match element.tag.role() {
            Role::Draw => {
                found[at].bounds = clip;
                if let Some(node) = open.last() {
                    found[*node].content = found[*node].content.union(element.bounds);
                }
            }
            Role::Begin => {
                found[at].clip = clip;
                open.push(at);
            }
            Role::End => {
                if let Some(node) = open.pop() {
                    found[at].link = Some(elements[node].ix);
                    close(node, open.last(), &mut found);
                }
            }
        }
    }
    while let Some(node) = open.pop() {
        close(node, open.last(), &mut found);
    }
    found
}

/// Returns the elements by path; `None` for a path shared by several elements, such as the spans of a text.
fn alone<'a>(elements: &'a [Element<'a>]) -> HashMap<String, Option<&'a Element<'a>>> {
    let mut found = HashMap::new();
    for element in elements.iter().filter(|element| element.tag.role() != Role::End) {
        let Some(path) = &element.path else { continue };
        found.entry(path.to_string()).and_modify(|known| *known = None).or_insert(Some(element));
    }
    found
}

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

/// Returns a box in the format of reports.
fn edges(rect: Rect) -> Value {
    match rect {
        Rect::NOTHING => Value::Null,
        Rect::EVERYTHING => "everything".into(),
        rect => rect.to_array().to_vec().into(),
    }
}

/// The previous element: its index, and the folder of its path.
#[derive(Default)]
struct Before {
    ix: Option<u32>,
    folder: String,
}

impl Before {
    /// Returns the path, without its folder if the previous path is in the same folder.
    fn path(&mut self, path: String) -> String {
        let (folder, name) = path.split_at(path.rfind('/').unwrap_or(0));
        if folder == self.folder && !folder.is_empty() {
            return name.to_owned();
        }
        folder.clone_into(&mut self.folder);
        path
    }
}

#[derive(Default, Serialize)]
struct Columns<'a> {
    paths: Vec<Option<String>>,
    ids: Vec<Option<&'a str>>,
    kinds: Vec<Option<&'static str>>,
    sources: Vec<Option<&'a str>>,
    culled: Vec<Option<usize>>,
    more: BTreeMap<usize, Rest>,
}

/// The rare fields of an element.
type Rest = BTreeMap<&'static str, Value>;

impl<'a> Columns<'a> {
    fn push(&mut self, element: &'a Element<'a>, expected: &Expected, before: &mut Before) {
        let next = before.ix.map_or(Some(0), |before| before.checked_add(1));
        before.ix = Some(element.ix);
        let is_end = element.tag.role() == Role::End;
        let other = |rect, expected| (rect != expected && !is_end).then(|| edges(rect));
        let some = |rect| (rect != Rect::NOTHING).then(|| edges(rect));
        let link = element.link.filter(|_| is_end && element.link != expected.link);
        let rest = [
            ("ix", (next != Some(element.ix)).then(|| element.ix.into())),
            ("non_local", (element.non_local && !is_end).then(|| true.into())),
            ("link", link.map(Value::from)),
            ("own", some(element.own)),
            ("clip", other(element.clip, expected.clip)),
            ("content", other(element.content, expected.content)),
            ("bounds", other(element.bounds, expected.bounds)),
            ("lands", some(element.lands)),
        ];
        let rest: Rest =
            rest.into_iter().filter_map(|(name, value)| Some((name, value?))).collect();
        if !rest.is_empty() {
            self.more.insert(self.paths.len(), rest);
        }
        let path = element.path.as_ref().filter(|_| !is_end);
        self.paths.push(path.map(|path| before.path(path.to_string())));
        self.ids.push(element.id.as_deref().filter(|_| !is_end));
        self.kinds.push(Some(element.tag.name()).filter(|_| element.tag.role() != Role::Draw));
        self.sources.push(Some(&*element.source).filter(|source| !is_end && *source != "path"));
    }
}
