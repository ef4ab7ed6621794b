//! The differences between two reports.

use serde::Serialize;
use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashMap, VecDeque},
    fmt,
};
use treebounds_core::{Rect, Role};
use treebounds_report::{Element, ReadReport};

/// A box that is not empty: left, top, right, bottom.
pub type Edges = [f32; 4];

/// How an element changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It has the same size at another place.
    Moved,
    /// It covers more pixels.
    Grown,
    /// It covers fewer pixels.
    Shrunk,
    /// It covers as many pixels in another shape.
    Reshaped,
    /// It was visible and is not any more.
    Culled,
    /// It was not visible and is now.
    Shown,
    /// Only the new report has it.
    Appeared,
    /// Only the old report has it.
    Gone,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Moved => "moved",
            Self::Grown => "grown",
            Self::Shrunk => "shrunk",
            Self::Reshaped => "reshaped",
            Self::Culled => "culled",
            Self::Shown => "shown",
            Self::Appeared => "appeared",
            Self::Gone => "gone",
        })
    }
}

/// An element that differs. The `ix` of its draw or begin names it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// How it changed.
    pub change: Change,
    /// Its `ix` in the old report; `None` if it appeared.
    pub old: Option<u32>,
    /// Its `ix` in the new report; `None` if it is gone.
    pub new: Option<u32>,
    /// `draw`, `clip`, `blend` or `clip_blend`.
    pub kind: String,
    /// Its id.
    pub id: Option<String>,
    /// Its path, if the report has paths.
    pub path: Option<String>,
    /// Its bounds in the old report; `None` if it has none.
    pub from: Option<Edges>,
    /// Its bounds in the new report; `None` if it has none.
    pub to: Option<Edges>,
}

/// The differences between an old report and a new one: the new report's elements in paint order, then the ones that are gone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diff {
    /// The format, [`Diff::SCHEMA`].
    schema: &'static str,
    /// The old drawing's name.
    pub old: String,
    /// The new drawing's name.
    pub new: String,
    /// The elements that differ.
    pub changes: Vec<Difference>,
    /// How many elements look different although no box differs, as [`Diff::with_paint`] has counted; `None` if some do, and
    /// they cannot be counted.
    pub repainted: Option<usize>,
}

impl Diff {
    /// The name and version of the JSON format.
    pub const SCHEMA: &'static str = "treebounds.diff/1";

    /// Compares two reports.
    ///
    /// Elements with the same kind and id are the same element; if several share an id, they match in order. The children of
    /// matched nodes then match by source and rect, and the remaining ones by source, again in order.
    pub fn new(old: &ReadReport, new: &ReadReport) -> Self {
        let (olds, news) = (Items::of(old), Items::of(new));
        let Pairs { matched, is_taken, .. } = Pairs::new(&olds, &news);
        let mut changes = Vec::new();
        for (item, old) in news.items.iter().zip(matched) {
            let old = old.and_then(|old| olds.items.get(old)).map(|old| old.element);
            changes.extend(difference(old, Some(item.element)));
        }
        let gone = olds.items.iter().zip(is_taken).filter(|(_, is_taken)| !is_taken);
        changes.extend(gone.filter_map(|(old, _)| difference(Some(old.element), None)));
        Self {
            schema: Self::SCHEMA,
            old: old.source.to_string(),
            new: new.source.to_string(),
            changes,
            repainted: Some(0),
        }
    }

    /// Counts the elements that look different, if no box differs. `old` and `new` are the drawings as they were measured.
    ///
    /// Elements are paired by their order, so there is no number if one drawing has more, such as another gradient.
    #[must_use]
    pub fn with_paint(mut self, old: &str, new: &str) -> Self {
        let is_paired = old.matches('<').count() == new.matches('<').count();
        let differing = || old.split('<').zip(new.split('<')).filter(|(old, new)| old != new);
        if self.is_empty() {
            self.repainted = is_paired.then(|| differing().count());
        }
        self
    }

    /// Whether no box differs.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// The number of elements per change, in the order of [`Change`].
    pub fn counts(&self) -> Vec<(Change, usize)> {
        let mut counts = BTreeMap::new();
        for difference in &self.changes {
            *counts.entry(difference.change).or_default() += 1;
        }
        counts.into_iter().collect()
    }

    /// The JSON form.
    pub fn to_json(&self) -> String {
        // Strings, finite numbers and lists cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// The difference between an element and its old self, if any.
fn difference(old: Option<&Element<'_>>, new: Option<&Element<'_>>) -> Option<Difference> {
    let element = new.or(old)?;
    let change = match (old, new) {
        (Some(old), Some(new)) => change(old.bounds, new.bounds)?,
        (None, _) => Change::Appeared,
        (_, None) => Change::Gone,
    };
    let edges = |element: Option<&Element<'_>>| {
        element.filter(|element| !element.is_culled()).map(|element| element.bounds.to_array())
    };
    Some(Difference {
        change,
        old: old.map(|old| old.ix),
        new: new.map(|new| new.ix),
        kind: element.tag.name().trim_start_matches("begin_").to_owned(),
        id: element.id.as_deref().map(str::to_owned),
        path: element.path.as_ref().map(ToString::to_string),
        from: edges(old),
        to: edges(new),
    })
}

fn change(from: Rect, to: Rect) -> Option<Change> {
    match (from.is_empty(), to.is_empty()) {
        (true, true) => return None,
        (false, true) => return Some(Change::Culled),
        (true, false) => return Some(Change::Shown),
        (false, false) if from == to => return None,
        (false, false) => {}
    }
    // A length whose two ends move may be rounded.
    let edges = from.to_array().into_iter().chain(to.to_array());
    let most = edges.fold(0.0_f32, |most, edge| most.max(edge.abs()));
    let rounding = 4.0 * f64::from(most) * f64::from(f32::EPSILON);
    let is_same = |from: f64, to: f64| (from - to).abs() <= rounding;
    if is_same(from.width(), to.width()) && is_same(from.height(), to.height()) {
        return Some(Change::Moved);
    }
    Some(match to.area().total_cmp(&from.area()) {
        Ordering::Greater => Change::Grown,
        Ordering::Less => Change::Shrunk,
        Ordering::Equal => Change::Reshaped,
    })
}

/// A draw or a node.
struct Item<'a> {
    element: &'a Element<'static>,
    children: Vec<usize>,
}

/// The draws and nodes of a report as a tree.
struct Items<'a> {
    items: Vec<Item<'a>>,
    roots: Vec<usize>,
}

impl<'a> Items<'a> {
    fn of(report: &'a ReadReport) -> Self {
        let mut this = Self { items: Vec::new(), roots: Vec::new() };
        let mut open: Vec<usize> = Vec::new();
        for element in &report.elements {
            if element.tag.role() == Role::End {
                open.pop();
                continue;
            }
            let at = this.items.len();
            match open.last().and_then(|parent| this.items.get_mut(*parent)) {
                Some(parent) => parent.children.push(at),
                None => this.roots.push(at),
            }
            this.items.push(Item { element, children: Vec::new() });
            if element.tag.role() == Role::Begin {
                open.push(at);
            }
        }
        this
    }

    fn children(&self, of: Option<usize>) -> &[usize] {
        match of {
            None => &self.roots,
            Some(of) => self.items.get(of).map_or(&[], |item| &item.children),
        }
    }
}

/// Pairs of old and new items.
struct Pairs<'a, 'b> {
    olds: &'b Items<'a>,
    news: &'b Items<'a>,
    /// New item: the old item that it is.
    matched: Vec<Option<usize>>,
    /// Old item: whether a new item is it.
    is_taken: Vec<bool>,
}

impl<'a, 'b> Pairs<'a, 'b> {
    fn new(olds: &'b Items<'a>, news: &'b Items<'a>) -> Self {
        let mut this = Self {
            olds,
            news,
            matched: vec![None; news.items.len()],
            is_taken: vec![false; olds.items.len()],
        };
        let (all_old, all_new): (Vec<_>, Vec<_>) =
            ((0..olds.items.len()).collect(), (0..news.items.len()).collect());
        this.pair(&all_old, &all_new, |element| {
            element.id.as_deref().map(|id| (element.tag.name(), id))
        });
        this.by_place();
        this
    }

    /// Pairs the children of paired nodes, from the roots down.
    fn by_place(&mut self) {
        let (olds, news) = (self.olds, self.news);
        let mut pairs = vec![(None, None)];
        while let Some((old, new)) = pairs.pop() {
            let (old_children, new_children) = (olds.children(old), news.children(new));
            self.pair(old_children, new_children, |element| {
                let rect = element.rect.to_array().map(f32::to_bits);
                Some((element.tag.name(), &*element.source, rect))
            });
            self.pair(old_children, new_children, |element| {
                Some((element.tag.name(), &*element.source))
            });
            let matched = |child: &usize| self.matched.get(*child).copied().flatten();
            pairs.extend(
                new_children.iter().filter_map(|child| Some((Some(matched(child)?), Some(*child)))),
            );
        }
    }

    /// Pairs items that are not paired yet and have the same key, in order.
    fn pair<K: std::hash::Hash + Eq>(
        &mut self,
        olds: &[usize],
        news: &[usize],
        key: impl Fn(&'a Element<'static>) -> Option<K>,
    ) {
        let mut waiting: HashMap<K, VecDeque<usize>> = HashMap::new();
        for &old in olds.iter().filter(|old| self.is_taken.get(**old) == Some(&false)) {
            if let Some(key) = self.olds.items.get(old).and_then(|item| key(item.element)) {
                waiting.entry(key).or_default().push_back(old);
            }
        }
        for &new in news {
            let Some(item) = self.news.items.get(new) else { continue };
            let Some(slot @ None) = self.matched.get_mut(new) else { continue };
            let found = key(item.element).and_then(|key| waiting.get_mut(&key)?.pop_front());
            *slot = found;
            if let Some(is_taken) = found.and_then(|old| self.is_taken.get_mut(old)) {
                *is_taken = true;
            }
        }
    }
}
